"""Rounds of sealed bids by double oracle: beliefs, exactness where it is known, and play."""

import random

import pytest
from game_cases import position
from support import run_python

import bots
import mcts
from bench.native import fix_opponent
from cext import _variant
from cext.games.bidding_3d_ttt.first_round import first_bids
from cext.games.bidding_3d_ttt.rounds.solver import RoundSolver, has_sealed_bids
from mcts import DoubleOracle

VARIANTS = ["bidding_3d_ttt", "bidding_3d_ttt(recapture=true)", "bidding_3d_ttt(chips=3)"]


def histories(spec, count):
    """States between the rounds of random games."""
    game = mcts.load_game(spec)
    draw = random.Random(spec)
    for _ in range(count):
        state = game.new_initial_state()
        while not state.is_terminal():
            yield state.clone()
            state.apply_actions([state.sample_action(player, draw.getrandbits(64)) for player in range(2)])


def solved(position, player, leaves, **options):
    """A solver of a round after so many values of positions."""
    solver = RoundSolver(position, player, **options)
    solver.grow(leaves)
    solver.settle()
    return solver


@pytest.mark.sample(1)
@pytest.mark.parametrize("chips", [0, 1, 3, 12, 80, 255])
@pytest.mark.parametrize("recapture", ["false", "true"])
def test_the_belief_about_chips_is_a_distribution(chips, recapture):
    for state in histories(f"bidding_3d_ttt(chips={chips},recapture={recapture})", 40):
        for player in range(2):
            types = RoundSolver(state.view(player), player, types=8).types
            left = [number for number, _ in types]
            assert left == sorted(set(left))
            assert 0 <= left[0] <= left[-1] <= chips
            assert sum(share for _, share in types) == pytest.approx(1, abs=1e-5)
            if state.to_dict()["round"] == 1:
                assert types == [(chips, 1)]


@pytest.mark.parametrize("opponent", ["proportional", "web", "spread"])
def test_the_belief_follows_what_the_opponent_won(opponent):
    """After 60 chips of red, an opponent that has 53 left is not taken for one that has 20, nor the other way round."""
    game = mcts.load_game("bidding_3d_ttt")
    errors = []
    for seed in range(12):
        state = game.new_initial_state()
        strategy = first_bids(game, 0, seed)
        bot = bots.load_bot(opponent)
        bot.new_game(game, 1, seed)
        state.apply_actions([max(strategy, key=strategy.get), bot.choose(state.view(1))])
        believed = sum(chips * share for chips, share in RoundSolver(state.view(0), 0).types)
        errors.append(believed - state.to_dict()["chips"][1])
    assert abs(sum(errors) / len(errors)) < 8


@pytest.mark.parametrize("spec", VARIANTS)
def test_bids_are_legal_and_repeat_themselves(spec):
    for state in histories(spec, 3):
        for player in range(2):
            view = state.view(player)
            first = DoubleOracle(state.game, seed=3).run(view, simulations=4000)
            again = DoubleOracle(state.game, seed=3).run(view, simulations=4000)
            assert first.policy == again.policy
            assert first.action == again.action
            assert sum(first.policy.values()) == pytest.approx(1)
            assert all(view.is_legal(bid) for bid in first.policy)


def test_bids_have_their_values_against_the_strategy_of_the_opponent():
    state = next(iter(histories("bidding_3d_ttt", 1)))
    for player in range(2):
        solver = solved(state.view(player), player, 20_000, seed=3)
        worth = dict(solver.own_values())
        policy = dict(solver.strategy())
        assert set(policy) == set(worth)
        assert sum(chance * worth[bid] for bid, chance in policy.items()) == pytest.approx(solver.value, abs=1e-5)
        assert max(worth.values()) == pytest.approx(solver.value, abs=0.02)  # no bid gains against an equilibrium
        assert min(worth.values()) < solver.value - 0.1

        found = DoubleOracle(state.game, opening=False, naive=0, seed=3).run(state.view(player), simulations=20_000)
        assert set(found.policy) < set(found.action_values)
        assert len(set(found.action_values.values())) > 20
        assert max(found.action_values.values()) == pytest.approx(found.values[player], abs=2)
        assert all(0 <= entry["value"] <= 100 for entry in found.to_dict()["arms"])


