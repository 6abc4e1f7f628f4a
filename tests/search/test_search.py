"""Monte Carlo tree search: wins, blocks, optimal play, max^n, and consistent results."""

import json
import random
from collections import Counter

import numpy as np
import pytest
from game_cases import position
from python_games import minimax, place, tree_game
from support import VARIANTS, deciding_path, random_path, reproducible_part, run_python

import mcts
from cext import _variant
from mcts.searchers.mcts import SEARCHER

LISTED = [spec for spec in VARIANTS if mcts.load_game(spec).is_enumerable]


def state_of(spec, given):
    return mcts.load_game(spec).state_from_dict(given)


def search(state, simulations, **parameters):
    return mcts.MCTS.plain(state.game, **parameters).run(state, simulations=simulations)


def answer(found):
    """The text of the action that a search would play."""
    return found.state.action_to_string(found.player, found.action)


WINS = {
    "a line on the board": (state_of("mnk(m=5,n=5,k=4)", {"board": "xxx......oo..o..........."}), "mark(1,4)"),
    "the second player's line": (state_of("mnk", {"board": "xx.oo.x.."}), "mark(2,3)"),
    "points": (position("points_ttt", None, ["mark(2,2)", "mark(2,1)", "pass", "mark(3,1)", "pass"]), "mark(1,1)"),
    "the first of three players": (
        state_of("three_player_ttt", {"board": "xxx..o.z.o.....z.o.z.....", "control": "xplayer"}),
        "mark(1,4)",
    ),
    "the last of three players": (
        state_of("three_player_ttt", {"board": "zzz..o.x.o.....x.o.xx.o..", "control": "zplayer"}),
        "mark(1,4)",
    ),
}
BLOCKS = {
    "a line on the board": (state_of("mnk", {"board": "oo..x...x"}), "mark(1,3)"),
    "points": (position("points_ttt", None, ["mark(2,2)", "mark(2,1)", "pass", "mark(3,1)"]), "mark(1,1)"),
    "the next of three players": (
        state_of("three_player_ttt", {"board": "ooo.....x.z....x...z.z.x.", "control": "xplayer"}),
        "mark(1,4)",
    ),
}


@pytest.mark.parametrize("final", ["visits", "value", "lcb"])
@pytest.mark.parametrize("case", WINS)
def test_a_win_in_one_is_found(case, final):
    state, wanted = WINS[case]
    for seed in range(3):
        found = search(state, 2_000, seed=seed, final=final)
        assert answer(found) == wanted
        assert found.action_values[found.action] == 100


@pytest.mark.parametrize("case", BLOCKS)
def test_a_loss_in_one_is_prevented(case):
    state, wanted = BLOCKS[case]
    for seed in range(3):
        found = search(state, 4_000, seed=seed)
        assert answer(found) == wanted
        assert [text for step in found.to_dict()["pv"][:1] for text in step if text != "noop"] == [wanted]


def test_tic_tac_toe_is_a_draw():
    found = search(mcts.load_game("mnk").new_initial_state(), 200_000, exploration=0.5)
    assert minimax("." * 9) == 0
    assert found.values == pytest.approx((50, 50), abs=2)
    assert all(minimax(place("." * 9, cell)) == 0 for cell in found.policy)
    assert all(mean == pytest.approx(50, abs=5) for mean in found.action_values.values())


@pytest.mark.parametrize("final", ["visits", "lcb"])
def test_every_answer_of_a_long_search_is_optimal(final):
    game = mcts.load_game("mnk")
    boards = {state.to_dict()["board"]: state for seed in range(40) for state in random_path(game, seed)[:-1]}
    sample = random.Random(5).sample(sorted(boards), 60)
    for board in sample:
        found = search(boards[board], 20_000, final=final, seed=2)
        assert minimax(place(board, found.action)) == minimax(board), (board, found.action)


def max_n(payoffs, movers, width, depth=0, number=0):
    """The returns of max^n play, the first action, and by how much the closest of all decisions is made."""
    if depth == len(movers):
        return payoffs[number], None, 1.0
    below = [max_n(payoffs, movers, width, depth + 1, number * width + branch) for branch in range(width)]
    *_, second, best = sorted(range(width), key=lambda branch: below[branch][0][movers[depth]])
    lead = below[best][0][movers[depth]] - below[second][0][movers[depth]]
    return below[best][0], best, min([lead, *(margin for _, _, margin in below)])


@pytest.mark.parametrize("seed", range(6))
def test_every_player_maximises_its_own_returns(seed):
    movers, width = (0, 1, 2, 0), 2
    rng, margin = np.random.default_rng(seed), 0.0
    while margin < 0.1:  # a close decision needs more simulations than a test has
        payoffs = rng.uniform(0, 1, (width ** len(movers), 3))
        values, best, margin = max_n(payoffs, movers, width)
    found = search(tree_game(movers, width, payoffs).new_initial_state(), 25_000, exploration=0.5)
    assert found.action == best
    np.testing.assert_allclose(found.values, values, atol=0.03)


@pytest.mark.parametrize("spec", LISTED)
def test_results_depend_on_the_seed(spec):
    state = deciding_path(mcts.load_game(spec), 1)[0]
    first, same = (search(state, 500, seed=7) for _ in range(2))
    assert reproducible_part(first) == reproducible_part(same)
    again = mcts.MCTS.plain(state.game, seed=7)
    again.run(state, simulations=50)
    assert reproducible_part(again.run(state, simulations=500)) == reproducible_part(first)
    if len(first.policy) > 1:
        assert reproducible_part(search(state, 500, seed=8)) != reproducible_part(first)


