"""Commands of a person in `playout play` that are no actions: hints, undo, history, files."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from pathlib import Path

from rich.console import Console
from rich.text import Text

from cext.arguments import shown
from mcts import ParameterError, StateError, View
from mcts.errors import LimitError
from mcts.pictures import notation_of

from ..game.course import Ply
from ..match import Match
from .common.consoles import print_line

_HINT_SECONDS = 1.0
_MOST_HINT_SECONDS = 3600.0


def hint(match: Match, rest: str, console: Console) -> bool:
    """Print a good action, found by a search of one second or of the seconds that are given."""
    try:
        seconds = float(rest or _HINT_SECONDS)
    except ValueError:
        seconds = math.nan
    if not 0 < seconds <= _MOST_HINT_SECONDS:
        raise LimitError(
            f"{shown(rest)} is not a number of seconds; valid: hint, or hint 5 for five seconds, up to 3600"
        )
    with console.status("searching"):
        action = match.hint(seconds=seconds)
    action = notation_of(match.view()).get(action, action)
    print_line(console, f"A good action: {action}")  # one line, which can be copied
    return False


def undo(match: Match, rest: str, console: Console) -> bool:
    """Go back to the last position in which the person could choose."""
    undone = 0
    while match.can_undo:
        match.undo()
        undone += 1
        if not _is_forced(match.view()):
            console.print("Your last decision is taken back.")
            return True
    for _ in range(undone):
        match.redo()
    raise StateError("nothing can be undone: you have chosen nothing yet")


def redo(match: Match, rest: str, console: Console) -> bool:
    """Play again what the last undo took back."""
    match.redo()
    while match.can_redo and _is_forced(match.view()):
        match.redo()
    console.print("Your decision is played again.")
    return True


def history(match: Match, rest: str, console: Console) -> bool:
    """Print the plies so far, as the person has seen them."""
    plies = match.history()
    if not plies:
        console.print("Nothing was played yet.")
    width = len(str(len(plies)))
    for number, ply in enumerate(plies, 1):
        console.print(Text(f"{number:>{width}}  {ply_text(ply)}"))
    return False


def save(match: Match, rest: str, console: Console) -> bool:
    """Write the game so far as the person may know it."""
    if not rest:
        raise ParameterError("save needs a file; valid: save game.json")
    path = Path(rest).expanduser()
    if path.exists():
        raise ParameterError(f"{rest} exists; valid: a new file")
    match.view_record().save(path)
    console.print(Text(f"The game is in {rest}"))
    return False


Command = Callable[[Match, str, Console], bool]
COMMANDS: Mapping[str, Command] = {
    "hint": hint, "undo": undo, "redo": redo, "history": history, "save": save,
}  # fmt: skip
"""First word -> function of the match, the rest of the line, and the console. It returns True if the position is
another one afterwards, and raises PlayoutError for what it cannot do."""


def ply_text(ply: Ply) -> str:
    """Return a ply on one line, such as `x bid(1), o bid(0)`."""
    return ", ".join(f"{name} {text}" for name, text in ply.items())


def _is_forced(view: View) -> bool:
    """Return True if the person has one legal action, which `playout play` plays without asking."""
    return view.game.is_enumerable and view.player in view.acting_players() and len(view.legal_actions()) == 1
