"""`playout play`: a person against bots at the terminal.

A person sees only a view, like a bot: hidden information stays hidden, and simultaneous actions are shown after all
players have chosen.
"""

from __future__ import annotations

import secrets
import signal
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from cext.arguments import counted
from mcts import Game, Limit, ParameterError, State, StateError, load_game
from mcts.game_rules import said
from mcts.pictures import notation_of

from ..base import Bot
from ..game.course import CHANCE_NAME, HIDDEN
from ..match import Match
from ..match.seats import Player
from ..system.exit_status import INTERRUPTED
from ..system.untrusted import clean_line
from .common.completion import complete_bot
from .common.consoles import stdout
from .common.files import STDOUT, OutputFile, output_file
from .common.options import GameArgument, NewSeed, SecondsOption, SimulationsOption, option, output_option, read_state
from .play_board import board_text
from .play_prompt import LeftError, ask_action

_OPPONENT = "level(3)"
_NEW_SEEDS = 1_000_000
_LONGEST_SEAT_NUMBER = 9


def command(
    game: GameArgument,
    bot: Annotated[
        list[str] | None,
        option(
            "Bot for the next free seat. Repeat it for more seats; the last bot takes all seats that remain.",
            "BOT",
            default=_OPPONENT,
            autocompletion=complete_bot,
        ),
    ] = None,
    seat: Annotated[
        str | None, option("Your seat: a name, its beginning, or a number from 1.", "PLAYER", default="1")
    ] = None,
    seed: NewSeed = None,
    simulations: SimulationsOption = None,
    seconds: SecondsOption = None,
    state: Annotated[
        str | None, option("State to start from, as text or JSON.", "TEXT", default="the initial state")
    ] = None,
    output: Annotated[str | None, output_option("Write the game to a file, also if it is not finished.")] = None,
) -> None:
    """Play a game against bots at the terminal.

    Type an action as it is listed, in a short form, or as its number. Type `help` for the commands, such as `hint` and
    `undo`, and `?` for the rules. The end of the input leaves the game.

    Examples:
        playout play othello
        playout play bidding_ttt --bot mcts
        playout play three_player_ttt --bot mcts --bot greedy --seat z
        playout play bidding_3d_ttt --bot double_oracle --seconds 2
        playout play mnk --bot mcts --state xo./.x./..o_x
        playout play points_ttt --bot mcts -o game.json    # then: playout replay game.json
    """
    if seed is None:
        seed = secrets.randbelow(_NEW_SEEDS)  # with a fixed seed, a person could learn the bots' bids
    loaded = load_game(game)
    if state == "-":
        raise ParameterError("--state - is not possible here: stdin is for your actions; valid: text or JSON")
    start = read_state(loaded, state)
    if output == STDOUT:
        raise ParameterError("--output - is not possible here: stdout is for the game; valid: a file")
    limit = Limit(simulations=simulations, seconds=seconds)
    play(loaded, bot or (), seat, seed, limit, stdout(), start, output_file(output))


def play(
    game: Game,
    bot_specs: Sequence[str],
    seat: str | None,
    seed: int,
    limit: Limit,
    console: Console,
    start: State,
    record: OutputFile | None = None,
) -> None:
    """Play one game and print its result. Actions are read from stdin; its end, like `quit`, leaves the game.

    Args:
        game: the game.
        bot_specs: bots for the other seats, in seat order; the last one takes the remaining seats, and `level(3)` all
            if there is none.
        seat: the person's player, by name or number from 1; None for the first.
        seed: root of the seeds of the bots and of chance.
        limit: limit of each decision of a bot.
        console: receives all output.
        start: the first state.
        record: receives the record of the game, however it ends; None: nothing does.

    Raises:
        StateError: the game is over in the first state.
        ParameterError: the seat does not exist, or there are more bots than seats.
        PlayoutError: a bot cannot be loaded or does not support this game.
        BotError: a bot failed.
        typer.Exit: after Ctrl-C.
    """
    if start.is_terminal():
        raise StateError(f"--state: the game is over in this state; valid: a state of {game.spec} with legal actions")
    own = seat_number(game, seat)
    with Match(game, _bots_of(game, bot_specs, own), seed=seed, limit=limit, start=start, begin=False) as match:
        console.print(Text(f"{game.spec}: {game.info.summary}"))
        for name, spec in match.seats.items():
            console.print(Text(f"{name}: {'you' if spec is None else spec}"))
        console.print(f"Seed {seed}. Type help for help, ? for the rules.")
        try:
            _play_to_end(match, console)
        except (LeftError, KeyboardInterrupt) as left:
            console.print("You left the game.")
            if isinstance(left, KeyboardInterrupt):
                raise typer.Exit(INTERRUPTED) from None
            return
        finally:
            if record is not None:
                record.write_text(match.record(rules=True).to_json())
    console.print(Text("\n").join([Text(), board_text(match.state, console), Text()]))
    if game.has_hidden_information and not game.info.public_actions:
        for name, spec in match.seats.items():
            texts = [ply[name] for ply in match.history() if name in ply]
            if texts and spec is not None:
                console.print(Text(f"Hidden actions of {name}: {', '.join(texts)}"))
    console.print(Text(result_text(game, match.returns or (), own)))


