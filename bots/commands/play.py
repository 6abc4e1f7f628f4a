"""A person against bots at the terminal.

The person is shown a view, as a bot is, and nothing else: what is hidden stays hidden, and where several decide at once
nobody's action is shown before all have chosen.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Annotated, Any

import typer
from rich.columns import Columns
from rich.console import Console

from mcts import NOOP, BotError, Game, IllegalActionError, Limit, ParameterError, State, View, game_facts, load_game

from ..base import Bot
from ..registry import load_bot
from ..seeds import seed_for
from ..steps import step_text, why_illegal
from .common import GameArgument, SecondsOption, SimulationsOption, stdout

HELP = """\
Type an action as it is listed, or its number in the list.
  moves   list the actions again
  board   draw what you see again
  help    this text
  quit    leave the game"""
HELP_UNLISTED = """\
The actions of this game are too many to list; type one in words, as in
  {example}
  moves   another example
  board   draw what you see again
  help    this text
  quit    leave the game"""


_NEW_SEEDS = 1_000_000


class _LeftError(Exception):
    """The person has left the game."""


def play_command(
    game: GameArgument,
    bot: Annotated[
        list[str],
        typer.Option("--bot", metavar="BOT", help="plays a seat beside yours, in order; the last plays all the rest"),
    ],
    seat: Annotated[
        str | None, typer.Option("--seat", metavar="PLAYER", help="your player, by name or number from 1 [default: 1]")
    ] = None,
    seed: Annotated[
        int | None, typer.Option("--seed", metavar="N", help="root of all that is random [default: new each time]")
    ] = None,
    simulations: SimulationsOption = None,
    seconds: SecondsOption = None,
) -> None:
    """Play a game against bots at the terminal."""
    if seed is None:
        seed = secrets.randbelow(_NEW_SEEDS)  # a person who has met these very bids before would foresee them
    play(load_game(game), bot, seat, seed, Limit(simulations=simulations, seconds=seconds), stdout())


def play(game: Game, bot_specs: Sequence[str], seat: str | None, seed: int, limit: Limit, console: Console) -> None:
    """Play one game and say how it ended. Input comes from stdin; its end, like `quit`, leaves the game.

    Args:
        game: what is played.
        bot_specs: who plays the other seats, in player order; the last one plays all that are left.
        seat: the person's player, by name or number from 1; None for the first.
        seed: root of the bots' seeds.
        limit: what a bot's decision may cost.
        console: where to draw.

    Raises:
        ParameterError: no such seat, or more bots than seats.
        PlayoutError: a bot cannot be loaded, or cannot play this game.
        BotError: a bot failed.
    """
    own = seat_number(game, seat)
    bots = _seat_bots(game, bot_specs, own, seed)
    console.print(f"{game.spec}: {game_facts(game.name).summary}", markup=False)
    for player, name in enumerate(game.players):
        who = "you" if player == own else bots[player].spec
        console.print(f"{name}: {who}", markup=False)
    console.print(f"Seed {seed}. Type help for help.")
    hidden: dict[int, list[str]] = {player: [] for player in bots}
    try:
        state = _play_to_end(game, bots, own, limit, hidden, console)
    except _LeftError:
        console.print("You have left the game.")
        return
    finally:
        for bot in bots.values():
            bot.close()
    console.print(f"\n{state}\n", markup=False)
    for player, texts in hidden.items():
        if texts:
            console.print(f"What {game.players[player]} played in secret: {', '.join(texts)}", markup=False)
    console.print(result_text(game, state.returns(), own), markup=False)


def seat_number(game: Game, seat: str | None) -> int:
    """The player that a name, or a number from 1, stands for. Raises ParameterError."""
    if seat is None:
        return 0
    if seat in game.players:
        return game.players.index(seat)
    if seat.isdecimal() and 1 <= int(seat) <= game.num_players:
        return int(seat) - 1
    raise ParameterError(
        f"no seat {seat!r} in {game.spec}; valid: {', '.join(game.players)}, or 1 to {game.num_players}"
    )


def _seat_bots(game: Game, specs: Sequence[str], own: int, seed: int) -> dict[int, Bot]:
    others = [player for player in range(game.num_players) if player != own]
    if len(specs) > len(others):
        raise ParameterError(f"{len(specs)} bots given; seats beside yours in {game.spec}: {len(others)}")
    bots = {}
    for i, player in enumerate(others):
        bot = load_bot(specs[min(i, len(specs) - 1)])
        bot.check_game(game)
        bot.new_game(game, player, seed_for(seed, player))
        bots[player] = bot
    return bots


def _play_to_end(
    game: Game, bots: dict[int, Bot], own: int, limit: Limit, hidden: dict[int, list[str]], console: Console
) -> State:
    """The state that the game ends in; where bots play in secret, `hidden` gets the words of what they play."""
    state = game.new_initial_state()
    while acting := state.acting_players():
        joint: list[Any] = [NOOP] * game.num_players
        if own in acting:
            joint[own] = _ask(state.view(own), len(acting) > 1, console)
        for player in acting:
            if player != own:
                with console.status(f"{game.players[player]} is thinking"):
                    joint[player] = _bot_action(bots[player], state, player, limit)
        for player in acting:
            text = state.action_to_string(player, joint[player])
            if player == own:
                console.print(f"you play {text}", markup=False)
            elif game.has_hidden_information:
                hidden[player].append(text)
                console.print(f"{game.players[player]} plays in secret", markup=False)
            else:
                console.print(f"{game.players[player]} plays {text}", markup=False)
        step = step_text(state, acting, joint)
        state.apply_actions(joint)
        if not game.has_hidden_information:
            for bot in bots.values():
                bot.played(step)
    return state


def _bot_action(bot: Bot, state: State, player: int, limit: Limit) -> Any:
    action = bot.choose(state.view(player), limit)
    if not state.is_legal(player, action):
        raise BotError(f"bot {bot.spec} answered {action!r}, which is no legal action of {state.game.players[player]}")
    return action


def _ask(view: View, sealed: bool, console: Console) -> Any:
    """The person's action: what cannot be understood, or is not legal, is explained and asked again."""
    console.print(f"\n{view}\n", markup=False)
    legal = view.legal_actions() if view.game.is_enumerable else None
    if legal is not None and len(legal) == 1:
        console.print(f"You have one action: {view.action_to_string(legal[0])}", markup=False)
        return legal[0]
    examples = 0
    _show_moves(view, legal, examples, console)
    prompt = f"{view.game.players[view.player]}{', sealed' if sealed else ''}> "
    while True:
        text = _read_line(prompt, console)
        if text == "quit":
            raise _LeftError
        if text in ("help", "?"):
            console.print(HELP if legal is not None else HELP_UNLISTED.format(example=_example(view, examples)))
        elif text == "moves":
            examples += 1
            _show_moves(view, legal, examples, console)
        elif text == "board":
            console.print(str(view), markup=False)
        elif text:
            try:
                return _read_action(view, legal, text)
            except IllegalActionError as error:
                console.print(f"{error}", markup=False)


