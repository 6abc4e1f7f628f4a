"""Boolean circuits: inputs and conjunctions, in which equal gates are one gate.

A literal is 2 * node, or 2 * node + 1 for its negation. Node 0 is the constant true. A disjunction is the negation of a
conjunction of negations.
"""

from __future__ import annotations

import time
from collections.abc import Iterable

from .errors import RulesheetError

TRUE, FALSE = 0, 1
MAX_EDGES = 12_000_000


class Circuit:
    """Nodes in an order in which each gate comes after the nodes that it reads.

    Args:
        deadline: value of `time.monotonic` after which no gate is added any more.
    """

    def __init__(self, deadline: float) -> None:
        self.deadline = deadline
        self.gates: list[tuple[int, ...] | None] = [None]
        """The literals of each gate; None for the constant and for inputs."""
        self.edges = 0
        self._known: dict[tuple[int, ...], int] = {}

    def input(self) -> int:
        """Return the literal of a new input."""
        self.gates.append(None)
        return 2 * (len(self.gates) - 1)

    def all_of(self, literals: Iterable[int]) -> int:
        """Return the literal of a conjunction."""
        kept = set(literals)
        kept.discard(TRUE)
        if FALSE in kept:
            return FALSE
        if len(kept) < 2:
            return kept.pop() if kept else TRUE
        for literal in kept:
            if literal ^ 1 in kept:
                return FALSE
        key = tuple(sorted(kept))
        found = self._known.get(key)
        if found is None:
            self.edges += len(key)
            if self.edges > MAX_EDGES:
                raise RulesheetError(f"the network has more than {MAX_EDGES:,} edges")
            if not len(self.gates) & 0xFFF and time.monotonic() > self.deadline:
                raise RulesheetError(
                    f"the network is not complete in the time that is allowed; it has {self.edges:,} edges so far"
                )
            found = self._known[key] = 2 * len(self.gates)
            self.gates.append(key)
        return found

    def any_of(self, literals: Iterable[int]) -> int:
        """Return the literal of a disjunction."""
        return self.all_of([literal ^ 1 for literal in literals]) ^ 1

    def cone(self, literals: Iterable[int]) -> set[int]:
        """Return the nodes that literals depend on, these included."""
        todo = [literal >> 1 for literal in literals]
        found = set(todo)
        while todo:
            for literal in self.gates[todo.pop()] or ():
                if literal >> 1 not in found:
                    found.add(literal >> 1)
                    todo.append(literal >> 1)
        return found