def seat_number(game: Game, seat: str | None) -> int:
    """Return the player with a name, the beginning of a name, or a number from 1. Raises ParameterError."""
    if seat is None:
        return 0
    if seat in game.players:
        return game.players.index(seat)
    if seat.isdecimal() and len(seat) <= _LONGEST_SEAT_NUMBER and 1 <= int(seat) <= game.num_players:
        return int(seat) - 1
    meant = [player for player, name in enumerate(game.players) if name.casefold().startswith(seat.casefold())]
    if len(meant) == 1:
        return meant[0]
    raise ParameterError(
        f"unknown seat {seat!r} in {game.spec}; valid: {', '.join(game.players)}, or 1 to {game.num_players}"
    )


def _bots_of(game: Game, specs: Sequence[str], own: int) -> dict[Player, Bot | str | None]:
    others = [player for player in range(game.num_players) if player != own]
    if not specs:
        return dict.fromkeys(others, _OPPONENT)
    if len(specs) > len(others):
        raise ParameterError(
            f"{counted(len(specs), 'bot')} for {counted(len(others), 'free seat')} in {game.spec}; valid: {len(others)}"
        )
    return {player: specs[min(i, len(specs) - 1)] for i, player in enumerate(others)}


def _play_to_end(match: Match, console: Console) -> None:
    """Play the game, and print each ply."""
    own = match.persons[0]
    are_hidden = match.game.has_hidden_information and not match.game.info.public_actions
    notation = notation_of(match.view())
    while not match.is_over:
        action = None
        if match.waits_for:
            action = ask_action(match, console)
            if action is None:
                continue
        with console.status("thinking"), _interruptible():
            plies = match.go_on(1) if action is None else match.play(action, plies=1)
        for name, played in (each for ply in plies for each in ply.items()):
            hidden = played == HIDDEN or (are_hidden and name not in (own, CHANCE_NAME))
            console.print(Text(_told(match.game, name, own, None if hidden else played, notation)))


def _told(game: Game, name: str, own: str, played: str | None, notation: Mapping[str, str]) -> str:
    """Return an action of a player or of chance in the words of the game; None is a hidden action."""
    if played is None:
        return f"{name} {'acts' if name == CHANCE_NAME else 'plays'} in secret"
    text = clean_line(said(game.info, played, notation.get(played)))
    if text[:1].isupper():
        return text
    if name == CHANCE_NAME:
        return f"{name}: {notation.get(played, played)}"
    return f"you play {text.removeprefix('plays ')}" if name == own and text.startswith("plays ") else f"{name} {text}"


@contextmanager
def _interruptible() -> Iterator[None]:
    """Raise KeyboardInterrupt at the end of the block after a Ctrl-C, also if the search inside only returned early."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    pressed = False

    def note(number: int, frame: FrameType | None) -> None:
        nonlocal pressed
        pressed = True
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, note)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if pressed:
        raise KeyboardInterrupt


def result_text(game: Game, returns: Sequence[float], own: int) -> str:
    """Return a sentence with the winners and all returns."""
    names = ["you" if player == own else name for player, name in enumerate(game.players)]
    scores = ", ".join(f"{name} {value:g}" for name, value in zip(names, returns, strict=True))
    first = [name for name, value in zip(names, returns, strict=True) if value == max(returns)]
    if len(first) == len(names):
        ending = "a draw"
    elif len(first) > 1:
        ending = f"{' and '.join(first)} share first place"
    else:
        ending = "you win" if first == ["you"] else f"you lose, {first[0]} wins"
    return f"The game is over: {ending} ({scores})."
