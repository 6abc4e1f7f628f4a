"""Nodes of a circuit that never change in any play, found by simulation with unknown values (Bryant 1987)."""

from __future__ import annotations

from collections.abc import Mapping

from .circuit import Circuit

UNKNOWN = 2


def constant_nodes(circuit: Circuit, initial: Mapping[int, bool], following: Mapping[int, int]) -> list[int]:
    """Return the value of each node: 0, 1, or UNKNOWN if it may differ between states.

    Args:
        circuit: the circuit.
        initial: node of a fluent -> its first value.
        following: node of a fluent -> the literal of its next value. All other inputs are unknown.
    """
    gates = circuit.gates
    values = [UNKNOWN] * len(gates)
    values[0] = 1
    for node, value in initial.items():
        values[node] = int(value)
    users: list[list[int]] = [[] for _ in gates]
    for node, literals in enumerate(gates):
        if literals is not None:
            values[node] = _value(literals, values)
            for literal in literals:
                users[literal >> 1].append(node)
    states: dict[int, list[int]] = {}
    for node, literal in following.items():
        states.setdefault(literal >> 1, []).append(node)
    changed = [node for node, literal in following.items() if literal_value(literal, values) != values[node]]
    for node in changed:
        values[node] = UNKNOWN
    while changed:
        node = changed.pop()
        for user in users[node]:
            if values[user] != UNKNOWN and _value(gates[user] or (), values) != values[user]:
                values[user] = UNKNOWN
                changed.append(user)
        for fluent in states.get(node, ()):
            if values[fluent] != UNKNOWN and literal_value(following[fluent], values) != values[fluent]:
                values[fluent] = UNKNOWN
                changed.append(fluent)
    return values


def literal_value(literal: int, values: list[int]) -> int:
    """Return the value of a literal, from the values of the nodes."""
    value = values[literal >> 1]
    return value if value == UNKNOWN else value ^ (literal & 1)


def _value(literals: tuple[int, ...], values: list[int]) -> int:
    result = 1
    for literal in literals:
        value = values[literal >> 1]
        if value == UNKNOWN:
            result = UNKNOWN
        elif value ^ (literal & 1) == 0:
            return 0
    return result
