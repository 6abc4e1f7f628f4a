"""Cells that decide a game, found by asking its rules about positions with fewer pieces."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from .contents import Contents
from .grids import Area, Place
from .relations import Values, split

_LEAST_CELLS = 3
"""Smallest number of cells in a line or a chain."""

Wins = Callable[[Sequence[str]], Sequence[int]]
"""Returns the players who have won with the facts of a state."""


class Decisions:
    """Asks which cells of a board decide a game.

    Args:
        area: the board.
        contents: the marks of the rulesheet.
        facts: all facts that can be true.
        wins: returns the winners with some facts.
    """

    def __init__(self, area: Area, contents: Contents, facts: Sequence[str], wins: Wins) -> None:
        self._area, self._contents, self._wins = area, contents, wins
        self._layers = {layer.relation.form: layer for layer in area.layers}
        self._blanks: dict[Values, list[str]] = {}
        for fact in facts:
            form, values = split(fact)
            if form in self._layers:
                layer = self._layers[form]
                key, content = layer.key(values), layer.content(values)
                if contents.is_blank(layer, content):
                    self._blanks.setdefault(key, []).append(fact)

    def cells(self, facts: Sequence[str], winner: int) -> frozenset[Values]:
        """Return the cells of the lines, or of the chain, by which a player has won; empty if others count.

        These are the cells without which the rules see no win, where no piece of another player is needed.
        """
        others, own = self._parts(facts, winner)
        if not self._is_won(others, own, winner):
            return frozenset()
        first = self._fewest(others, own, winner)
        found = frozenset(first)
        for key in () if self._area.shift else first:  # a further line, such as one that crosses it
            rest = {other: texts for other, texts in own.items() if other != key}
            if self._is_won(others, rest, winner):
                found |= frozenset(self._fewest(others, rest, winner))
        places = {key: self._index(self._area.places[key]) for key in found}
        is_joined = all(any(max(abs(a - c), abs(b - d)) == 1 for c, d in places.values()) for a, b in places.values())
        return found if len(found) >= _LEAST_CELLS and is_joined else frozenset()

    def _parts(self, facts: Sequence[str], winner: int) -> tuple[list[str], dict[Values, list[str]]]:
        """Return the facts that are no pieces, and by their cells those that may be pieces of a player."""
        rest: list[str] = []
        own: dict[Values, list[str]] = {}
        for fact in facts:
            form, values = split(fact)
            layer = self._layers.get(form)
            content = layer.content(values) if layer else ()
            if layer is not None and self._contents.is_blank(layer, content):
                continue
            if layer is None or any(map(str.isdigit, content)) or self._contents.mark(layer, content).shape == "block":
                rest.append(fact)
            elif self._contents.owner(content) in (winner, None):
                own.setdefault(layer.key(values), []).append(fact)
        return rest, own

    def _is_won(self, others: Sequence[str], own: Mapping[Values, Sequence[str]], winner: int) -> bool:
        pieces = [text for texts in own.values() for text in texts]
        blanks = [text for key, texts in self._blanks.items() if key not in own for text in texts]
        return list(self._wins([*others, *blanks, *pieces])) == [winner]

    def _fewest(self, others: Sequence[str], own: Mapping[Values, Sequence[str]], winner: int) -> list[Values]:
        """Return pieces none of which can be taken away."""
        kept = dict(own)
        for key in own:
            texts = kept.pop(key)
            if not self._is_won(others, kept, winner):
                kept[key] = texts
        return list(kept)

    def _index(self, place: Place) -> tuple[int, int]:
        _, column, row = place
        return self._area.columns.index(column), self._area.lines.index(row)
