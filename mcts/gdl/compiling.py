"""From ground rules to the network: constants removed, moves merged, dead parts dropped, gates put in order."""

from __future__ import annotations

import re

import numpy as np

from .building import Parts, atom_text, build, term_text
from .circuit import FALSE, TRUE, Circuit
from .constants import UNKNOWN, constant_nodes, literal_value
from .errors import RulesheetError
from .factoring import OneHot, rebuild
from .grounding import Grounding
from .network import Network

MAX_ROLES = 8
MAX_MOVES = 65536
MAX_GOALS = 4096

Key = tuple[int, tuple[tuple[int, str], ...]]


class _Compiler:
    def __init__(self, grounding: Grounding) -> None:
        self.grounding = grounding
        self.terms = grounding.terms
        self.parts: Parts = build(grounding)

    def compile(self) -> Network:
        if len(self.grounding.roles) > MAX_ROLES:
            raise RulesheetError(f"the game has {len(self.grounding.roles)} roles; valid: 1 to {MAX_ROLES}")
        following, legal, goals, terminal = self._outputs()
        self._refuse_moves_in_views([*legal.values(), terminal, *(literal for _, _, literal in goals)])
        old = self.parts.circuit
        values = constant_nodes(
            old,
            {literal >> 1: atom in self.grounding.initial for atom, literal in self.parts.fluents.items()},
            {literal >> 1: following[atom] for atom, literal in self.parts.fluents.items()},
        )

        def constant(literal: int) -> int:
            return literal_value(literal, values)

        moves = [
            sorted((atom for atom in legal if self._role(atom) == role and constant(legal[atom]) != 0), key=self._order)
            for role in range(len(self.grounding.roles))
        ]
        always = [atom for atom, literal in self.parts.fluents.items() if constant(literal) == 1]
        known = {node: TRUE if value else FALSE for node, value in enumerate(values) if value != UNKNOWN}
        views = [terminal, *(literal for _, _, literal in goals), *(legal[atom] for group in moves for atom in group)]
        live = self._live_fluents(views, following, values)
        fluents = sorted(live, key=self._order)
        new = Circuit(old.deadline)
        inputs = {self.parts.fluents[atom] >> 1: new.input() for atom in fluents}
        groups = []
        for group in moves:
            literals = [new.input() for _ in group]
            inputs |= {self.parts.moves[atom] >> 1: literal for atom, literal in zip(group, literals, strict=True)}
            groups.append(literals)
        nones = [new.input() for _ in moves]
        hot = OneHot([[*group, none] for group, none in zip(groups, nones, strict=True)])
        for literal in self.parts.moves.values():
            if literal != FALSE:
                inputs.setdefault(literal >> 1, FALSE)  # moves that are never legal
        outputs = rebuild(old, known | inputs, [*views, *(following[atom] for atom in fluents)], new, hot)
        unused = [
            atom for atom, literal in self.parts.fluents.items() if constant(literal) == UNKNOWN and atom not in live
        ]
        return self._network(new, fluents, moves, goals, outputs, always, unused)

    def _role(self, atom: int) -> int:
        role = self.grounding.atoms[atom][1][0]
        return self.grounding.roles.index(role) if role in self.grounding.roles else -1

    def _outputs(self) -> tuple[dict[int, int], dict[int, int], list[tuple[int, int, int]], int]:
        """Return next literals by `true` atom, legal literals by `does` atom, (role, value, literal), terminal."""
        following = dict.fromkeys(self.parts.fluents, FALSE)
        legal: dict[int, int] = {}
        goals = []
        terminal = FALSE
        relations = self.grounding.relations
        for atom, literal in self.parts.literals.items():
            relation, row = self.grounding.atoms[atom]
            name = relation.key[0]
            if name == "next":
                following[relations["true", *relation.key[1:]].rows[row]] = literal
            elif name == "legal" and self._role(atom) >= 0:
                legal[relations["does", *relation.key[1:]].rows[row]] = literal
            elif name == "terminal":
                terminal = literal
            elif name == "goal" and self._role(atom) >= 0:
                value = self.terms.value(row[1])
                if value is None or value > 100:
                    raise RulesheetError(f"a goal is {self.terms.text(row[1])}; valid: whole numbers from 0 to 100")
                goals.append((self._role(atom), value, literal))
        if len(goals) > MAX_GOALS:
            raise RulesheetError(f"the game has {len(goals):,} goals; valid: up to {MAX_GOALS:,}")
        return following, legal, sorted(goals), terminal

    def _refuse_moves_in_views(self, views: list[int]) -> None:
        cone = self.parts.circuit.cone(views)
        for atom, literal in self.parts.moves.items():
            if literal >> 1 in cone and literal != FALSE:
                raise RulesheetError(
                    f"`legal`, `goal` or `terminal` depends on {atom_text(self.grounding, atom)}; "
                    "valid: only `next` may depend on `does`"
                )

    def _live_fluents(self, views: list[int], following: dict[int, int], values: list[int]) -> set[int]:
        """Return the fluents that change and that the views depend on, now or later."""
        by_node = {literal >> 1: atom for atom, literal in self.parts.fluents.items()}
        gates = self.parts.circuit.gates
        live: set[int] = set()
        seen: set[int] = set()
        todo = [literal >> 1 for literal in views]
        while todo:
            node = todo.pop()
            if node in seen or values[node] != UNKNOWN:
                continue
            seen.add(node)
            if node in by_node:
                live.add(by_node[node])
                todo.append(following[by_node[node]] >> 1)
            todo.extend(literal >> 1 for literal in gates[node] or ())
        return live

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
    ) -> Network:
        num_moves = sum(map(len, moves))
        texts = tuple(_distinct_texts([term_text(self.grounding, atom) for atom in group]) for group in moves)
        names = [self.terms.text(role) for role in self.grounding.roles]
        for name, group in zip(names, texts, strict=True):
            if not group:
                raise RulesheetError(f"role {name} has no legal move in any state")
            if len(group) > MAX_MOVES:
                raise RulesheetError(f"role {name} has {len(group):,} moves; valid: up to {MAX_MOVES:,}")
        terminal = outputs[0]
        if terminal == FALSE:
            raise RulesheetError("no state is terminal: the game never ends")
        goal_literals = outputs[1 : 1 + len(goals)]
        legal = outputs[1 + len(goals) : 1 + len(goals) + num_moves]
        following = outputs[1 + len(goals) + num_moves :]
        first_gate = 1 + len(fluents) + num_moves + len(moves)
        numbers = list(range(first_gate)) + [0] * (len(circuit.gates) - first_gate)
        order: list[int] = []
        placed = set(range(first_gate))
        counts = []
        for stage in ([terminal, *legal], following, goal_literals):
            nodes = sorted(circuit.cone(stage) - placed)
            placed.update(nodes)
            for node in nodes:
                numbers[node] = first_gate + len(order)
                order.append(node)
            counts.append(len(nodes))

        def renumber(literals: list[int] | tuple[int, ...]) -> list[int]:
            return [2 * numbers[literal >> 1] | literal & 1 for literal in literals]

        gates = [renumber(circuit.gates[node] or ()) for node in order]
        starts = np.zeros(len(gates) + 1, dtype=np.int32)
        starts[1:] = np.cumsum([len(gate) for gate in gates])
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
            initial=np.array([atom in initial for atom in fluents], dtype=np.uint8),
            gate_starts=starts,
            edges=np.array([literal for gate in gates for literal in gate], dtype=np.int32),
            num_view_gates=counts[0],
            num_next_gates=counts[1],
            terminal=renumber([terminal])[0],
            legal=np.array(renumber(legal), dtype=np.int32),
            following=np.array(renumber(following), dtype=np.int32),
            goals=tuple(tuple(group) for group in by_role),
            constant_sum=len(by_role) == 2
            and sorted(by_role[0]) == sorted((100 - value, literal) for value, literal in by_role[1]),
            idle=tuple(group.index("noop") if "noop" in group else -1 for group in texts),
        )


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
    return _Compiler(grounding).compile()