def _read_line(prompt: str, console: Console) -> str:
    try:
        return console.input(prompt, markup=False).strip()
    except (EOFError, KeyboardInterrupt):
        console.print()
        raise _LeftError from None


def _read_action(view: View, legal: list[int] | None, text: str) -> Any:
    """The legal action that a text or a number of the list names. Raises IllegalActionError."""
    if legal is not None and text.isdecimal():
        if not 1 <= int(text) <= len(legal):
            raise IllegalActionError(f"{text} is not in the list; valid: 1 to {len(legal)}")
        return legal[int(text) - 1]
    action = view.string_to_action(text.replace(" ", ""))
    if not view.is_legal(action):
        if legal is None:
            raise IllegalActionError(why_illegal(view.resample(0), view.player, action))
        raise IllegalActionError(f"{text} is not legal now; moves lists what is")
    return action


def _show_moves(view: View, legal: list[int] | None, examples: int, console: Console) -> None:
    if legal is None:
        console.print(f"For example: {_example(view, examples)}", markup=False)
        return
    width = len(str(len(legal)))
    texts = [f"{i:{width}} {view.action_to_string(action)}" for i, action in enumerate(legal, 1)]
    console.print(Columns(texts, padding=(0, 3)))


def _example(view: View, number: int) -> str:
    text: str = view.action_to_string(view.sample_action(number))
    return text


def result_text(game: Game, returns: Sequence[float], own: int) -> str:
    """How a game ended, in words, and everybody's return."""
    names = ["you" if player == own else name for player, name in enumerate(game.players)]
    scores = ", ".join(f"{name} {value:g}" for name, value in zip(names, returns, strict=True))
    first = [name for name, value in zip(names, returns, strict=True) if value == max(returns)]
    if len(first) == len(names):
        ending = "a draw"
    elif len(first) > 1:
        ending = f"{' and '.join(first)} share the first place"
    else:
        ending = "you win" if first == ["you"] else f"you lose, {first[0]} wins"
    return f"The game is over: {ending} ({scores})."