def test_bids_of_a_known_strategy_have_no_values():
    game = mcts.load_game("bidding_3d_ttt")
    found = DoubleOracle(game).run(game.new_initial_state().view(0), simulations=1)
    assert found.simulations == 0
    assert set(found.action_values) == set(found.policy)
    assert set(found.action_values.values()) == {None}


def test_equal_views_have_equal_strategies():
    states = [position("bidding_3d_ttt", None, [f"bid(A5:1,E5:40) bid({bid})"]) for bid in ("", "E5:30", "E5:9")]
    views = [state.view(0) for state in states]
    assert states[0] != states[1]
    assert views[0] == views[1] == views[2]
    policies = [DoubleOracle(states[0].game, seed=5).run(view, simulations=20_000).policy for view in views]
    assert policies[0] == policies[1] == policies[2]


def test_naive_opponents_are_expected_to_lose_more():
    """The strategy of an equilibrium wins its value from naive bids too, so the value cannot fall."""
    state = position("bidding_3d_ttt(recapture=true)", None, ["bid(A1:3,C2:4,E5:9) bid(A3:2,C9:6,G7:4)"])
    values = []
    for naive in (0.0, 0.5, 1.0):
        solver = solved(state, 0, 60_000, seed=3, naive=naive)
        values.append(solver.value)
    assert values[0] < values[1] < values[2]


def test_a_short_search_spends_nothing_on_naive_bids():
    view = mcts.load_game("bidding_3d_ttt").new_initial_state().view(0)

    def strategy(naive, leaves):
        solver = solved(view, 0, leaves, seed=3, naive=naive)
        return solver.strategy()

    assert strategy(0.4, 1500) == strategy(0.0, 1500)
    assert strategy(0.4, 20_000) != strategy(0.0, 20_000)


def test_a_won_last_round_is_found():
    """Blue has no chips: red takes A3 and G3, which complete boards A and G beside D."""
    bids = ["bid(A1:1,A2:1,G1:1,G2:1) bid(C1:80)", "bid() bid()"]
    state = position("bidding_3d_ttt", None, bids)
    assert solved(state, 0, 60_000).value == pytest.approx(1, abs=1e-3)
    found = DoubleOracle(state.game, seed=1).run(state.view(0), simulations=50_000)
    after = state.clone()
    after.apply_actions([found.action, state.string_to_action(1, "bid()")])
    assert list(after.returns()) == [100, 0]


@pytest.mark.parametrize("parameters", ["chips=80", "chips=80,recapture=true", "chips=12", "chips=255"])
def test_bids_against_a_batch_have_their_mean_return(parameters):
    """Each of 64 bids of the opponent is 4 of 256, so the batch is exact. Each bid is a change of the one before."""
    draw = random.Random(parameters)
    lasts = [state for state in histories(f"bidding_3d_ttt({parameters})", 60) if state.to_dict()["round"] == 3][:3]
    assert lasts
    for state in lasts:
        for player in range(2):
            bids = [[state.sample_action(side, draw.getrandbits(64)) for _ in range(64)] for side in range(2)]
            chips = state.to_dict()["chips"][1 - player]
            solver = RoundSolver(state, player)
            fix_opponent(solver, [(bid, chips, 1.0) for bid in bids[1 - player]], seed=0)
            expected = []
            for bid in bids[player]:
                joints = [(bid, other) if player == 0 else (other, bid) for other in bids[1 - player]]
                expected.append(sum(state.child(joint).returns()[player] for joint in joints) / 6400)
            assert solver.batch_values(bids[player]) == pytest.approx(expected, abs=1e-6)
    first = lasts[0].game.new_initial_state()
    with pytest.raises(ValueError, match="round 1 has no batch; valid: round 3"):
        RoundSolver(first, 0).batch_values([])


def test_the_first_round_is_even():
    state = mcts.load_game("bidding_3d_ttt(chips=12)").new_initial_state()
    assert solved(state, 0, 200_000).value == pytest.approx(0.5, abs=0.1)


