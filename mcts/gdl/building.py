"""The circuit of the ground rules: one literal for each atom.

Atoms that need each other without negation have the values of their least fixed point. It is computed by eliminating
one after the other, as in a system of linear equations, or by repeated substitution if a rule needs two of them at
once. A negation among them has no meaning and is refused.
"""

from __future__ import annotations

import time
from array import array
from collections import Counter
from dataclasses import dataclass, field

from cext.gdl.circuit import Circuit
from cext.gdl.instances import Instances

from ..errors import RulesheetError
from .grounding import Grounding
from .network import Reach

TRUE, FALSE = 0, 1
MAX_EDGES = 12_000_000
UNSET = -1
LEAST_REACHED = 12
"""Atoms that need each other from which on they are also described as a walk."""
MANY_MOVES = 4 * 65_536


@dataclass
class Parts:
    """The circuit of a game before it is simplified."""

    circuit: Circuit
    fluents: dict[int, int] = field(default_factory=dict)
    """`true` atom -> literal of its input."""
    moves: dict[int, int] = field(default_factory=dict)
    """`does` atom -> literal of its input."""
    literals: list[int] = field(default_factory=list)
    """Literal of each atom."""
    reaches: list[Reach] = field(default_factory=list)
    """The reach of atoms, in terms of the circuit."""


def build(grounding: Grounding) -> Parts:
    """Return the circuit of the ground rules.

    Raises:
        RulesheetError: an atom depends on its own negation, or the network is too large.
    """
    parts = Parts(Circuit(grounding.deadline - time.monotonic(), MAX_EDGES))
    roles = set(grounding.roles)
    numbers = array("i", grounding.joins.relation_numbers())
    literals = [UNSET] * len(numbers)
    for relation, (name, _, _) in grounding.keys.items():
        grounding.check_time()
        if name == "true":
            for number, _ in grounding.joins.atoms_of(relation):
                literals[number] = parts.fluents[number] = parts.circuit.input()
        elif name == "does":
            for number, row in grounding.joins.atoms_of(relation):
                grounding.check_time()
                literals[number] = parts.moves[number] = parts.circuit.input() if row[0] in roles else FALSE
    _refuse_many_moves(grounding, parts)
    for number, literal in enumerate(literals):
        if literal == UNSET and grounding.keys[numbers[number]][0] in ("true", "does"):
            literals[number] = FALSE  # denied somewhere, but never derived
    grounding.check_time()
    instances = Instances(grounding.instances, len(literals))
    grounding.instances = b""

    def solve(component: list[int], known: list[int]) -> None:
        _solve(parts, component, instances, known, grounding)

    parts.literals = instances.build(parts.circuit, literals, solve)
    return parts


def _refuse_many_moves(grounding: Grounding, parts: Parts) -> None:
    """Raise RulesheetError if a role has so many moves that the network would be refused for them in any case."""
    counts = Counter(grounding.atom(atom)[2][0] for atom, literal in parts.moves.items() if literal != FALSE)
    for role, count in counts.items():
        if count > MANY_MOVES:
            raise RulesheetError(
                f"role {grounding.terms.text(role)} has up to {count:,} moves; valid: up to {MANY_MOVES:,}, some of "
                "which are never legal"
            )


def _solve(parts: Parts, component: list[int], instances: Instances, literals: list[int], grounding: Grounding) -> None:
    """Write the literals of atoms that need each other: the least fixed point."""
    inside = set(component)
    linear = True
    rules = {head: instances.bodies(head) for head in component}
    for head, bodies in rules.items():
        for positive, absent in bodies:
            linear = linear and len(inside.intersection(positive)) < 2
            for atom in inside.intersection(absent):
                raise RulesheetError(
                    f"{atom_text(grounding, head)} depends on the negation of {atom_text(grounding, atom)}, which "
                    "depends on it in turn; valid: rules without a circle through `not`"
                )
    if linear:
        _eliminate(parts, rules, literals)
    else:
        _repeat(parts.circuit, rules, literals)


