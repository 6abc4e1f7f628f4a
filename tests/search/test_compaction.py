"""The pool of a tree is compacted: the least visited nodes make room at the cap, and a kept subtree stays alone."""

import numpy as np
import pytest
from brute_force import ZeroSum
from chance_games import Race, Weather
from python_games import rounds_game
from sampling import sweep
from support import kernel_search, random_path

import mcts

SPECS = ["mnk(m=5,n=5,k=4)", "points_ttt", "three_player_ttt", "bidding_ttt(coins=3)", "tic_block"]
OPTIONS = [
    {},
    {"solver": True},
    {"transpositions": True},
    {"solver": True, "transpositions": True},
    {"selection": "grave", "joint_selection": "exp3"},
    {"selection": "puct", "joint_selection": "exp3", "transpositions": True},
    {"selection": "puct", "joint_selection": "exp3", "solver": True},
]


def new_search(game, memory_bytes, **options):
    defaults = {"selection": "ucb1", "joint_selection": "regret_matching", "playout": "uniform", "exploration": 0.4}
    defaults |= {"solver": False, "transpositions": False}
    return kernel_search(game, memory_bytes=memory_bytes, **(defaults | options))


def searched(state, memory_bytes, simulations, **options):
    search = new_search(state.game, memory_bytes, **options)
    search.set_root(state, 5)
    return search, search.run(simulations, 1e9)[0]


def check_node(node, most_visits):
    """Every simulation through a node of a tree took one of its arms."""
    assert node["visits"] <= most_visits
    assert node["left_out"] == 0
    taken = sum(arm["visits"] for arm in node["arms"])
    # A joint action for which there was no room is not counted; an end of the game and a proven node may have no arms.
    assert taken == node["visits"] or node["blocks"] or not node["arms"]
    assert taken <= node["visits"]
    for arm in node["arms"]:
        assert arm["visits"] > 0
        for value in arm["values"]:
            assert value is None or -1e-6 <= value <= 1 + 1e-6
        if arm["child"] is not None:
            check_node(arm["child"], arm["visits"])


@pytest.mark.sample(6)
@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("spec", SPECS)
def test_statistics_stay_exact(spec, options):
    state = mcts.load_game(spec).new_initial_state()
    cap = 60_000 if spec == "points_ttt" else 150_000  # of any of these games less than the whole tree
    search, done = searched(state, cap, 12_000, **options)
    assert search.passes > 0
    assert (done < 12_000) == search.proven
    assert search.memory_bytes <= cap
    graph = options.get("transpositions", False)
    assert search.visits == done + graph  # a node of a graph counts its own first visit
    for rows in search.root_arms().values():
        assert sum(row.visits for row in rows) == done
        assert all(-1e-6 <= row.value <= row.visits + 1e-6 for row in rows)
    assert all(-1e-6 <= total <= search.visits + 1e-6 for total in search.value_sums())
    assert all(low <= high for low, high in search.bounds())
    if not graph:
        check_node(search.tree(50, 100_000), done)
    again, _ = searched(state, cap, 12_000, **options)
    assert again.root_arms() == search.root_arms()
    assert (again.nodes, again.passes) == (search.nodes, search.passes)
    line = state.clone()
    for joint in search.principal_variation():
        line.apply_actions(joint)


