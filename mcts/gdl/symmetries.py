"""Symmetries of a network: maps of its fluents and moves under which every gate has an image.

A symmetry keeps the roles, their move `noop`, the initial state, and the conditions of `next`, `legal`, `terminal` and
`goal`, so play from a state and from its image are the same. Maps are found by refinement of colors and
individualisation (McKay and Piperno 2014), and checked gate by gate. The search ends after an amount of work that is
counted, not timed: a rulesheet has the same symmetries on every machine. A map is not found if gates stand for its
images in different ways.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING

from cext.gdl.images import MOST_INPUTS, MOST_SYMMETRIES
from cext.gdl.network_graph import NetworkGraph

if TYPE_CHECKING:
    from .network import Network

    Map = array[int]
    Colors = array[int]

MOST_ENTRIES = 1 << 18
"""Symmetries times fluents and moves."""
MOST_WORK = 20_000_000
"""Inputs of gates that are visited before no further refinement begins."""
MIX = 0x9E3779B97F4A7C15


class _WorkIsDoneError(Exception):
    pass


class _Refined:
    """Colors of the inputs of the graph, refined.

    Attributes:
        colors: color of each input.
        numbers: the number of different colors, and a number for how often each occurs.
    """

    def __init__(self, graph: NetworkGraph, colors: Colors, chosen: int = 0, level: int = 0) -> None:
        """Refine colors in which one input, if it is not 0, is given the color of a level."""
        if graph.work > MOST_WORK:
            raise _WorkIsDoneError
        self.colors = colors[:]
        if chosen:
            self.colors[chosen] = _color(-level)
        self.numbers = graph.refine(self.colors)

    def first_shared(self) -> int:
        """Return the first input whose color another one has too."""
        counts = Counter(self.colors)
        return next(place for place, color in enumerate(self.colors) if counts[color] > 1)

    def inputs_of(self, color: int) -> list[int]:
        return [place for place, other in enumerate(self.colors) if other == color]


class _Search:
    """The search for maps of the inputs: the constant, fluents, moves, and `none` of each role.

    The inputs `chosen` get colors of their own, one after the other, until all colors differ. `path` holds the colors
    before the first choice and after each. A map is found by choosing images of them with which the colors occur as
    often.
    """

    def __init__(self, network: Network) -> None:
        fluents, moves = len(network.fluents), [len(texts) for texts in network.moves]
        size = 1 + fluents + sum(moves) + len(moves)
        kinds = [0, *(1 + int(value) for value in network.initial)]
        for role, count in enumerate(moves):
            kinds += [3 * role + 3 + (move == network.idle[role]) for move in range(count)]
        kinds += [3 * role + 5 for role in range(len(moves))]
        self.kinds = array("Q", map(_color, kinds))
        self.links = array("i", [0, *network.following, *network.legal, *(0 for _ in moves)])
        self.ends = [(0, network.terminal)]
        for role, goals in enumerate(network.goals):
            self.ends += [(1000 * (role + 1) + value, literal) for value, literal in goals]
        tags = [0] * (size + network.num_gates)
        for kind, literal in self.ends:
            tags[literal >> 1] += _color(2 * kind + (literal & 1))
        self.size, self.num_nodes = size, len(tags)
        self.graph = NetworkGraph(
            network.gate_starts, network.edges, self.links, array("Q", [tag % 2**64 for tag in tags])
        )
        self.chosen: list[int] = []
        self.path: list[_Refined] = []

    def generators(self) -> list[Map]:
        """Return maps that generate all that were found."""
        found: list[Map] = []
        with suppress(_WorkIsDoneError):
            self.path.append(_Refined(self.graph, self.kinds))
            while self.path[-1].numbers[0] < self.size:
                self.chosen.append(self.path[-1].first_shared())
                self.path.append(_Refined(self.graph, self.path[-1].colors, self.chosen[-1], len(self.path)))
            for level in reversed(range(len(self.chosen))):
                self.map_level(level, found)
        return found

    def map_level(self, level: int, found: list[Map]) -> None:
        """Add maps that keep the inputs chosen before a level, and move its own."""
        before, own = self.path[level], self.chosen[level]
        orbits = _Orbits(self.size)
        for known in found:
            orbits.join(known)
        failed: set[int] = set()
        for other in before.inputs_of(before.colors[own]):
            orbit = orbits.find(other)
            if orbit == orbits.find(own) or orbit in failed:
                continue
            image = self.complete(level, before, other)
            if image is None:
                failed.add(orbit)
            else:
                found.append(image)
                orbits.join(image)
                failed = {orbits.find(orbit) for orbit in failed}

    def complete(self, level: int, right: _Refined, other: int) -> Map | None:
        """Return a map under which the image of the input of a level is another, given those of earlier levels."""
        left, right = self.path[level + 1], _Refined(self.graph, right.colors, other, level + 1)
        if right.numbers != left.numbers:
            return None
        if level + 1 == len(self.chosen):
            return self.checked(left.colors, right.colors)
        for after in right.inputs_of(left.colors[self.chosen[level + 1]]):
            image = self.complete(level + 1, right, after)
            if image is not None:
                return image
        return None

    def checked(self, left: Colors, right: Colors) -> Map | None:
        """Return the map of inputs to those of the same color, if it is a symmetry."""
        image = array("i", bytes(4 * self.num_nodes))
        places = {color: place for place, color in enumerate(right)}
        for place, color in enumerate(left):
            if color not in places:
                return None
            image[place] = places[color]
        inputs = image[: self.size]
        if any(self.kinds[inputs[place]] != kind for place, kind in enumerate(self.kinds)):
            return None
        if not self.graph.extend(image):
            return None
        if any(self.links[inputs[place]] != _mapped(image, literal) for place, literal in enumerate(self.links)):
            return None
        ends = [(kind, _mapped(image, literal)) for kind, literal in self.ends]
        return inputs if sorted(ends) == sorted(self.ends) else None


def _color(kind: int) -> int:
    return kind * MIX % 2**64


def _mapped(image: Map, literal: int) -> int:
    return 2 * image[literal >> 1] | literal & 1


class _Orbits:
    """Sets of inputs that maps move to each other."""

    def __init__(self, size: int) -> None:
        self.parent = list(range(size))

    def find(self, place: int) -> int:
        """Return the least input of an orbit."""
        while self.parent[place] != place:
            self.parent[place] = place = self.parent[self.parent[place]]
        return place

    def join(self, image: Map) -> None:
        for place, to in enumerate(image):
            if to != place:
                one, other = self.find(place), self.find(to)
                self.parent[max(one, other)] = min(one, other)


def close(generators: Iterable[Map], size: int, most: int) -> list[Map]:
    """Return the group that maps generate, the identity first. A map that would make it too large is left out.

    Args:
        generators: maps of `size` numbers; earlier ones come first.
        size: length of the maps.
        most: limit of the size of the group.
    """
    identity = array("i", range(size))
    group = {identity.tobytes(): identity}
    used: list[Map] = []
    for generator in generators:
        if generator.tobytes() in group:
            continue
        larger, steps = dict(group), [*used, generator]
        todo = [*group.values()]
        while todo and len(larger) <= most:
            element = todo.pop()
            for step in steps:
                image = array("i", [step[place] for place in element])
                key = image.tobytes()
                if key not in larger:
                    larger[key] = image
                    todo.append(image)
        if len(larger) <= most:
            group, used = larger, steps
    return sorted(group.values(), key=lambda image: image.tolist())


def find_symmetries(network: Network) -> tuple[Map, ...]:
    """Return a group of symmetries, as `Network.symmetries`.

    If all that were found are more than MOST_SYMMETRIES, or too many for the size of the network, the group is one that
    some of them generate, those first that move most.
    """
    size = len(network.fluents) + sum(len(texts) for texts in network.moves)
    maps = []
    if size <= MOST_INPUTS and 4 * len(network.edges) <= MOST_WORK:
        maps = [array("i", [to - 1 for to in image[1 : 1 + size]]) for image in _Search(network).generators()]
    maps.sort(key=lambda image: sum(to == place for place, to in enumerate(image)))
    return tuple(close(maps, size, min(MOST_SYMMETRIES, MOST_ENTRIES // size)))
