"""Runs of a search: limits, threads, memory, interruption, kept subtrees, and refused calls."""

import json
import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from python_games import rounds_game
from sampling import sweep
from support import kernel_search, reproducible_part, run_python, wait_until_it_works
from waiting import HANG_SECONDS, no_hang, stopwatch, wait_until

import mcts

SPECS = ["mnk(m=5,n=5,k=4)", "three_player_ttt", "tic_block", "bidding_ttt(coins=3)"]
MEGABYTE = 1 << 20


@pytest.fixture
def state():
    return mcts.load_game("mnk(m=5,n=5,k=4)").new_initial_state()


def after(state, joint):
    twin = state.clone()
    twin.apply_actions(joint)
    return twin


@pytest.mark.parametrize(
    ("options", "least"), [({}, 1), ({"selection": "grave"}, 1), ({"early_stop": True}, 256), ({"leaves": 32}, 1)]
)
def test_the_time_is_looked_at_after_the_first_simulation(state, options, least):
    """Simulations may take long. The looks of `early_stop`, which decide about the result, have fixed places."""
    searcher = mcts.MCTS.plain(state.game, **options)
    assert searcher.run(state, seconds=1e-9).simulations == least
    assert searcher.run(state, simulations=1000).simulations == 1000


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("simulations", [1, 2, 255, 256, 257, 1000])
def test_simulations_are_exact(state, simulations, threads):
    found = mcts.MCTS.plain(state.game, threads=threads).run(state, simulations=simulations)
    assert found.simulations == sum(found.visits.values()) == simulations
    assert not found.interrupted


@pytest.mark.parametrize("threads", [1, 2])
def test_seconds_are_respected(state, threads):
    """A search whose look at the clock is late, because the machine is busy, may end earlier; not all of them do."""

    def takes_all_its_time():
        elapsed = stopwatch()
        with no_hang():
            found = mcts.MCTS.plain(state.game, threads=threads, memory_mb=32).run(state, seconds=0.1)
        assert found.seconds <= elapsed()
        assert sum(found.visits.values()) == found.simulations > 0
        return found.seconds >= 0.095

    wait_until(takes_all_its_time)


def test_the_first_limit_that_is_reached_ends_the_run(state):
    searcher = mcts.MCTS.plain(state.game, memory_mb=32)
    assert searcher.run(state, simulations=500, seconds=HANG_SECONDS).simulations == 500
    with no_hang():
        found = searcher.run(state, simulations=2**31 - 1, seconds=0.1)
    assert found.simulations < 2**31 - 1


BAD_LIMITS = {
    "simulations": [0, -3, 1.5, True, 2**32, "10"],
    "seconds": [0, -1.0, float("nan"), float("inf"), "1", True],
}


@pytest.mark.parametrize("limit", [{}, *({name: bad} for name in BAD_LIMITS for bad in BAD_LIMITS[name])], ids=str)
def test_a_run_needs_a_proper_limit(state, limit):
    with pytest.raises(mcts.errors.LimitError, match="|".join(limit) or "simulations, seconds, or both"):
        mcts.MCTS.plain(state.game).run(state, **limit)


@pytest.mark.parametrize(
    ("bad", "valid"),
    [
        ({"selection": "ucb7"}, "ucb1"),
        ({"selection": ".t"}, "ucb1"),
        ({"selection": "os..path"}, "ucb1"),
        ({"selection": "no_such_package.policy"}, "ucb1"),
        ({"selection": "os.path"}, "ucb1"),
        ({"joint_selection": "best_response"}, "regret_matching"),
        ({"exploration": -0.1}, "0 to 100"),
        ({"exploration": float("nan")}, "0 to 100"),
        ({"exploration": "much"}, "0 to 100"),
        ({"playout": "psychic"}, "uniform"),
        ({"final": "prettiest"}, "visits, value, lcb, mixed"),
        ({"threads": 0}, "1 to 256"),
        ({"threads": 1.5}, "1 to 256"),
        ({"memory_mb": 0}, "1 to 32000"),
        ({"memory_mb": 10**9}, "1 to 32000"),
    ],
    ids=str,
)
def test_bad_parameters_are_refused(state, bad, valid):
    (name, value), *_ = bad.items()
    with pytest.raises(mcts.ParameterError, match=name) as refusal:
        mcts.MCTS.plain(state.game, **bad)
    assert str(value) in str(refusal.value)
    assert valid in str(refusal.value)


def test_a_game_that_cannot_be_listed_is_refused():
    with pytest.raises(mcts.UnsupportedGameError, match=r"bidding_3d_ttt.*too many to list"):
        mcts.MCTS.plain(mcts.load_game("bidding_3d_ttt"))


