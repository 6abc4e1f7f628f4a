"""The cells that a move names: one to mark, a column to drop into, or a source and a target."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import permutations

from ...pictures.parts import Clicks
from ..parser import Expression
from ..rules import Rule, is_variable, name_of
from .grids import Area
from .relations import Values, split, split_term

_ROUNDS = 4
"""Steps from a relation to another along which a coordinate is followed."""

_LEAST_CELLS = 0.5
"""Least share of the moves of a form whose places name a cell; the others may leave the board, and are never legal."""

Place = tuple[str, int]
"""A form and a place in it; `move` or `rule` stands before the forms of moves and of relations."""


def clicks_of_moves(
    areas: Sequence[Area], rules: Sequence[Rule], moves: Sequence[str], names: Mapping[int, Mapping[Values, str]]
) -> dict[str, Clicks]:
    """Return text of a move -> its clicks, for the moves whose places the rules link to those of cells.

    Args:
        areas: the boards.
        rules: the rules.
        moves: texts of all moves.
        names: number of a board -> cell -> its name.
    """
    if not areas:
        return {}
    forms: dict[str, dict[str, Values]] = {}
    for text in dict.fromkeys(moves):
        form, values = split(text)
        if values:
            forms.setdefault(form, {})[text] = values
    grounded = {
        split_term(rule.head[2])[0]
        for rule in rules
        if name_of(rule.head) == "legal" and not any(is_variable(term) for term in split_term(rule.head[2])[1])
    }
    found: dict[str, Clicks] = {}
    for number, area in enumerate(areas):
        flows, namesakes = _flows(area, rules), _namesakes(area, rules)
        cells = names[number]
        for form, texts in forms.items():
            places = [(f"move {form}", place) for place in range(len(next(iter(texts.values()))))]
            kinds = [flows.get(place) for place in places]
            named = [kind or namesakes.get(place) for kind, place in zip(kinds, places, strict=True)]
            for text, clicks in _clicks(area, cells, kinds, named, texts, form in grounded).items():
                if len(clicks) > len(found.get(text, ())):
                    found[text] = clicks
    return found


def _clicks(
    area: Area, cells: Mapping[Values, str], kinds: Sequence[Counter[int] | None],
    named: Sequence[Counter[int] | None], texts: Mapping[str, Values], is_ground: bool,
) -> dict[str, Clicks]:  # fmt: skip
    """Return the clicks of the moves of one form.

    Args:
        area: the board.
        cells: cell -> its name.
        kinds: for each place of the moves, the coordinates that rules link to it.
        named: as `kinds`, and where they are not known, the coordinates whose variables have the same names.
        texts: text of each move -> its constants.
        is_ground: True if the rules write out the moves.
    """
    size = 1 if area.tokens else len(area.axes)
    windows: dict[int, tuple[int, ...]] = {}
    # First the cells that rules link to the board, then cells beside them.
    for is_alone in (True, False) if size > 1 else (True,):
        place = 0
        while place + size <= len(kinds):
            is_free = not any(at < place + size and at + size > place for at in windows)
            is_beside = is_alone or place + size in windows or place - size in windows
            window = None
            if is_free and is_beside:
                window = _window(cells, named, texts, place, size, is_ground or not is_alone)
            if window:
                windows[place] = window
            place += size if window else 1
    covered = {place for window in windows.values() for place in window}
    if windows and any(kind for place, kind in enumerate(kinds) if place not in covered):
        return {}  # further coordinates, as of a wall between cells
    if windows:
        order = [windows[place] for place in sorted(windows)]
        keys = {text: [tuple(values[at] for at in window) for window in order] for text, values in texts.items()}
        return {text: tuple((cells[key],) for key in found) for text, found in keys.items() if cells.keys() >= {*found}}
    if area.tokens or size < 2:
        return {}
    linked = {place: kind.most_common(1)[0][0] for place, kind in enumerate(kinds) if kind}
    if not linked or len(set(linked.values())) < len(linked):
        return {}
    found: dict[str, Clicks] = {}
    for text, values in texts.items():
        options = tuple(
            name for key, name in cells.items() if all(key[at] == values[place] for place, at in linked.items())
        )
        if options:
            found[text] = (options,)
    return found


def _window(
    cells: Mapping[Values, str], kinds: Sequence[Counter[int] | None], texts: Mapping[str, Values], start: int,
    size: int, is_ground: bool,
) -> tuple[int, ...] | None:  # fmt: skip
    """Return the places, in the order of a cell's coordinates, of the cell that begins at a place of a move.

    Rules must link one of the places, unless `is_ground`; then all moves must name cells.
    """
    places = range(start, start + size)
    linked = [kinds[place] for place in places if kinds[place]]
    if not (is_ground or linked):
        return None
    least = _LEAST_CELLS * len(texts) if linked else len(texts)
    best: tuple[int, tuple[int, ...]] | None = None
    for order in permutations(places) if len(linked) == size else [tuple(places)]:
        own = [(kinds[place] or Counter(), coordinate) for coordinate, place in enumerate(order)]
        if len(linked) < size and any(kind and kind.most_common(1)[0][0] != coordinate for kind, coordinate in own):
            continue
        votes = sum(kind[coordinate] for kind, coordinate in own)
        if best is not None and votes <= best[0]:
            continue
        if sum(tuple(values[at] for at in order) in cells for values in texts.values()) >= least:
            best = (votes, order)
    return None if best is None else best[1]


def _flows(area: Area, rules: Sequence[Rule]) -> dict[Place, Counter[int]]:
    """Return, for the places of moves and relations, how often variables link them to each coordinate of a board."""
    fixed: dict[Place, Counter[int]] = {
        (f"true {layer.relation.form}", place): Counter({number: 1})
        for layer in area.layers
        for number, place in enumerate(layer.coordinates)
    }
    moving = _moving(rules)
    links = [_links(rule, moving) for rule in rules if rule.body]
    known = dict(fixed)
    for _ in range(_ROUNDS):
        votes: dict[Place, Counter[int]] = {}
        for variables in links:
            for places in variables.values():
                sums: Counter[int] = Counter()
                for place in places:
                    if place in known:
                        sums[known[place].most_common(1)[0][0]] += 3 if place in fixed else 1
                if not sums:
                    continue
                for place in places:
                    if place not in fixed:
                        votes.setdefault(place, Counter()).update(sums)
        changed = {**votes, **fixed}
        if changed.keys() == known.keys():
            return changed
        known = changed
    return known


def _namesakes(area: Area, rules: Sequence[Rule]) -> dict[Place, Counter[int]]:
    """Return, for the places of moves in heads of `legal`, the coordinates that variables of the same names are."""
    coordinates: dict[str, Counter[int]] = {}
    layers = {layer.relation.form: layer for layer in area.layers}
    for rule in rules:
        for atom in (rule.head, *(literal.atom for literal in rule.body)):
            if name_of(atom) in ("init", "true", "next"):
                form, terms = split_term(atom[1])
                for number, place in enumerate(layers[form].coordinates if form in layers else ()):
                    if is_variable(terms[place]):
                        coordinates.setdefault(terms[place], Counter())[number] += 1
    found: dict[Place, Counter[int]] = {}
    for rule in rules:
        if name_of(rule.head) == "legal":
            key, terms = _form("move", rule.head[2])
            for place, term in enumerate(terms):
                if term in coordinates:
                    found.setdefault((key, place), Counter()).update(coordinates[term])
    return found


def _moving(rules: Sequence[Rule]) -> frozenset[str]:
    """Return the relations that depend on facts or moves."""
    found = {"true", "does", "next", "legal"}
    while True:
        more = {
            name_of(rule.head)
            for rule in rules
            if name_of(rule.head) not in found and any(name_of(literal.atom) in found for literal in rule.body)
        }
        if not more:
            return frozenset(found)
        found |= more


def _links(rule: Rule, moving: frozenset[str]) -> dict[str, list[Place]]:
    """Return variable -> its places in a rule, in facts, moves, and relations that depend on them."""
    found: dict[str, list[Place]] = {}
    for atom in (rule.head, *(literal.atom for literal in rule.body)):
        name = name_of(atom)
        if name not in moving or isinstance(atom, str):
            continue
        if name in ("true", "next"):
            key, terms = _form("true", atom[1])
        elif name in ("does", "legal"):
            key, terms = _form("move", atom[2])
        else:
            key, terms = _form("rule", atom)
        for place, term in enumerate(terms):
            if is_variable(term):
                found.setdefault(term, []).append((key, place))
    return found


def _form(kind: str, term: Expression) -> tuple[str, Values]:
    form, terms = split_term(term)
    return f"{kind} {form}", terms
