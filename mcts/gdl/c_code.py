"""The step of a network as C code: a function for each move, with what is known before and after it folded in.

Words of a state are those of `cext/gdl/network.pxd`: a bit for each fluent, then one for each legal move of each role.
In the code a variable holds the value of a gate in its lowest bit; the other bits have no meaning.

A move that is played is legal, and the state before it is not terminal. The gates that follow from this are constants.
What the fluents that a move sets determine is constant after it. Most gates vanish: a move keeps a few gates for what
it changes, and a view, the code of the legal moves, is shared by moves that give the turn to the same role.
"""

from __future__ import annotations

import heapq
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from cext.gdl.circuit import Circuit

from .network import Network, Reach
from .word_code import ALL, FALSE, TRUE, Plane, WordCode, find_planes, most_common_sizes

VERSION = 8
MAX_GATES = 60_000
"""Statements of the code for single states, and of that for 512 games."""
MAX_GROUPED_GATES = 200_000
"""Gates of a network up to which they are put into groups."""
MAX_WIDE_GATES = 10_000
"""Gates up to which 512 games at a time are compiled."""
MAX_EDGES = 4_000_000
SECONDS = 15.0
EACH_MOVE, ANY_MOVE, NO_STEPS = STEPS = (2, 1, 0)
"""A function for each move, one for all moves, or 512 games at a time alone."""
MAX_REACHED = 512
"""Nodes of a walk."""
MAX_VIEWS = 12
LEAST_READERS = 8
LEAST_END = 12
"""Gates of the end from which on each move has its own code for it."""

RARE = "RARE "
HEAD = """typedef unsigned long long word;
typedef word wide __attribute__((vector_size(64), aligned(8)));
#define PUBLIC __attribute__((visibility("default")))
#define NOINLINE __attribute__((noinline))
#ifdef __clang__
#define RARE __attribute__((cold))
#else
#define RARE __attribute__((cold, optimize("O0")))
#endif
#ifdef __BMI2__
static inline word compress(word bits, word mask) { return __builtin_ia32_pext_di(bits, mask); }
static inline word spread(word bits, word mask) { return __builtin_ia32_pdep_di(bits, mask); }
#endif
"""


class TooLarge(Exception):
    """The code of a network would be too long."""


@dataclass
class _Case:
    """A step in which one role moves, and the others play their `noop`."""

    role: int
    move: int
    known: dict[int, int]
    """Literals, TRUE or FALSE, of nodes before the step."""
    after: dict[int, int]
    """Literals, over the fluents before the step, of the fluents that it may change."""
    constants: dict[int, int]
    """Literals, TRUE or FALSE, of fluents after the step."""
    end: int | None = None
    """Literal of the end, over the fluents after the step; None if the view computes it."""
    view: int = 0