def test_values_of_both_players_are_opposite():
    for state in list(histories("bidding_3d_ttt", 3))[1::4]:
        values = []
        for player in range(2):
            solver = solved(state, player, 300_000, seed=1)
            values.append(solver.value)
        assert sum(values) == pytest.approx(1, abs=0.2)


@pytest.mark.long
def test_machine_codes_agree():
    code = (
        "import mcts\ngame = mcts.load_game('bidding_3d_ttt')\n"
        "state = game.new_initial_state()\n"
        "for _ in range(3):\n"
        "    found = mcts.DoubleOracle(game, seed=4, opening=False).run(state.view(1), simulations=20000)\n"
        "    print(found.action, found.values)\n"
        "    state.apply_actions([state.sample_action(player, 5) for player in range(2)])"
    )
    outputs = {run_python(code, PLAYOUT_VARIANT=name) for name in _variant.available()}
    assert len(outputs) == 1


@pytest.mark.parametrize(
    "spec", [f"bidding_3d_ttt(chips={c},recapture={r})" for c in (40, 80, 160) for r in ("true", "false")]
)
def test_shipped_strategies_are_legal_for_both_players_and_turned_at_random(spec):
    state = mcts.load_game(spec).new_initial_state()
    spent = []
    for player in range(2):
        images = [first_bids(state.game, player, seed) for seed in range(3)]
        assert all(state.is_legal(player, bid) for found in images for bid in found)
        assert all(sum(found.values()) == pytest.approx(1) for found in images)
        assert len({frozenset(found) for found in images}) > 1  # a bid on middles alone has few images
        spent += [set(map(sum, found)) for found in images]  # a symmetry keeps the chips of a bid
    assert all(chips == spent[0] for chips in spent)


def test_other_games_and_bad_arguments_are_refused():
    assert not has_sealed_bids(mcts.load_game("bidding_ttt"))  # its bids are listed actions
    view = mcts.load_game("bidding_3d_ttt").new_initial_state().view(0)
    with pytest.raises(mcts.UnsupportedGameError, match="use mcts"):
        DoubleOracle(mcts.load_game("mnk"))
    with pytest.raises(TypeError, match="no sealed bids"):
        RoundSolver(mcts.load_game("mnk").new_initial_state(), 0)
    with pytest.raises(TypeError, match="valid: a view or a state"):
        RoundSolver("view", 0)
    with pytest.raises(ValueError, match="types=9; valid: 1 to 8"):
        RoundSolver(view, 0, types=9)
    for naive in (-0.1, 1.1, float("nan")):
        with pytest.raises(ValueError, match=f"naive={naive}; valid: 0 to 1"):
            RoundSolver(view, 0, naive=naive)
    with pytest.raises(mcts.ParameterError, match="naive"):
        DoubleOracle(view.game, naive=1.5)
    with pytest.raises(ValueError, match="player 2 has nothing to bid"):
        RoundSolver(view.game.new_initial_state(), 2)
    with pytest.raises(ValueError, match="are None"):
        RoundSolver(view, 0).grow()
    for seconds in (float("nan"), float("inf")):
        with pytest.raises(ValueError, match="finite"):
            RoundSolver(view, 0).grow(seconds=seconds)
    over = position("bidding_3d_ttt", None, ["bid() bid()"] * 3)
    with pytest.raises(ValueError, match="player 0 has nothing to bid"):
        RoundSolver(over, 0)


@pytest.mark.long
@pytest.mark.parametrize(("opponent", "least"), [("web", 75), ("focus", 85), ("miser", 90)])
def test_bots_of_the_game_are_beaten(opponent, least):
    """Long runs give 93, 90, 98 and 100."""
    game = mcts.load_game("bidding_3d_ttt")
    pair = [bots.load_bot("double_oracle(simulations=150000)"), bots.load_bot(opponent)]
    earned = 0.0
    for number in range(40):
        state, seat = game.new_initial_state(), number % 2
        for player in range(2):
            pair[player != seat].new_game(game, player, number)
        while not state.is_terminal():
            state.apply_actions([pair[player != seat].choose(state.view(player)) for player in range(2)])
        earned += state.returns()[seat]
    assert earned / 40 > least
