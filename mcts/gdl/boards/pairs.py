"""Pieces that two facts place, such as `(posx red 3)` and `(posy red 5)`: both become one fact with two coordinates."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product

from .relations import Orders, Relation, Values, split

_MOST_FACTS = 10_000
"""Facts that a pair of relations can make."""


class Pairs:
    """The pairs of relations whose names differ in an `x` and a `y`.

    Args:
        relations: all relations.
        orders: the orders of constants.
    """

    def __init__(self, relations: Iterable[Relation], orders: Orders) -> None:
        known = {(relation.name, relation.width): relation for relation in relations if relation.universe[0]}
        self.facts: list[str] = []
        """All facts that the pairs can make."""
        self.halves: dict[str, tuple[str, bool]] = {}
        """Form of a half -> name of the pair, and whether the half is the column."""
        for (name, width), across in known.items():
            for place in (place for place, letter in enumerate(name) if letter in "xX"):
                other = name[:place] + ("y" if name[place] == "x" else "Y") + name[place + 1 :]
                down = known.get((other, width))
                if down is not None and across.form not in self.halves and _is_pair(across, down, orders):
                    self.halves[across.form] = (f"{name}+{other}", True)
                    self.halves[down.form] = (f"{name}+{other}", False)
                    self.facts += [
                        _text(f"{name}+{other}", owner, row[-1], column[-1])
                        for column, row in product(across.universe, down.universe)
                        if (owner := column[:-1]) == row[:-1]
                    ]

    def joined(self, facts: Sequence[str]) -> list[str]:
        """Return facts with those that a pair places as one; a half without the other half stays."""
        if not self.halves:
            return list(facts)
        others: list[str] = []
        halves: dict[tuple[str, Values], list[str | None]] = {}
        for fact in facts:
            form, values = split(fact)
            if form not in self.halves:
                others.append(fact)
                continue
            name, is_column = self.halves[form]
            halves.setdefault((name, values[:-1]), [None, None])[is_column] = fact
        for (name, owner), (row, column) in halves.items():
            if row is not None and column is not None:
                others.append(_text(name, owner, split(row)[1][-1], split(column)[1][-1]))
            else:
                others += [fact for fact in (row, column) if fact is not None]
        return others


def _text(name: str, owner: Values, row: str, column: str) -> str:
    return f"{name}({','.join((*owner, row, column))})"


def _is_pair(across: Relation, down: Relation, orders: Orders) -> bool:
    """Return True for relations that place the same pieces, each at one coordinate at a time."""
    last = across.width - 1
    owners = [{values[:-1] for values in relation.universe} for relation in (across, down)]
    return (
        across.width <= 2
        and owners[0] == owners[1]
        and all(relation.is_key(range(last)) and orders.of(relation.values(last)) for relation in (across, down))
        and len(across.universe) * len(down.universe) <= _MOST_FACTS
    )
