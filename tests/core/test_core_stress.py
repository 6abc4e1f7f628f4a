"""The core under stress: all combinations of policies, pools that are too small, rules that raise, threads.

Much of this would crash, or quietly write over memory, rather than answer wrongly; `.ci/sanitize` runs it once more
with the sanitizers watching.
"""

import gc
import itertools
import math
import random
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from support import VARIANTS, deciding_path, kernel_search, random_joint, random_path, run_python

import mcts
from cext.game.game import NOOP
from cext.game.playouts import play_chunks
from cext.matrix_game import matrix_game
from cext.search.policies import JOINT_SELECTIONS, SELECTIONS

LISTED = [spec for spec in VARIANTS if mcts.load_game(spec).is_enumerable]
SMALL_POOLS = [*range(8, 2000, 88), 3001, 8192, 20_000, 50_001]
POLICY = {"selection": "ucb1", "joint_selection": "regret_matching", "playout": "uniform", "solver": False}
for_every_game = pytest.mark.parametrize("spec", VARIANTS)
for_listed_games = pytest.mark.parametrize("spec", LISTED)


def every_policy(game):
    """Yield the keywords of all combinations of the options of a search that change what it stores or how it walks."""
    for selection, solver, transpositions in itertools.product(
        SELECTIONS, (False, True), (False,) if game.has_chance else (False, True)
    ):
        for joint_selection in JOINT_SELECTIONS:
            yield {
                "selection": selection,
                "joint_selection": joint_selection,
                "solver": solver,
                "transpositions": transpositions,
            }


def some_policies(game, step):
    """Yield every so many combinations of options; fewer by far for games of dozens of plies."""
    return itertools.islice(every_policy(game), 0, None, step * (5 if game.num_actions > 40 else 1))


def check_root(search, transpositions):
    """What the root tells must add up; a graph counts visits by other ways too, but not those of arms without node."""
    lowest, highest = zip(*search.bounds(), strict=True)
    assert all(0.0 <= low <= high <= 1.0 for low, high in zip(lowest, highest, strict=True))
    assert search.visits > 0 or search.proven
    for rows in search.root_arms().values():
        assert transpositions or sum(row[1] for row in rows) == search.visits
        for _, visits, total, weight, lower, upper in rows:
            assert -1e-6 <= total <= visits + 1e-6
            assert weight >= 0.0
            assert math.isfinite(weight)
            assert 0.0 <= lower <= upper <= 1.0
    for joint in search.principal_variation():
        assert any(action != NOOP for action in joint)


def search_and_advance(state, simulations, seed, memory_bytes, policy):
    """Play a game to its end, or 6 steps of it, by searching, moving at random and keeping the tree."""
    rng = random.Random(seed)
    search = kernel_search(state.game, exploration=1.4, memory_bytes=memory_bytes, **policy)
    kept = False
    for _ in range(6):
        if state.is_terminal():
            break
        if not (kept and search.is_rooted_at(state)):
            search.set_root(state, seed)
        done, interrupted = search.run(simulations, 1e9)
        assert not interrupted
        assert (done < simulations) <= search.proven  # a proof may come with the last simulation
        assert search.memory_bytes <= memory_bytes
        check_root(search, policy["transpositions"])
        joint = random_joint(state, rng)
        state.apply_actions(joint)
        kept = search.advance(joint)


@pytest.mark.sample(6)
@for_listed_games
def test_searches_of_every_policy_are_consistent(spec):
    start = mcts.load_game(spec).new_initial_state()
    for seed, policy in enumerate(some_policies(start.game, 1)):
        search_and_advance(start.clone(), 40, seed, 1 << 20, policy)


@pytest.mark.sample(2)
@for_listed_games
def test_searches_that_fill_their_pools_are_consistent(spec):
    start = mcts.load_game(spec).new_initial_state()
    policies = list(every_policy(start.game))
    refused = 0
    for number, memory_bytes in enumerate(itertools.chain(SMALL_POOLS, SMALL_POOLS, SMALL_POOLS)):
        try:
            search_and_advance(start.clone(), 150, number, memory_bytes, policies[number * 37 % len(policies)])
        except MemoryError:
            refused += 1
    assert 0 < refused < 3 * len(SMALL_POOLS)


FULL_OF_PROOFS = """
import sys
import mcts
from cext.search.search import Search
policy = {"selection": "puct", "joint_selection": "exp3", "solver": True, "transpositions": True}
options = mcts.options.plain_options(exploration=1.4, **policy)
search = Search(mcts.load_game("mnk(m=7,n=2,k=2)"), options, memory_bytes=int(sys.argv[1]))
search.set_root(search.game.new_initial_state(), 22)
print(search.run(150, 60.0)[0])
"""