@pytest.mark.sample(3)
@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("spec", ["mnk(m=5,n=5,k=4)", "tic_block", "repetitions"])
def test_trees_are_kept_after_passes(spec, options):
    game = rounds_game((3, 3, 2), rounds=9, seed=2) if spec == "repetitions" else mcts.load_game(spec)
    state = game.new_initial_state()
    few = 1_000 if spec == "repetitions" else 6_000  # a game in Python is slow
    search, _ = searched(state, 200_000, few, **options)
    for _ in range(3):
        line = search.principal_variation()
        if not line or search.proven:
            break
        before = search.memory_bytes
        kept = search.advance(list(line[0]))
        state.apply_actions(line[0])
        if not kept or state.is_terminal():
            break
        assert search.is_rooted_at(state)
        assert search.memory_bytes < before
        assert search.passes == 0
        search.run(few // 2, 1e9)
        assert search.memory_bytes <= 200_000


@pytest.mark.parametrize("transpositions", [False, True])
@pytest.mark.parametrize(("spec", "value"), [("mnk", 0.5), ("points_ttt", 0.0), ("mnk(m=4,n=4,k=3)", 1.0)])
def test_the_solver_proves_in_little_memory(spec, value, transpositions):
    state = mcts.load_game(spec).new_initial_state()
    whole, done = searched(state, 1 << 26, 1_000_000, solver=True, transpositions=transpositions)
    assert whole.proven
    assert whole.bounds()[0] == pytest.approx((value, value), abs=1e-6)
    search, _ = searched(state, whole.memory_bytes // 3, 20 * done, solver=True, transpositions=transpositions)
    assert search.passes
    assert search.proven
    assert search.bounds() == whole.bounds()


@pytest.mark.parametrize("options", OPTIONS[1::2], ids=str)
@pytest.mark.parametrize("spec", ["mnk(m=4,n=4,k=3)", "points_ttt", "bidding_ttt(coins=3)", "three_player_ttt"])
def test_what_is_proven_stays_proven(spec, options):
    state = random_path(mcts.load_game(spec), 3)[0 if spec.startswith("mnk") else 2]
    search = new_search(state.game, 20_000, **({"solver": True} | options))
    search.set_root(state, 2)
    bounds, proven = search.bounds(), {}
    for _ in range(200):
        if search.proven:
            break
        search.run(100, 1e9)
        assert all(a[0] <= b[0] and b[1] <= a[1] for a, b in zip(bounds, search.bounds(), strict=True))
        bounds = search.bounds()
        for player, rows in search.root_arms().items():
            for row in rows:
                if row.lower == row.upper or (player, row.action) in proven:
                    assert proven.setdefault((player, row.action), row.upper) >= row.upper
    assert search.passes > 0
    assert bool(proven) == (spec in ("mnk(m=4,n=4,k=3)", "points_ttt"))


def test_a_proven_state_without_its_tree_is_no_kept_tree():
    """The player may go on to a proven state whose nodes have made room: the next search begins anew."""
    state = mcts.load_game("mnk(m=5,n=5,k=4)").state_from_text("ooo../x.x../.x.../...../....._x")
    refused = 0
    for action in state.legal_actions():  # all but one lose at once
        search, _ = searched(state, 30_000, 5_000, solver=True)
        row = next(row for row in search.root_arms()[0] if row.action == action)
        kept = search.advance([action, mcts.NOOP])
        refused += row.visits > 1 and not kept
        below = state.child(action)
        if not kept:
            search.set_root(below, 1)
        assert search.is_rooted_at(below)
        assert search.run(100, 1e9)[0] == (100 if action == 3 else 0)
        assert search.proven == (action != 3)
    assert refused


class Flat:
    """An evaluator that knows nothing, and how many states it was asked for."""

    def __init__(self):
        self.batches = []

    def __call__(self, batch):
        self.batches.append(len(batch))
        return np.ones((len(batch), 25), np.float32), np.full((len(batch), 2), 0.5)


@pytest.mark.parametrize("solver", [False, True])
def test_states_that_wait_for_an_evaluation_stay(solver):
    game = mcts.load_game("mnk(m=5,n=5,k=4)")
    search = new_search(game, 300_000, selection="puct", solver=solver, batch_size=32)
    search.set_root(game.new_initial_state(), 1)
    evaluate = Flat()
    done, _ = search.run_evaluated(20_000, 1e9, evaluate)
    assert done == 20_000
    assert search.passes > 1
    assert sum(row.visits for row in search.root_arms()[0]) == done
    assert sum(size < 32 for size in evaluate.batches) <= search.passes + len(evaluate.batches) // 4


@pytest.mark.sample(1)
@pytest.mark.parametrize("options", [{}, {"selection": "grave"}, {"selection": "puct"}], ids=str)
def test_chance_is_searched_at_the_cap(options):
    state = Race(turns=6).new_initial_state().child(1)
    whole, _ = searched(state, 1 << 22, 8_000, **options)
    search, done = searched(state, whole.memory_bytes // 4, 8_000, **options)
    assert done == 8_000
    assert search.passes
    assert search.value_sums()[0] / done == pytest.approx(whole.value_sums()[0] / done, abs=0.05)
    check_node(search.tree(50, 100_000), done)


@pytest.mark.parametrize("state", [Race(turns=3).new_initial_state().child(1), Weather().new_initial_state()], ids=str)
def test_chance_is_solved_at_the_cap(state):
    whole, done = searched(state, 1 << 24, 1_000_000, solver=True)
    search, _ = searched(state, 2 * whole.memory_bytes // 3, 10 * done, solver=True)
    assert search.proven
    assert search.bounds()[0][0] == pytest.approx(ZeroSum().value(state), abs=1e-7)


@sweep("seed", range(14), 5)
def test_any_state_and_cap(seed):
    """Caps down to what holds little more than the root, from states in the middle of games."""
    spec, options = SPECS[seed % len(SPECS)], OPTIONS[seed % len(OPTIONS)]
    for state in random_path(mcts.load_game(spec), seed)[:-1][::4]:
        for cap in (8_000, 20_000, 60_000, 150_000):
            try:
                search, done = searched(state, cap, 3_000, **options)
            except MemoryError:
                continue
            assert (done < 3_000) == search.proven
            assert search.memory_bytes <= cap
            assert sum(row.visits for row in next(iter(search.root_arms().values()))) == done


@pytest.mark.parametrize("options", [{}, {"transpositions": True}], ids=str)
def test_a_full_tree_goes_on_learning(options):
    """A sixteenth of the memory finds the values that the whole memory finds."""
    state = mcts.load_game("mnk(m=6,n=6,k=4)").state_from_text("x...../.o..../..x.../...o../....../......_x")
    whole, _ = searched(state, 1 << 26, 60_000, **options)
    little, _ = searched(state, whole.memory_bytes // 16, 60_000, **options)
    assert little.passes > 3
    best = [max(search.root_arms()[0], key=lambda row: row.visits) for search in (whole, little)]
    assert best[0].value / best[0].visits == pytest.approx(best[1].value / best[1].visits, abs=0.05)
    depth = len(little.principal_variation())
    assert depth > 4


@pytest.mark.parametrize("threads", [1, 2])
def test_searchers_run_and_keep_their_trees_at_the_cap(threads):
    state = mcts.load_game("mnk(m=7,n=7,k=5)").new_initial_state()
    searcher = mcts.MCTS.plain(state.game, memory_mb=1, threads=threads, seed=4)
    for _ in range(3):
        found = searcher.run(state, simulations=40_000)
        assert found.simulations == 40_000
        assert found.memory_bytes <= 1 << 20
        searcher.advance(found.pv[0])
        state.apply_actions(found.pv[0])