def _eliminate(parts: Parts, rules: dict[int, list[tuple[list[int], list[int]]]], literals: list[int]) -> None:
    """Solve x = b or (a and y) or ... for the heads x: what x stands for is put in place of it, one head at a time.

    The head that the fewest others meet comes first, as fewer conditions arise then (minimum degree).
    """
    circuit = parts.circuit
    alone: dict[int, list[int]] = {head: [] for head in rules}
    through: dict[int, dict[int, list[int]]] = {head: {} for head in rules}
    for head, bodies in rules.items():
        for positive, absent in bodies:
            outside = [literals[atom] for atom in positive if atom not in rules]
            condition = circuit.all_of(outside + [literals[atom] ^ 1 for atom in absent])
            inner = next((atom for atom in positive if atom in rules), None)
            if inner is None:
                alone[head].append(condition)
            elif inner != head:
                through[head].setdefault(inner, []).append(condition)
    base = {head: circuit.any_of(conditions) for head, conditions in alone.items()}
    needs = {
        head: {inner: circuit.any_of(conditions) for inner, conditions in inners.items()}
        for head, inners in through.items()
    }
    starts, opens = dict(base), {head: set(inners.values()) for head, inners in needs.items()}
    following = {inner: [head for head in rules if inner in needs[head]] for inner in rules}
    users: dict[int, set[int]] = {head: set() for head in rules}
    for head, inners in needs.items():
        for inner in inners:
            users[inner].add(head)
    order = []
    left = set(rules)
    while left:
        head = min(left, key=lambda each: (len(users[each]) * len(needs[each]), each))
        left.discard(head)
        order.append(head)
        for user in users[head]:
            weight = needs[user].pop(head)
            base[user] = circuit.any_of([base[user], circuit.all_of([weight, base[head]])])
            for inner, condition in needs[head].items():
                if inner != user:
                    added = circuit.all_of([weight, condition])
                    needs[user][inner] = circuit.any_of([needs[user].get(inner, FALSE), added])
                    users[inner].add(user)
        for inner in needs[head]:
            users[inner].discard(head)
    for head in reversed(order):
        ways = [circuit.all_of([condition, literals[inner]]) for inner, condition in needs[head].items()]
        literals[head] = circuit.any_of([base[head], *ways])
    if len(rules) >= LEAST_REACHED and all(len(conditions) < 2 for conditions in opens.values()):
        numbers = {head: number for number, head in enumerate(rules)}
        parts.reaches.append(
            Reach(
                tuple(literals[head] for head in rules),
                tuple(starts.values()),
                tuple(next(iter(conditions), FALSE) for conditions in opens.values()),
                tuple(tuple(numbers[head] for head in heads) for heads in following.values()),
            )
        )


def _repeat(circuit: Circuit, rules: dict[int, list[tuple[list[int], list[int]]]], literals: list[int]) -> None:
    """Substitute, from all false, as often as there are heads, or until nothing changes."""
    for head in rules:
        literals[head] = FALSE
    for _ in rules:
        made = {
            head: circuit.any_of(
                circuit.all_of([literals[atom] for atom in positive] + [literals[atom] ^ 1 for atom in absent])
                for positive, absent in bodies
            )
            for head, bodies in rules.items()
        }
        if all(literals[head] == literal for head, literal in made.items()):
            break
        for head, literal in made.items():
            literals[head] = literal


def atom_text(grounding: Grounding, atom: int) -> str:
    """Return an atom as text, as in `legal(white,mark(1,2))`."""
    name, functor, row = grounding.atom(atom)
    inner = term_text(grounding, atom)
    if name in ("legal", "does"):
        return f"{name}({grounding.terms.text(row[0])},{inner})"
    if functor:
        return f"{name}({inner})"
    return f"{name}({','.join(map(grounding.terms.text, row))})" if row else name


def term_text(grounding: Grounding, atom: int) -> str:
    """Return the fluent or move of an atom as text."""
    name, functor, row = grounding.atom(atom)
    if not functor:
        return ""
    arguments = row[1:] if name in ("legal", "does") else row
    texts = ",".join(map(grounding.terms.text, arguments))
    return f"{functor}({texts})" if texts else functor
