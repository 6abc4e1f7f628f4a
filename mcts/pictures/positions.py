"""`position_to_svg`: the picture of a state or of a view, which `State.to_svg` and `View.to_svg` return."""

from __future__ import annotations

import importlib
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from importlib.util import find_spec
from textwrap import TextWrapper
from typing import Any

from cext.arguments import shown
from cext.errors import IllegalActionError
from cext.game.actions import Action
from cext.game.game import CHANCE, State, View

from .boards import Heat
from .canvas import check_look
from .facts import describe, heading_of, legal_texts, seats_of
from .layout import draw, draw_piece
from .parts import Amounts, Board, Cell, Clicks, Picture, display_name
from .short import short_picture

_WITH_MODULES = ("cext.games.", "mcts.gdl.")
"""Where the games are defined whose pictures are modules of `games`; files of rulesheets have other names."""
_SAME_PICTURES = {"dark_mnk": "mnk", "secret_goofspiel": "goofspiel"}
"""Name of a game -> another whose file draws both."""
_MOST_NAMES = 12
_WRAPPER = TextWrapper(56, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)


def position_to_svg(
    position: State | View,
    *,
    size: float | None = 400,
    theme: str = "auto",
    highlight: Iterable[Action | str] = (),
    last: Iterable[Action | str] | None = None,
    heat: Any = None,
) -> str:
    """Return a position as SVG, as `State.to_svg` describes it."""
    check_look(size, theme)
    picture = picture_of(position)
    cells = _Cells(position, picture)
    if last is not None:
        picture = _with_last(picture, cells.find("last", last))
    actions = legal_texts(position) if picture.boards else frozenset()
    title = f"{position.game.spec}: {picture.heading}"
    if isinstance(position, View) and position.game.has_hidden_information:
        title += f"; view of {display_name(position.game.players[position.player])}"
    return draw(
        picture,
        title=title,
        description=describe(picture.boards, picture.seats) or " ".join(picture.lines),
        size=size,
        theme=theme,
        heat=None if heat is None else cells.heat(heat),
        chosen=frozenset(cells.find("highlight", highlight)),
        actions=actions,
    )


def picture_of(position: State | View) -> Picture:
    """Return the boards, players and heading of a position, as `to_svg` draws them."""
    picture = _described(position)
    return picture if picture.heading else replace(picture, heading=heading_of(position))


def _described(position: State | View) -> Picture:
    """Return the picture of a position: by its module here, by the game itself, by its rows, or as lines of text."""
    game = position.game
    name = _SAME_PICTURES.get(game.info.name, game.info.name)
    if type(game).__module__.startswith(_WITH_MODULES) and name.isidentifier():
        module = f"{__package__}.games.{name}"
        if find_spec(module) is not None:
            function: Callable[[State | View], Picture] = importlib.import_module(module).picture
            return function(position)
    own = game.picture(position)
    if own is not None:
        if not isinstance(own, Picture):
            raise TypeError(
                f"{type(game).__name__}.picture returned {shown(own)}; valid: a mcts.pictures.Picture or None"
            )
        return own
    return short_picture(position) or text_picture(position)


def clicks_in(picture: Picture) -> dict[str, Clicks]:
    """Return text of an action -> its clicks, of all actions that a picture knows."""
    single = {cell.action: ((cell.name,),) for row in picture.boards for board in row for cell in board.cells}
    return {**{action: clicks for action, clicks in single.items() if action}, **picture.clicks}


def clicks_of(position: State | View) -> dict[str, Clicks]:
    """Return the legal actions that clicks on cells choose.

    Several actions may have the same clicks, as promotions do. Actions that no cells name are left out.

    Returns:
        Text of an action -> its clicks, in order. A click is a tuple of names of cells any of which will do: one name
        for a cell to mark, `(("2,3",),)`, or for a move from a cell to another, `(("a1",), ("b2",))`; all cells of a
        column into which a piece is dropped.
    """
    found = clicks_in(picture_of(position))
    return {text: found[text] for text in sorted(legal_texts(position)) if text in found}


