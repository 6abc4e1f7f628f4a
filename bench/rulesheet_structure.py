"""What rulesheets have that searches do not use: latches, independent parts and symmetries.

usage: python -m bench.rulesheet_structure FOLDER [--gates N]

For each rulesheet below a folder with at most N gates (5,000) it prints

- the share of its fluents that are latches: in random games they change in one direction alone;
- its independent parts with a choice: sets of fluents and moves that no rule for `next` or `legal` connects, and no
  conjunction that `goal` or `terminal` depends on, unless all its conditions are negated; each with several moves of a
  role. `noop` and fluents that change in nearly all steps, such as whose turn it is, connect nothing;
- the images of one fluent under symmetries that keep the roles: maps of the network onto itself, found by refinement of
  colors and checked edge by edge. Not all may be found.

Then it prints how many rulesheets have each.
"""

import argparse
from itertools import pairwise
from pathlib import Path

import numpy as np

import mcts
from mcts.gdl.errors import RulesheetError
from mcts.random_steps import sample_joint_action

GAMES = 20
STEPS = 100
MOST_IMAGES = 24
MOST_CHOICES = 12
"""Nodes that are exchanged after the first, until the map is complete."""
MIX = np.uint64(0x9E3779B97F4A7C15)


def direction_counts(game):
    """Return how often each fluent became true and false in random games, and the number of steps."""
    rises = falls = steps = 0
    for number in range(GAMES):
        state = game.new_initial_state()
        before = state.encode()
        for step in range(STEPS):
            if state.is_terminal():
                break
            state.apply_actions(sample_joint_action(state, 1000 * number + step))
            after = state.encode()
            rises, falls, steps, before = rises + (after > before), falls + (after < before), steps + 1, after
    return rises, falls, steps


def count_parts(network, clock):
    """Return the number of independent parts. clock: the fluents that connect nothing."""
    fluents, moves = len(network.fluents), [len(texts) for texts in network.moves]
    ends = np.cumsum([fluents, *moves]).tolist()
    ignored = {i for i in range(fluents) if clock[i]}
    ignored |= {end + idle for end, idle in zip(ends, network.idle, strict=False) if idle >= 0}
    cones = [0] + [0 if i in ignored else 1 << i for i in range(ends[-1])] + [0] * len(moves)
    first = len(cones)
    edges, starts = network.edges.tolist(), network.gate_starts.tolist()
    for gate in range(network.num_gates):
        cone = 0
        for literal in edges[starts[gate] : starts[gate + 1]]:
            cone |= cones[literal >> 1]
        cones.append(cone)
    linked = [(i, literal) for i, literal in enumerate(network.following.tolist())]
    linked += [(fluents + i, literal) for i, literal in enumerate(network.legal.tolist())]
    links = {cones[literal >> 1] | 1 << place for place, literal in linked if place not in ignored}
    todo = [network.terminal >> 1, *(goal >> 1 for goals in network.goals for _, goal in goals)]
    seen = set()
    while todo:
        node = todo.pop()
        if node < first or node in seen:
            continue
        seen.add(node)
        reads = edges[starts[node - first] : starts[node - first + 1]]
        todo += [literal >> 1 for literal in reads]
        if not all(literal & 1 for literal in reads):
            links.add(cones[node])
    parts = []
    for cone in links - {0}:
        apart = []
        for part in parts:
            if part & cone:
                cone |= part
            else:
                apart.append(part)
        parts = [*apart, cone]
    masks = [(1 << end) - (1 << begin) for begin, end in pairwise(ends)]
    return sum(any((part & mask).bit_count() > 1 for mask in masks) and part % (1 << fluents) > 0 for part in parts)


