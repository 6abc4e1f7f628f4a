"""Compute fingerprints of searches with fixed seeds, which a change of speed alone must not move.

usage: python -m bench.signature --check | --write

A case is a game, one of its states, and plain UCB1 with one option changed, or with several that are drawn. Its
fingerprint is a hash of the visits and values of every action at the root; with several options also after the move
that the search chooses, from the tree that it keeps. `--check` compares all cases with signature.json and prints those
that differ; `--write` writes a new file. A fingerprint that moved means that searches visit other states: because of a
change of selection, of the order of random numbers, or of rounding. If this is intended, write the file in the same
commit, and describe there what moved and why. If it is not intended, the change is wrong.

Fingerprints are the same for all builds and compilers. Searches use IEEE arithmetic and square roots, which are exact,
and log, exp and cos of the C library. The file was written with glibc; another library may round some results
differently, and so move cases of ucb1 or exp3.
"""

import argparse
import hashlib
import json
import random
import sys
from contextlib import suppress
from operator import attrgetter
from pathlib import Path

import mcts
from bots.benchmark.workloads import playouts
from bots.steps import sample_joint_action
from cext.game.playouts import has_evaluation, has_guided_playouts
from cext.parameters import Choice, Flag
from cext.spec import format_spec
from mcts.options import PLAIN

FILE = Path(__file__).with_suffix(".json")
ABOUT = "hashes of visits and values at the root; see signature.py for what a difference means and how this is written"
SIMULATIONS = 600
MIXED_SIMULATIONS = 200
SEED = 20
PLIES = (0, 3)
MORE_SPECS = ("mnk(m=5,n=5,k=4)", "mnk(m=8,n=8,k=5)", "bidding_ttt(coins=10)")
MORE_OPTIONS = ({"solver": True, "transpositions": True}, {"threads": 2})
MIXED = 12
"""Combinations of options that are drawn for a state."""
MIXED_OPTIONS = 2, 5
"""Fewest and most options of a combination."""
NUMBERS = {
    "exploration": (0.1, 1.4), "grave_exploration": (0.2,), "root_exploration": (0.7,), "playout_share": (0.0, 0.3),
    "first_play_urgency": (0.4,), "first_play_reduction": (0.2,), "root_noise": (0.25,), "noise_alpha": (0.3,),
    "gumbel_actions": (4,), "gumbel_noise": (0.0,), "temperature": (0.7,), "threads": (2,), "leaves": (64,),
}  # fmt: skip
"""Values of options that have a range."""


def specs():
    """Return the specs of all games with listed actions: by default, and with each value of flags and choices."""
    found = {*playouts.specs(), *(mcts.load_game(spec).spec for spec in MORE_SPECS)}
    return sorted(spec for spec in found if mcts.load_game(spec).is_enumerable)


def choices_of(name, kind):
    """Return the values of an option that differ from plain UCB1; none for one that has a range."""
    found = kind.options if isinstance(kind, Choice) else (False, True) if isinstance(kind, Flag) else ()
    return [option for option in found if option != PLAIN.get(name, kind.default)]


def options(game):
    """Yield keywords of searches of a game: none, each value of each choice and flag alone, and some combinations."""
    found = [{}]
    for name, kind in mcts.MCTS.PARAMETERS.items():
        if name != "final":  # applies after the search
            found += ({name: option} for option in choices_of(name, kind))
    for keywords in (*found, *MORE_OPTIONS):
        if game.has_chance and keywords.get("transpositions"):
            continue  # refused, as is the next
        is_static, is_guided = keywords.get("leaf") == "static", keywords.get("playout") == "guided"
        if is_static <= has_evaluation(game) and is_guided <= has_guided_playouts(game):
            yield keywords


def mixed_options(game, plies):
    """Yield keywords with several options, which do not contradict each other, drawn for a game and a state."""
    rng = random.Random(f"{game.spec} {plies}")
    values = {name: choices_of(name, kind) for name, kind in mcts.MCTS.PARAMETERS.items()} | NUMBERS
    names = sorted(name for name in values if values[name])
    found = []
    while len(found) < MIXED:
        keywords = {name: rng.choice(values[name]) for name in sorted(rng.sample(names, rng.randint(*MIXED_OPTIONS)))}
        with suppress(mcts.ParameterError, mcts.UnsupportedGameError):
            mcts.MCTS.plain(game, memory_mb=1, **keywords)
            if keywords not in found:
                found.append(keywords)
    yield from found


def states(spec):
    """Yield (plies, state) of the states that are searched."""
    for plies in PLIES:
        state = mcts.load_game(spec).new_initial_state()
        for step in range(plies):
            if not state.is_terminal():
                state.apply_actions(sample_joint_action(state, SEED + step))
        pass_chance(state)
        if not state.is_terminal():
            yield plies, state


def pass_chance(state):
    """Apply outcomes to a state until chance does not decide."""
    while state.is_chance():
        state.apply_actions(sample_joint_action(state, SEED))


def rounded(number):
    """Return a number with six digits, on which libraries of mathematics agree; None for None."""
    return None if number is None else f"{number:.6g}"


def fingerprint(state, keywords, simulations=SIMULATIONS, decisions=1):
    """Return a hash of the visits and values of every action at the root, for all players who decide there.

    With two decisions, of the search after its own move too.
    """
    searcher = mcts.MCTS.plain(state.game, memory_mb=4, seed=SEED, **keywords)
    state, found = state.clone(), []
    for _ in range(decisions):
        if state.is_terminal():
            break
        result = searcher.run(state, simulations=simulations)
        found += (
            [
                player,
                [[arm.action, arm.visits, *map(rounded, (arm.mean, arm.weight, arm.lower, arm.upper))] for arm in arms],
            ]
            for player, arms in sorted(result.arms.items())
        )
        found += [[rounded(value) for value in result.values], str(result.proven)]
        joint = [mcts.NOOP] * state.game.num_players
        for player, arms in result.arms.items():
            joint[player] = max(arms, key=attrgetter("visits")).action
        state.apply_actions(joint)
        searcher.advance(joint)
        pass_chance(state)
    return hashlib.sha256(json.dumps(found).encode()).hexdigest()[:16]


def measure():
    """Return case -> fingerprint."""
    found = {}
    for spec in specs():
        for plies, state in states(spec):
            for keywords in options(state.game):
                found[_case(spec, plies, keywords)] = fingerprint(state, keywords)
            for keywords in mixed_options(state.game, plies):
                found[_case(spec, plies, keywords)] = fingerprint(state, keywords, MIXED_SIMULATIONS, decisions=2)
    return found


def _case(spec, plies, keywords):
    return f"{spec} after {plies}: {format_spec('mcts', keywords)}"


def differences(stored, found):
    """Yield one line for every case that moved, is new, or no longer exists."""
    for case in sorted(stored.keys() | found.keys()):
        before, now = stored.get(case, "nothing"), found.get(case, "nothing")
        if before != now:
            yield f"{case}: {before} before, {now} now"


def main():
    """Check or write the file."""
    parser = argparse.ArgumentParser(description="Compute fingerprints of searches with fixed seeds.")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--check", action="store_true", help="compare with signature.json; exit status 1 if a case moved")
    what.add_argument("--write", action="store_true", help="write a new signature.json")
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