def pieces_of(position: State | View) -> dict[str, str]:
    """Return text of a legal action -> the picture of its piece, for actions that a piece tells from others."""
    return {text: draw_piece(mark) for text, mark in picture_of(position).pieces.items()}


def notation_of(position: State | View) -> dict[str, str]:
    """Return text of an action -> its notation on the boards of a position, legal or not.

    The notation names the cells to click by the letter of a column and the number of a row, or the letter alone where
    any cell of a column will do. Actions that would have the notation of another, as promotions do, are left out, and
    so are those of boards without such letters and numbers.

    Example:
        >>> import mcts
        >>> from mcts.pictures import notation_of
        >>> notation_of(mcts.load_game("mnk").new_initial_state())["mark(2,3)"]
        'c2'
    """
    picture = picture_of(position)
    places = {
        cell.name: board.place_name(number)
        for row in picture.boards
        for board in row
        for number, cell in enumerate(board.cells)
    }
    taken = Counter(name for name in places.values() if name)
    known = {cell: name for cell, name in places.items() if taken[name] == 1}
    found = {action: _written(clicks, known) for action, clicks in clicks_in(picture).items()}
    counts = Counter(found.values())
    return {action: text for action, text in found.items() if text and counts[text] == 1}


def read_action(state: State, player: int, text: str) -> Action:
    """Return the action that a text names, as the game writes it or in the notation of the boards.

    Args:
        state: a state that is not over.
        player: the player whose action it is.
        text: the text, such as `mark(2,3)` or `c2`.

    Raises:
        IllegalActionError: the text is neither. An action that is not legal now may be returned.
    """
    try:
        return state.string_to_action(player, text)
    except IllegalActionError:
        for action, notation in notation_of(state.view(player)).items():
            if notation == text:
                return state.string_to_action(player, action)
        raise


def _written(clicks: Clicks, known: dict[str, str]) -> str:
    """Return the notation of clicks; empty if one has none."""
    parts = []
    for options in clicks:
        names = [known.get(name, "") for name in options]
        letters = {name.rstrip("0123456789") for name in names}
        parts.append(names[0] if len(names) == 1 else letters.pop() if len(letters) == 1 else "")
    return "-".join(parts) if all(parts) else ""


def amounts_of(position: State | View) -> Amounts | None:
    """Return the amounts that legal actions put on places, by `GameInfo.amounts`; None if there are none."""
    word, *places = position.game.info.amounts.split() or [""]
    if not places:
        return picture_of(position).amounts if word else None
    form = re.compile(rf"{re.escape(word)}\((\d+(?:,\d+){{{len(places) - 1}}})((?:,[a-z_]+)*)\)")
    found = [parts for text in legal_texts(position) if (parts := form.fullmatch(text))]
    if not found:
        return None
    amounts = [tuple(map(int, parts[1].split(","))) for parts in found]
    ranges = {name: (min(some), max(some)) for name, some in zip(places, zip(*amounts, strict=True), strict=True)}
    sums = [sum(some) for some in amounts]
    words = sorted({word for parts in found for word in parts[2].split(",") if word})
    return Amounts(word, ranges, (min(sums), max(sums)), tuple(words))


def text_picture(position: State | View) -> Picture:
    """Return the picture of a game that describes none: the lines of `str(position)`, and the players.

    Long lines are wrapped between words, because the longest line decides the size of the letters.
    """
    lines: list[str] = []
    for line in str(position).splitlines():
        plain = line.expandtabs(4).rstrip()
        lines += _WRAPPER.wrap(plain) if len(plain) > _WRAPPER.width else [plain]
    return Picture(lines=tuple(lines), seats=seats_of(position))


def _with_last(picture: Picture, last: frozenset[str]) -> Picture:
    """Return a picture whose last move are other cells."""

    def changed(board: Board) -> Board:
        return replace(board, cells=tuple(replace(cell, is_last=cell.name in last) for cell in board.cells))

    return replace(picture, boards=tuple(tuple(changed(board) for board in row) for row in picture.boards))


