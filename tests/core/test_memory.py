"""The memory cap of a search: resident memory of fresh processes, in bytes."""

import json
import sys

import pytest
from sampling import sweep
from support import run_python

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="resident memory is read from /proc")

MEGABYTE = 1 << 20
# What a process holds changes by so much with whatever Python itself does meanwhile.
NOISE = MEGABYTE

MEASURE = """
import gc, json, sys
import mcts

def status(key):
    for line in open("/proc/self/status"):
        if line.startswith(key + ":"):
            return int(line.split()[1]) * 1024

spec, memory_mb, simulations, options = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), json.loads(sys.argv[4])
game = mcts.load_game(spec)
state = game.new_initial_state()
mcts.MCTS.plain(game, memory_mb=1, **options).run(state, simulations=1000)    # all that is made once, is made
gc.collect()
told = {"before": status("VmRSS")}
# A wide tree: an action keeps a part of it.
search = mcts.MCTS.plain(game, memory_mb=memory_mb, **{"exploration": 1.4, **options})
result = search.run(state, simulations=simulations)
told |= {"peak": status("VmHWM"), "full": status("VmRSS"), "used": result.memory_bytes, "done": result.simulations,
         "proven": result.proven}
"""

ADVANCE = """
pv = result.pv[0]
del result
told["kept"] = search.advance(list(pv))
told["after"] = status("VmRSS")
told["advancing"] = status("VmHWM")
state.apply_actions(list(pv))
told["kept_bytes"] = search.run(state, simulations=1).memory_bytes
del search
gc.collect()
told["freed"] = status("VmRSS")
"""

REPEAT = """
del search, result
grown = []
for seed in range(8):
    mcts.MCTS.plain(game, memory_mb=memory_mb, seed=seed, **options).run(state, simulations=20_000)
    gc.collect()
    grown.append(status("VmRSS"))
told["grown"] = grown
"""


def measure(code, spec, memory_mb, simulations, **options):
    """Run a program behind MEASURE; what it tells."""
    program = MEASURE + code + "\nprint(json.dumps(told))"
    return json.loads(run_python(program, spec, str(memory_mb), str(simulations), json.dumps(options)))


# The system counts the pages of a process in batches, and so its two figures may differ by a few.
COUNTED_LATE = 64 * 4096
CASES = [
    ("mnk(m=5,n=5,k=4)", {}),
    ("three_player_ttt", {"selection": "puct", "solver": True}),
    ("three_player_ttt", {"selection": "grave", "exploration": None}),
    ("bidding_ttt(coins=10)", {}),
    ("tic_block", {"transpositions": True}),
]


@pytest.mark.sample(1)
@pytest.mark.parametrize(("spec", "options"), CASES)
def test_a_search_stays_below_its_cap(spec, options):
    told = measure("", spec, 8, 200_000, **options)
    assert (told["done"] < 200_000) == told["proven"]
    assert told["used"] <= 8 * MEGABYTE
    assert told["peak"] - told["before"] <= 1.05 * 8 * MEGABYTE


@pytest.mark.long
@pytest.mark.parametrize("memory_mb", [8, 64])
def test_millions_of_simulations_against_the_cap(memory_mb):
    told = measure("", "mnk(m=5,n=5,k=4)", memory_mb, 3_000_000)
    cap = memory_mb * MEGABYTE
    assert told["done"] == 3_000_000
    assert 0.4 * cap < told["used"] <= cap  # half becomes free when it is full
    assert 0.95 * cap < told["full"] - told["before"]
    assert told["peak"] - told["before"] <= 1.05 * cap
    assert told["full"] <= told["peak"] + COUNTED_LATE


@pytest.mark.sample(1)
@pytest.mark.parametrize(("spec", "options"), CASES)
def test_memory_of_deleted_searches_is_freed(spec, options):
    check_given_back(measure(ADVANCE, spec, 4, 100_000, **options))


def test_memory_of_a_large_search_is_freed():
    check_given_back(measure(ADVANCE, "mnk(m=5,n=5,k=4)", 32, 350_000))


def check_given_back(told):
    """After an advance only the kept part is held, and nothing after the search."""
    assert told["kept"]
    assert told["kept_bytes"] < 0.95 * told["used"]
    assert told["after"] - told["before"] <= 1.05 * told["kept_bytes"] + NOISE
    assert told["advancing"] <= told["peak"] + 0.05 * told["used"] + NOISE
    assert told["freed"] - told["before"] <= NOISE


@sweep(("simulations", "more"), [(1000, 0), (50_000, 2 * MEGABYTE)], 1)
def test_a_large_cap_costs_a_small_search_no_memory(simulations, more):
    """Beyond what is used there is at most one huge page, and none in small trees."""
    told = measure("", "mnk(m=5,n=5,k=4)", 256, simulations)
    assert told["full"] - told["before"] <= told["used"] + more + NOISE


@sweep("memory_mb", [8, 64], 1)
def test_finished_searches_are_freed(memory_mb):
    grown = measure(REPEAT, "mnk(m=5,n=5,k=4)", memory_mb, 1000)["grown"]
    assert max(grown[1:]) - grown[0] <= NOISE