def test_a_search_ends_where_all_arms_that_have_memory_are_proven():
    assert run_python(FULL_OF_PROOFS, "1944") == "150\n"


def test_a_search_accepts_new_roots_repeatedly():
    game = mcts.load_game("tic_block")
    search = mcts.MCTS.plain(game, solver=True, transpositions=True, memory_mb=1)
    for seed in range(20):
        for state in random_path(game, seed)[:-1:3]:
            result = search.run(state, simulations=100)
            assert result.action in state.legal_actions(result.player)


@for_every_game
def test_playouts_and_copies_of_reached_states_are_valid(spec):
    game = mcts.load_game(spec)
    for seed in range(3):
        for state in random_path(game, seed):
            for way in ("lanes", "playout", "table"):
                sums = play_chunks(state, seed, 20, 0, 1, False, way)
                assert len(sums) == game.num_players
            twin = game.state_from_dict(state.to_dict())
            assert twin == state.clone() == state
            assert str(twin) == str(state)
            for player in range(game.num_players):
                view = state.view(player)
                assert view.resample(seed).view(player) == view
                if state.is_terminal():
                    continue
                action = state.sample_action(player, seed)
                assert state.string_to_action(player, state.action_to_string(player, action)) == action


@pytest.mark.parametrize("spec", [spec for spec in VARIANTS if spec not in LISTED])
def test_searches_over_rounds_are_consistent(spec):
    game = mcts.load_game(spec)
    for seed, types in enumerate((1, 2, 8)):
        search = mcts.DoubleOracle(game, types=types, opening=False, seed=seed)
        for state in random_path(game, seed):
            if state.is_terminal():
                continue
            for player in state.acting_players():
                result = search.run(state.view(player), simulations=600)
                assert state.is_legal(player, result.action)


def test_matrix_games_of_every_shape_are_solved():
    rng = np.random.default_rng(1)
    for rows, columns in itertools.product((1, 2, 3, 7, 16), repeat=2):
        for kind in range(4):
            payoff = rng.normal(size=(rows, columns))
            if kind == 1:
                payoff = np.round(payoff)
            elif kind == 2:
                payoff = np.full((rows, columns), payoff[0, 0])
            elif kind == 3:
                payoff *= 1e-9
            value, row, column = matrix_game(payoff)
            assert row.sum() == pytest.approx(1.0)
            assert column.sum() == pytest.approx(1.0)
            scale = np.abs(payoff).max() + 1e-300
            assert (row @ payoff).min() / scale == pytest.approx(value / scale, abs=1e-6)
            assert (payoff @ column).max() / scale == pytest.approx(value / scale, abs=1e-6)


class RuleError(Exception):
    """What a game's own code raises below."""


class Fragile(mcts.PythonGame):
    """Both take 1 to 3 of 9 stones, at once or in turns; every method raises when its time has come."""

    name = "fragile"
    players = ("one", "two")
    num_actions = 4

    left = 10**9  # calls until one raises
    calls = 0

    def count(self):
        type(self).calls += 1
        type(self).left -= 1
        if type(self).left < 0:
            raise RuleError(type(self).calls)

    def initial_state(self):
        self.count()
        return (9, 0)

    def acting_players(self, state):
        self.count()
        return () if state[0] <= 0 else (0, 1) if state[0] % 3 == 0 else state[1]

    def legal_actions(self, state, player):
        self.count()
        return [1, 2, 3]

    def next_state(self, state, joint):
        self.count()
        return (state[0] - sum(action for action in joint if action > 0), 1 - state[1])

    def returns(self, state):
        self.count()
        return [1.0, 0.0] if state[1] else [0.0, 1.0]


@pytest.fixture
def fragile():
    game = Fragile()
    yield game
    Fragile.left = 10**9


def whole_run(game, policy):
    """All that a search asks of a game."""
    state = game.new_initial_state()
    search = kernel_search(game, exploration=1.4, memory_bytes=1 << 16, **policy)
    for _ in range(2):
        search.set_root(state, 1)
        search.run(12, 1e9)
    joint = [state.legal_actions(player)[0] for player in range(2)]
    if search.advance(joint):
        search.root_arms()
    return mcts.playouts(state, 5)