class _Writer:
    def __init__(self, network: Network, compress: bool, steps: int) -> None:
        self.network = network
        self.compress = compress
        self.steps = steps
        self.together = steps == ANY_MOVE
        self.planes = find_planes(network.fluents)
        self.board = most_common_sizes(self.planes)
        self.num_fluents = len(network.fluents)
        sizes = [len(moves) for moves in network.moves]
        self.role_node = [1 + self.num_fluents + sum(sizes[:role]) for role in range(len(sizes) + 1)]
        self.none_node = self.role_node[-1]
        self.first_gate = self.none_node + len(sizes)
        starts, edges = network.gate_starts.tolist(), network.edges.tolist()
        self.gates = [edges[begin:end] for begin, end in pairwise(starts)]
        self.all_gates = self.gates
        self.num_nodes = self.first_gate + len(self.gates)
        self.view_end = self.first_gate + network.num_view_gates
        self.next_end = self.view_end + network.num_next_gates
        self.legal: list[int] = network.legal.tolist()
        self.following: list[int] = network.following.tolist()
        self.fact_words = (self.num_fluents + 63) // 64
        self.role_word = [sum((size + 63) // 64 for size in sizes[:role]) for role in range(len(sizes) + 1)]
        self.deadline = time.monotonic() + SECONDS
        self.circuit = Circuit(SECONDS, MAX_EDGES)
        for _ in range(self.first_gate - 1):
            self.circuit.input()
        self.reached: dict[int, int] = {}  # nodes of the network that walks compute -> literals of the circuit's inputs
        self.walked: dict[int, tuple[int, int, int]] = {}  # those inputs -> number of the walk, bit, 1 if negated
        self.reaches: dict[int, Reach] = {}  # walks, in terms of the circuit
        self.tables: dict[str, str] = {}  # of what is near the nodes of walks -> name
        if steps != NO_STEPS:
            self.cut_reaches()
        self.readers: list[list[int]] = [[] for _ in range(self.num_nodes)]
        for node, reads in enumerate(self.gates, self.first_gate):
            for literal in reads:
                self.readers[literal >> 1].append(node)
        self.num_end_gates = len(self.network_cone([network.terminal]))
        self.inputs: dict[int, tuple[int, ...]] = {}
        self.written = 0
        self.text: list[str] = []

    # Values of gates

    def cut_reaches(self) -> None:
        """Let nodes that are reached read what decides the walk, and drop the gates that they alone need."""
        self.gates = list(self.gates)
        for number, reach in enumerate(self.network.reaches):
            if len(reach.opens) > MAX_REACHED:
                continue
            cone = self.network_cone(reach.starts + reach.opens)
            reads = [each for node in cone for each in self.all_gates[node - self.first_gate]]
            reads = sorted(
                {each | 1 for each in (*reads, *reach.starts, *reach.opens) if each >> 1 not in cone} - {FALSE}
            )
            if len(cone) > len(reach.opens) or any(literal >> 1 > self.num_fluents for literal in reads):
                continue
            values = {node: 2 * node for node in range(1 + self.num_fluents)}
            for node in sorted(cone):
                gate = self.all_gates[node - self.first_gate]
                values[node] = self.circuit.all_of([values[each >> 1] ^ (each & 1) for each in gate])
            self.reaches[number] = replace(
                reach,
                starts=tuple(values[each >> 1] ^ (each & 1) for each in reach.starts),
                opens=tuple(values[each >> 1] ^ (each & 1) for each in reach.opens),
            )
            for i, lane in enumerate(lanes_of(self.reaches[number])):
                node, negated = reach.literals[i] >> 1, reach.literals[i] & 1
                if node >= 0 and node not in self.reached:
                    self.reached[node] = self.circuit.input()
                    self.walked[self.reached[node] >> 1] = (number, lane, negated)
                    self.gates[node - self.first_gate] = reads
        if not self.reached:
            return
        goals = [literal for group in self.network.goals for _, literal in group]
        needed = self.network_cone([self.network.terminal, *self.legal, *self.following, *goals])
        for node in range(self.first_gate, self.num_nodes):
            if node not in needed:
                self.gates[node - self.first_gate] = []

    def network_cone(self, literals: Iterable[int]) -> set[int]:
        """Return the gates of the network that literals depend on."""
        found: set[int] = set()
        todo = [literal >> 1 for literal in literals]
        while todo:
            node = todo.pop()
            if node >= self.first_gate and node not in found:
                found.add(node)
                todo += [each >> 1 for each in self.gates[node - self.first_gate]]
        return found

    def implied(self, literals: Iterable[int]) -> dict[int, int]:
        """Return the values of nodes that follow from literals that hold."""
        known: dict[int, int] = {}
        todo = list(literals)
        while todo:
            literal = todo.pop()
            if literal >> 1 not in known:
                known[literal >> 1] = literal & 1  # TRUE for the node, FALSE for its negation
                if literal >> 1 >= self.first_gate and not literal & 1 and literal >> 1 not in self.reached:
                    todo += self.gates[(literal >> 1) - self.first_gate]
        known.pop(0, None)
        return known

    def values(self, given: Mapping[int, int], end: int) -> list[int]:
        """Return the literal of each node before `end`, some of which are given."""
        found = [2 * node for node in range(self.first_gate)]
        for node, literal in given.items():
            if node < self.first_gate:
                found[node] = literal
        for node in range(self.first_gate, end):
            reads = self.gates[node - self.first_gate]
            literal = given.get(node, self.reached.get(node, -1))
            if literal < 0:
                literal = self.circuit.all_of([found[each >> 1] ^ (each & 1) for each in reads])
            found.append(literal)
        return found

    def changed(self, base: Sequence[int], given: Mapping[int, int], end: int, most: int) -> dict[int, int] | None:
        """Return the literals of nodes before `end` that differ from a base if some are given; None if too many do."""
        found: dict[int, int] = {}
        heap: list[int] = []
        waiting: set[int] = set()

        def put(node: int, literal: int) -> None:
            if literal != base[node]:
                found[node] = literal
                for reader in self.readers[node]:
                    if reader < end and reader not in waiting:
                        waiting.add(reader)
                        heapq.heappush(heap, reader)

        for node, literal in given.items():
            if node < end:
                put(node, literal)
        while heap:
            if len(waiting) > most:
                return None
            node = heapq.heappop(heap)
            if node not in given and node not in self.reached:
                reads = self.gates[node - self.first_gate]
                put(node, self.circuit.all_of([found.get(each >> 1, base[each >> 1]) ^ (each & 1) for each in reads]))
        return found

    # Moves

    def cases(self) -> list[_Case]:
        """Return the steps in which at most one role plays another move than `noop`; none if a role has no `noop`."""
        found: list[_Case] = []
        roles = range(len(self.network.roles))
        idle = self.network.idle
        for role in roles:
            others = [other for other in roles if other != role]
            if any(idle[other] < 0 for other in others):
                continue
            quiet = [self.role_node[other] + idle[other] for other in others]
            steps = [
                (
                    move,
                    self.implied(
                        [self.legal_of(node) for node in [self.role_node[role] + move, *quiet]]
                        + [self.network.terminal ^ 1]
                    ),
                )
                for move in range(len(self.network.moves[role]))
            ]
            passes = [step for step in steps if step[0] == idle[role]]
            found += self.cases_of(role, quiet, [step for step in steps if step[0] != idle[role]])
            if role == 0 or not others:
                found += self.cases_of(role, quiet, passes)
        return found

    def legal_of(self, move_node: int) -> int:
        return self.legal[move_node - self.role_node[0]]

    def cases_of(self, role: int, quiet: list[int], steps: list[tuple[int, dict[int, int]]]) -> list[_Case]:
        if not steps:
            return []
        common = dict(set.intersection(*(set(known.items()) for _, known in steps)))
        given = dict.fromkeys(range(self.role_node[0], self.first_gate), FALSE) | dict.fromkeys(quiet, TRUE)
        base = self.values(given | common, self.next_end)
        view = self.values({}, self.view_end)
        found = []
        for move, known in steps:
            self.check_limits()
            values = self.changed(base, known | {self.role_node[role] + move: TRUE}, self.next_end, self.num_nodes)
            assert values is not None
            after, constants = {}, {}
            for node in range(1, 1 + self.num_fluents):
                literal = self.following[node - 1]
                literal = values.get(literal >> 1, base[literal >> 1]) ^ (literal & 1)
                if literal != values.get(node, base[node]):
                    after[node] = literal
                if literal in (TRUE, FALSE):
                    constants[node] = literal
            case = _Case(role, move, known, after, constants)
            case.end = self.end_after(case, view)
            found.append(case)
        return found

    def end_after(self, case: _Case, view: list[int]) -> int | None:
        """Return the literal of the end after a step; None if it depends on too many gates that the step may change."""
        touched: set[int] = set()
        todo = list(case.after)
        most = self.network.num_view_gates // 3 + 8
        while todo:
            for reader in self.readers[todo.pop()]:
                if reader < self.view_end and reader not in touched:
                    touched.add(reader)
                    todo.append(reader)
            if len(touched) > 4 * most:
                return None
        given = {
            node: literal
            for node, literal in case.known.items()
            if node >= self.first_gate and node < self.view_end and node not in touched
        }
        values = self.changed(view, given | case.constants, self.view_end, self.num_nodes)
        assert values is not None
        end = self.network.terminal
        literal = values.get(end >> 1, view[end >> 1]) ^ (end & 1)
        if literal == FALSE:
            return literal
        # A short end is computed with the view, so that moves that change the same in all states need no code.
        return literal if self.num_end_gates > LEAST_END and len(self.cone([literal])) <= most else None

    # Text

    def gate(self, node: int) -> tuple[int, ...]:
        if node not in self.inputs:
            self.inputs[node] = self.circuit.gate(node)
        return self.inputs[node]

    def cone(self, literals: Iterable[int], done: Iterable[int] = ()) -> list[int]:
        """Return the gates that literals depend on, each after those that it reads, without the gates `done`."""
        order: list[int] = []
        seen = set(done)
        stack = [literal >> 1 for literal in reversed(list(literals))]
        while stack:
            node = stack.pop()
            if node < 0:
                order.append(~node)
            elif node >= self.first_gate and node not in seen:
                seen.add(node)
                stack.append(~node)
                stack += [literal >> 1 for literal in reversed(self.gate(node))]
        return order

    def write_facts(self, letter: str) -> None:
        self.text += [f"word {letter}{word} = s[{word}];" for word in range(self.fact_words)]

    def code(self, letter: str, planes: Sequence[Plane] = ()) -> WordCode:
        code = WordCode(letter, self.gate, self.first_gate, self.num_fluents, planes, self.compress)
        for node, (number, lane, negated) in self.walked.items():
            code.place[node] = (f"{letter}r{number}[{lane >> 6}]", lane & 63, negated)
        for number in {number for number, _, _ in self.walked.values()}:
            words = (len(self.network.reaches[number].opens) + 63) // 64
            names = [f"{letter}r{number}[{word}]" for word in range(words)]
            code.delay(names, f"word {letter}r{number}[{len(names)}]; walk{number}(s, {letter}r{number});")
        return code

    def write_code(self, code: WordCode) -> None:
        self.count(code.num_statements)
        self.text += code.lines

    def write_view(self, number: int, constants: Mapping[int, int], with_end: bool) -> None:
        """Write the function of the legal moves."""
        values = self.values(constants, self.view_end)
        legal = [values[literal >> 1] ^ (literal & 1) for literal in self.legal]
        code = self.code("a", self.planes)
        end = values[self.network.terminal >> 1] ^ (self.network.terminal & 1)
        code.find_groups(self.cone([*legal, end] if self.together else legal), self.bits(), self.together)
        for role in range(len(self.network.roles)):
            begin = self.role_node[role] - self.role_node[0]
            count = len(self.network.moves[role])
            for word in range(self.role_word[role], self.role_word[role + 1]):
                first = 64 * (word - self.role_word[role])
                bits = [(i, legal[begin + first + i]) for i in range(min(64, count - first))]
                name = code.union(bits)
                code.add(f"s[{self.fact_words + word}] = {name};")
                code.name_results(name, bits)
        if with_end:
            parts = self.gate(end >> 1) if end >> 1 >= self.first_gate and not end & 1 else (end,)
            for part in sorted(parts, key=lambda literal: len(self.cone([literal], code.place))):
                value = code.value(part)
                code.add(f"if (!({value} & 1)) return 0;")
            code.add("return 1;")
        else:
            code.add("return 0;")
        self.text.append(f"static NOINLINE int view{number}(word *s) {{")
        self.write_facts("a")
        self.write_code(code)
        self.text.append("}")

    def count(self, statements: int) -> None:
        self.written += statements
        self.check_limits()

    def check_limits(self) -> None:
        if self.written > MAX_GATES or time.monotonic() > self.deadline:
            raise TooLarge

    def write_change(self, after: Mapping[int, int], code: WordCode) -> None:
        """Write the words of fluents after a step as `b0`, `b1`, ..."""
        for node in self.cone(after.values()):
            if node in self.walked:
                code.value(2 * node)  # before a word changes
        for word in range(self.fact_words):
            bits = [((node - 1) & 63, literal) for node, literal in after.items() if (node - 1) >> 6 == word]
            if bits:
                kept = ALL ^ sum(1 << bit for bit, _ in bits)
                code.add(f"word b{word} = (a{word} & {kept:#x}ull) | {code.union(bits)};")
                code.add(f"s[{word}] = b{word};")
            else:
                code.add(f"word b{word} = a{word};")
        self.write_code(code)

    def write_case(self, case: _Case) -> None:
        self.text.append(f"static int step{case.role}_{case.move}(word *s) {{")
        self.write_facts("a")
        self.write_change(case.after, self.code("a"))
        if case.end is not None and case.end != FALSE:
            code = self.code("b")
            code.add(f"if ({code.value(case.end)} & 1) return 1;")
            self.write_code(code)
        self.text.append(f"return view{case.view}(s); }}")

    def write_any(self, is_rare: bool) -> None:
        """Write the step of any joint move. is_rare: True to compile it fast."""
        values = self.values(self.implied([self.network.terminal ^ 1]), self.next_end)
        after = {}
        for node in range(1, 1 + self.num_fluents):
            literal = self.following[node - 1]
            literal = values[literal >> 1] ^ (literal & 1)
            if literal != values[node]:
                after[node] = literal
        self.write_view(0, {}, True)
        code = self.code("a", self.planes if self.together else ())
        bits = self.bits() + self.write_moves(code)
        self.text.append(f"{RARE if is_rare else ''}static NOINLINE int step_any(word *s, const int *moves) {{")
        self.write_facts("a")
        if self.together:
            code.find_groups(self.cone(after.values()), bits, True)
        self.write_change(after, code)
        self.text.append("return view0(s); }")

    def write_moves(self, code: WordCode) -> list[int]:
        """Write the moves that are played as bits of words; return those that are bits of the same board as fluents."""
        on_board = []
        for role, moves in enumerate(self.network.moves):
            first = self.role_node[role]
            planes = [plane for plane in find_planes(moves) if plane.sizes == self.board] if self.together else []
            lanes = {move: 64 * i + lane for i, plane in enumerate(planes) for move, lane in plane.lanes.items()}
            on_board += [first + move for move in lanes]
            rest = [move for move in range(len(moves)) if move not in lanes]
            lanes |= {move: 64 * len(planes) + i for i, move in enumerate(rest)}
            numbers = ", ".join(str(lanes[move]) for move in range(len(moves)))
            self.text.append(f"static const int lanes{role}[] = {{ {numbers} }};")
            code.add(f"int lane{role} = moves[{role}] < 0 ? -1 : lanes{role}[moves[{role}]];")
            for word in range(max(lanes.values()) // 64 + 1):
                code.delay(
                    [f"q{role}_{word}"],
                    f"word q{role}_{word} = (word) (lane{role} >> 6 == {word}) << (lane{role} & 63);",
                )
            for move, lane in lanes.items():
                code.place[first + move] = (f"q{role}_{lane >> 6}", lane & 63, 0)
            code.add(f"word none{role} = moves[{role}] < 0;")
            code.place[self.none_node + role] = (f"none{role}", 0, 0)
        return on_board

    def bits(self) -> list[int]:
        """Return the fluents that are read as bits of words."""
        if not self.together:
            return list(range(1, 1 + self.num_fluents))
        return [1 + number for plane in self.planes if plane.sizes == self.board for number in plane.lanes]

    def write_returns(self) -> None:
        """Write the function of the returns: the mean of the goals that hold."""
        network = self.network
        values = self.values({}, self.num_nodes)
        self.text.append("PUBLIC void playout_returns(const word *s, double *out) {")
        self.write_facts("a")
        nothing = 50 if network.constant_sum else 0
        code = self.code("a", self.planes)
        groups = [
            [(value, values[literal >> 1] ^ (literal & 1)) for value, literal in group] for group in network.goals
        ]
        code.find_groups(self.cone([literal for group in groups for _, literal in group]), self.bits(), self.together)
        code.add("word held, total;")
        for role, group in enumerate(groups):
            code.add("held = 0; total = 0;")
            for value, literal in group:
                code.add(f"if ({code.value(literal)} & 1) {{ held++; total += {value}; }}")
            code.add(f"out[{role}] = held ? (double) total / (double) held : {nothing}.0;")
        self.write_code(code)
        self.text.append("}")

    def write_wide(self, order: Sequence[int]) -> None:
        """Write the functions of 512 games: the gates of the view that anything else reads, and the next facts."""
        network = self.network
        goals = [literal >> 1 for group in network.goals for _, literal in group]
        read = {network.terminal >> 1, *(literal >> 1 for literal in self.legal + self.following), *goals}
        later = {each >> 1 for reads in self.all_gates[self.view_end - self.first_gate :] for each in reads}
        read |= {node for node in range(self.first_gate, self.view_end) if node in later}
        kept = sorted(node for node in read if self.first_gate <= node < self.view_end)
        self.text.append("PUBLIC void playout_view(void *value) {")
        self.text.append("const wide *restrict in = value; wide *restrict out = value;")
        done: set[int] = set()
        for node in kept:
            self.write_wide_gates(node, self.first_gate, order, done)
            self.text.append(f"out[{order[node]}] = w{node};")
        self.count(len(done))
        self.text.append("}")
        self.text.append("PUBLIC void playout_following(void *value, const void *done) {")
        self.text.append("wide *in = value, stop = *(const wide *) done;")
        done = set()
        after = {number: each for number, each in enumerate(self.following, 1) if each != 2 * number}
        for number, literal in after.items():
            self.write_wide_gates(literal >> 1, self.view_end, order, done)
            text = self.wide_text(literal, self.view_end, order)
            self.text.append(f"wide f{number} = ({text} & ~stop) | (in[{number}] & stop);")
        self.text += [f"in[{number}] = f{number};" for number in after]
        self.count(len(done) + len(after))
        self.text.append("}")

    def wide_text(self, literal: int, begin: int, order: Sequence[int]) -> str:
        node = literal >> 1
        name = f"w{node}" if node >= begin else f"in[{order[node]}]"
        return f"~{name}" if literal & 1 else name

    def write_wide_gates(self, root: int, begin: int, order: Sequence[int], done: set[int]) -> None:
        """Write a gate and those from `begin` on that it needs, as variables."""
        stack = [root]
        while stack:
            node = stack.pop()
            gate = node if node >= 0 else ~node
            if gate in done or gate < begin:
                continue
            reads = self.all_gates[gate - self.first_gate]
            if node >= 0:
                stack.append(~node)
                stack += [literal >> 1 for literal in reversed(reads)]
                continue
            done.add(gate)
            texts = [self.wide_text(literal, begin, order) for literal in reads]
            self.text.append(f"wide w{gate} = {' & '.join(texts)};")

    def is_simultaneous(self) -> bool:
        """Return True if several roles have a choice in the initial state."""
        given = {1 + number: int(value) ^ 1 for number, value in enumerate(self.network.initial.tolist())}
        values = self.values(given, self.view_end)
        able = 0
        for role, idle in enumerate(self.network.idle):
            nodes = range(self.role_node[role], self.role_node[role + 1])
            legal = [values[self.legal_of(node) >> 1] ^ (self.legal_of(node) & 1) for node in nodes]
            able += any(literal == TRUE for move, literal in enumerate(legal) if move != idle)
        return able > 1

    def write(self, order: Sequence[int]) -> str:
        """Return the code of steps and of 512 games at a time; of these only if it is not too long."""
        if self.steps != NO_STEPS:
            self.write_steps()
            self.written = 0
        if self.next_end - self.first_gate <= MAX_WIDE_GATES:
            self.write_wide(order)
        if not self.text:
            raise TooLarge
        change = " ".join(f"s[{i}] = (s[{i}] & row[{2 * i}]) | row[{2 * i + 1}];" for i in range(self.fact_words))
        changed = f"static inline void changed(word *s, const word *row) {{ {change} }}\n"
        return HEAD + changed + "\n".join(self.text) + "\n"

    def write_steps(self) -> None:
        """Write the functions of steps one by one."""
        if sum(map(bool, self.gates)) > (MAX_GROUPED_GATES if self.together else MAX_GATES):
            raise TooLarge
        network = self.network
        cases = [] if self.together or self.is_simultaneous() else self.cases()
        for number in sorted({number for number, _, _ in self.walked.values()}):
            self.write_walk(number)
        views = self.group(cases)
        self.write_any(bool(cases))
        for number, (constants, with_end) in enumerate(views, 1):
            self.write_view(number, constants, with_end)
        calls = []
        for role, moves in enumerate(network.moves):
            steps = {case.move: case for case in cases if case.role == role}
            if not steps:
                continue
            rows = [self.row_of(steps[move]) if move in steps else None for move in range(len(moves))]
            for case in steps.values():
                if rows[case.move] is None:
                    self.write_case(case)
            self.write_tables(role, steps, rows)
            quiet = [f"moves[{other}] == {network.idle[other]}" for other in range(len(network.moves)) if other != role]
            test = " && ".join([*quiet, f"moves[{role}] >= 0", f"steps{role}[moves[{role}]]"])
            change = f"changed(s, changes{role}[moves[{role}]]); " if any(rows) else ""
            calls.append(f"if ({test}) {{ {change}return steps{role}[moves[{role}]](s); }}")
        calls.append("return step_any(s, moves);")
        self.text.append("PUBLIC int playout_step(word *s, const int *moves) {\n" + "\n".join(calls) + "\n}")
        self.write_returns()

    def write_walk(self, number: int) -> None:
        """Write the function that marks what is reached."""
        reach = self.reaches[number]
        lanes = lanes_of(reach)
        words = range((len(lanes) + 63) // 64)
        near = [[0 for _ in words] for _ in lanes]
        for lane, ends in zip(lanes, reach.following, strict=True):
            for end in ends:
                near[lane][lanes[end] >> 6] |= 1 << (lanes[end] & 63)
        rows = ", ".join("{" + ", ".join(f"{word:#x}ull" for word in row) + "}" for row in near)
        table = self.tables.setdefault(rows, f"near{number}")
        if table == f"near{number}":
            self.text.append(f"static const word {table}[][{len(words)}] = {{ {rows} }};")
        self.text.append(f"static NOINLINE void walk{number}(const word *s, word *seen) {{")
        self.write_facts("a")
        code = WordCode("a", self.gate, self.first_gate, self.num_fluents, (), self.compress)
        for word in words:
            here = [(lane & 63, i) for i, lane in enumerate(lanes) if lane >> 6 == word]
            code.add(f"word todo{word} = {code.union([(bit, reach.starts[i]) for bit, i in here])};")
            code.add(f"word open{word} = {code.union([(bit, reach.opens[i]) for bit, i in here])} & ~todo{word};")
            code.add(f"seen[{word}] = todo{word} | open{word};")
        code.add("for (;;) { int i;")
        for word in words:
            code.add(f"if (todo{word}) {{ i = {64 * word} + __builtin_ctzll(todo{word});")
            code.add(f"todo{word} &= todo{word} - 1; }} else")
        code.add("break;")
        for word in words:
            code.add(f"word new{word} = {table}[i][{word}] & open{word};")
            code.add(f"todo{word} |= new{word}; open{word} ^= new{word};")
        code.add("}")
        self.write_code(code)
        self.text += [f"seen[{word}] &= ~open{word};" for word in words]
        self.text.append("}")

    def row_of(self, case: _Case) -> list[int] | None:
        """Return what a step keeps and sets of each word of fluents, if it is the same in all states."""
        if any(literal > FALSE for literal in case.after.values()) or (case.end is not None and case.end != FALSE):
            return None
        row = [ALL, 0] * self.fact_words
        for node, literal in case.after.items():
            word, bit = divmod(node - 1, 64)
            row[2 * word] &= ALL ^ 1 << bit
            row[2 * word + 1] |= (literal ^ 1) << bit
        return row

    def write_tables(self, role: int, steps: Mapping[int, _Case], rows: Sequence[list[int] | None]) -> None:
        """Write the functions of a role's moves, and the changes of facts before they are called."""
        names = []
        for move, row in enumerate(rows):
            case = steps.get(move)
            names.append("0" if case is None else f"step{role}_{move}" if row is None else f"view{case.view}")
        self.text.append(f"static int (*const steps{role}[])(word *) = {{ {', '.join(names)} }};")
        if any(rows):
            same = [ALL, 0] * self.fact_words
            texts = [", ".join(f"{number:#x}ull" for number in row or same) for row in rows]
            self.text.append(f"static const word changes{role}[][{2 * self.fact_words}] = {{")
            self.text += [f"{{ {text} }}," for text in texts]
            self.text.append("};")

    def group(self, cases: list[_Case]) -> list[tuple[dict[int, int], bool]]:
        """Number the views of moves; return for each what is constant in it, and True if it computes the end."""
        often = {
            node
            for node in range(1, 1 + self.num_fluents)
            if sum(reader < self.view_end for reader in self.readers[node]) >= LEAST_READERS
        }

        def key(case: _Case) -> tuple[object, ...]:
            return (case.end is None, *sorted(pair for pair in case.constants.items() if pair[0] in often))

        keys = {key(case) for case in cases}
        found: dict[tuple[object, ...], list[_Case]] = {}
        for case in cases:
            found.setdefault(key(case) if len(keys) <= MAX_VIEWS else (case.role, case.end is None), []).append(case)
        views = []
        for number, group in enumerate(found.values(), 1):
            for case in group:
                case.view = number
            constants = dict(set.intersection(*(set(case.constants.items()) for case in group)))
            views.append((constants, group[0].end is None))
        return views


def lanes_of(reach: Reach) -> list[int]:
    """Return the bit of each node, such that literals next to each other become bits next to each other."""
    lanes = [0] * len(reach.opens)
    for lane, i in enumerate(sorted(range(len(lanes)), key=reach.opens.__getitem__)):
        lanes[i] = lane
    return lanes


def write_c(network: Network, order: Sequence[int], compress: bool, steps: int = EACH_MOVE) -> str | None:
    """Return the C code of a network; None if it would be too long.

    The code defines `int playout_step(word *state, const int *moves)` and `void playout_returns(const word *state,
    double *returns)`, or `void playout_view(void *)` and `void playout_following(void *, const void *)`, or all four;
    see `compiled_t` in `cext/gdl/network.pxd`.

    Args:
        network: the network.
        order: number of each node in the words of 512 games, `NetworkGame.node_numbers`.
        compress: True for a processor with instructions that compress and spread bits.
        steps: one of STEPS.
    """
    try:
        return _Writer(network, compress, steps).write(order)
    except (TooLarge, OverflowError, TimeoutError, RecursionError):
        return None
