"""Relations of ground rows, with the indexes that joins look rows up by."""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter
from typing import Any

Row = tuple[int, ...]
Index = dict[Any, list[Row]]


def getter(places: Sequence[int]) -> Any:
    """Return a function that reads some places of a sequence: a tuple, or the value alone for one place."""
    return itemgetter(*places) if places else lambda _: ()


class Relation:
    """Rows of equal length, each with the number of its atom.

    `rows` has every row that is known, the indexes only those that joins may use already. Rows in an index end with
    the number of their atom.
    """

    def __init__(self, key: tuple[Any, ...]) -> None:
        self.key = key
        self.rows: dict[Row, int] = {}
        self.usable: list[Row] = []
        self._indexes: dict[tuple[int, ...], tuple[Any, Index]] = {}

    def index(self, columns: tuple[int, ...]) -> Index:
        """Return the index over some columns: value, or tuple of values -> rows."""
        found = self._indexes.get(columns)
        if found is None:
            found = self._indexes[columns] = (getter(columns), {})
            key, index = found
            for row in self.usable:
                index.setdefault(key(row), []).append(row)
        return found[1]

    def use(self, row: Row) -> None:
        """Add a row, which ends with the number of its atom, to the indexes."""
        self.usable.append(row)
        for key, index in self._indexes.values():
            index.setdefault(key(row), []).append(row)