class Graph:
    """The network as a graph whose edges have kinds."""

    def __init__(self, network):
        fluents, moves = len(network.fluents), [len(texts) for texts in network.moves]
        first = 1 + fluents + sum(moves) + len(moves)
        gates = np.repeat(np.arange(network.num_gates), np.diff(network.gate_starts)) + first
        ends = [gates, 1 + np.arange(fluents), 1 + fluents + np.arange(sum(moves))]
        literals = [network.edges, network.following, network.legal]
        self.to = np.concatenate(ends)
        self.at = np.concatenate([each >> 1 for each in literals])
        self.kind = np.concatenate([2 * i + (each & 1) for i, each in enumerate(literals)])
        self.fluents, self.moves_end = fluents, first - len(moves)
        colors = [0] + [1] * fluents + [2 + role for role, count in enumerate(moves) for _ in range(count)]
        colors += [10 + role for role in range(len(moves))] + [20] * network.num_gates
        self.colors = np.array(colors, np.uint64)
        tags = [(network.terminal, 1)]
        tags += [(goal, 1000 * (role + 1) + value) for role, goals in enumerate(network.goals) for value, goal in goals]
        for literal, tag in tags:
            self.colors[literal >> 1] += np.uint64((2 * tag + (literal & 1)) * 1_000_003)

    def refine(self, colors):
        """Return colors that differ where the colors of neighbours differ."""
        count = len(np.unique(colors))
        kind = self.kind.astype(np.uint64)
        with np.errstate(over="ignore"):
            while True:
                found = mixed(colors)
                np.add.at(found, self.to, mixed(colors[self.at] * np.uint64(3) + kind))
                np.add.at(found, self.at, mixed(colors[self.to] * np.uint64(5) + kind))
                new = len(np.unique(found))
                if new == count:
                    return found
                count, colors = new, found

    def has_map(self, base, one, other):
        """Return True if a symmetry that maps a node to another was found."""
        left, right = base.copy(), base.copy()
        for tag in range(MOST_CHOICES):
            left[one] = right[other] = np.uint64(7 + tag)
            left, right = self.refine(left), self.refine(right)
            if not np.array_equal(np.sort(left), np.sort(right)):
                return False
            names, sizes = np.unique(left, return_counts=True)
            shared = np.flatnonzero(np.isin(left[: self.moves_end], names[sizes > 1]))
            if len(shared) == 0:
                break
            one = shared[0]
            other = np.flatnonzero(right == left[one])[0]
        image = np.empty(len(left), np.int64)
        image[np.argsort(left, kind="stable")] = np.argsort(right, kind="stable")
        rows = [np.stack([to, at, self.kind]) for to, at in ((self.to, self.at), (image[self.to], image[self.at]))]
        return np.array_equal(*[each[:, np.lexsort(each)] for each in rows])

    def count_images(self):
        """Return the number of images of a fluent of the most frequent color, at most MOST_IMAGES."""
        base = self.refine(self.colors)
        names, sizes = np.unique(base[1 : 1 + self.fluents], return_counts=True)
        alike = 1 + np.flatnonzero(base[1 : 1 + self.fluents] == names[np.argmax(sizes)])
        return 1 + sum(self.has_map(base, alike[0], other) for other in alike[1:MOST_IMAGES])


def mixed(colors):
    colors = (colors ^ colors >> np.uint64(31)) * MIX
    return colors ^ colors >> np.uint64(29)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--gates", type=int, default=5000)
    given = parser.parse_args()
    rows = []
    print("latches  parts  images  rulesheet")
    for path in sorted(given.folder.rglob("*.kif")):
        try:
            game = mcts.load_game("gdl", file=str(path), seconds=5)
        except RulesheetError:
            continue
        network = game.network
        if network.num_gates > given.gates or not network.fluents:
            continue
        rises, falls, steps = direction_counts(game)
        latches = np.mean((rises > 0) != (falls > 0))
        parts = count_parts(network, rises + falls > 0.9 * steps)
        images = Graph(network).count_images()
        rows.append((latches, parts, images))
        print(f"{latches:6.0%} {parts:6} {images:7}  {path}", flush=True)
    counts = [sum(row[0] >= 0.5 for row in rows), sum(row[1] > 1 for row in rows), sum(row[2] > 1 for row in rows)]
    print(f"{len(rows)} rulesheets; half of the fluents are latches in {counts[0]}, {counts[1]} have several parts,")
    print(f"{counts[2]} have symmetries")


if __name__ == "__main__":
    main()