def test_a_state_of_another_game_or_one_that_is_over_is_refused(state):
    searcher = mcts.MCTS.plain(state.game)
    with pytest.raises(mcts.StateError, match=r"m=5.*m=3"):
        searcher.run(mcts.load_game("mnk").new_initial_state(), simulations=10)
    searcher = mcts.MCTS.plain(mcts.load_game("mnk"))
    with pytest.raises(mcts.StateError, match="over"):
        searcher.run(searcher.game.state_from_dict({"board": "xxxoo...."}), simulations=10)
    assert searcher.run(searcher.game.new_initial_state(), simulations=10).simulations == 10


@pytest.mark.parametrize("spec", SPECS)
def test_threads_give_the_same_answer_every_time(spec):
    start = mcts.load_game(spec).new_initial_state()
    found = {}
    for threads in (1, 2, 3):
        runs = [mcts.MCTS.plain(start.game, threads=threads, seed=5).run(start, simulations=1001) for _ in range(3)]
        assert all(reproducible_part(run) == reproducible_part(runs[0]) for run in runs)
        found[threads] = reproducible_part(runs[0])
    assert len({repr(each) for each in found.values()}) == 3


def test_threads_search_different_trees(state):
    """Merged trees are not the same tree counted twice."""
    alone = mcts.MCTS.plain(state.game, seed=5).run(state, simulations=500)
    merged = mcts.MCTS.plain(state.game, seed=5, threads=2).run(state, simulations=1000)
    assert merged.visits != {action: 2 * visits for action, visits in alone.visits.items()}


@pytest.mark.parametrize("spec", SPECS)
def test_two_searches_at_once_find_what_each_finds_alone(spec):
    start = mcts.load_game(spec).new_initial_state()

    def run(seed):
        return reproducible_part(mcts.MCTS.plain(start.game, seed=seed).run(start, simulations=6_000))

    alone = [run(seed) for seed in (1, 2)]
    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(run, (1, 2))) == alone


MEASURED = """
import json, os, sys
import mcts

def resident():
    with open("/proc/self/statm") as words:
        return int(words.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

state = mcts.load_game(sys.argv[1]).new_initial_state()
mcts.MCTS.plain(state.game, memory_mb=1).run(state, simulations=100)
before = resident()
searcher = mcts.MCTS.plain(state.game, memory_mb=int(sys.argv[2]), threads=int(sys.argv[3]), seed=1)
found = searcher.run(state, simulations=int(sys.argv[4]))
print(json.dumps([found.memory_bytes, resident() - before, found.simulations, sum(found.visits.values())]))
"""


@pytest.mark.sample(1)
@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="reads the resident memory from /proc")
@pytest.mark.parametrize(
    ("spec", "memory_mb", "threads"),
    [("mnk(m=8,n=8,k=5)", 1, 1), ("mnk(m=8,n=8,k=5)", 8, 2), ("tic_block", 1, 1), ("bidding_ttt(coins=40)", 1, 1)],
)
def test_the_memory_cap_holds(spec, memory_mb, threads):
    told = run_python(MEASURED, spec, str(memory_mb), str(threads), "100000")
    memory_bytes, growth, simulations, visits = json.loads(told)
    assert simulations == visits == 100_000
    assert 0.4 * memory_mb * MEGABYTE < memory_bytes <= memory_mb * MEGABYTE  # half becomes free when it is full
    assert growth < memory_mb * MEGABYTE + threads * MEGABYTE + MEGABYTE


def test_a_capped_search_still_finds_the_win():
    state = mcts.load_game("mnk(m=8,n=8,k=5)").state_from_dict({"board": "xxxx...." + "oooo....".ljust(56, ".")})
    found = mcts.MCTS.plain(state.game, memory_mb=1, exploration=0.5).run(state, simulations=100_000)
    assert state.action_to_string(0, found.action) == "mark(1,5)"


LONG_RUN = """
import json, sys
import mcts

game = mcts.load_game(sys.argv[1])
searcher = mcts.MCTS.plain(game, threads=int(sys.argv[2]), memory_mb=8)
state = game.new_initial_state()
print("begun", flush=True)
found = searcher.run(state, simulations=2**31 - 1)
again = searcher.run(state, simulations=300)
print(json.dumps([found.interrupted, found.simulations, sum(found.visits.values()), again.interrupted,
                  again.simulations]))
"""


