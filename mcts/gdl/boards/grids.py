"""The relations that are cells of a board, and the place of each cell."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod

from ..rules import Rule, name_of
from .relations import Relation, Values, in_order, split_term

MOST_CELLS = 4000
"""Places of a board, and of all boards of one form together."""
_LEAST_CELLS = 4
"""A relation of which the head of the file says nothing has at least this many cells."""
_WORDS = {
    "column": ("column", "file", "x"),
    "row": ("row", "rank", "height", "y"),
    "board": ("board",),
}
"""Word of a hint -> the names that a place can have."""
_PLACED = re.compile(r"\.|[^\s.]+")
_HINT = re.compile(r"([^\s(),;]+)\(([^()]*)\)")


@dataclass(frozen=True)
class Layer:
    """A relation whose facts are drawn on a board."""

    relation: Relation
    coordinates: tuple[int, ...]
    """The places that name the cell."""
    contents: tuple[int, ...]
    """The other places."""

    def key(self, values: Values) -> Values:
        """Return the cell of a fact."""
        return tuple(values[place] for place in self.coordinates)

    def content(self, values: Values) -> Values:
        """Return what a fact places on its cell; the name of the relation if it has no other places."""
        return tuple(values[place] for place in self.contents) or (self.relation.name,)


Place = tuple[Values, str, str]
"""The values that name a board, a column and a row."""


@dataclass
class Area:
    """A board, or several boards of one form, with the relations on it."""

    layers: list[Layer]
    places: dict[Values, Place]
    """Cell that facts can name -> its place."""
    columns: Values
    """The values of the columns, from left to right."""
    lines: Values
    """The values of the rows, in order."""
    boards: tuple[Values, ...] = ()
    """The values of each coordinate that names the board, in order."""
    rows_up: bool = False
    """True if the last row is drawn at the top."""
    shift: float = 0.0
    is_map: bool = False
    """True if the head of the file says where each cell stands."""
    links: tuple[tuple[str, str], ...] = ()
    """Pairs of cells in one word that a line joins."""

    @property
    def size(self) -> int:
        """The number of places on all boards."""
        return len(self.columns) * len(self.lines) * prod(map(len, self.boards))

    def name(self, key: Values) -> str:
        """Return the name of a cell: `a1` for a letter and a number, otherwise `1,2`."""
        if len(key) == 2 and len(key[0]) == 1 and key[0].isalpha() and key[1].isdigit():
            return "".join(key)
        return ",".join(key)

    @property
    def rows(self) -> Values:
        """The values of the rows, from the top to the bottom."""
        return self.lines[::-1] if self.rows_up else self.lines


def find_areas(
    relations: Mapping[str, Relation], roles: Sequence[str], rules: Sequence[Rule], fields: Mapping[str, str]
) -> list[Area]:
    """Return the boards of a rulesheet, the largest first.

    Args:
        relations: form -> relation.
        roles: names of the players.
        rules: the rules.
        fields: fields of the head of the file, of which `board`, `cells` and `lines` are read.
    """
    hint = fields.get("board", "")
    if hint.strip().lower() == "none":
        return []
    hints = read_hints(hint)
    written = _written(fields.get("cells", ""))
    links = _pairs(fields.get("lines", "").strip(), rules) if written else ()
    areas: list[Area] = []
    for relation in relations.values():
        if not relation.universe[0]:
            continue
        for place in range(relation.width):
            found = in_order(relation.values(place), roles)
            if found:
                relation.orders[place] = found
        area = _mapped(relation, written, links) or _hinted(relation, hints) or _area(relation)
        if area is not None and len(area.places) > 1 and area.size <= MOST_CELLS:
            areas.append(area)
    return _merged(areas)


def read_hints(text: str) -> dict[str, Values]:
    """Return name -> words, for a text such as `cell(row, column) wall(row)`."""
    return {name: tuple(word.strip() for word in words.split(",")) for name, words in _HINT.findall(text)}


def _written(text: str) -> dict[str, tuple[str, str]]:
    """Return word -> column and row, for words in rows separated by slashes; a dot leaves a gap."""
    rows = [_PLACED.findall(line) for line in text.split("/")]
    return {
        word: (str(column), str(row))
        for row, words in enumerate(rows)
        for column, word in enumerate(words)
        if word != "."
    }


def _pairs(name: str, rules: Sequence[Rule]) -> tuple[tuple[str, str], ...]:
    """Return the pairs of constants of the facts of a relation in the rules."""
    terms = [split_term(rule.head)[1] for rule in rules if not rule.body and name_of(rule.head) == name]
    return tuple((words[0], words[1]) for words in terms if len(words) == 2)


def _mapped(
    relation: Relation, written: Mapping[str, tuple[str, str]], links: tuple[tuple[str, str], ...]
) -> Area | None:
    """Return the board whose cells the head of the file places, if all values of a place are among them."""
    for place in range(relation.width) if written else ():
        if set(relation.values(place)) <= written.keys():
            columns, rows = (tuple(sorted({at[axis] for at in written.values()}, key=int)) for axis in (0, 1))
            contents = tuple(other for other in range(relation.width) if other != place)
            places: dict[Values, Place] = {(word,): ((), *written[word]) for word in relation.values(place)}
            layer = Layer(relation, (place,), contents)
            return Area([layer], places, columns, rows, is_map=True, links=links)
    return None


def _hinted(relation: Relation, hints: Mapping[str, tuple[str, ...]]) -> Area | None:
    """Return the board that the head of the file describes."""
    words = hints.get(relation.name)
    if words is None or len(words) != relation.width:
        return None
    places = {word: [place for place, name in enumerate(words) if name in names] for word, names in _WORDS.items()}
    column, row = (places[word][0] if places[word] else None for word in ("column", "row"))
    if column is None and row is None:
        return None
    return _make(relation, column, row, tuple(places["board"]))


def _area(relation: Relation) -> Area | None:
    """Return the board of a relation with exactly two places whose values have an order: the column and the row."""
    if len(relation.orders) != 2 or _is_binary(relation, list(relation.orders)):
        return None
    column, row = relation.orders
    area = _make(relation, column, row, ())
    return area if len(area.places) >= _LEAST_CELLS else None


def _is_binary(relation: Relation, places: Sequence[int]) -> bool:
    """Return True for a relation of things with other things, such as `on(a,b)`: never of one with itself."""
    first, second = places
    same = relation.width == 2 and set(relation.values(first)) == set(relation.values(second))
    return same and all(values[first] != values[second] for values in relation.universe)


def _make(relation: Relation, column: int | None, row: int | None, boards: tuple[int, ...]) -> Area:
    """Return the board of a relation whose coordinates are known. Where columns come first, rows go up."""
    chosen = {*boards, *(place for place in (column, row) if place is not None)}
    coordinates, contents = (
        tuple(place for place in range(relation.width) if (place in chosen) == is_chosen) for is_chosen in (True, False)
    )

    def axis(place: int | None) -> Values:
        return ("",) if place is None else relation.orders.get(place) or tuple(relation.values(place))

    layer = Layer(relation, coordinates, contents)
    places: dict[Values, Place] = {}
    for values in relation.universe:
        board = tuple(values[place] for place in boards)
        places[layer.key(values)] = (
            board,
            "" if column is None else values[column],
            "" if row is None else values[row],
        )
    rows_up = column is not None and row is not None and column < row
    return Area([layer], places, axis(column), axis(row), tuple(map(axis, boards)), rows_up)


def _merged(areas: Sequence[Area]) -> list[Area]:
    """Return boards, the largest first, on which relations with the same coordinates lie over each other.

    Two relations with contents are boards of their own.
    """
    made: list[Area] = []
    for area in sorted(areas, key=lambda area: -len(area.places)):
        for base in made:
            if not (_has_contents(area) and _has_contents(base)) and _contains(base, area):
                base.layers += area.layers
                base.places = area.places | base.places
                break
        else:
            made.append(area)
    return made


def _has_contents(area: Area) -> bool:
    return any(layer.contents for layer in area.layers)


def _contains(base: Area, area: Area) -> bool:
    if len(base.boards) != len(area.boards) or len(next(iter(base.places))) != len(next(iter(area.places))):
        return False
    axes = ((area.columns, base.columns), (area.lines, base.lines), *zip(area.boards, base.boards, strict=True))
    return all(set(mine) <= set(own) for mine, own in axes)
