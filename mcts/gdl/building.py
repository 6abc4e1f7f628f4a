"""The circuit of the ground rules: one literal for each atom.

Atoms that need each other without negation are computed by repeated substitution, from all false, as often as there are
atoms among them. A negation among them has no meaning and is refused.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from .circuit import FALSE, Circuit
from .errors import RulesheetError
from .graphs import components
from .grounding import Grounding


@dataclass
class Parts:
    """The circuit of a game before it is simplified."""

    circuit: Circuit
    fluents: dict[int, int] = field(default_factory=dict)
    """`true` atom -> literal of its input."""
    moves: dict[int, int] = field(default_factory=dict)
    """`does` atom -> literal of its input."""
    literals: dict[int, int] = field(default_factory=dict)
    """Derived atom -> literal."""


def build(grounding: Grounding) -> Parts:
    """Return the circuit of the ground rules.

    Raises:
        RulesheetError: an atom depends on its own negation, or the network is too large.
    """
    parts = Parts(Circuit(grounding.deadline))
    rules: dict[int, list[tuple[list[int], list[int]]]] = {}
    roles = set(grounding.roles)
    for number, (relation, row) in enumerate(grounding.atoms):
        if relation.key[0] == "true":
            parts.fluents[number] = parts.circuit.input()
        elif relation.key[0] == "does":
            parts.moves[number] = parts.circuit.input() if row[0] in roles else FALSE
        else:
            rules[number] = []
    for head, positive, negative in grounding.instances:
        absent = [relation.rows[row] for relation, row in negative if row in relation.rows]
        if head not in positive:  # a rule that needs its own head adds nothing
            rules[head].append((list(positive), absent))
    inputs = parts.fluents | parts.moves
    needs = {
        head: {atom for body in bodies for side in body for atom in side if atom not in inputs}
        for head, bodies in rules.items()
    }
    literals = parts.literals = dict(inputs)
    for component in components(needs):
        if len(component) == 1 and component[0] not in needs[component[0]]:
            literals[component[0]] = _substitute(parts.circuit, rules[component[0]], literals)
        else:
            _repeat(parts.circuit, component, rules, literals, grounding)
    return parts


def _substitute(circuit: Circuit, bodies: Iterable[tuple[list[int], list[int]]], literals: dict[int, int]) -> int:
    return circuit.any_of(
        circuit.all_of([literals[atom] for atom in positive] + [literals[atom] ^ 1 for atom in absent])
        for positive, absent in bodies
    )


def _repeat(
    circuit: Circuit,
    component: list[int],
    rules: dict[int, list[tuple[list[int], list[int]]]],
    literals: dict[int, int],
    grounding: Grounding,
) -> None:
    """Write the literals of atoms that need each other: the least fixed point."""
    inside = set(component)
    for head in component:
        for _, absent in rules[head]:
            for atom in inside.intersection(absent):
                raise RulesheetError(
                    f"{atom_text(grounding, head)} depends on the negation of {atom_text(grounding, atom)}, which "
                    "depends on it in turn; valid: rules without a circle through `not`"
                )
    for head in component:
        literals[head] = FALSE
    for _ in component:
        made = {head: _substitute(circuit, rules[head], literals) for head in component}
        if all(literals[head] == literal for head, literal in made.items()):
            break
        literals.update(made)


def atom_text(grounding: Grounding, atom: int) -> str:
    """Return an atom as text, as in `legal(white,mark(1,2))`."""
    relation, row = grounding.atoms[atom]
    name = str(relation.key[0])
    inner = term_text(grounding, atom)
    if name in ("legal", "does"):
        return f"{name}({grounding.terms.text(row[0])},{inner})"
    if name in ("true", "next"):
        return f"{name}({inner})"
    return f"{name}({','.join(map(grounding.terms.text, row))})" if row else name


def term_text(grounding: Grounding, atom: int) -> str:
    """Return the fluent or move of an atom as text."""
    relation, row = grounding.atoms[atom]
    if len(relation.key) < 3:
        return ""
    arguments = row[1:] if relation.key[0] in ("legal", "does") else row
    texts = ",".join(map(grounding.terms.text, arguments))
    return f"{relation.key[1]}({texts})" if texts else str(relation.key[1])
