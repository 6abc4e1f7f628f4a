"""Nanoseconds of a simulation by GRAVE and with MAST playouts, beside those of UCB1 with random playouts.

    PYTHONPATH=. .venv/bin/python -P -m bench.policy_speed [--simulations 1000] [--seconds 40]

The searches take turns, so that a change of the machine's speed affects all of them. A figure is the least time of many
searches from the first state of a game. GRAVE does not explore, so its trees are deeper: the table shows how many nodes
a simulation visits, and the time divided by their number, playouts included.
"""

import argparse
import time

import mcts

GAMES = ("mnk(m=5,n=5,k=4)", "mnk(m=7,n=7,k=5)", "three_player_ttt")
POLICIES = {"ucb1": {}, "grave": {"selection": "grave"}, "mast": {"playout": "mast"}}


def visits(state):
    """Return the visits of a state of `SearchResult.tree` and of all states below it."""
    return state["visits"] + sum(visits(arm["child"]) for arm in state["arms"] if arm["child"] is not None)


def measure(simulations, seconds):
    """Return (game, solver, policy) -> (nanoseconds of a simulation, nodes that it visits)."""
    searches = {}
    for spec in GAMES:
        game = mcts.load_game(spec)
        for solver in (False, True):
            for policy, options in POLICIES.items():
                searcher = mcts.MCTS(game, seed=1, solver=solver, **options)
                searches[spec, solver, policy] = (searcher, game.new_initial_state())
    least = dict.fromkeys(searches, float("inf"))
    end = time.monotonic() + seconds
    while time.monotonic() < end or float("inf") in least.values():
        for key, (searcher, state) in searches.items():
            begin = time.perf_counter_ns()
            done = searcher.run(state, simulations=simulations).simulations
            least[key] = min(least[key], (time.perf_counter_ns() - begin) / done)
    nodes = {}
    for key, (searcher, state) in searches.items():
        tree = searcher.run(state, simulations=simulations).tree(depth=100, max_nodes=1_000_000)
        nodes[key] = visits(tree) / tree["visits"]
    return {key: (least[key], nodes[key]) for key in searches}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--simulations", type=int, default=1000, help="of each search (default: 1000)")
    parser.add_argument("--seconds", type=float, default=40.0, help="of the whole measurement (default: 40)")
    given = parser.parse_args()
    measured = measure(given.simulations, given.seconds)
    columns = ("Nanoseconds a simulation", "Simulations, `ucb1` = 1", "Nodes a simulation", "Nanoseconds a node")
    print(f"| Game | Solver | Policy | {' | '.join(columns)} |")
    print("| --- | --- | --- | ---: | ---: | ---: | ---: |")
    for (spec, solver, policy), (nanoseconds, nodes) in measured.items():
        ratio = measured[spec, solver, "ucb1"][0] / nanoseconds
        print(
            f"| `{spec}` | {'yes' if solver else 'no'} | `{policy}` | {nanoseconds:.0f} | {ratio:.2f} | {nodes:.1f} "
            f"| {nanoseconds / nodes:.0f} |"
        )


if __name__ == "__main__":
    main()