@pytest.mark.sample(1)
@pytest.mark.parametrize("threads", ["1", "2"])
@pytest.mark.parametrize("spec", ["mnk(m=8,n=8,k=5)", "bidding_ttt(coins=10)"])
def test_ctrl_c_returns_what_was_found(spec, threads):
    child = subprocess.Popen(
        [sys.executable, "-P", "-c", LONG_RUN, spec, threads], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        assert child.stdout.readline() == "begun\n"
        wait_until_it_works(child)
        os.kill(child.pid, signal.SIGINT)
        told, said = child.communicate(timeout=HANG_SECONDS)
    finally:
        child.kill()
    assert child.returncode == 0, said
    interrupted, simulations, visits, again_interrupted, again = json.loads(told)
    assert interrupted
    assert simulations == visits > 0
    assert (again_interrupted, again) == (False, 300)


DISTURBED = """
import json, signal, sys, threading
import mcts

def alarm(number, frame):
    raise TimeoutError("the alarm rings")

def start(thread, right=threading.Thread.start):
    global left
    left -= 1
    if left:
        return right(thread)
    if sys.argv[1] == "full":
        raise RuntimeError("can't start new thread")
    right(thread)
    signal.raise_signal(signal.SIGTERM)

signal.signal(signal.SIGTERM, alarm)
searcher = mcts.MCTS.plain(mcts.load_game("mnk"), threads=4, memory_mb=8)
state = searcher.game.new_initial_state()
threading.Thread.start = start
told = []
for left in (1, 2, 3):
    try:
        searcher.run(state, simulations=2**31 - 1)
    except (RuntimeError, TimeoutError) as error:
        told.append(str(error))
told.append(searcher.run(state, simulations=300).simulations)
print(json.dumps(told))
"""


@pytest.mark.parametrize(("what", "says"), [("full", "can't start new thread"), ("signal", "the alarm rings")])
def test_an_error_while_threads_start_is_raised_and_leaves_nothing_running(what, says):
    """Neither the call nor the exit of the interpreter waits for a thread that waits for others."""
    done = subprocess.run(
        [sys.executable, "-P", "-c", DISTURBED, what], capture_output=True, text=True, timeout=HANG_SECONDS
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == [says] * 3 + [300]


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("spec", SPECS)
def test_advancing_keeps_the_subtree(spec, threads):
    """A node is made by the second visit of an arm: what is kept of each tree is all visits but the first."""
    start = mcts.load_game(spec).new_initial_state()
    game, simulations = start.game, 6_000
    searcher = mcts.MCTS.plain(game, exploration=1.4, seed=3, threads=threads)
    found = searcher.run(start, simulations=simulations)
    joint = found.pv[0]
    assert searcher.advance(joint)
    state = after(start, joint)
    below = searcher.run(state, simulations=threads)
    assert below.simulations == threads
    assert below.nodes < found.nodes
    assert below.memory_bytes < found.memory_bytes
    kept = sum(below.visits.values())
    if not found.is_mixed:
        visits = found.visits[joint[found.player]]
        assert kept == visits
        # The same simulations but for the first and the last of each tree: their sums differ by at most so much.
        scale = game.max_utility - game.min_utility
        assert (
            abs(below.values[found.player] - found.action_values[joint[found.player]]) * visits <= 2 * threads * scale
        )
    assert below.simulations < kept < simulations


def test_two_steps_keep_what_the_first_step_counted(state):
    searcher = mcts.MCTS.plain(state.game, seed=1)
    joint = searcher.run(state, simulations=20_000).pv[0]
    searcher.advance(joint)
    state.apply_actions(joint)
    below = searcher.run(state, simulations=1)
    action = max(below.visits, key=below.visits.get)
    searcher.advance(action)
    state.apply_action(action)
    assert sum(searcher.run(state, simulations=7).visits.values()) == below.visits[action] - 1 + 7


def test_a_continued_search_is_reproducible(state):
    def run():
        searcher = mcts.MCTS.plain(state.game, seed=4, threads=2)
        joint = searcher.run(state, simulations=3000).pv[0]
        searcher.advance(joint)
        return reproducible_part(searcher.run(after(state, joint), simulations=3000))

    assert run() == run()


def test_a_state_that_was_not_advanced_to_is_searched_afresh(state):
    searcher = mcts.MCTS.plain(state.game, seed=4)
    fresh = reproducible_part(searcher.run(state, simulations=300))
    searcher.advance(12)
    assert reproducible_part(searcher.run(state, simulations=300)) == fresh


def test_advancing_where_nothing_was_kept_or_the_game_ends():
    game = mcts.load_game("mnk")
    state = game.state_from_dict({"board": "xx.oo...."})
    searcher = mcts.MCTS.plain(game)
    searcher.run(state, simulations=500)
    assert not searcher.advance(2)
    with pytest.raises(mcts.StateError):
        searcher.advance(5)
    searcher.run(state, simulations=1)
    assert not searcher.advance(8)
    assert searcher.run(after(state, [8, -1]), simulations=20).simulations == 20


def test_a_kept_search_adds_to_its_tree(state):
    searcher = mcts.MCTS.plain(state.game, seed=4)
    with pytest.raises(mcts.StateError, match="nothing has been searched"):
        searcher.keep()
    whole = searcher.run(state, simulations=1000).visits
    searcher.run(state, simulations=500)
    searcher.keep()
    found = searcher.run(state, simulations=500)
    assert (found.simulations, found.visits) == (500, whole)
    assert sum(searcher.run(state, simulations=500).visits.values()) == 500


def test_bad_advances_are_refused_and_change_nothing(state):
    searcher = mcts.MCTS.plain(state.game, seed=2)
    with pytest.raises(mcts.StateError, match="nothing has been searched"):
        searcher.advance(0)
    found = searcher.run(state, simulations=500)
    for joint in (25, -1, [0], [0, 0], [-1, 0], [99, -1], [0, -1, -1]):
        with pytest.raises(mcts.IllegalActionError):
            searcher.advance(joint)
    assert searcher.advance([12, -1])
    assert sum(searcher.run(after(state, [12, -1]), simulations=1).visits.values()) == found.visits[12]
    game = mcts.load_game("bidding_ttt(coins=3)")
    searcher = mcts.MCTS.plain(game)
    searcher.run(game.new_initial_state(), simulations=50)
    with pytest.raises(mcts.IllegalActionError, match="joint action"):
        searcher.advance(0)
    with pytest.raises(mcts.IllegalActionError):
        searcher.advance([0, 77])


def test_early_stop_keeps_the_answer_and_saves_simulations():
    saved = 0
    for seed in range(8):
        state = mcts.load_game("mnk(m=4,n=4,k=3)").new_initial_state()
        state.apply_action(seed)
        whole = mcts.MCTS.plain(state.game, exploration=0.1, seed=seed).run(state, simulations=8000)
        short = mcts.MCTS.plain(state.game, exploration=0.1, seed=seed, early_stop=True).run(state, simulations=8000)
        assert short.action == whole.action
        assert short.simulations == sum(short.visits.values())
        most, second = sorted(short.visits.values())[-1:-3:-1]
        assert short.simulations == 8000 or most - second > 8000 - short.simulations
        saved += 8000 - short.simulations
    assert saved > 8000


def test_early_stop_never_cuts_a_mixed_decision_short():
    state = mcts.load_game("bidding_ttt(coins=0)").new_initial_state()
    assert mcts.MCTS.plain(state.game, early_stop=True).run(state, simulations=3000).simulations == 3000


@pytest.mark.parametrize("other", [{"final": "value"}, {"threads": 2}])
def test_early_stop_is_refused_where_visits_do_not_decide(other):
    with pytest.raises(mcts.ParameterError, match=r"valid: (final=visits|threads=1), or early_stop=false"):
        mcts.MCTS.plain(mcts.load_game("mnk"), early_stop=True, **other)


class BegunRounds(type(rounds_game((3, 3, 1), rounds=6, seed=1))):
    """Rounds in which two of three players choose at once, after one action of the first player.

    Both records of a node have odd numbers of words, and take one more when they are copied apart.
    """

    def acting_players(self, state):
        return super().acting_players(state) if state else 0

    def legal_actions(self, state, player):
        return super().legal_actions(state, player) if state else [0]


@sweep("memory_bytes", [20_000, 50_000, 100_000, 100_016, 100_032], 2)
def test_an_advance_that_keeps_nearly_all_of_a_full_tree_stays_in_its_memory(memory_bytes):
    game = BegunRounds()
    search = kernel_search(
        game, selection="ucb1", joint_selection="regret_matching", playout="uniform", exploration=1.4, solver=False,
        transpositions=False, memory_bytes=memory_bytes,
    )  # fmt: skip
    search.set_root(game.new_initial_state(), 1)
    while search.memory_bytes <= 0.9 * memory_bytes:
        search.run(1, 1e9)
    (arm,) = search.tree(1, 10)["arms"]
    assert search.advance([0, -1, -1])
    after = search.tree(0, 1)
    assert {name: after[name] for name in ("visits", "values", "blocks")} == {
        name: arm["child"][name] for name in ("visits", "values", "blocks")
    }
    assert 0.9 * memory_bytes - 1_000 < search.memory_bytes <= memory_bytes
    search.run(1_000, 1e9)
    assert search.visits == after["visits"] + 1_000