def test_rules_may_raise_in_any_call(fragile):
    for number, policy in enumerate(itertools.islice(every_policy(fragile), 0, None, 13)):
        Fragile.calls = 0
        whole_run(fragile, policy)
        calls = Fragile.calls
        for left in {*range(number, 12), *range(12 + number, calls, calls // 12), calls - 1}:
            Fragile.left = left
            with pytest.raises(RuleError):
                whole_run(fragile, policy)
        Fragile.left = 10**9
        whole_run(fragile, policy)
    gc.collect()


class Toggle(mcts.PythonGame):
    """One player goes to and fro until it ends the game."""

    name = "toggle"
    players = ("only",)
    num_actions = 2

    def initial_state(self):
        return 0

    def acting_players(self, state):
        return () if state == 2 else 0

    def legal_actions(self, state, player):
        return [0, 1]

    def next_state(self, state, joint):
        return 2 if joint[0] else 1 - state

    def returns(self, state):
        return [0.0]


def test_the_principal_variation_of_a_graph_ends_at_a_repetition():
    game = Toggle()
    search = kernel_search(game, exploration=1.4, memory_bytes=1 << 16, **POLICY, transpositions=True)
    search.set_root(game.new_initial_state(), 1)
    search.run(50, 1e9)
    assert len(search.principal_variation()) <= 2


def test_the_principal_variation_ends_where_nothing_has_been_tried():
    game = mcts.load_game("mnk(m=3,n=3,k=3)")
    for _ in range(2):  # the second pool holds what the first has left in memory
        search = kernel_search(game, exploration=1.4, memory_bytes=1 << 12, **POLICY, transpositions=True)
        search.set_root(game.new_initial_state(), 1)
        assert search.principal_variation() == []
        search.run(200, 1e9)
        assert search.principal_variation() != []
        del search


@pytest.mark.sample(6)
@for_listed_games
def test_old_content_of_memory_changes_no_search(spec):
    """A pool that an earlier search has filled, from another state, does for a pool of arbitrary content."""
    game = mcts.load_game(spec)
    start = game.new_initial_state()
    other = random_path(game, 1)[1]
    for policy in some_policies(game, 5):
        search = kernel_search(game, exploration=1.4, memory_bytes=1 << 18, **policy)
        rows = []
        for seed in (7, 8, 7):
            search.set_root(start, seed)
            search.run(300, 1e9)
            rows.append((search.root_arms(), search.principal_variation(), search.nodes))
            if not other.is_terminal():
                search.set_root(other, 1)
                search.run(300, 1e9)
        assert rows[0] == rows[2]


def test_a_search_whose_rules_raised_keeps_no_tree(fragile):
    state = fragile.new_initial_state()
    search = mcts.MCTS.plain(fragile, solver=True, transpositions=True, memory_mb=1)
    expected = search.run(state, simulations=200).visits
    for left in range(100, 140):
        Fragile.left = left
        with pytest.raises(RuleError):
            search.run(state, simulations=200)
        Fragile.left = 10**9
        with pytest.raises(mcts.StateError, match="nothing has been searched"):
            search.advance([1, 1])
        assert search.run(state, simulations=200).visits == expected


def test_threads_of_one_search_and_of_playouts_run_together():
    for spec in LISTED:
        state = deciding_path(mcts.load_game(spec), 1)[0]
        search = mcts.MCTS.plain(state.game, threads=4, solver=True, memory_mb=4, seed=3)
        first = search.run(state, simulations=500)
        again = mcts.MCTS.plain(state.game, threads=4, solver=True, memory_mb=4, seed=3).run(state, simulations=500)
        assert first.visits == again.visits
        search.run(state, seconds=0.01)
    for spec in VARIANTS:
        state = mcts.load_game(spec).new_initial_state()
        np.testing.assert_array_equal(
            mcts.playouts(state, 6_000, threads=4), mcts.playouts(state, 6_000, threads=1), strict=True
        )


def test_searches_in_threads_may_share_a_game_and_a_state():
    for spec in LISTED:
        state = deciding_path(mcts.load_game(spec), 1)[0]

        def visits(seed, state=state):
            policy = {"selection": "grave"} if seed % 2 else {}
            return mcts.MCTS.plain(state.game, memory_mb=2, seed=seed, **policy).run(state, simulations=500).visits

        with ThreadPoolExecutor(4) as pool:
            assert list(pool.map(visits, range(8))) == [visits(seed) for seed in range(8)]


def test_rules_may_raise_in_several_threads(fragile):
    def attempt(seed):
        return mcts.MCTS.plain(fragile, seed=seed, memory_mb=1).run(fragile.new_initial_state(), simulations=300).visits

    Fragile.left = 3000
    with ThreadPoolExecutor(4) as pool:
        jobs = [pool.submit(attempt, seed) for seed in range(8)]
    assert {type(job.exception()) for job in jobs} <= {RuleError, type(None)}
    assert any(job.exception() for job in jobs)
