"""C code that computes up to 64 gates of a circuit at a time, as bits of one word.

A plane is a word of fluents that differ in their coordinates alone, such as the cells that hold one content. Gates that
read the same words at the same distances are one group, a word in turn: the gate of a cell and that of its neighbour
are computed by the same shift and the same conjunction. Words of results are gathered from words of planes and groups,
with all bits that move by the same distance at once, or with the instructions that compress and spread bits.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

TRUE, FALSE = 0, 1
ALL = (1 << 64) - 1
LEAST_MEMBERS = 3
MOST_INPUTS = 6
"""Inputs of gates that form groups. If gates are packed, there may be more, each of another word."""
MOST_LAYERS = 4
"""Places to which a bit is gathered with others."""
MOST_DEPTH = 4
"""Gates between a result and the words that it is gathered from."""
LEAST_SYMBOLS = 4
"""Different letters at one place of fluents that make them a coordinate."""

Place = tuple[str, int, int]
"""Name of a word, bit in it, 1 for the negation of the bit."""
Pair = tuple[int, int]
"""Bit of a result, and a literal that sets it."""
Shape = tuple[tuple[str, int, int], ...]
"""Words that a gate reads: the name, 1 for the negation, and the distance of its bit from that of the first word."""


@dataclass(frozen=True)
class Plane:
    """Facts or moves that differ in their coordinates alone, as bits of a word."""

    sizes: tuple[int, ...]
    """Number of values of each coordinate that decides the bit."""
    lanes: dict[int, int]
    """Bit of each fact or move, by its number."""


def find_planes(texts: Sequence[str]) -> list[Plane]:
    """Return the planes of facts or moves with coordinates, of which some are in none.

    The bit is a number made of the last coordinates. A coordinate that would lead beyond 64 bits is cut: of a board of
    9x9, a plane has seven rows and another two.
    """
    words = [re.findall(r"\w+", text) for text in texts]
    shapes: dict[tuple[object, ...], list[int]] = {}
    for number, found in enumerate(words):
        shapes.setdefault((found[0], len(found)), []).append(number)
    patterns: dict[tuple[object, ...], dict[tuple[int, ...], int]] = {}
    for shape, numbers in shapes.items():
        columns = list(zip(*(words[number] for number in numbers), strict=True))
        orders: list[dict[str, int] | None] = []
        for column in columns:
            symbols = set(column)
            if all(symbol.isdecimal() for symbol in symbols):
                low = min(map(int, symbols))
                orders.append({symbol: int(symbol) - low for symbol in symbols})
            elif len(symbols) >= LEAST_SYMBOLS and all(len(symbol) == 1 for symbol in symbols):
                orders.append({symbol: ord(symbol) - ord(min(symbols)) for symbol in symbols})
            else:
                orders.append(None)
        sizes = [1 + max(order.values()) if order else 1 for order in orders]
        for number in numbers:
            at = [order[word] if order else 0 for order, word in zip(orders, words[number], strict=True)]
            kept = tuple("" if order else word for order, word in zip(orders, words[number], strict=True))
            lane, scale, part = 0, 1, 0
            for place in range(len(sizes) - 1, -1, -1):
                if scale * sizes[place] > 64:
                    part, row = divmod(at[place], max(1, 64 // scale))
                    lane += scale * row
                    break
                lane += scale * at[place]
                scale *= sizes[place]
            else:
                place = 0
            used = tuple(size for size in sizes[place:] if size > 1)
            patterns.setdefault((shape, used, kept, tuple(at[:place]), part), {})[lane, number] = number
    found_planes = []
    for key, members in patterns.items():
        if len(members) >= LEAST_MEMBERS and len({lane for lane, _ in members}) == len(members):
            found_planes.append(Plane(key[1], {number: lane for lane, number in members}))  # type: ignore[arg-type]
    return found_planes


def most_common_sizes(planes: Iterable[Plane]) -> tuple[int, ...]:
    """Return the sizes of the planes that have most facts together."""
    counts: Counter[tuple[int, ...]] = Counter()
    for plane in planes:
        counts[plane.sizes] += len(plane.lanes)
    return max(counts, key=lambda sizes: counts[sizes], default=())


def gathered(name: str, moves: Iterable[tuple[int, int]], compress: bool) -> list[str]:
    """Return expressions whose disjunction has the given bits of a word at other places, and no other bit.

    moves: pairs of a bit of the word and its bit in the result; compress: True to use instructions for that.
    """
    targets: dict[int, list[int]] = {}
    for source, target in moves:
        targets.setdefault(source, []).append(target)
    parts = []
    layers: list[dict[int, int]] = []
    for source, found in targets.items():
        if len(found) > MOST_LAYERS:
            parts.append(f"(-({name} >> {source} & 1) & {sum(1 << target for target in found):#x}ull)")
            continue
        for layer, target in enumerate(sorted(found)):
            if layer == len(layers):
                layers.append({})
            layers[layer][source] = target
    for steps in layers:
        parts += _gathered_once(name, steps, compress)
    return parts


def _gathered_once(name: str, steps: Mapping[int, int], compress: bool) -> list[str]:
    parts = []
    distances: dict[int, int] = {}
    for source, target in steps.items():
        distances[target - source] = distances.get(target - source, 0) | 1 << source
    chains = _chains(sorted(steps.items())) if compress else []
    if compress and len(chains) < len(distances):
        for chain in chains:
            sources, into = (sum(1 << pair[side] for pair in chain) for side in (0, 1))
            parts.append(f"spread(compress({name}, {sources:#x}ull), {into:#x}ull)")
    else:
        for distance, mask in sorted(distances.items()):
            shifted = f" << {distance}" if distance > 0 else f" >> {-distance}" if distance else ""
            parts.append(f"(({name} & {mask:#x}ull){shifted})")
    return parts


def _chains(pairs: list[tuple[int, int]]) -> list[list[tuple[int, int]]]:
    """Split pairs, in the order of their first numbers, into few lists in which the second numbers ascend."""
    lasts: list[int] = []  # negated, and so ascending
    chains: list[list[tuple[int, int]]] = []
    for pair in pairs:
        at = bisect_right(lasts, -pair[1])
        if at == len(chains):
            lasts.append(0)
            chains.append([])
        lasts[at] = -pair[1]
        chains[at].append(pair)
    return chains


class WordCode:
    """Code of one function that reads the words of fluents `a0`, `a1`, ...

    Args:
        letter: the first letter of all names, here `a`.
        gate: returns the literals that a node reads.
        first_gate: the first node that is a gate; fluents are the nodes from 1 on.
        num_fluents: number of fluents.
        planes: see `find_planes`.
        compress: True for a processor with instructions that compress and spread bits.
    """

    def __init__(
        self,
        letter: str,
        gate: Callable[[int], tuple[int, ...]],
        first_gate: int,
        num_fluents: int,
        planes: Sequence[Plane],
        compress: bool,
    ) -> None:
        self.letter = letter
        self.gate = gate
        self.first_gate = first_gate
        self.planes = planes if compress else ()
        self.compress = compress
        self.lines: list[str] = []
        self.num_statements = 0
        self.num_temporaries = 0
        self.place: dict[int, Place] = {}
        self.pending: dict[str, Callable[[], None]] = {}
        self.scalars: set[int] = set()
        self.num_groups = 0
        self.copies: dict[int, str] = {}
        self.packs: dict[tuple[Pair, ...], str] = {}
        for number in range(num_fluents):
            self.place[1 + number] = (f"{letter}{number >> 6}", number & 63, 0)
        for i, plane in enumerate(self.planes):
            for number, lane in plane.lanes.items():
                self.place[1 + number] = (f"{letter}p{i}", lane, 0)
            self.pending[f"{letter}p{i}"] = lambda i=i: self._write_plane(i)  # type: ignore[misc]

    def add(self, line: str) -> None:
        self.lines.append(line)
        self.num_statements += 1

    def _write_plane(self, i: int) -> None:
        moves: dict[int, list[tuple[int, int]]] = {}
        for number, lane in self.planes[i].lanes.items():
            moves.setdefault(number >> 6, []).append((number & 63, lane))
        parts = [part for word, each in moves.items() for part in gathered(f"{self.letter}{word}", each, self.compress)]
        self.add(f"word {self.letter}p{i} = {' | '.join(parts)};")

    def delay(self, names: Iterable[str], line: str) -> None:
        """Write a line before the first use of any of its words."""

        def write() -> None:
            for name in names:
                self.pending.pop(name, None)
            self.add(line)

        self.pending.update(dict.fromkeys(names, write))

    def _use(self, name: str) -> str:
        """Write the word of a name before its first use, and return the name."""
        write = self.pending.pop(name, None)
        if write is not None:
            write()
        return name

    def find_groups(self, nodes: Iterable[int], bits: Iterable[int], pack: bool) -> None:
        """Find the gates that can be computed together: those that read the same words at the same distances.

        Args:
            nodes: gates, each after those that it reads.
            bits: nodes that are read as bits of words, before the gates of groups.
            pack: True for gates that also read other nodes. What they read in one place is the same literal, which is
                copied to all bits, or literals that are packed into a word.
        """
        at = {node: self.place[node][:2] for node in bits}
        depths: dict[int, int] = {}
        levels: dict[int, list[int]] = {}
        for node in nodes:
            depths[node] = 1 + max((depths.get(literal >> 1, 0) for literal in self.gate(node)), default=0)
            levels.setdefault(depths[node], []).append(node)
        for depth in sorted(levels):
            self._find_groups_of(levels[depth], at, pack)

    def _find_groups_of(self, nodes: Iterable[int], at: dict[int, tuple[str, int]], pack: bool) -> None:
        """Find groups of gates that do not read each other, and add their bits."""
        alike: dict[tuple[Shape, tuple[int, ...]], list[tuple[int, int]]] = {}
        for node in nodes:
            reads = self.gate(node)
            inputs = sorted((at[each >> 1][0], each & 1, at[each >> 1][1]) for each in reads if each >> 1 in at)
            if node in at or not inputs or (len(inputs) < len(reads) and not pack):
                continue
            if len(reads) > MOST_INPUTS and not (pack and len({name for name, _, _ in inputs}) == len(reads)):
                continue
            base = inputs[0][2]
            shape = tuple((name, negated, lane - base) for name, negated, lane in inputs)
            rest = tuple(literal for literal in reads if literal >> 1 not in at)
            alike.setdefault((shape, rest), []).append((node, base))
        others: dict[tuple[Shape, tuple[int, ...]], dict[int, list[tuple[int, tuple[int, ...]]]]] = {}
        for (shape, rest), members in alike.items():
            if len(members) >= LEAST_MEMBERS:
                self._add_group(shape, [rest] * len(members), members, at)
            elif rest:
                by_lane = others.setdefault((shape, tuple(literal & 1 for literal in rest)), {})
                for node, lane in members:
                    by_lane.setdefault(lane, []).append((node, rest))
        for (shape, _), by_lane in others.items():
            for i in range(max(map(len, by_lane.values()))):
                found = [(lane, *each[i]) for lane, each in by_lane.items() if len(each) > i]
                if len(found) >= LEAST_MEMBERS:
                    members = [(node, lane) for lane, node, _ in found]
                    self._add_group(shape, [rest for _, _, rest in found], members, at)

    def _add_group(
        self,
        shape: Shape,
        rests: Sequence[tuple[int, ...]],
        members: Sequence[tuple[int, int]],
        at: dict[int, tuple[str, int]],
    ) -> None:
        name = f"{self.letter}v{self.num_groups}"
        self.num_groups += 1
        columns = [
            tuple((lane, literal) for (_, lane), literal in zip(members, column, strict=True))
            for column in zip(*rests, strict=True)
        ]
        for node, lane in members:
            at[node] = (name, lane)
            self.place[node] = (name, lane, 0)
        self.pending[name] = lambda: self._write_group(name, shape, columns)

    def _write_group(self, name: str, shape: Shape, columns: Sequence[tuple[Pair, ...]]) -> None:
        parts = []
        for word, negated, distance in shape:
            self._use(word)
            shifted = f"{word} >> {distance}" if distance > 0 else f"{word} << {-distance}" if distance else word
            parts.append(f"{'~' if negated else ''}({shifted})")
        parts += [self._packed(column) for column in columns]
        self.add(f"word {name} = {' & '.join(parts)};")

    def _packed(self, column: tuple[Pair, ...]) -> str:
        """Return the name of a word that has given literals at given bits."""
        literal = column[0][1]
        if all(each == literal for _, each in column):
            if literal not in self.copies:
                value = self.value(literal)
                self.copies[literal] = f"{self.letter}c{literal}"
                self.add(f"word {self.letter}c{literal} = -({value} & 1);")
            return self.copies[literal]
        if column not in self.packs:
            parts = [f"(({self.value(each)} & 1) << {lane})" for lane, each in column]
            self.packs[column] = f"{self.letter}k{len(self.packs)}"
            self.add(f"word {self.packs[column]} = {' | '.join(parts)};")
        return self.packs[column]

    def value(self, literal: int) -> str:
        """Return an expression with the value of a literal in its lowest bit; the other bits have no meaning."""
        node, negated = literal >> 1, literal & 1
        if node == 0:
            return "0ull" if negated else "1ull"
        if node in self.place:
            name, lane, flipped = self.place[node]
            text = f"({self._use(name)} >> {lane})" if lane else self._use(name)
            return f"~{text}" if negated ^ flipped else text
        self._write_scalars(node)
        return f"{'~' if negated else ''}{self.letter}g{node}"

    def _write_scalars(self, node: int) -> None:
        """Write a gate, and those that it needs."""
        stack = [node]
        while stack:
            node = stack.pop()
            done = node < 0
            node = ~node if done else node
            if node in self.scalars or node in self.place:
                continue
            if done:
                self.scalars.add(node)
                self.add(f"word {self.letter}g{node} = {self._conjunction(self.gate(node))};")
            else:
                stack.append(~node)
                stack += [literal >> 1 for literal in self.gate(node) if literal > 1]

    def _conjunction(self, literals: Sequence[int]) -> str:
        """Return the expression of a conjunction. Many bits of one word are compared at once."""
        masks: dict[tuple[str, int], int] = {}
        for literal in literals:
            if literal >> 1 in self.place:
                name, lane, flipped = self.place[literal >> 1]
                key = (name, literal & 1 ^ flipped)
                masks[key] = masks.get(key, 0) | 1 << lane
        parts = []
        compared = set()
        for (name, negated), mask in masks.items():
            if mask.bit_count() >= LEAST_MEMBERS:
                compared.add((name, negated))
                parts.append(f"(({self._use(name)} & {mask:#x}ull) == {0 if negated else mask:#x}ull)")
        for literal in literals:
            place = self.place.get(literal >> 1)
            if place is None or (place[0], literal & 1 ^ place[2]) not in compared:
                parts.append(self.value(literal))
        return " & ".join(parts)

    def _is_near(self, literal: int, depth: int) -> bool:
        """Return True if a literal can be gathered from words."""
        node = literal >> 1
        if node in self.place or node == 0:
            return True
        return (
            depth > 0 and node not in self.scalars and all(self._is_near(each, depth - 1) for each in self.gate(node))
        )

    def union(self, pairs: Iterable[Pair], depth: int = MOST_DEPTH) -> str:
        """Return the expression of a word in which each bit is the disjunction of its literals, or 0 without any."""
        constant = 0
        moves: dict[tuple[str, int], list[tuple[int, int]]] = {}
        parts: list[str] = []
        layers: list[dict[int, int]] = []
        todo = list(dict.fromkeys(pairs))
        seen = set(todo)
        while todo:
            bit, literal = todo.pop()
            node = literal >> 1
            if node == 0:
                constant |= (literal ^ 1) << bit
            elif node in self.place:
                name, lane, flipped = self.place[node]
                moves.setdefault((name, literal & 1 ^ flipped), []).append((lane, bit))
            elif not self._is_near(literal, depth):
                parts.append(f"(({self.value(literal)} & 1) << {bit})")
            elif literal & 1:
                for each in self.gate(node):
                    pair = (bit, each ^ 1)
                    if pair not in seen:
                        seen.add(pair)
                        todo.append(pair)
            else:
                layer = next((each for each in layers if bit not in each), None)
                if layer is None:
                    layers.append(layer := {})
                layer[bit] = node
        for (name, negated), steps in sorted(moves.items()):
            parts += gathered(f"~{self._use(name)}" if negated else self._use(name), steps, self.compress)
        for layer in layers:
            mask = sum(1 << bit for bit in layer)
            denied = [(bit, each ^ 1) for bit, node in sorted(layer.items()) for each in self.gate(node)]
            parts.append(f"({mask:#x}ull & ~{self.union(denied, depth - 1)})")
        if constant or not parts:
            parts.append(f"{constant:#x}ull")
        self.num_temporaries += 1
        self.add(f"word {self.letter}t{self.num_temporaries} = {' | '.join(parts)};")
        return f"{self.letter}t{self.num_temporaries}"

    def name_results(self, name: str, bits: Iterable[Pair]) -> None:
        """Let the literals of later expressions be read from a word of results."""
        for bit, literal in bits:
            if literal > 1 and literal >> 1 not in self.place and literal >> 1 not in self.scalars:
                self.place[literal >> 1] = (name, bit, literal & 1)