class _Cells:
    """The cells of a picture by name, by text of an action, and by action."""

    def __init__(self, position: State | View, picture: Picture) -> None:
        self._position = position
        self._cells: list[Cell] = [cell for row in picture.boards for board in row for cell in board.cells]
        self._names = {cell.name for cell in self._cells if not cell.is_hole}
        known = clicks_in(picture)
        self._by_action = {action: [name for options in clicks for name in options] for action, clicks in known.items()}
        self._targets = {action: clicks[-1] for action, clicks in known.items() if clicks}

    def find(self, argument: str, wanted: Iterable[Action | str]) -> frozenset[str]:
        """Return the names of cells. Raises ValueError for those that the picture does not have."""
        if isinstance(wanted, str):
            wanted = (wanted,)
        return frozenset(name for one in wanted for name in self._found(argument, one))

    def _found(self, argument: str, one: Action | str) -> Iterable[str]:
        if isinstance(one, str):
            text = one
        else:
            weights = self._counts(one)
            if weights is not None:
                return [name for name, count in weights.items() if count]
            text = self._text(one, None)
        if text in self._names:
            return (text,)
        if text in self._by_action:
            return self._by_action[text]
        names = [cell.name for cell in self._cells]
        some = ", ".join(names[:_MOST_NAMES]) + (f", ..., {names[-1]}" if len(names) > _MOST_NAMES else "")
        raise ValueError(
            f"{argument}: {shown(text)} is not a cell of this picture; valid: "
            + (f"names of cells ({some}), or actions that choose one" if names else "nothing, as it has no cells")
        )

    def _counts(self, action: Action) -> dict[str, int] | None:
        """Return name -> count for an action that has a count for each cell, as bids do; None for others."""
        if isinstance(action, tuple) and len(action) == len(self._cells):
            return {cell.name: count for cell, count in zip(self._cells, action, strict=True)}
        return None

    def _text(self, action: Action, player: int | None) -> str:
        if isinstance(self._position, View):
            return self._position.action_to_string(action)
        if player is None:
            acting = self._position.acting_players()
            player = acting[0] if acting else CHANCE if self._position.is_chance() else 0
        return self._position.action_to_string(player, action)

    def heat(self, given: Any) -> dict[str, Heat]:
        """Return name of a cell -> its heat, of a search result or a mapping."""
        player = getattr(given, "player", None)
        weights = given if isinstance(given, Mapping) else getattr(given, "visits", None)
        if not isinstance(weights, Mapping):
            raise TypeError(f"heat: {shown(given)} is not a search result, nor a dict of action -> weight")
        words = "of the weight" if weights is given else "of the visits"
        if weights is not given and not any(weights.values()):
            weights, words = given.policy, "of the probability"  # of a searcher that counts no visits
        sums: dict[str, float] = {}
        total = 0.0
        for action, weight in weights.items():
            value = _weight(weight)
            counts = None if isinstance(action, str) else self._counts(action)
            if counts is not None:
                spent = sum(counts.values())
                for name, count in counts.items():
                    sums[name] = sums.get(name, 0.0) + value * count / max(spent, 1)
            else:
                text = action if isinstance(action, str) else self._text(action, player)
                found = (text,) if text in self._names else self._targets.get(text, ())
                for name in found:
                    sums[name] = sums.get(name, 0.0) + value
            total += value
        most = max(sums.values(), default=0.0)
        if most <= 0.0:
            return {}
        return {
            name: Heat(value / most, f"{100 * value / total:.0f} %", f"{name}: {100 * value / total:.1f} % {words}")
            for name, value in sums.items()
            if value > 0
        }


def _weight(weight: Any) -> float:
    value = float(weight)
    if not (math.isfinite(value) and value >= 0.0):
        raise ValueError(f"heat: weight {shown(weight)} is not a finite number of at least 0")
    return value
