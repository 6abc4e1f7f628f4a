"""The prompt of `playout play`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.columns import Columns
from rich.console import Console
from rich.markdown import Markdown
from rich.text import Text

import mcts
from mcts import IllegalActionError, PlayoutError, View
from mcts.pictures import notation_of

from ..match import Match
from ..steps import why_illegal
from ..system.untrusted import clean_line
from .common.typed_actions import TypedActions, argument_forms
from .play_board import actions_on_cells, board_text
from .play_commands import COMMANDS

_LONGEST_ERROR = 1000
_COMMANDS = """\
  hint        search for a good action for a second; hint 5: for five seconds
  undo, redo  take your last decision back; play it again
  history     list what was played
  save FILE   write the game to a file; playout replay FILE shows it
  ? or rules  show the rules of the game
  moves       list the legal actions
  board       draw the position again
  help        show this text
  quit or q   leave the game"""
HELP = f"""\
Type an action in full or in short: mark 1 2 or 1,2 for mark(1,2), bid 3 or 3 for bid(3), p for pass. On a board with
letters and numbers type a cell or a move: c4, e2-e4.
A number in the list means the same action in every position.
{_COMMANDS}"""
HELP_UNLISTED = f"""\
This game has too many actions to list. Type one in full or in short, such as
  {{full}}
  {{short}}
  pass
{_COMMANDS}"""


class LeftError(Exception):
    """Raised when the person leaves the game."""


def ask_action(match: Match, console: Console) -> Any:
    """Ask the person for an action until a legal one is typed, and return it. Each refused input is explained.

    Args:
        match: a match with one person, who decides now.
        console: receives all output.

    Returns:
        The action; None if the match is in another position, after `undo` or `redo`.

    Raises:
        LeftError: the person leaves, or the input ends.
    """
    view = match.view()
    legal = _Listed(view) if view.game.is_enumerable else _Unlisted(view)
    _show_board(view, legal, console)
    only = legal.only_action()
    if only is not None:
        console.print(Text(f"You have only one action: {view.action_to_string(only)}"))
        return only
    legal.show_briefly(console)
    sealed = len(view.acting_players()) > 1
    prompt = f"{view.game.players[view.player]}{', sealed' if sealed else ''}> "
    while True:
        text = _read_line(prompt, console)
        if legal.has(text):
            return legal.read(text)
        if text in ("quit", "q"):
            raise LeftError
        if text == "help":
            console.print(Text(legal.help()))
        elif text in ("?", "rules"):
            console.print(Markdown(mcts.rules(view.game), hyperlinks=False))
        elif text == "moves":
            legal.show(console)
        elif text == "board":
            _show_board(view, legal, console)
        elif text:
            try:
                word, _, rest = text.partition(" ")
                if word in COMMANDS:
                    if COMMANDS[word](match, rest.strip(), console):
                        return None
                else:
                    return legal.read(text)
            except PlayoutError as error:
                console.print(Text(clean_line(error, _LONGEST_ERROR)))


def _show_board(view: View, legal: _Listed | _Unlisted, console: Console) -> None:
    console.print(Text("\n").join([Text(), board_text(view, console, legal.labels), Text()]))


def _read_line(prompt: str, console: Console) -> str:
    try:
        return console.input(prompt, markup=False).strip()
    except EOFError:
        console.print()
        raise LeftError from None
    except KeyboardInterrupt:
        console.print()
        raise


class _Listed:
    """The legal actions of a view whose game can list them."""

    def __init__(self, view: View) -> None:
        self._view = view
        texts = {action: view.action_to_string(action) for action in view.legal_actions()}
        self._actions = TypedActions(texts, notation_of(view))

    @property
    def labels(self) -> dict[str, str]:
        """Text of an action -> what a person types; empty if that is not a number."""
        if not self._actions.is_numbered:
            return {}
        return {text: self._actions.label(action) for action, text in self._actions.texts.items()}

    def only_action(self) -> int | None:
        actions = list(self._actions.texts)
        return actions[0] if len(actions) == 1 else None

    def has(self, typed: str) -> bool:
        """Return True for the full text of an action. Actions take precedence over commands of the same name."""
        return typed in self._actions.texts.values()

    def read(self, typed: str) -> int:
        return self._actions.read(typed)

    def show_briefly(self, console: Console) -> None:
        """Print the actions that are not on a cell of the boards."""
        on_cells = actions_on_cells(self._view) if self._actions.is_numbered else frozenset()
        others = [action for action, text in self._actions.texts.items() if text not in on_cells]
        if len(others) < len(self._actions.texts):
            cell = next(action for action in self._actions.texts if action not in others)
            name = self._actions.written(cell)
            named = f" or its name, such as {name}" if name != self._actions.texts[cell] else ""
            console.print(f"Type the number of a cell{named}" + (", or:" if others else "."))
        if others:
            self._print(others, console)

    def show(self, console: Console) -> None:
        self._print(list(self._actions.texts), console)

    def _print(self, actions: list[int], console: Console) -> None:
        labels = [(self._actions.label(action), self._actions.written(action)) for action in actions]
        width = max(len(label) for label, _ in labels)
        console.print(
            Columns([Text(f"{label:>{width}} {text}") for label, text in labels], padding=(0, 3), column_first=True)
        )

    def help(self) -> str:
        return HELP


class _Unlisted:
    """The legal actions of a view whose game has too many to list; an example is shown instead."""

    labels: Mapping[str, str] = {}

    def __init__(self, view: View) -> None:
        self._view = view
        self._examples = 0

    def only_action(self) -> None:
        return None

    def has(self, typed: str) -> bool:
        return False

    def read(self, typed: str) -> Any:
        view, refusal = self._view, None
        for text in argument_forms(typed, self._example().partition("(")[0]):
            try:
                action = view.string_to_action(text)
            except IllegalActionError as error:
                refusal = refusal or error
                continue
            if view.is_legal(action):
                return action
            refusal = IllegalActionError(why_illegal(view.resample(0), view.player, action))
        assert refusal is not None
        raise refusal

    def show_briefly(self, console: Console) -> None:
        self.show(console)

    def show(self, console: Console) -> None:
        example = self._example()
        console.print(Text(f"For example: {example}, or in short: {_short(example)}"))
        self._examples += 1

    def help(self) -> str:
        example = self._example()
        return HELP_UNLISTED.format(full=example, short=_short(example))

    def _example(self) -> str:
        text: str = self._view.action_to_string(self._view.sample_action(self._examples))
        return text


def _short(text: str) -> str:
    """Return the short form of an action such as `bid(A1:3,E5:2)`."""
    return text.partition("(")[2].removesuffix(")").replace(",", " ") or "pass"
