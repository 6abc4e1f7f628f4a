"""The cells that a move names: one to mark, a column to drop into, or a source and a target."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from ...pictures.parts import Clicks
from ..rules import Rule, is_variable, name_of
from .grids import Area
from .relations import Values, split, split_term

_LEAST_CELLS = 0.5
"""Least share of the moves of a form whose places name a cell; the others may leave the board, and are never legal."""


def clicks_of_moves(
    areas: Sequence[Area], rules: Sequence[Rule], moves: Sequence[str], names: Sequence[Mapping[Values, str]]
) -> dict[str, Clicks]:
    """Return text of a move -> its clicks, for the moves that the rules describe by the variables of cells.

    Args:
        areas: the boards.
        rules: the rules.
        moves: texts of all moves.
        names: for each board, cell -> its name.
    """
    forms: dict[str, dict[str, Values]] = {}
    for text in dict.fromkeys(moves):
        form, values = split(text)
        if values:
            forms.setdefault(form, {})[text] = values
    found: dict[str, Clicks] = {}
    for area, cells in zip(areas, names, strict=True):
        linked = _linked(area, rules)
        for form, texts in forms.items():
            for text, clicks in _clicks(cells, linked.get(form, {}), texts).items():
                if len(clicks) > len(found.get(text, ())):
                    found[text] = clicks
    return found


def _linked(area: Area, rules: Sequence[Rule]) -> dict[str, dict[int, int]]:
    """Return form of a move -> place in it -> the coordinate that variables of the same names are elsewhere."""
    layers = {layer.relation.form: layer for layer in area.layers}
    atoms = [atom for rule in rules for atom in (rule.head, *(literal.atom for literal in rule.body))]
    coordinates: dict[str, Counter[int]] = {}
    for atom in atoms:
        if name_of(atom) in ("init", "true", "next"):
            form, terms = split_term(atom[1])
            for number, place in enumerate(layers[form].coordinates if form in layers else ()):
                if is_variable(terms[place]):
                    coordinates.setdefault(terms[place], Counter())[number] += 1
    votes: dict[str, dict[int, Counter[int]]] = {}
    for atom in atoms:
        if name_of(atom) in ("legal", "does"):
            form, terms = split_term(atom[2])
            for place, term in enumerate(terms):
                if term in coordinates:
                    votes.setdefault(form, {}).setdefault(place, Counter()).update(coordinates[term])
    return {
        form: {place: counts.most_common(1)[0][0] for place, counts in places.items()} for form, places in votes.items()
    }


def _clicks(cells: Mapping[Values, str], linked: Mapping[int, int], texts: Mapping[str, Values]) -> dict[str, Clicks]:
    """Return the clicks of the moves of one form.

    Args:
        cells: cell -> its name.
        linked: place of the moves -> its coordinate.
        texts: text of each move -> its constants.
    """
    if not linked:
        return {}
    size, width = len(next(iter(cells))), len(next(iter(texts.values())))
    windows: list[Sequence[int]] = []
    place = 0
    while place + size <= width:
        window = _window(cells, linked, texts, range(place, place + size))
        if window:
            windows.append(window)
        place += size if window else 1
    if windows:
        if not linked.keys() <= {place for window in windows for place in window}:
            return {}  # further coordinates, as of a wall between cells
        keys = {text: [tuple(values[at] for at in window) for window in windows] for text, values in texts.items()}
        return {text: tuple((cells[key],) for key in found) for text, found in keys.items() if cells.keys() >= {*found}}
    if size < 2 or len(set(linked.values())) < len(linked):
        return {}
    found: dict[str, Clicks] = {}
    for text, values in texts.items():
        options = tuple(name for key, name in cells.items() if all(key[at] == values[p] for p, at in linked.items()))
        if options:
            found[text] = (options,)
    return found


def _window(
    cells: Mapping[Values, str], linked: Mapping[int, int], texts: Mapping[str, Values], places: range
) -> Sequence[int] | None:
    """Return the places of a cell in moves, in the order of its coordinates. All moves name one if none is linked."""
    known = [place for place in places if place in linked]
    order: Sequence[int] = places
    if sorted(linked[place] for place in known) == list(range(len(places))):
        order = sorted(places, key=linked.__getitem__)
    elif any(linked[place] != place - places.start for place in known):
        return None
    named = sum(tuple(values[at] for at in order) in cells for values in texts.values())
    return order if named >= (_LEAST_CELLS if known else 1) * len(texts) else None
