"""Facts of a position that pictures of all games show: last steps, legal actions, lines, returns."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from cext.game.game import CHANCE, NOOP, State, View

from .parts import Board, Cell, Mark, O, Picture, Seat, X, display_name

_DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))
BLANK = "."
_MARKED = re.compile(r"mark\((\d+),(\d+)\)")


def open_state(position: State | View) -> State | None:
    """Return the state of a position; None for a view that hides a part of it."""
    if isinstance(position, State):
        return position
    return None if position.game.has_hidden_information else position.state()


def last_steps(position: State | View, count: int) -> list[dict[int, str]]:
    """Return the last steps of a position, the newest first.

    Returns:
        For each step, player -> text of the action, for those who decided; CHANCE -> text of the outcome. The list is
        empty where the history is not known.
    """
    state = open_state(position)
    if state is None:
        return []
    deciders = [*range(state.game.num_players), CHANCE]  # an outcome of chance follows the actions
    return [
        {
            player: state.action_to_string(player, action)
            for player, action in zip(deciders, joint, strict=False)
            if action != NOOP
        }
        for joint in reversed(state.history()[-count:])
    ]


def last_marks(position: State | View, back: int = 2) -> frozenset[str]:
    """Return the names of the cells that were marked last, in one of the last `back` steps."""
    for step in last_steps(position, back):
        found = frozenset(f"{at[1]},{at[2]}" for text in step.values() if (at := _MARKED.fullmatch(text)))
        if found:
            return found
    return frozenset()


def board_of(
    text: str,
    columns: int,
    marks: Mapping[str, Mark],
    *,
    last: frozenset[str] = frozenset(),
    winning: frozenset[int] = frozenset(),
    notes: Sequence[str] = (),
    is_closed: bool = False,
    offered_row: int | None = None,
) -> tuple[Cell, ...]:
    """Return the cells of a board string, row by row, with the actions `mark(row,column)`.

    Args:
        text: a character for each cell; those in `marks` are marks, others are blank.
        columns: number of columns.
        marks: character -> mark.
        last: names of the cells of the last step, such as `2,3`.
        winning: cells of lines that count.
        notes: a note for each blank cell.
        is_closed: True if the board is not in play any more.
        offered_row: the row, counted from 0, in which the player must mark.
    """
    cells = []
    for place, symbol in enumerate(text):
        name = f"{place // columns + 1},{place % columns + 1}"
        mark = marks.get(symbol)
        cells.append(
            Cell(
                name,
                mark,
                note=notes[place] if notes and mark is None else "",
                action=f"mark({name})",
                is_last=name in last,
                is_winning=place in winning,
                is_closed=is_closed,
                is_offered=mark is None and place // columns == offered_row,
            )
        )
    return tuple(cells)


def known_returns(position: State | View) -> list[float] | None:
    """Return the returns at the end of a game; None before, and where a view hides what decides them."""
    state = open_state(position)
    return state.returns() if state is not None and state.is_terminal() else None


def seats_of(
    position: State | View, marks: Sequence[Mark] = (), more: Sequence[Mapping[str, object]] = ()
) -> tuple[Seat, ...]:
    """Return the players of a position, with those who decide, and with the returns at the end.

    Args:
        position: a state or a view.
        marks: the mark of each player.
        more: further fields of the `Seat` of each player, such as `{"detail": "4 coins"}`.
    """
    acting, returns = position.acting_players(), known_returns(position)
    seats = []
    for player, name in enumerate(position.game.players):
        fields: dict[str, object] = {"name": name, "is_acting": player in acting}
        if marks:
            fields["mark"] = marks[player]
        if returns is not None:
            fields["result"] = f"{returns[player]:g}"
            fields["is_winner"] = returns[player] == max(returns) > min(returns)
        seats.append(Seat(**{**fields, **(more[player] if more else {})}))  # type: ignore[arg-type]
    return tuple(seats)


def heading_of(position: State | View) -> str:
    """Return who is to move, or who has won."""
    names = tuple(map(display_name, position.game.players))
    returns = known_returns(position)
    if returns is not None:
        best = [name for name, value in zip(names, returns, strict=True) if value == max(returns)]
        if len(names) == 1:
            return f"The game is over: {returns[0]:g}"
        if len(best) == len(names):
            return "Draw"
        return f"{best[0]} wins" if len(best) == 1 else f"{' and '.join(best)} share first place"
    if position.is_terminal():
        return "The game is over"
    if position.is_chance():
        return "Chance decides"
    acting = [names[player] for player in position.acting_players()]
    return f"{acting[0]} to move" if len(acting) == 1 else f"{', '.join(acting[:-1])} and {acting[-1]} move at once"


def legal_texts(position: State | View) -> frozenset[str]:
    """Return the texts of the legal actions of all who decide, of the viewing player alone in a view.

    It is empty where actions are too many to list.
    """
    if not position.game.is_enumerable or position.is_terminal() or position.is_chance():
        return frozenset()
    if isinstance(position, View):
        return frozenset(map(position.action_to_string, position.legal_actions()))
    return frozenset(
        position.action_to_string(player, action)
        for player in position.acting_players()
        for action in position.legal_actions(player)
    )


def board_picture(
    position: State | View,
    columns: int,
    length: int,
    marks: Mapping[str, Mark] | None = None,
    *,
    heading: str = "",
    more: Sequence[Mapping[str, object]] = (),
    back: int = 2,
    **look: Any,
) -> Picture:
    """Return the picture of a game on one board, `board` in the dict, with its players.

    Args:
        position: a state or a view.
        columns: number of columns.
        length: cells of a line that counts; not used if `look` has `winning`.
        marks: character -> mark, in the order of the players; None: x and o.
        heading: the line above; empty: who is to move, or who has won.
        more: see `seats_of`.
        back: see `last_marks`.
        look: further arguments of `board_of`.
    """
    text, marks = position.to_dict()["board"], marks or {"x": X, "o": O}
    if "winning" not in look:
        look["winning"] = runs(text, columns, length)
    cells = board_of(text, columns, marks, last=last_marks(position, back), **look)
    seats = seats_of(position, tuple(marks.values()), more)
    return Picture(((Board(columns, cells),),), seats=seats, heading=heading or heading_of(position))


def describe(boards: Sequence[Sequence[Board]], seats: Sequence[Seat]) -> str:
    """Return boards and players in words, for readers who do not see the picture."""
    sentences = []
    for board in (board for row in boards for board in row):
        if board.title:
            owners = " and ".join(_word(mark) for mark in board.owners)
            sentences.append(f"Board {board.title}{f', controlled by {owners}' if owners else ''}.")
        if not any(cell.mark for cell in board.cells):
            sentences.append("All cells are blank.")
            continue
        for row in range(board.rows):
            cells = board.cells[row * board.columns : (row + 1) * board.columns]
            words = ", ".join(_word(cell.mark) if cell.mark else "blank" for cell in cells if not cell.is_hole)
            name = board.row_labels[row]
            sentences.append(f"Row {name}: {words}." if name else f"{words}.")
    last = [
        board.place_name(number) or cell.name
        for row in boards
        for board in row
        for number, cell in enumerate(board.cells)
        if cell.is_last
    ]
    if last:
        sentences.append(f"Last move: {'; '.join(last)}.")
    for seat in seats:
        facts = [seat.detail, seat.badge, seat.note, f"result {seat.result}" if seat.result else ""]
        known = ", ".join(fact for fact in facts if fact)
        if known:
            sentences.append(f"{display_name(seat.name)}: {known}.")
    return " ".join(sentences)


def _word(mark: Mark) -> str:
    if mark.name:
        return mark.name
    return mark.color if mark.shape in ("disc", "diamond") else mark.shape


def runs(text: str, columns: int, length: int, *, wraps: bool = False) -> frozenset[int]:
    """Return the cells of all rows, columns and diagonals of at least `length` equal marks.

    Args:
        text: a character for each cell, row by row; `.` is a blank one.
        columns: number of columns.
        length: least number of marks.
        wraps: True if lines go on over the edges.
    """
    rows = len(text) // columns
    found: set[int] = set()
    for start, symbol in enumerate(text):
        if symbol == BLANK:
            continue
        for down, right in _DIRECTIONS:
            line = []
            for step in range(length):
                row, column = start // columns + step * down, start % columns + step * right
                if wraps:
                    row, column = row % rows, column % columns
                if not (0 <= row < rows and 0 <= column < columns) or text[row * columns + column] != symbol:
                    break
                line.append(row * columns + column)
            if len(line) == length:
                found.update(line)
    return frozenset(found)


def bridge(text: str, columns: int, symbol: str) -> frozenset[int]:
    """Return the cells of a bridge: a mark in each row, each in the column of the one above or beside it."""
    rows = len(text) // columns
    paths = [[place] for place in range(columns) if text[place] == symbol]
    for row in range(1, rows):
        below = [place for place in range(row * columns, (row + 1) * columns) if text[place] == symbol]
        paths = [
            [*next(path for path in paths if abs(path[-1] % columns - place % columns) <= 1), place]
            for place in below
            if any(abs(path[-1] % columns - place % columns) <= 1 for path in paths)
        ]
    return frozenset(paths[0]) if paths else frozenset()
