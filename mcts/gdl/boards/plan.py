"""`BoardPlan`: a position of a rulesheet as a picture, by the boards that its rules describe."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import ceil, sqrt
from textwrap import TextWrapper

from ...errors import RulesheetError
from ...pictures.parts import Board, Cell, Clicks, Mark
from ..network import Network
from ..rules import Rule, read_rules
from .clicks import clicks_of_moves
from .contents import Contents
from .grids import Area, Layer, find_areas
from .relations import Relation, Values, relations_of, split
from .winning import Decisions, Wins

MOST_FLUENTS = 20_000
MOST_CHARACTERS = 500_000
MOST_RULES = 20_000
"""Rulesheets with more fluents or rules, or with longer texts, have no boards."""
_MOST_AREAS = 6
_MOST_LEGEND = 14
_WIDEST_ROW = 18
_WIDEST_POOL = 8
_POOL_SCALE = 0.55
_WRAPPER = TextWrapper(56, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)


@dataclass(frozen=True)
class Shown:
    """The facts of a state as the parts of a picture."""

    boards: tuple[tuple[Board, ...], ...]
    details: tuple[str, ...]
    """For each role, the facts that name it."""
    lines: tuple[str, ...]
    """All other facts."""
    turns: tuple[str, ...]
    """The facts that name the role that decides, which are no lines."""


def find_boards(text: str, network: Network, hints: Mapping[str, str]) -> BoardPlan | None:
    """Return the boards of a rulesheet, none if its facts name no cells; None if it is too large.

    Args:
        text: the rulesheet.
        network: its network.
        hints: fields of the head of the file.
    """
    if len(network.fluents) > MOST_FLUENTS or len(text) > MOST_CHARACTERS:
        return None
    try:
        rules = read_rules(text)
    except RulesheetError:
        return None
    if len(rules) > MOST_RULES:
        return None
    relations = relations_of([*network.fluents, *network.unused, *network.always])
    areas = find_areas(relations, network.roles, rules, hints)
    return BoardPlan(areas[:_MOST_AREAS], relations, rules, network, hints)


class BoardPlan:
    """The boards of a rulesheet.

    Attributes:
        areas: the boards with the relations on them.
        clicks: text of a move -> its clicks, for the moves that name cells.
        legend: the marks whose meaning does not follow from the players.
        symbols: text of a mark -> its name, where they differ; empty if they are many.
    """

    def __init__(
        self,
        areas: Sequence[Area],
        relations: Mapping[str, Relation],
        rules: Sequence[Rule],
        network: Network,
        hints: Mapping[str, str],
    ) -> None:
        self.areas = tuple(areas)
        self._roles = network.roles
        self._always = network.always
        self._facts = network.fluents
        self._contents = Contents(network.roles, areas, hints)
        self._names = [_names(area, number) for number, area in enumerate(areas)]
        self._layers = {layer.relation.form: (number, layer) for number, area in enumerate(areas)
                        for layer in area.layers}  # fmt: skip
        self._turns = {form for form, relation in relations.items() if _is_turn(relation, network.roles)}
        moves = [text for texts in network.moves for text in texts]
        self.clicks: dict[str, Clicks] = clicks_of_moves(areas, rules, moves, self._names)
        for area in areas:
            rows = hints.get("rows", "").lower()
            area.rows_up = rows == "up" if rows in ("up", "down") else area.rows_up
            layout = hints.get("layout", "").lower()
            if layout.startswith("hexagonal"):
                area.shift = -0.5 if layout.endswith("left") != area.rows_up else 0.5
        edges = [role for role in hints.get("edges", "").split() if role in self._roles]
        colors = [self.marks[self._roles.index(role)].color for role in edges]
        self._edges = (colors[0], colors[1]) if len(colors) == 2 else ("", "")
        self._pools = self._pools_of(moves)
        self.clicks |= {text: ((text,),) for pool in self._pools.values() for text in pool}
        self.legend = self._contents.legend(_MOST_LEGEND)
        symbols = self._contents.symbols()
        self.symbols: Mapping[str, str] = symbols if len(symbols) <= _MOST_LEGEND else {}

    @property
    def marks(self) -> tuple[Mark, ...]:
        """The mark of each role."""
        return self._contents.role_marks

    def _pools_of(self, moves: Sequence[str]) -> dict[str, dict[str, tuple[Layer, Values]]]:
        """Return form of a move -> its texts with the piece that each names and that belongs to nobody."""
        pieces = {
            layer.content(values): layer
            for _, layer in self._layers.values()
            for values in layer.relation.universe
            if layer.contents and not self._contents.is_blank(layer, layer.content(values))
        }
        found: dict[str, dict[str, tuple[Layer, Values]]] = {}
        for text in dict.fromkeys(moves):
            form, values = split(text)
            is_piece = len(values) == 1 and values in pieces and not values[0].isdigit()
            if is_piece and self._contents.owner(values) is None:
                found.setdefault(form, {})[text] = (pieces[values], values)
        return found

    def _beside(self, facts: Sequence[str], legal: Collection[str]) -> tuple[list[Board], list[list[Board]]]:
        """Return the boards of the pieces that facts beside the boards name, and of those that moves choose."""
        pieces = {values: layer for pool in self._pools.values() for layer, values in pool.values()}
        used: set[Values] = set()
        hands = []
        for fact in facts:
            form, values = split(fact)
            if values in pieces:
                cell = Cell(fact, self.mark(pieces[values], values))
                hands.append(Board(1, (cell,), form.partition("(")[0], is_numbered=False))
            used.update((value,) for value in values)
        pools = [
            [
                Board(
                    min(len(pool), _WIDEST_POOL),
                    tuple(
                        Cell(
                            text,
                            None if piece[1] in used else self.mark(*piece),
                            action=text if text in legal else "",
                            is_closed=text not in legal,
                        )
                        for text, piece in pool.items()
                    ),
                    form.partition("(")[0],
                    is_numbered=False,
                    scale=_POOL_SCALE,
                )
            ]
            for form, pool in self._pools.items()
        ]
        return hands, pools

    def decisions(self, wins: Wins) -> Decisions:
        """Return who asks which cells of the largest board decide; `wins` returns the winners with some facts."""
        return Decisions(self.areas[0], self._contents, self._facts, wins)

    def cell_name(self, key: Values) -> str:
        """Return the name of a cell of the largest board."""
        return self._names[0][key]

    def mark(self, layer: Layer, content: Values) -> Mark | None:
        """Return the mark of a content; None for a blank cell."""
        return None if self._contents.is_blank(layer, content) else self._contents.mark(layer, content)

    def shown(
        self,
        facts: Sequence[str],
        last: Sequence[Clicks] = (),
        legal: Collection[str] | None = None,
        winning: Collection[str] = (),
    ) -> Shown:
        """Return the facts of a state in boards, beside the roles, and in lines.

        Args:
            facts: the facts.
            last: clicks of the last moves.
            legal: texts of the legal moves; the only one that a single click on a cell chooses is its action.
                None: the boards alone, without the pieces that moves choose.
            winning: names of the cells by which a player has won.
        """
        on_cells: list[dict[Values, list[tuple[Layer, Values]]]] = [{} for _ in self.areas]
        details: list[dict[str, list[str]]] = [{} for _ in self._roles]
        others: dict[str, list[str]] = {}
        turns: list[str] = []
        for fact in (*facts, *(fact for fact in self._always if split(fact)[0] in self._layers)):
            form, values = split(fact)
            if form in self._layers:
                number, layer = self._layers[form]
                content = layer.content(values)
                if not self._contents.is_blank(layer, content):
                    on_cells[number].setdefault(layer.key(values), []).append((layer, content))
                continue
            if form in self._turns:
                turns.append(fact)
                continue
            name = form.partition("(")[0]
            named = [self._roles.index(value) for value in values if value in self._roles]
            if len(named) == 1 and len(values) <= 2:
                rest = [value for value in values if value not in self._roles]
                details[named[0]].setdefault(name, []).append(",".join(rest))
            else:
                others.setdefault(name, []).append(",".join(values))
        changed = self._changed(last, on_cells)
        actions = self._actions(legal or ())
        rows: list[list[Board]] = []
        for number, area in enumerate(self.areas):
            for row in self._boards(number, on_cells[number], changed, actions, winning):
                wide = sum(board.columns for board in (*rows[-1], *row)) if rows else 0
                is_single = number and not (area.boards or self.areas[number - 1].boards)
                if is_single and wide <= _WIDEST_ROW:
                    rows[-1] += row
                else:
                    rows.append(row)
        if rows and legal is not None:
            hands, pools = self._beside(facts, legal)
            rows = [[*rows[0], *hands], *rows[1:], *pools]
        lines: list[str] = []
        for name, found in others.items():
            lines += _WRAPPER.wrap(f"{name}: {'  '.join(found)}" if any(found) else name)
        return Shown(
            tuple(map(tuple, rows)),
            tuple(", ".join(" ".join([name, *found]).strip() for name, found in each.items()) for each in details),
            tuple(lines),
            tuple(turns),
        )

    def _changed(
        self, last: Sequence[Clicks], on_cells: Sequence[Mapping[Values, list[tuple[Layer, Values]]]]
    ) -> frozenset[str]:
        """Return the names of the cells of the last moves; of a column, the last cell that is not blank."""
        found = {options[0] for clicks in last for options in clicks if len(options) == 1}
        columns = [options for clicks in last for options in clicks if len(options) > 1]
        if columns:
            for number, area in enumerate(self.areas):
                rows = {row: place for place, row in enumerate(area.rows)}
                filled = {self._names[number][key]: rows[area.places[key][2]] for key in on_cells[number]}
                for options in columns:
                    own = [name for name in options if name in filled]
                    if own:
                        found.add(min(own, key=filled.__getitem__))
        return frozenset(found)

    def _actions(self, legal: Collection[str]) -> dict[str, str]:
        """Return name of a cell -> the legal move that a click on it chooses, for cells with one such move."""
        found: dict[str, list[str]] = {}
        for text in legal:
            clicks = self.clicks.get(text, ())
            if len(clicks) == 1 == len(clicks[0]):
                found.setdefault(clicks[0][0], []).append(text)
        return {name: texts[0] for name, texts in found.items() if len(texts) == 1}

    def _boards(
        self,
        number: int,
        contents: Mapping[Values, list[tuple[Layer, Values]]],
        last: frozenset[str],
        actions: Mapping[str, str],
        winning: Collection[str],
    ) -> list[list[Board]]:
        """Return the boards of an area in rows."""
        area = self.areas[number]
        grids: dict[Values, dict[tuple[str, str], Cell]] = {}
        for key, name in self._names[number].items():
            board, column, row = area.places[key]
            grids.setdefault(board, {})[column, row] = replace(
                self._cell(area, name, contents.get(key, [])),
                is_last=name in last,
                is_winning=name in winning,
                action=actions.get(name, ""),
            )
        columns, rows = area.columns, area.rows
        made = {}
        is_plain = len(rows) > 1 and all(map(str.isdigit, (*columns, *rows)))
        links = tuple(self._links(area, columns, rows))
        for board, cells in grids.items():
            title = " ".join(board)
            if not board and len(self.areas) > 1:
                title = area.layers[0].relation.name
            made[board] = Board(
                len(columns),
                tuple(cells.get((column, row), Cell("", is_hole=True)) for row in rows for column in columns),
                title,
                is_numbered=not area.is_map,
                column_names=() if is_plain else columns,
                row_names=rows,
                shift=area.shift,
                links=links,
                edges=self._edges if area.shift else ("", ""),
                is_lattice=_is_lattice(cells, columns, rows),
            )
        order = [made[board] for board in product(*area.boards) if board in made]
        wide = len(order) if len(order) <= 3 else ceil(sqrt(len(order)))
        if len(area.boards) > 1:
            wide = len(area.boards[-1])
        return [order[start : start + wide] for start in range(0, len(order), wide)]

    def _links(self, area: Area, columns: Values, rows: Values) -> list[tuple[int, int, str]]:
        """Return pairs of numbers of cells, row by row, between which a line is drawn."""
        numbers = {
            key[0]: rows.index(row) * len(columns) + columns.index(column)
            for key, (_, column, row) in area.places.items()
        }
        return [(numbers[one], numbers[other], "") for one, other in area.links if one in numbers and other in numbers]

    def _cell(self, area: Area, name: str, contents: Sequence[tuple[Layer, Values]]) -> Cell:
        """Return a cell with what lies on it: the first piece of a player as its mark, the others as a note."""
        flags = [found for found in contents if self._contents.is_flag(*found)]
        pieces = [found for found in contents if found not in flags]
        pieces.sort(key=lambda found: self._contents.owner(found[1]) is None)
        marks = [self._contents.mark(*found) for found in (*pieces, *flags)]
        shown = marks[0] if pieces else None
        note = " ".join(mark.symbol for mark in (marks[1:] if pieces else marks))
        return Cell(name, shown, text=name if area.is_map else "", note=note)


def _names(area: Area, number: int) -> dict[Values, str]:
    """Return cell -> its name, with the name of its relation if there are several boards."""
    before = f"{area.layers[0].relation.name}:" if number else ""
    return {key: before + area.name(key) for key in area.places}


def _is_lattice(cells: Collection[tuple[str, str]], columns: Values, rows: Values) -> bool:
    """Return True for a board on which exactly the places in odd rows and odd columns are no cells."""
    return min(len(columns), len(rows)) > 1 and all(
        ((column, row) in cells) == bool(right % 2 or down % 2)
        for right, column in enumerate(columns)
        for down, row in enumerate(rows)
    )


def _is_turn(relation: Relation, roles: Sequence[str]) -> bool:
    """Return True for the relation that holds for the role that decides, `control` by custom."""
    return relation.form == "control(_)" and set(relation.values(0)) <= set(roles)