def test_seeds_of_any_size_and_sign():
    state = mcts.load_game("mnk").new_initial_state()
    found = [search(state, 300, seed=seed).arms for seed in (0, 2**64, 2**64 - 1, -1)]
    assert found[0] == found[1]
    assert found[2] == found[3]
    assert found[0] != found[2]


IN_THIS_VARIANT = """
import json, sys
import mcts
from cext import _variant
rows = []
for spec in sys.argv[1:]:
    for joint_selection in ("regret_matching", "exp3"):
        game = mcts.load_game(spec)
        searcher = mcts.MCTS.plain(game, joint_selection=joint_selection, seed=3, threads=2)
        found = searcher.run(game.new_initial_state(), simulations=3000)
        rows.append([repr(found.arms), repr(found.values), repr(found.pv), found.nodes])
print(json.dumps([_variant.NAME, rows]))
"""


@pytest.mark.long
def test_all_machine_codes_find_the_same():
    if len(_variant.available()) < 2:
        pytest.skip("this processor or installation has only one variant")
    specs = ["mnk(m=8,n=8,k=5)", "points_ttt", "three_player_ttt", "tic_block", "bidding_ttt(coins=10)"]
    told = {
        name: json.loads(run_python(IN_THIS_VARIANT, *specs, PLAYOUT_VARIANT=name)) for name in _variant.available()
    }
    assert [name for name, _ in told.values()] == list(told)
    rows = [rows for _, rows in told.values()]
    assert all(row == rows[0] for row in rows)
    assert len(rows[0]) == 2 * len(specs)


def test_each_final_policy_plays_its_own_best_action():
    """With few simulations, the arms of most visits, of the highest mean and of either end of its interval differ."""
    state = position("mnk(m=4,n=4,k=4)", None, ["mark(1,1)", "mark(2,2)"])
    worths = {
        "visits": lambda arm: (arm.visits, arm.mean),
        "value": lambda arm: (arm.mean, arm.visits),
        "lcb": lambda arm: (arm.mean - arm.half_width, arm.visits),
        "highest end": lambda arm: (arm.mean + arm.half_width, arm.visits),
    }
    unlike = Counter()
    for seed in range(30):
        options = {"seed": seed, "exploration": 0.2}
        found = {final: search(state, 60, final=final, **options) for final in ("visits", "value", "lcb")}
        arms = [arm for arm in found["lcb"].arms[0] if arm.mean is not None]
        best = {name: max(arms, key=worth).action for name, worth in worths.items()}
        assert {final: result.action for final, result in found.items()} == {final: best[final] for final in found}
        unlike.update(name for name in best if best[name] != best["lcb"])
    assert min(unlike[name] for name in ("visits", "value", "highest end")) > 0


def test_final_policies_read_the_same_statistics():
    state = position("mnk(m=4,n=4,k=4)", None, ["mark(1,1)", "mark(2,2)"])
    found = {final: search(state, 700, final=final, seed=4) for final in ("visits", "value", "lcb", "mixed")}
    arms = found["visits"].arms[0]
    assert all(each.arms[0] == arms for each in found.values())
    assert found["visits"].action == max(arms, key=lambda arm: arm.visits).action
    assert found["value"].action == max(arms, key=lambda arm: arm.mean).action
    assert found["lcb"].action == max(arms, key=lambda arm: arm.mean - arm.half_width).action
    drawn = {search(state, 700, final="mixed", seed=seed).action for seed in range(40)}
    assert len(drawn) > 5


@pytest.mark.sample(20)
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("spec", LISTED)
def test_results_are_consistent(spec, threads):
    game = mcts.load_game(spec)
    for state in deciding_path(game, 11)[::3]:
        found = search(state, 301, threads=threads, seed=1)
        assert found.simulations == 301
        assert found.player == state.acting_players()[0]
        assert found.is_mixed == (len(state.acting_players()) > 1)
        assert tuple(found.arms) == state.acting_players()
        assert len(found.values) == game.num_players
        assert all(game.min_utility <= value <= game.max_utility for value in found.values)
        if game.utility_sum is not None:
            assert sum(found.values) == pytest.approx(game.utility_sum, abs=1e-6)
        for player in found.arms:
            check_player(found.for_player(player), state)
        line = state.clone()
        assert found.pv
        for joint in found.pv:
            line.apply_actions(joint)
        told = json.loads(json.dumps(found.to_dict()))
        assert told["game"] == game.spec
        assert state.string_to_action(found.player, told["action"]) == found.action
        assert len(told["pv"]) == len(found.pv)
        assert not found.interrupted


def check_player(found, state):
    """The findings of one player: policy, visits and values over exactly its legal actions."""
    game, legal = state.game, state.legal_actions(found.player)
    assert list(found.policy) == list(found.visits) == list(found.action_values) == legal
    assert sum(found.policy.values()) == pytest.approx(1)
    assert min(found.policy.values()) >= 0
    assert sum(found.visits.values()) == found.simulations
    assert found.action in legal
    means = found.action_values
    assert all((means[action] is None) == (found.visits[action] == 0) for action in legal)
    assert all(mean is None or game.min_utility <= mean <= game.max_utility for mean in means.values())
    total = sum(mean * found.visits[action] for action, mean in means.items() if mean is not None)
    assert total / found.simulations == pytest.approx(found.values[found.player], abs=1e-6)


def test_the_searched_state_is_neither_changed_nor_followed():
    state = position("mnk", None, ["mark(1,1)"])
    before = state.clone()
    found = search(state, 100)
    assert state == before
    state.apply_action(found.action)
    assert found.state == before


def test_the_searcher_is_registered_by_its_module():
    assert SEARCHER is mcts.MCTS
    assert SEARCHER.NAME == "mcts"
