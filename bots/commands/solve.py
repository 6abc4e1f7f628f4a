"""`playout solve`: exact values and optimal actions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from mcts import Solution, State, load_game
from mcts.exact.solve import MEMORY_MB

from ..studies.analysis.regret import OPTIMAL
from .common.consoles import print_json, stdout
from .common.options import CacheOption, GameArgument, JsonOption, MemoryOption, StateOption, option, read_state
from .common.solving import solve_game
from .common.tables import plain_table

_MOST_SHOWN = 12


def command(
    game: GameArgument,
    state: StateOption = None,
    cache: CacheOption = None,
    memory_mb: MemoryOption = MEMORY_MB,
    method: Annotated[
        str | None,
        option(
            "For hidden information: sequence_form (linear programs) or cfr (regret minimisation).",
            "NAME",
            default="by size",
        ),
    ] = None,
    gap: Annotated[
        float | None,
        option("For cfr: share of the range of returns that best responses may gain.", "G", default="1e-5"),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Solve a game exactly and show the optimal actions.

    A game can be solved if it has two players with opposite interests and few enough states. Solutions are stored on
    disk, so a game is solved only once.

    Examples:
        playout solve "bidding_ttt(coins=3)"
        playout solve mnk --state x../.o./..x_o
    """
    loaded = load_game(game)
    start = read_state(loaded, state)
    solution, seconds = solve_game(loaded, cache, memory_mb, method, gap)
    summary = _summary(solution, start, seconds)
    if as_json:
        print_json(summary)
    else:
        _print_summary(summary, start, stdout())


def _summary(solution: Solution, state: State, seconds: float) -> dict[str, Any]:
    """Return the value of a state and the actions of its players as plain data."""
    game = state.game
    values: Sequence[float] | None
    if solution.game.has_hidden_information:
        values, actions_of = _hidden_values(solution, state), _hidden_actions
    else:
        values, actions_of = solution.value(state), _actions
    return {
        "game": game.spec,
        "state": state.to_dict(),
        "values": None if values is None else dict(zip(game.players, values, strict=True)),
        "moves": {game.players[player]: actions_of(solution, state, player) for player in state.acting_players()},
        "num_states": solution.num_states,
        "seconds": seconds,
    }


def _hidden_values(solution: Solution, state: State) -> list[float] | None:
    """Return the value of the first or a final state. Others have none: it depends on beliefs about what is hidden."""
    known = state.is_terminal() or state == state.game.new_initial_state()
    return solution.value(state) if known else None


def _hidden_actions(solution: Solution, state: State, player: int) -> list[dict[str, Any]]:
    """Return each legal action with its probability in optimal play, and its loss where it is known."""
    actions = solution.action_values_at(state, player)
    values = [each.value for each in actions if each.value is not None]
    return [
        {
            "action": state.action_to_string(player, each.action),
            "probability": each.probability,
            "loss": None if each.value is None else max(0.0, max(values) - each.value),
        }
        for each in actions
    ]


def _actions(solution: Solution, state: State, player: int) -> list[dict[str, Any]]:
    """Return each legal action with its probability in optimal play, and the loss if it is always played."""
    policy = solution.policy(state, player)
    return [
        {
            "action": state.action_to_string(player, action),
            "probability": policy.get(action, 0.0),
            "loss": max(0.0, solution.loss(state, player, action)),
        }
        for action in state.legal_actions(player)
    ]


def _print_summary(summary: dict[str, Any], state: State, console: Console) -> None:
    console.print(Text(str(state)))
    for name, actions in summary["moves"].items():
        console.print()
        console.print(_actions_table(name, actions))
    console.print()
    facts = Table.grid(padding=(0, 2))
    if summary["values"] is None:
        values = "not defined: it depends on beliefs about what is hidden"
    else:
        values = "  ".join(f"{name} {value:.6g}" for name, value in summary["values"].items())
    facts.add_row(Text("exact value", "bold"), Text(values))
    facts.add_row(Text("states", "bold"), Text(f"{summary['num_states']:,}"))
    facts.add_row(Text("time", "bold"), Text(f"{summary['seconds']:.3g} s"))
    console.print(facts)


def _actions_table(name: str, actions: list[dict[str, Any]]) -> Table:
    plays = f"{name} plays"
    table = plain_table(plays, "probability", "loss", left=[plays])
    ordered = sorted(actions, key=lambda action: (-action["probability"], action["loss"] or 0.0))
    for action in ordered[:_MOST_SHOWN]:
        style = "" if action["probability"] else "dim"
        table.add_row(action["action"], f"{action['probability']:.4g}", _loss_text(action["loss"]), style=style)
    if len(ordered) > _MOST_SHOWN:
        table.add_row(f"({len(ordered) - _MOST_SHOWN} more)", "", "", style="dim")
    return table


def _loss_text(loss: float | None) -> str:
    if loss is None:
        return "unknown"
    return "-" if loss <= OPTIMAL else f"{loss:.4g}"
