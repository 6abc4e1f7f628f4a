"""A circuit rebuilt with known constants, and with short forms of conditions on the move of a role.

In each step a role plays one of its moves, or none. So a disjunction over most of its moves is the negation of the
disjunction over the rest, and `none`. Terms that differ in the move alone share what they have in common.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .circuit import Circuit


class OneHot:
    """The inputs of the moves of each role in a circuit, of which one is true."""

    def __init__(self, groups: Sequence[Sequence[int]]) -> None:
        self.groups = [frozenset(group) for group in groups]
        """Literals of the inputs of each role."""
        self.role = {literal: role for role, group in enumerate(self.groups) for literal in group}


def rebuild(old: Circuit, inputs: Mapping[int, int], outputs: Sequence[int], new: Circuit, hot: OneHot) -> list[int]:
    """Add what outputs depend on to a new circuit, and return their literals there.

    Args:
        old: the circuit of the outputs.
        inputs: node of `old`, an input or any node with a known constant value -> literal of `new`.
        outputs: literals of `old`.
        new: the circuit that receives the gates.
        hot: the moves in `new`.
    """
    made: dict[int, int] = {0: 0, **inputs}
    todo = [literal >> 1 for literal in outputs]
    while todo:
        node = todo[-1]
        gate = old.gates[node]
        if node in made or gate is None:
            todo.pop()
            continue
        missing = [literal >> 1 for literal in gate if literal >> 1 not in made]
        if missing:
            todo.extend(missing)
        else:
            made[node] = _conjunction(new, [made[literal >> 1] ^ literal & 1 for literal in gate], hot)
            todo.pop()
    return [made[literal >> 1] ^ literal & 1 for literal in outputs]


def _conjunction(circuit: Circuit, literals: list[int], hot: OneHot) -> int:
    """Return a conjunction after merging its negated terms that contain moves of one role."""
    for role in range(len(hot.groups)):
        groups: dict[tuple[int, ...], list[tuple[int, int]]] = {}
        for literal in literals:
            if not literal & 1:
                continue
            term = circuit.gates[literal >> 1] or (literal ^ 1,)
            move = next((part for part in term if hot.role.get(part) == role), None)
            if move is not None:
                groups.setdefault(tuple(part for part in term if part != move), []).append((literal, move))
        for rest, members in groups.items():
            if len(members) > 1:
                gone = {literal for literal, _ in members}
                any_move = _any_move(circuit, {move for _, move in members}, hot.groups[role])
                literals = [literal for literal in literals if literal not in gone]
                literals.append(circuit.all_of([*rest, any_move]) ^ 1)
    return circuit.all_of(literals)


def _any_move(circuit: Circuit, moves: set[int], group: frozenset[int]) -> int:
    if 2 * len(moves) > len(group):
        return circuit.any_of(group - moves) ^ 1
    return circuit.any_of(moves)
