"""Paths, the variants of games under test, random play, and Python in child processes."""

import gzip
import json
import os
import random
import subprocess
import sys
from pathlib import Path

from hypothesis import strategies as st

import mcts

HELPERS = Path(__file__).parent
ROOT = HELPERS.parent.parent
DATA = HELPERS.parent / "data"
RECORDINGS = sorted(DATA.glob("*.jsonl.gz"))
# Variants that nobody recorded, each for something that the recorded ones leave out.
MORE = [
    "mnk(m=3,n=3,k=3)",
    "mnk(m=5,n=5,k=4)",
    "mnk(m=8,n=8,k=5)",
    "mnk(m=7,n=2,k=2)",
    "mnk(m=1,n=1,k=1)",
    "mnk(m=64,n=1,k=4)",
    "mnk(m=3,n=16,k=9)",
    "bidding_ttt(coins=0)",
    "bidding_ttt(coins=1)",
    "bidding_ttt(coins=2,o_coins=5,tiebreaker=o)",
    "bidding_3d_ttt(chips=0)",
]
LONGEST = 400
# Strategy: anything that JSON can say.
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 300) | st.integers() | st.floats() | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=6,
)


def read_recording(path):
    """The recorded games of one file."""
    with gzip.open(path, "rt") as lines:
        return [json.loads(line) for line in lines]


def recorded_spec(path):
    """The spec of the game that a file records; all its games are of one."""
    with gzip.open(path, "rt") as lines:
        return json.loads(next(lines))["game"]


def is_registered(spec):
    """True where the game of a spec is there."""
    return mcts.parse_spec(spec)[0] in mcts.registered_games()


def variants():
    """Canonical specs of every registered game: by default, as recorded, and the further ones."""
    specs = [*mcts.registered_games(), *map(recorded_spec, RECORDINGS), *MORE]
    return sorted({mcts.load_game(spec).spec for spec in specs if is_registered(spec)})


VARIANTS = variants()


def random_action(state, player, rng):
    """A random legal action, NOOP for a player who has nothing to decide."""
    if player in state.acting_players() and not state.game.is_enumerable:
        return state.sample_action(player, rng.getrandbits(64))
    return rng.choice(state.legal_actions(player))


def random_joint(state, rng):
    """A random legal action for every player."""
    return [random_action(state, player, rng) for player in range(state.game.num_players)]


def random_path(game, seed, plies=LONGEST):
    """The states of one random game from its start, at most `plies` steps long."""
    rng = random.Random(seed)
    state = game.new_initial_state()
    path = [state.clone()]
    while len(path) <= plies and not state.is_terminal():
        state.apply_actions(random_joint(state, rng))
        path.append(state.clone())
    return path


def games_to_end(spec):
    """Strategy: the states of one random game, from the first to a terminal one."""
    return st.integers(0, 2**32).map(lambda seed: random_path(mcts.load_game(spec), seed))


def states(spec):
    """Strategy: a state that random play reaches, the terminal ones among them."""
    return games_to_end(spec).flatmap(st.sampled_from)


def environment():
    """This process's environment, in which a child finds the packages and the test bots."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}


def run_python(code, *arguments, **environment):
    """Run a program in a fresh interpreter that imports what this one imports; its standard output, as text."""
    done = subprocess.run(
        [sys.executable, "-P", "-c", code, *arguments],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
