"""Progress of a search: regular reports, an unchanged result, and a best line that begins with the chosen action."""

import dataclasses

import numpy as np
import pytest
from waiting import HANG_SECONDS

import mcts
from mcts.primitives import progress
from mcts.searchers.base import SampledSearchResult

BOARD = "mnk(m=8,n=8,k=5)"


def plain(found):
    """A result without what depends on the clock, as data that compares."""
    data = dataclasses.asdict(found) if isinstance(found, SampledSearchResult) else found.__getstate__()
    return {name: value for name, value in data.items() if name not in ("state", "view", "seconds")}


class Uniform:
    """An evaluator to which all actions and all players are alike."""

    def evaluate(self, states):
        return np.ones((len(states), 64)), np.full((len(states), 2), 50.0)


@pytest.fixture
def _always_due(monkeypatch):
    """Report at every look, however fast the machine is."""
    monkeypatch.setattr(progress.ProgressClock, "is_due", lambda clock: True)


@pytest.mark.usefixtures("_always_due")
@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("game", "options", "simulations"),
    [
        (BOARD, {}, 100_000),
        (BOARD, {"solver": True, "early_stop": True}, 60_000),
        (BOARD, {"selection": "grave"}, 50_000),
        (BOARD, {"transpositions": True}, 30_000),
        (BOARD, {"threads": 2}, 100_000),
        (BOARD, {"selection": "puct", "evaluator": Uniform()}, 30_000),
        ("bidding_ttt", {"solver": True}, 60_000),
    ],
)
def test_watching_a_search_changes_no_result(game, options, simulations):
    state = mcts.load_game(game).new_initial_state()
    seen = []
    watched = mcts.MCTS.plain(state.game, seed=5, **options).run(state, simulations, on_progress=seen.append)
    assert plain(watched) == plain(mcts.MCTS.plain(state.game, seed=5, **options).run(state, simulations))
    assert seen
    counts = [found.simulations for found in seen]
    assert counts == sorted(counts)
    for found in seen:
        assert 0 < found.simulations <= simulations
        assert found.state == state
        assert state.is_legal(found.player, found.action)
        state.clone().apply_actions(found.pv[0])
        with pytest.raises(mcts.StateError):  # the searcher is gone
            found.tree()


def test_the_tree_is_read_while_it_grows():
    state = mcts.load_game(BOARD).new_initial_state()
    search = mcts.MCTS.plain(state.game, seed=5)
    seen = []

    def look(found):
        (arm, *_) = found.tree(1)["arms"]
        below = found.subtree([arm["joint"]])
        assert below["visits"] == arm["child"]["visits"]
        assert below["arms"]
        seen.append((found.simulations, found.subtree([], 0)["visits"]))
        with pytest.raises(mcts.errors.BusyError):
            search.run(state, simulations=1)
        if len(seen) == 2:
            search.stop()

    result = search.run(state, seconds=HANG_SECONDS, on_progress=look)
    assert len(seen) >= 2
    assert all(simulations == visits for simulations, visits in seen)
    assert result.tree(0)["visits"] == result.simulations >= seen[-1][0]


@pytest.mark.usefixtures("_always_due")
def test_watching_a_search_over_bids_changes_no_result():
    view = mcts.load_game("bidding_3d_ttt").new_initial_state().view(0)
    seen = []
    search = mcts.load_searcher("double_oracle(opening=false)", view.game)
    watched = search.run(view, 25_000, on_progress=seen.append)
    assert plain(watched) == plain(search.run(view, 25_000))
    assert seen
    for found in seen:
        assert 0 < found.simulations <= watched.simulations


@pytest.mark.sample(1)
@pytest.mark.parametrize("options", [{}, {"threads": 2}])
def test_progress_of_a_search_comes_in_order_and_not_at_once(options):
    state = mcts.load_game(BOARD).new_initial_state()
    search = mcts.MCTS.plain(state.game, seed=5, **options)
    times = []

    def note(found):
        times.append(found.seconds)
        if len(times) == 3:
            search.stop()

    search.run(state, seconds=HANG_SECONDS, on_progress=note)
    assert times == sorted(times)
    assert all(taken >= due for taken, due in zip(times, (0.1, 0.2, 0.4), strict=False))


def test_progress_is_due_at_least_once_a_second_and_sooner_at_the_start(monkeypatch):
    now = 0
    monkeypatch.setattr(progress.time, "perf_counter", lambda: now / 1000)
    clock = progress.ProgressClock()
    due = []
    for now in range(5000):
        if clock.is_due():
            due.append(now)
    assert due == [100, 200, 400, 800, 1600, 2600, 3600, 4600]


@pytest.mark.parametrize("threads", [1, 2])
def test_an_exception_of_the_watcher_is_raised_and_the_searcher_works_on(threads):
    state = mcts.load_game(BOARD).new_initial_state()
    search = mcts.MCTS.plain(state.game, seed=5, threads=threads)

    def fail(found):
        raise ZeroDivisionError("seen enough")

    with pytest.raises(ZeroDivisionError, match="seen enough"):
        search.run(state, seconds=HANG_SECONDS, on_progress=fail)
    first = plain(search.run(state, 1000))
    assert first == plain(mcts.MCTS.plain(state.game, seed=5, threads=threads).run(state, 1000))


@pytest.mark.sample(12)
@pytest.mark.parametrize("final", ["visits", "value", "lcb"])
@pytest.mark.parametrize("options", [{}, {"solver": True}, {"threads": 2}, {"transpositions": True}])
@pytest.mark.parametrize("game", ["mnk", "points_ttt", "three_player_ttt"])
def test_the_line_begins_with_the_action_that_is_played(game, options, final):
    loaded = mcts.load_game(game)
    pure = 0
    for seed in range(12):
        search = mcts.MCTS.plain(loaded, seed=seed, final=final, **options)
        state = loaded.new_initial_state()
        while not state.is_terminal():
            found = search.run(state, simulations=20 + seed)
            assert found.pv[0][found.player] == found.action
            following = state.clone()
            for joint in found.pv:
                following.apply_actions(joint)
            pure += 1
            state.apply_action(found.action)
    assert pure > 50


def test_a_drawn_action_does_not_change_the_line():
    state = mcts.load_game("bidding_ttt").new_initial_state()
    lines, actions = set(), set()
    for seed in range(20):
        search = mcts.MCTS.plain(state.game, exploration=1.4, seed=1)
        search.seed = 1
        found = dataclasses.replace(search.run(state, 3000), seed=seed)
        lines.add(found.pv)
        actions.add(found.action)
    assert len(lines) == 1
    assert len(actions) > 1
