"""Fingerprints of searches with fixed seeds: what a change that claims only speed must not move.

usage: python -m bench.signature --check | --write

A case is a game, a state of it, and a search with one option changed; its fingerprint is a hash of the visits of every
action at the root. `--check` compares all cases with signature.json and prints those that differ; `--write` writes the
file anew. A moved fingerprint means that searches now go another way, for better or worse: a change of the rules of
selection, of the order in which random numbers are drawn, of rounding. Write the file anew in the same commit as such
a change, and say there what moved and why; where nothing of the kind was meant, the change is wrong.

Fingerprints are the same for all machine codes and compilers. Apart from IEEE arithmetic and square roots, which are
exact, searches call log, exp and cos of the C library; the file was written with glibc's, and another library that
rounds some of their results differently may move cases of ucb1, thompson or exp3.
"""

import argparse
import hashlib
import json
import sys
from pathlib import Path

import mcts
from cext.parameters import Choice, Flag

FILE = Path(__file__).with_suffix(".json")
ABOUT = "hashes of the visits at the root; see signature.py for what a difference means and how this file is written"
SIMULATIONS = 600
SEED = 20
PLIES = (0, 3)
MORE_SPECS = ("mnk(m=5,n=5,k=4)", "mnk(m=8,n=8,k=5)", "bidding_ttt(coins=10)")
MORE_OPTIONS = ({"solver": True, "transpositions": True}, {"threads": 2}, {"playout": "mast", "selection": "grave"})


def specs():
    """Every game whose actions can be listed, by default and with each other option of its flags and choices."""
    found = {mcts.load_game(spec).spec for spec in MORE_SPECS}
    for name in mcts.registered_games():
        found.add(mcts.load_game(name).spec)
        for parameter, kind in mcts.game_info(name).parameters.items():
            options = kind.options if isinstance(kind, Choice) else (False, True) if isinstance(kind, Flag) else ()
            found |= {mcts.load_game(name, **{parameter: option}).spec for option in options}
    return sorted(spec for spec in found if mcts.load_game(spec).is_enumerable)


def options():
    """Keywords of searches: none, each option of each choice and flag alone, and some together."""
    yield {}
    for name, kind in mcts.MCTS.PARAMETERS.items():
        choices = kind.options if isinstance(kind, Choice) else (False, True) if isinstance(kind, Flag) else ()
        if name != "final":  # says only how the answer is read off
            yield from ({name: option} for option in choices if option != kind.default)
    yield from MORE_OPTIONS


def states(spec):
    """The states that a game is searched from, each with the number of steps that led to it."""
    for plies in PLIES:
        state = mcts.load_game(spec).new_initial_state()
        for step in range(plies):
            if not state.is_terminal():
                state.apply_actions([state.sample_action(p, SEED + step) for p in range(state.game.num_players)])
        if not state.is_terminal():
            yield plies, state


def fingerprint(state, keywords):
    """A hash of the visits of every action at the root, for all players that decide there."""
    result = mcts.MCTS(state.game, memory_mb=4, seed=SEED, **keywords).run(state, simulations=SIMULATIONS)
    visits = [[player, [[arm.action, arm.visits] for arm in arms]] for player, arms in sorted(result.arms.items())]
    return hashlib.sha256(json.dumps(visits).encode()).hexdigest()[:16]


def measure():
    """Case -> fingerprint."""
    return {
        f"{spec} after {plies}: {mcts.format_spec('mcts', keywords)}": fingerprint(state, keywords)
        for spec in specs()
        for plies, state in states(spec)
        for keywords in options()
    }


def differences(stored, found):
    """One line for every case that moved, is new, or is gone."""
    for case in sorted(stored.keys() | found.keys()):
        before, now = stored.get(case, "nothing"), found.get(case, "nothing")
        if before != now:
            yield f"{case}: {before} before, {now} now"


def main():
    """Check or write."""
    parser = argparse.ArgumentParser(description="Fingerprints of searches with fixed seeds.")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--check", action="store_true", help="compare with signature.json; exit code 1 if any case moved")
    what.add_argument("--write", action="store_true", help="write signature.json anew")
    write = parser.parse_args().write
    found = measure()
    if write:
        FILE.write_text(json.dumps({"about": ABOUT, "cases": found}, indent=1) + "\n")
        print(f"{len(found)} cases written to {FILE}")
        return
    moved = list(differences(json.loads(FILE.read_text())["cases"], found))
    print(*moved, f"{len(moved)} of {len(found)} cases differ from {FILE.name}", sep="\n")
    sys.exit(1 if moved else 0)


if __name__ == "__main__":
    main()
