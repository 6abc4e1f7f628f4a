"""One search, printed for a person: the position, the value of every action, and the principal variation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from cext.arguments import counted
from mcts import CHANCE, MCTS, ParameterError, SearchResult, State, UnsupportedGameError, load_searcher, searcher_for

DEFAULT_SIMULATIONS = 10_000
"""Simulations of a search without a limit."""
_MOST_BRANCHES = 5
_MOST_STATES = 10_000


def search_state(
    state: State, searcher: str | None, simulations: int | None, seconds: float | None, seed: int
) -> tuple[MCTS, SearchResult]:
    """Search a state once.

    Args:
        state: a state that is not terminal.
        searcher: spec of the searcher; None: the strongest one for the game.
        simulations, seconds: limits; without any, DEFAULT_SIMULATIONS.
        seed: root of the searcher's random streams.

    Returns:
        The searcher, which holds the tree, and the result.

    Raises:
        UnsupportedGameError: the game hides something, or the searcher cannot play it.
        ParameterError: the searcher searches no states, or has a parameter that is unknown or out of range.
        PlayoutError: the spec or a limit is bad, or the game is over.
    """
    if state.game.has_hidden_information:
        raise UnsupportedGameError(
            f"cannot analyse {state.game.spec}: a search of the true state would use what its players do not see"
        )
    loaded = searcher_for(state.game, seed=seed) if searcher is None else load_searcher(searcher, state.game, seed=seed)
    if not isinstance(loaded, MCTS):
        raise ParameterError(
            f"cannot analyse with {loaded.name()!r}, which searches no states; valid: {MCTS.NAME}(...)"
        )
    if simulations is None and seconds is None:
        simulations = DEFAULT_SIMULATIONS
    return loaded, loaded.run(state, simulations=simulations, seconds=seconds)


def print_result(result: SearchResult, console: Console) -> None:
    """Print the position and the result of the search."""
    state, players = result.state, result.state.game.players
    console.print(Text(str(state)))
    for player in result.arms:
        console.print()
        console.print(_arms_table(result.for_player(player)))
    console.print()
    facts = Table.grid(padding=(0, 2))
    for name, text in _facts(result):
        facts.add_row(Text(name, "bold"), Text(text))
    console.print(facts)
    if result.interrupted:
        console.print(Text(f"Interrupted: results for {players[result.player]} up to that time.", "dim"))


def print_tree(tree: dict[str, Any], console: Console) -> None:
    """Print the top of a tree, with the most visited arms of every state.

    Args:
        tree: a tree from `SearchResult.tree`.
        console: receives the output.
    """
    drawn = Tree(Text(_node_text(tree["visits"], tree["values"])))
    todo = [(tree, drawn)]
    while todo:
        node, branch = todo.pop()
        for arm in node["arms"][:_MOST_BRANCHES]:
            below = branch.add(_arm_text(arm))
            if arm["child"] is not None:
                todo.append((arm["child"], below))
        more = max(len(node["arms"]) - _MOST_BRANCHES, 0) + (node["left_out"] if node["arms"] else 0)
        if more:
            branch.add(Text(f"{more} more", "dim"))
    console.print(drawn)


def tree_at(result: SearchResult, depth: int) -> dict[str, Any]:
    """Return the tree of a result to a depth, with at most _MOST_STATES states."""
    return result.tree(depth, _MOST_STATES)


def _arms_table(result: SearchResult) -> Table:
    """Return a table of the actions of the result's player, the most probable first."""
    state, player, policy = result.state, result.player, result.policy
    bounded = any(
        arm.lower > state.game.min_utility or arm.upper < state.game.max_utility for arm in result.arms[player]
    )
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), title_justify="left", title_style="bold")
    table.title = f"{state.game.players[player]} to decide{', at the same time' if result.is_mixed else ''}"
    table.add_column("action", overflow="fold")
    for name in ["visits", "probability", "value", *(["proven"] if bounded else [])]:
        table.add_column(name, justify="right", no_wrap=True)
    chosen = None if result.is_mixed else result.action
    for arm in sorted(result.arms[player], key=lambda arm: (-policy[arm.action], -arm.visits, arm.action)):
        cells = [
            f"{arm.visits:,}",
            f"{100 * policy[arm.action]:.1f} %",
            "-" if arm.mean is None else f"{arm.mean:.2f}",
            *([_bounds_text(arm.lower, arm.upper, state)] if bounded else []),
        ]
        text = Text(state.action_to_string(player, arm.action) + (" *" if arm.action == chosen else ""))
        table.add_row(text, *cells, style="bold" if arm.action == chosen else None)
    return table


def _bounds_text(lower: float, upper: float, state: State) -> str:
    """Return the text of proven bounds: a value, a range, one bound, or `-`."""
    if lower == upper:
        return f"{lower:g}"
    below, above = lower > state.game.min_utility, upper < state.game.max_utility
    if below and above:
        return f"{lower:g} to {upper:g}"
    return f"at least {lower:g}" if below else f"at most {upper:g}" if above else "-"


def _facts(result: SearchResult) -> Iterator[tuple[str, str]]:
    players = result.state.game.players
    if not result.is_mixed:
        yield "answer", f"{result.state.action_to_string(result.player, result.action)} (marked * above)"
    values = ", ".join(f"{name} {value:.2f}" for name, value in zip(players, result.values, strict=True))
    yield "value", values + (" (proven)" if result.proven else "")
    yield "expected", "; ".join(_line_texts(result)) or "-"
    rate = result.simulations / result.seconds if result.seconds > 0 else 0.0
    yield "simulations", f"{result.simulations:,} in {result.seconds:.3f} s, {rate:,.0f} a second"
    yield "tree", f"{result.nodes:,} nodes, {result.memory_bytes / 2**20:.2f} MB"


def _line_texts(result: SearchResult) -> Iterator[str]:
    """Yield the text of each step of the principal variation: players and their actions."""
    at, players = result.state.clone(), result.state.game.players
    for joint in result.pv:
        deciders = {CHANCE: "chance"} if at.is_chance() else {player: players[player] for player in at.acting_players()}
        yield ", ".join(f"{name} {at.action_to_string(player, joint[player])}" for player, name in deciders.items())
        at.apply_actions(joint)


def _arm_text(arm: dict[str, Any]) -> Text:
    names = arm["joint"].items()
    text = Text(", ".join(f"{name} {action}" for name, action in names), "bold")
    child = arm["child"]
    values = arm["values"] if child is None or child["values"] is None else child["values"]
    return text.append(Text("  " + _node_text(arm["visits"], values), "not bold"))


def _node_text(visits: int, values: dict[str, float] | None) -> str:
    means = ", ".join(f"{name} {value:.1f}" for name, value in (values or {}).items())
    return counted(visits, "visit") + (f": {means}" if means else "")
