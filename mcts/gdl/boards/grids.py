"""The relations that are cells of a board, and the place of each cell."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod

from ..rules import Rule, is_variable, name_of
from .relations import Orders, Relation, Values, split_term

MOST_CELLS = 4000
"""Places of a board, and of all boards of one form together."""
MOST_BOARDS = 36
_LEAST_CELLS = 4
_LEAST_IN_A_ROW = 3
_DENSE = {3: 0.1, 4: 0.5}
"""Number of coordinates -> the least share of their combinations that are cells of boards side by side."""
_TOKEN = re.compile(r"([a-z])(\d{1,2})", re.IGNORECASE)
_TWO_NUMBERS = re.compile(r"[A-Za-z_\-]*(\d{1,2})[A-Za-z_\-,]+(\d{1,2})")
_TWO_DIGITS = re.compile(r"([1-9])([1-9])")
_LEAST_TOKENS = 6
_COLUMN_NAMES = re.compile(r"x\d*|x[-_].*|c\d*|.*col.*|.*file.*|xpos|.*width.*", re.IGNORECASE)
_ROW_NAMES = re.compile(r"y\d*|y[-_].*|r\d*|.*row.*|.*rank.*|.*height.*|ypos", re.IGNORECASE)
_WORDS = {
    "column": ("column", "file", "x"),
    "row": ("row", "rank", "height", "y"),
    "board": ("board",),
    "cell": ("cell",),
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
    def is_line(self) -> bool:
        """True for cells in a single row."""
        return self.lines == ("",)

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
    relations: Mapping[str, Relation],
    orders: Orders,
    roles: Sequence[str],
    rules: Sequence[Rule],
    fields: Mapping[str, str],
) -> list[Area]:
    """Return the boards of a rulesheet, the largest first.

    Args:
        relations: form -> relation.
        orders: the orders of constants.
        roles: names of the players.
        rules: the rules.
        fields: fields of the head of the file, of which `board`, `cells` and `lines` are read.
    """
    hint = fields.get("board", "")
    if hint.strip().lower() == "none":
        return []
    hints = {name: tuple(word.strip() for word in words.split(",")) for name, words in _HINT.findall(hint)}
    written = _written(fields.get("cells", ""))
    links = _pairs(fields.get("lines", "").strip(), rules) if written else ()
    names = _variable_names(rules)
    areas: list[Area] = []
    lines: list[Area] = []
    for relation in relations.values():
        if not relation.universe[0]:
            continue
        for place in range(relation.width):
            found = orders.of(relation.values(place))
            if found:
                relation.orders[place] = found
        area = (
            _mapped(relation, written, links)
            or _hinted(relation, hints)
            or _area(relation, roles, names.get(relation.form, {}))
        )
        if area is not None and len(area.places) >= _LEAST_IN_A_ROW - 1 and area.size <= MOST_CELLS:
            (lines if area.is_line else areas).append(area)
    areas = _merged([area for area in areas if len(area.places) >= _LEAST_CELLS])
    if not areas:
        areas = _merged(lines)
    return sorted(areas, key=lambda area: -len(area.places))


def _written(text: str) -> dict[str, tuple[str, str]]:
    """Return word -> column and row, for words in rows that a slash ends; a dot is no cell."""
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
        if set(relation.values(place)) <= written.keys() and relation.is_key([place]):
            found = _in_words(relation, place, written)
            found.is_map, found.rows_up, found.links = True, False, links
            return found
    return None


def _in_words(relation: Relation, place: int, words: Mapping[str, tuple[str, str]]) -> Area:
    """Return the board of cells in one word.

    Args:
        relation: the relation.
        place: the place of the word.
        words: word -> column and row.
    """
    columns, rows = (tuple(sorted({at[axis] for at in words.values()}, key=_natural)) for axis in (0, 1))
    contents = tuple(other for other in range(relation.width) if other != place)
    places: dict[Values, Place] = {(word,): ((), *words[word]) for word in relation.values(place)}
    return Area([Layer(relation, (place,), contents)], places, columns, rows, rows_up=columns[0].isalpha())


def _hinted(relation: Relation, hints: Mapping[str, tuple[str, ...]]) -> Area | None:
    """Return the board that the head of the file describes."""
    words = hints.get(relation.name)
    if words is None or len(words) != relation.width:
        return None
    places = {word: [place for place, name in enumerate(words) if name in names] for word, names in _WORDS.items()}
    if places["cell"]:
        return _tokens(relation, places["cell"][:1])
    column, row = (places[word][0] if places[word] else None for word in ("column", "row"))
    if column is None and row is None:
        return None
    return _make(relation, column, row, tuple(places["board"]))


def _area(relation: Relation, roles: Sequence[str], names: Mapping[int, Counter[str]]) -> Area | None:
    """Return the board of a relation; None if its places are no coordinates."""
    ordered = list(relation.orders)
    for place in reversed(ordered) if len(ordered) in (2, 3, 5) else ():
        others = [other for other in range(relation.width) if other != place]
        coordinates = [other for other in ordered if other != place]
        is_total = len(ordered) > 2 or relation.is_total(others)
        if is_total and relation.is_key(others if len(ordered) == 2 else coordinates):
            ordered.remove(place)  # a number on the cell, which the other places determine
            break
    if len(ordered) in (3, 4):
        if len(ordered) == 3:  # the boards are the shortest coordinate
            ordered.sort(key=lambda place: len(relation.orders[place]))
            ordered[1:] = sorted(ordered[1:])
        sizes = [len(relation.orders[place]) for place in ordered]
        keys = {tuple(values[place] for place in ordered) for values in relation.universe}
        if len(keys) < _DENSE[len(ordered)] * prod(sizes) or prod(sizes[:-2]) > MOST_BOARDS:
            return None
        return _make(relation, *_axes(relation, ordered[-2:], names), tuple(ordered[:-2]))
    if len(ordered) == 2:
        return None if _is_binary(relation, ordered) else _make(relation, *_axes(relation, ordered, names), ())
    return _tokens(relation, range(relation.width)) or _line(relation, roles)


def _is_binary(relation: Relation, places: Sequence[int]) -> bool:
    """Return True for a relation of things with other things, such as `on(a,b)`: never of one with itself."""
    first, second = places
    same = relation.width == 2 and set(relation.values(first)) == set(relation.values(second))
    return same and all(values[first] != values[second] for values in relation.universe)


def _line(relation: Relation, roles: Sequence[str]) -> Area | None:
    """Return cells in a row that always have one fact each, such as heaps."""
    for place in range(relation.width) if relation.width > 1 else ():
        values = relation.values(place)
        if not values.keys() & set(roles) and relation.is_key([place]) and relation.is_total([place]):
            relation.orders.setdefault(place, tuple(values))
            return _make(relation, place, None, ())
    if relation.width == 1 and relation.orders and not relation.is_key(()):  # not a counter
        return _make(relation, 0, None, ())
    return None


def _tokens(relation: Relation, places: Sequence[int]) -> Area | None:
    """Return the board of cells in one word, such as `d4`, `c_2_3` or `27`."""
    for place in places:
        values = relation.values(place)
        if len(values) < _LEAST_TOKENS:
            continue
        for form in (_TOKEN, _TWO_NUMBERS, _TWO_DIGITS):
            found = {value: form.fullmatch(value) for value in values}
            if not all(found.values()):
                continue
            area = _in_words(relation, place, {value: (match[1], match[2]) for value, match in found.items() if match})
            if len(area.columns) > 1 < len(area.lines) and area.size <= 4 * len(values):
                return area
    return None


def _natural(value: str) -> tuple[int, str]:
    return (int(value), "") if value.isdigit() else (0, value)


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


def _axes(relation: Relation, places: Sequence[int], names: Mapping[int, Counter[str]]) -> tuple[int, int]:
    """Return the places of the column and of the row."""
    first, second = places
    is_letter = [relation.orders[place][0][:1].isalpha() for place in places]
    if is_letter[0] != is_letter[1]:
        return (first, second) if is_letter[0] else (second, first)
    vote = 0
    for place, sign in ((first, 1), (second, -1)):
        for name, count in names.get(place, Counter()).items():
            vote += sign * count * (bool(_COLUMN_NAMES.fullmatch(name)) - bool(_ROW_NAMES.fullmatch(name)))
    return (first, second) if vote > 0 else (second, first)


def _variable_names(rules: Sequence[Rule]) -> dict[str, dict[int, Counter[str]]]:
    """Return form -> place -> how often each variable stands there, without its question mark."""
    found: dict[str, dict[int, Counter[str]]] = {}
    for rule in rules:
        for atom in (rule.head, *(literal.atom for literal in rule.body)):
            if isinstance(atom, str) or atom[0] not in ("init", "true", "next"):
                continue
            form, terms = split_term(atom[1])
            for place, term in enumerate(terms):
                if is_variable(term):
                    found.setdefault(form, {}).setdefault(place, Counter())[term[1:]] += 1
    return found


def _merged(areas: Sequence[Area]) -> list[Area]:
    """Return boards on which relations with the same coordinates lie over each other.

    Two relations that always have a fact for every cell are boards of their own.
    """
    made: list[Area] = []
    for area in sorted(areas, key=lambda area: (not _is_full(area), -len(area.places))):
        for base in made:
            if not _is_full(area) and _contains(base, area):
                base.layers += area.layers
                base.places = area.places | base.places
                break
        else:
            made.append(area)
    return made


def _is_full(area: Area) -> bool:
    layer = area.layers[0]
    return bool(layer.contents) and layer.relation.is_total(layer.coordinates)


def _contains(base: Area, area: Area) -> bool:
    if len(base.boards) != len(area.boards) or len(next(iter(base.places))) != len(next(iter(area.places))):
        return False
    axes = ((area.columns, base.columns), (area.lines, base.lines), *zip(area.boards, base.boards, strict=True))
    return area.places.keys() <= base.places.keys() or (
        not _is_full(base) and all(set(mine) <= set(own) for mine, own in axes)
    )
