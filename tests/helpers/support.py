"""Paths, the variants of games under test, random play, and Python in child processes."""

import json
import os
import random
import subprocess
import sys
import zipfile
from pathlib import Path

from hypothesis import strategies as st
from playthrough import random_joint
from waiting import HANG_SECONDS, wait_until

import mcts
from cext.search.search import Search
from cext.spec import parse_spec
from mcts.options import plain_options
from mcts.registry import native_games

HELPERS = Path(__file__).parent
ROOT = HELPERS.parent.parent
DATA = HELPERS.parent / "data"
ARCHIVE = DATA / "recordings.zip"
"""Recorded games: a file of 200 lines for each variant, a game in each line."""
with zipfile.ZipFile(ARCHIVE) as archive:
    RECORDINGS = sorted(archive.namelist())
# Further variants, each for something that the recorded ones leave out.
MORE = [
    "chess(chess960=true)",
    "go(size=2)", "go(size=3)", "go(size=5,komi=5.5,handicap=B2-D4)",
    "mnk(m=3,n=3,k=3)", "mnk(m=5,n=5,k=4)", "mnk(m=8,n=8,k=5)", "mnk(m=7,n=2,k=2)", "mnk(m=1,n=1,k=1)",
    "mnk(m=64,n=1,k=4)", "mnk(m=3,n=16,k=9)", "bidding_ttt(coins=0)", "bidding_ttt(coins=1)",
    "bidding_ttt(coins=2,o_coins=5,tiebreaker=o)", "bidding_3d_ttt(chips=0)", "dark_mnk(m=3,n=4,k=3)",
    "dark_mnk(m=5,n=5,k=2)", "dark_mnk(m=5,n=5,k=4,retry=false)", "oh_hell(players=2,suits=2,ranks=3,tricks=2)",
    "oh_hell(players=4,suits=4,ranks=8,tricks=7)",
]  # fmt: skip
LONGEST = 11_798  # plies of the longest game of chess
# Strategy: any value of JSON.
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 300) | st.integers() | st.floats() | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=6,
)


def read_recording(name):
    """Return the recorded games of one file of the archive."""
    with zipfile.ZipFile(ARCHIVE) as archive, archive.open(name) as lines:
        return [json.loads(line) for line in lines]


def recorded_spec(name):
    """Return the spec of the game that a file of the archive records. All its games have the same."""
    with zipfile.ZipFile(ARCHIVE) as archive, archive.open(name) as lines:
        return json.loads(next(lines))["game"]


def is_registered(spec):
    """Return True if the game of a spec is registered."""
    return parse_spec(spec)[0] in native_games()


def variants():
    """Return canonical specs of every native game: the default, the recorded ones, and those of MORE."""
    specs = [*native_games(), *map(recorded_spec, RECORDINGS), *MORE]
    return sorted({mcts.load_game(spec).spec for spec in specs if is_registered(spec)})


VARIANTS = variants()


def random_path(game, seed, plies=LONGEST):
    """Return the states of one random game from its start, at most `plies` plies long."""
    rng = random.Random(seed)
    state = game.new_initial_state()
    path = [state.clone()]
    while len(path) <= plies and not state.is_terminal():
        state.apply_actions(random_joint(state, rng))
        path.append(state.clone())
    return path


def by_key(states):
    """Return a dict of key -> state: every state once."""
    return {state.key(): state for state in states}


def deciding_path(game, seed):
    """Return the states of one random game in which a player decides."""
    return [state for state in random_path(game, seed) if state.acting_players()]


def games_to_end(spec):
    """Strategy: the states of one random game, from the first to the last."""
    return st.integers(0, 2**32).map(lambda seed: random_path(mcts.load_game(spec), seed))


def states(spec):
    """Strategy: a state that random play reaches, which may be terminal."""
    return games_to_end(spec).flatmap(st.sampled_from)


def reproducible_part(found):
    """Return the parts of a SearchResult that the seed determines, unlike the times."""
    return found.arms, found.values, found.pv, found.action, found.simulations, found.nodes, found.memory_bytes


def environment():
    """Return this process's environment with a path in which a child finds the packages and the helpers."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}


def run_python(code, *arguments, **environment):
    """Run a program in a new interpreter and return its standard output; a failure fails the test."""
    done = subprocess.run(
        [sys.executable, "-P", "-c", code, *arguments],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=HANG_SECONDS,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def wait_until_it_works(child, seconds=0.2):
    """Wait until a process has taken some more time of the processor, which needs not be at once."""
    import psutil  # which needs an operating system

    process = psutil.Process(child.pid)
    begin = sum(process.cpu_times()[:2])
    wait_until(lambda: sum(process.cpu_times()[:2]) >= begin + seconds, "it does nothing")
    assert child.poll() is None


def kernel_search(game, *, memory_bytes=1 << 26, batch_size=0, net=None, **options):
    """A compiled search by plain UCB1, with some options replaced, unchecked."""
    options = {**plain_options(), **options}
    return Search(game, options, memory_bytes=memory_bytes, batch_size=batch_size, net=net)


def noted_searches(patch):
    """Return a list that gets the options of the compiled searches that are made, without those that limit them."""
    from mcts.searchers import mcts as tree_search

    found = []

    class Noted(tree_search.Search):
        def __init__(self, game, options, **limits):
            found.append({name: value for name, value in options.items() if name != "memory_mb"})

    patch.setattr(tree_search, "Search", Noted)
    return found


def forget_computed(module):
    """Clear the caches of the functions of a module."""
    for found in vars(module).values():
        if hasattr(found, "cache_clear"):
            found.cache_clear()


def reference_search(game, *, net=None, **options):
    """The same search in plain Python."""
    from mcts.reference import ReferenceSearch  # which needs NumPy

    return ReferenceSearch(game, {**plain_options(), **options}, net=net)
