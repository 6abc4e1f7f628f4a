"""The structure of rulesheets: latches and independent parts, which searches do not use, and symmetries.

usage: python -m bench.rulesheet_structure FOLDER [--gates N]

For each rulesheet below a folder with at most N gates (5,000) it prints

- the share of its fluents that are latches: in random games they change in one direction alone;
- its independent parts with a choice: sets of fluents and moves that no rule for `next` or `legal` connects, and no
  conjunction that `goal` or `terminal` depends on, unless all its conditions are negated; each with several moves of a
  role. `noop` and fluents that change in nearly all steps, such as whose turn it is, connect nothing;
- its symmetries, the identity included.

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


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--gates", type=int, default=5000)
    given = parser.parse_args()
    rows = []
    print("latches  parts  symmetries  rulesheet")
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
        rows.append((latches, parts, game.num_symmetries))
        print(f"{latches:6.0%} {parts:6} {game.num_symmetries:11}  {path}", flush=True)
    counts = [sum(row[0] >= 0.5 for row in rows), sum(row[1] > 1 for row in rows)]
    counts += [sum(row[2] >= least for row in rows) for least in (2, 4, 8)]
    print(f"{len(rows)} rulesheets; half of the fluents are latches in {counts[0]}, {counts[1]} have several parts,")
    print(f"{counts[2]} have symmetries, {counts[3]} at least four, {counts[4]} at least eight")


if __name__ == "__main__":
    main()
