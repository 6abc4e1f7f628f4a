"""C code that computes up to 64 gates of a circuit at a time, as bits of one word.

A plane is a word of fluents that differ in their coordinates alone, such as the cells that hold one content. Gates that
read the same words at the same distances are one group, a word in turn: the gate of a cell and that of its neighbour
are computed by the same shift and the same conjunction. Words of results are gathered from words of planes and groups,
with all bits that move by the same distance at once, or with the instructions that compress and spread bits.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence

TRUE, FALSE = 0, 1
ALL = (1 << 64) - 1
LEAST_MEMBERS = 3
MOST_INPUTS = 6
"""Inputs of gates that form groups."""
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


def find_planes(texts: Sequence[str]) -> dict[int, tuple[int, int]]:
    """Return the plane and the bit in it of each fluent that has coordinates, by the number of the fluent."""
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
            lane, scale = 0, 1
            for place in range(len(sizes) - 1, -1, -1):
                if scale * sizes[place] > 64:
                    break
                lane += scale * at[place]
                scale *= sizes[place]
            else:
                place = -1
            patterns.setdefault((shape, kept, tuple(at[: place + 1])), {})[lane, number] = number
    found_planes = {}
    plane = 0
    for members in patterns.values():
        if len(members) >= LEAST_MEMBERS and len({lane for lane, _ in members}) == len(members):
            for lane, number in members:
                found_planes[number] = (plane, lane)
            plane += 1
    return found_planes


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
        planes: Mapping[int, tuple[int, int]],
        compress: bool,
    ) -> None:
        self.letter = letter
        self.gate = gate
        self.first_gate = first_gate
        self.planes = planes if compress else {}
        self.compress = compress
        self.lines: list[str] = []
        self.num_statements = 0
        self.num_temporaries = 0
        self.place: dict[int, Place] = {}
        self.pending: dict[str, Callable[[], None]] = {}
        self.scalars: set[int] = set()
        self.members: dict[int, list[tuple[int, int]]] = {}
        for number, (plane, lane) in self.planes.items():
            self.members.setdefault(plane, []).append((number, lane))
        for number in range(num_fluents):
            if number in self.planes:
                plane, lane = self.planes[number]
                self.place[1 + number] = (f"{letter}p{plane}", lane, 0)
            else:
                self.place[1 + number] = (f"{letter}{number >> 6}", number & 63, 0)
        for plane in self.members:
            self.pending[f"{letter}p{plane}"] = lambda plane=plane: self._write_plane(plane)  # type: ignore[misc]

    def add(self, line: str) -> None:
        self.lines.append(line)
        self.num_statements += 1

    def _write_plane(self, plane: int) -> None:
        moves: dict[int, list[tuple[int, int]]] = {}
        for number, lane in self.members[plane]:
            moves.setdefault(number >> 6, []).append((number & 63, lane))
        parts = [part for word, each in moves.items() for part in gathered(f"{self.letter}{word}", each, self.compress)]
        self.add(f"word {self.letter}p{plane} = {' | '.join(parts)};")

    def _use(self, name: str) -> str:
        """Write the word of a name before its first use, and return the name."""
        write = self.pending.pop(name, None)
        if write is not None:
            write()
        return name

    def find_groups(self, nodes: Iterable[int]) -> None:
        """Find the gates that can be computed together. nodes: gates, each after those that it reads."""
        at: dict[int, tuple[str, int]] = {node: place[:2] for node, place in self.place.items()}
        groups: dict[tuple[tuple[str, int, int], ...], str] = {}
        members: dict[str, list[tuple[int, int]]] = {}
        for node in nodes:
            reads = self.gate(node)
            if node in at or len(reads) > MOST_INPUTS or any(literal >> 1 not in at for literal in reads):
                continue
            inputs = sorted((at[literal >> 1][0], literal & 1, at[literal >> 1][1]) for literal in reads)
            base = inputs[0][2]
            key = tuple((name, negated, lane - base) for name, negated, lane in inputs)
            name = groups.setdefault(key, f"{self.letter}v{len(groups)}")
            members.setdefault(name, []).append((node, base))
            at[node] = (name, base)
        valid = {name for name, _, _ in self.place.values()}
        for key, name in groups.items():
            if len(members[name]) < LEAST_MEMBERS or any(each not in valid for each, _, _ in key):
                continue
            valid.add(name)
            for node, lane in members[name]:
                self.place[node] = (name, lane, 0)
            self.pending[name] = lambda key=key, name=name: self._write_group(name, key)  # type: ignore[misc]

    def _write_group(self, name: str, key: tuple[tuple[str, int, int], ...]) -> None:
        parts = []
        for word, negated, distance in key:
            self._use(word)
            shifted = f"{word} >> {distance}" if distance > 0 else f"{word} << {-distance}" if distance else word
            parts.append(f"{'~' if negated else ''}({shifted})")
        self.add(f"word {name} = {' & '.join(parts)};")

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
