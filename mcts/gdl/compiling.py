"""From ground rules to the network: constants removed, moves merged, dead parts dropped, gates put in order."""

from __future__ import annotations

import re
import time
from array import array
from collections.abc import Callable, Iterator
from dataclasses import replace

from cext.gdl.circuit import Circuit
from cext.gdl.factoring import Factoring

from ..errors import RulesheetError
from .building import FALSE, MAX_EDGES, TRUE, Parts, atom_text, build, term_text
from .grounding import Grounding
from .network import Network, Reach, is_constant_sum
from .rules import PERCEPT
from .symmetries import find_symmetries

MAX_ROLES = 8
MAX_MOVES = 65536
MAX_GOALS = 4096
UNKNOWN = 2
NONE = -1

Key = tuple[int, tuple[tuple[int, str], ...]]


class _Compiler:
    def __init__(self, grounding: Grounding) -> None:
        self.grounding = grounding
        self.terms = grounding.terms
        self.roles = {role: number for number, role in enumerate(grounding.roles)}
        self.parts: Parts = build(grounding)

    def compile(self) -> Network:
        if len(self.grounding.roles) > MAX_ROLES:
            raise RulesheetError(f"the game has {len(self.grounding.roles)} roles; valid: 1 to {MAX_ROLES}")
        following, legal, goals, terminal = self._outputs()
        self._refuse_moves_in_views([*legal.values(), terminal, *(literal for _, _, literal in goals)])
        old, all_fluents = self.parts.circuit, self.parts.fluents
        nodes = [literal >> 1 for literal in all_fluents.values()]
        after = [following[atom] for atom in all_fluents]
        values = old.constants(nodes, [atom in self.grounding.initial for atom in all_fluents], after)

        def constant(literal: int) -> int:
            value = values[literal >> 1]
            return value if value == UNKNOWN else value ^ (literal & 1)

        moves = [
            sorted((atom for atom in legal if self._role(atom) == role and constant(legal[atom]) != 0), key=self._order)
            for role in range(len(self.grounding.roles))
        ]
        self._refuse_many_moves(moves)
        always = [atom for atom, literal in all_fluents.items() if constant(literal) == 1]
        known = {node: TRUE if value else FALSE for node, value in enumerate(values) if value != UNKNOWN}
        views = [terminal, *(literal for _, _, literal in goals), *(legal[atom] for group in moves for atom in group)]
        self.grounding.check_time()
        percepts = [literal for atom, literal in all_fluents.items() if self.grounding.atom(atom)[1] == PERCEPT]
        live = old.live([*views, *percepts], nodes, after, values)
        fluents = sorted((atom for atom, literal in all_fluents.items() if live[literal >> 1]), key=self._order)
        new = Circuit(self.grounding.deadline - time.monotonic(), MAX_EDGES)
        inputs = {all_fluents[atom] >> 1: new.input() for atom in fluents}
        groups = []
        for group in moves:
            literals = [new.input() for _ in group]
            inputs |= {self.parts.moves[atom] >> 1: literal for atom, literal in zip(group, literals, strict=True)}
            groups.append(literals)
        nones = [new.input() for _ in moves]
        for literal in self.parts.moves.values():
            if literal != FALSE:
                inputs.setdefault(literal >> 1, FALSE)  # moves that are never legal
        factoring = Factoring(new, [[*group, none] for group, none in zip(groups, nones, strict=True)])
        needed = [*views, *(following[atom] for atom in fluents)]
        walked = [
            literal
            for reach in self.parts.reaches
            for literal in (*reach.literals, *reach.starts, *reach.opens)
            if values[literal >> 1] != UNKNOWN or live[literal >> 1]
        ]
        outputs = factoring.rebuild(old, known | inputs, needed + walked)
        images = dict(zip(walked, outputs[len(needed) :], strict=True))
        del outputs[len(needed) :]
        unused = [
            atom for atom, literal in all_fluents.items() if constant(literal) == UNKNOWN and not live[literal >> 1]
        ]
        return self._network(new, fluents, moves, goals, outputs, always, unused, images)

    def _role(self, atom: int) -> int:
        return self.roles.get(self.grounding.atom(atom)[2][0], -1)

    def _outputs(self) -> tuple[dict[int, int], dict[int, int], list[tuple[int, int, int]], int]:
        """Return next literals by `true` atom, legal literals by `does` atom, (role, value, literal), terminal."""
        following = dict.fromkeys(self.parts.fluents, FALSE)
        legal: dict[int, int] = {}
        goals = []
        terminal = FALSE
        grounding, literals = self.grounding, self.parts.literals
        numbers = {key: number for number, key in grounding.keys.items()}
        for relation, (name, functor, columns) in grounding.keys.items():
            if name in ("next", "legal"):
                other = numbers.get(("true" if name == "next" else "does", functor, columns))
                atoms = {} if other is None else {row: atom for atom, row in grounding.joins.atoms_of(other)}
                for atom, row in grounding.joins.atoms_of(relation):
                    grounding.check_time()
                    if name == "next":
                        following[atoms[row]] = literals[atom]
                    elif row[0] in self.roles:
                        legal[atoms[row]] = literals[atom]
            elif name == "terminal":
                terminal = next((literals[atom] for atom, _ in grounding.joins.atoms_of(relation)), FALSE)
            elif name == "goal":
                for atom, row in grounding.joins.atoms_of(relation):
                    if row[0] in self.roles:
                        value = self.terms.value(row[1])
                        if value is None or value > 100:
                            raise RulesheetError(
                                f"a goal is {self.terms.text(row[1])}; valid: whole numbers from 0 to 100"
                            )
                        goals.append((self.roles[row[0]], value, literals[atom]))
        if len(goals) > MAX_GOALS:
            raise RulesheetError(f"the game has {len(goals):,} goals; valid: up to {MAX_GOALS:,}")
        return following, legal, sorted(goals), terminal

    def _refuse_many_moves(self, moves: list[list[int]]) -> None:
        for role, group in zip(self.grounding.roles, moves, strict=True):
            if len(group) > MAX_MOVES:
                raise RulesheetError(
                    f"role {self.terms.text(role)} has {len(group):,} moves; valid: up to {MAX_MOVES:,}"
                )

    def _refuse_moves_in_views(self, views: list[int]) -> None:
        cone = self.parts.circuit.cone(views)
        for atom, literal in self.parts.moves.items():
            if cone[literal >> 1] and literal != FALSE:
                raise RulesheetError(
                    f"`legal`, `goal` or `terminal` depends on {atom_text(self.grounding, atom)}; "
                    "valid: only `next` may depend on `does`"
                )

    def _order(self, atom: int) -> Key:
        """Return the key by which fluents and moves are sorted: numbers by value."""
        text = term_text(self.grounding, atom)
        words = re.findall(r"\d+|[^\d]+", text)
        return text.count("("), tuple((len(word) if word.isdecimal() else 0, word) for word in words)

    def _network(
        self,
        circuit: Circuit,
        fluents: list[int],
        moves: list[list[int]],
        goals: list[tuple[int, int, int]],
        outputs: list[int],
        always: list[int],
        unused: list[int],
        images: dict[int, int],
    ) -> Network:
        num_moves = sum(map(len, moves))
        texts = tuple(_distinct_texts([term_text(self.grounding, atom) for atom in group]) for group in moves)
        names = [self.terms.text(role) for role in self.grounding.roles]
        for name, group in zip(names, texts, strict=True):
            if not group:
                raise RulesheetError(f"role {name} has no legal move in any state")
        terminal = outputs[0]
        if terminal == FALSE:
            raise RulesheetError("no state is terminal: the game never ends")
        goal_literals = outputs[1 : 1 + len(goals)]
        legal = outputs[1 + len(goals) : 1 + len(goals) + num_moves]
        following = outputs[1 + len(goals) + num_moves :]
        first_gate = 1 + len(fluents) + num_moves + len(moves)
        self.grounding.check_time()
        numbers_data, counts, starts, edges = circuit.arrays(([terminal, *legal], following, goal_literals), first_gate)
        numbers = array("i", numbers_data)

        def renumber(literals: list[int]) -> list[int]:
            return [2 * numbers[literal >> 1] | literal & 1 for literal in literals]

        by_role: list[list[tuple[int, int]]] = [[] for _ in moves]
        for (role, value, _), literal in zip(goals, renumber(goal_literals), strict=True):
            if literal != FALSE:
                by_role[role].append((value, literal))
        initial = self.grounding.initial
        return Network(
            roles=tuple(names),
            fluents=tuple(_distinct_texts([term_text(self.grounding, atom) for atom in fluents])),
            always=tuple(sorted(term_text(self.grounding, atom) for atom in always)),
            unused=tuple(sorted(term_text(self.grounding, atom) for atom in unused)),
            moves=texts,
            initial=array("B", [atom in initial for atom in fluents]),
            gate_starts=array("i", starts),
            edges=array("i", edges),
            num_view_gates=counts[0],
            num_next_gates=counts[1],
            terminal=renumber([terminal])[0],
            legal=array("i", renumber(legal)),
            following=array("i", renumber(following)),
            goals=tuple(tuple(group) for group in by_role),
            constant_sum=len(by_role) == 2 and is_constant_sum(*by_role),
            idle=tuple(group.index("noop") if "noop" in group else -1 for group in texts),
            has_percepts=("next", PERCEPT) in {key[:2] for key in self.grounding.keys.values()},
            reaches=tuple(self._reaches(images, circuit.cone(outputs), first_gate, renumber)),
            symmetries=(array("i", range(len(fluents) + num_moves)),),
        )

    def _reaches(
        self, images: dict[int, int], needed: bytearray, first_gate: int, renumber: Callable[[list[int]], list[int]]
    ) -> Iterator[Reach]:
        """Yield what is reached, in terms of the network, if it has the nodes that decide it.

        Args:
            images: literals of the first circuit -> those of the last.
            needed: 1 for each node of the last circuit that the network has.
            first_gate: the first gate in both.
            renumber: turns literals of the last circuit into those of the network.
        """

        def image(literal: int) -> int:
            found = images.get(literal, NONE)
            return found if found == NONE or found < 2 * first_gate or needed[found >> 1] else NONE

        for reach in self.parts.reaches:
            decide = [[image(literal) for literal in each] for each in (reach.starts, reach.opens)]
            literals = [image(literal) for literal in reach.literals]
            gates = [NONE if literal < 2 * first_gate else renumber([literal])[0] for literal in literals]
            if NONE not in decide[0] + decide[1] and max(gates) != NONE:
                starts, opens = (tuple(renumber(each)) for each in decide)
                yield Reach(tuple(gates), starts, opens, reach.following)


def _distinct_texts(texts: list[str]) -> tuple[str, ...]:
    """Return the texts, a number behind those that occur before."""
    seen: dict[str, int] = {}
    found = []
    for text in texts:
        seen[text] = seen.get(text, 0) + 1
        found.append(text if seen[text] == 1 else f"{text}#{seen[text]}")
    return tuple(found)


def compile_network(grounding: Grounding) -> Network:
    """Return the network of ground rules.

    Raises:
        RulesheetError: the ground rules are no game: an atom depends on its own negation, moves decide what is legal,
            a goal is no number, a role has no move, or a limit is exceeded.
    """
    try:
        network = _Compiler(grounding).compile()
    except TimeoutError:
        raise RulesheetError("the network is not complete in the time that is allowed") from None
    except OverflowError:
        raise RulesheetError(f"the network has more than {MAX_EDGES:,} edges") from None
    return replace(network, symmetries=find_symmetries(network))
