"""Results that are read late: they stay as they were when the search ended, and are ordinary results otherwise."""

import copy
import pickle
import threading

import pytest
from support import kernel_search, random_path

import mcts
from cext.search.root_record import RootRecord
from cext.search.search import sum_of_roots
from mcts.results.final_action import best_action
from mcts.results.result import DATA
from mcts.seeds import seed_for

CASES = [
    ("mnk", {}),
    ("mnk", {"solver": True, "transpositions": True}),
    ("mnk(m=5,n=5,k=4)", {"final": "lcb"}),
    ("points_ttt", {"solver": True}),
    ("three_player_ttt", {"final": "mixed"}),
    ("bidding_ttt(coins=2)", {"solver": True}),
    ("tic_block(block_phase=simultaneous)", {"threads": 2}),
]


READ_LATE = ("arms", "values", "bounds", "pv")


def run(spec, options, simulations=400, seed=1):
    game = mcts.load_game(spec)
    searcher = mcts.MCTS.plain(game, seed=seed, **options)
    return searcher, searcher.run(game.new_initial_state(), simulations=simulations)


def shown(found):
    return {name: getattr(found, name) for name in DATA}


def is_read(found):
    return [name in vars(found) for name in READ_LATE]


@pytest.mark.parametrize(("spec", "options"), CASES)
def test_a_result_that_is_read_after_other_runs_is_the_same(spec, options):
    _, early = run(spec, options)
    expected = shown(early)
    searcher, late = run(spec, options)
    by_line = options.get("threads", 1) == 1 and options.get("final") != "lcb"
    assert not by_line or not any(is_read(late))
    state = late.state.clone()
    searcher.run(state, simulations=3000)
    state.apply_actions(searcher.run(state, simulations=10).pv[0])
    if not state.is_terminal():
        searcher.run(state, simulations=500)
    del searcher
    found = shown(late)
    assert all(is_read(late))
    del expected["seconds"], found["seconds"]
    assert found == expected
    assert late.action == early.action
    assert late.policy == early.policy


@pytest.mark.parametrize(("spec", "options"), CASES)
@pytest.mark.parametrize(
    "remake",
    [copy.copy, copy.deepcopy, lambda found: pickle.loads(pickle.dumps(found))],
    ids=["copy", "deepcopy", "pickle"],
)
def test_copies_of_an_unread_result_equal_it(spec, options, remake):
    searcher, found = run(spec, options)
    again = remake(found)
    searcher.run(found.state, simulations=50)
    assert again == found
    assert repr(again) == repr(found)
    assert again.action == found.action
    assert set(vars(again)) == set(DATA)


def test_reading_one_field_again_returns_the_same_object():
    _, found = run("mnk", {})
    first = [getattr(found, name) for name in READ_LATE]
    assert all(getattr(found, name) is one for name, one in zip(READ_LATE, first, strict=True))
    other = found.for_player(found.player)
    assert other == found
    assert other.arms is found.arms


def test_threads_that_read_a_result_at_once_get_the_same():
    for _ in range(30):
        _, found = run("mnk", {}, simulations=20)
        gate, seen = threading.Barrier(4), []

        def read(found=found, gate=gate, seen=seen):
            gate.wait()
            seen.append(repr([getattr(found, name) for name in READ_LATE]))

        threads = [threading.Thread(target=read) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(set(seen)) == 1


@pytest.mark.sample(3)
@pytest.mark.parametrize("options", [{}, {"solver": True}, {"solver": True, "transpositions": True}])
@pytest.mark.parametrize("spec", ["mnk(m=4,n=4,k=3)", "points_ttt", "three_player_ttt"])
def test_the_action_of_a_record_is_that_of_the_rule_in_python(spec, options):
    game = mcts.load_game(spec)
    ties = 0
    for seed in range(25):
        for state in random_path(game, seed):
            if state.is_terminal():
                continue
            searcher = mcts.MCTS.plain(game, seed=seed, **options)
            for simulations in (1, 7, 30):
                found = searcher.run(state, simulations=simulations)
                arms = found.arms[found.player]
                most = max(arm.visits for arm in arms)
                ties += [arm.visits for arm in arms].count(most) > 1
                assert found.action == found.pv[0][found.player] == best_action(arms, "visits")
    assert ties > 100


def test_records_are_made_by_searches_only():
    with pytest.raises(TypeError, match="root_record"):
        RootRecord()
    empty = RootRecord.__new__(RootRecord)
    assert (empty.root_arms(), empty.value_sums(), empty.bounds(), empty.line()) == ({}, [], [], [])
    with pytest.raises(TypeError):
        pickle.dumps(empty)


@pytest.mark.parametrize("final", ["visits", "value"])
@pytest.mark.parametrize("options", [{}, {"solver": True}, {"solver": True, "transpositions": True}])
@pytest.mark.parametrize("spec", ["mnk(m=4,n=4,k=3)", "points_ttt", "three_player_ttt", "bidding_ttt(coins=2)"])
def test_the_statistics_of_several_trees_are_the_sums_of_those_of_each(spec, options, final):
    game = mcts.load_game(spec)
    state = game.new_initial_state()
    merged = mcts.MCTS.plain(game, seed=3, threads=3, final=final, **options).run(state, simulations=1001)
    shares = (334, 334, 333)
    alone = []
    for number, share in enumerate(shares):
        tree = mcts.MCTS.plain(game, seed=seed_for(3, number) if number else 3, final=final, **options)
        alone.append(tree.run(state, simulations=share))
    for player, arms in merged.arms.items():
        rows = [result.arms[player] for result in alone]
        assert [arm.action for arm in arms] == [row.action for row in rows[0]]
        assert [arm.visits for arm in arms] == [sum(row.visits for row in column) for column in zip(*rows, strict=True)]
    assert merged.nodes == sum(result.nodes for result in alone)
    assert merged.memory_bytes == sum(result.memory_bytes for result in alone)
    if not merged.is_drawn:
        assert merged.action == merged.pv[0][merged.player] == best_action(merged.arms[merged.player], final)


def test_only_searches_of_one_state_are_added():
    def planted(spec, plies=0):
        game = mcts.load_game(spec)
        state = game.new_initial_state()
        for _ in range(plies):
            state.apply_action(state.legal_actions()[0])
        search = kernel_search(game)
        search.set_root(state, 1)
        search.run(10, 1e9)
        return search

    for others in (("mnk", 1), ("mnk", 2), ("mnk(m=4,n=4,k=3)",), ("bidding_ttt",), ("three_player_ttt",)):
        with pytest.raises(ValueError, match="different roots"):
            sum_of_roots([planted("mnk"), planted(*others)])
    with pytest.raises(ValueError, match="at least one"):
        sum_of_roots([])
    with pytest.raises(mcts.StateError, match="no root"):
        sum_of_roots([kernel_search(mcts.load_game("mnk"))])
    with pytest.raises(TypeError):
        sum_of_roots([None, 3])
