"""Environments of PettingZoo and Gymnasium: their own tests, and what those leave out."""

import copy
import pickle
import sys

import numpy as np
import pytest
from chance_games import Dice, Race
from sampling import sweep

import bots
import mcts
from mcts.adapters.episode import supported_game
from mcts.registry import native_games

pytest.importorskip("gymnasium")
pytest.importorskip("pettingzoo")

from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test

from mcts.adapters.gymnasium import SeatEnv
from mcts.adapters.pettingzoo import JointEnv, TurnEnv

SPECS = [
    *(spec for spec in native_games() if mcts.load_game(spec).is_enumerable),
    "tic_block(block_phase=alternating)",
    "three_player_ttt(torus=true)",
    "bidding_ttt(tiebreaker=o)",
]
BIDS = ["bidding_3d_ttt", "bidding_3d_ttt(chips=5,recapture=true)"]
# Players are named as in the game, the observation is a dict, and non-deciders have no legal action.
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")


def legal(observation):
    """Return the legal actions of an observation."""
    return np.flatnonzero(observation["action_mask"])


@pytest.mark.parametrize("spec", [*SPECS, *BIDS])
def test_the_tests_of_pettingzoo_pass(spec):
    api_test(TurnEnv(spec), num_cycles=100)
    seed_test(lambda: TurnEnv(spec), num_cycles=50)
    parallel_api_test(JointEnv(spec), num_cycles=100)
    parallel_seed_test(lambda: JointEnv(spec), num_cycles=50)


@pytest.mark.parametrize("spec", [*SPECS, *BIDS])
def test_the_check_of_gymnasium_passes(spec):
    for player in mcts.load_game(spec).players:
        check_env(SeatEnv(spec, player, render_mode="ansi"))


@pytest.mark.parametrize("spec", SPECS)
def test_environments_play_by_the_rules(spec):
    env = TurnEnv(spec, render_mode="ansi")
    env.reset(seed=3)
    rng = np.random.default_rng(1)
    while not any(env.terminations.values()):
        state, seat = env.episode.state, env.game.players.index(env.agent_selection)
        assert env.render() == str(state)
        seen = env.observe(env.agent_selection)
        assert legal(seen).tolist() == state.legal_actions(seat)
        np.testing.assert_array_equal(seen["observation"][: env.game.encoding_size], state.view(seat).encode())
        assert seen["observation"][env.game.encoding_size :].tolist() == [
            float(p == seat) for p in range(env.num_agents)
        ]
        before = state.clone()
        env.step(rng.choice(legal(seen)))
        if len(before.acting_players()) > 1 and seat == before.acting_players()[0]:
            assert env.episode.state == before  # the others cannot see the first choice
    low, high = env.game.min_utility, env.game.max_utility
    returns = env.episode.state.returns()
    assert list(env.rewards.values()) == [2 * (value - low) / (high - low) - 1 for value in returns]
    assert list(env._cumulative_rewards.values()) == list(env.rewards.values())


def test_all_act_at_once_and_those_who_wait_are_ignored():
    env = JointEnv("bidding_ttt(coins=3)")
    seen, _ = env.reset(seed=1)
    assert all(not one["action_mask"][-1] for one in seen.values())
    state = env.episode.state
    bids = {name: state.string_to_action(seat, f"bid({2 - seat})") for seat, name in enumerate(env.agents)}
    seen, rewards, *_ = env.step(bids)
    assert rewards == {"x": 0.0, "o": 0.0}
    (decider,) = env.episode.deciders
    waiting = env.game.players[1 - decider]
    assert legal(seen[waiting]).tolist() == [env.action_space(waiting).n - 1]
    before = env.episode.state.clone()
    env.step({name: legal(seen[name])[0] for name in env.agents if name != waiting} | {waiting: 0})
    assert env.episode.state == before.child(int(legal(seen[env.game.players[decider]])[0]))


def test_weights_of_tiles_are_legal_bids_and_what_is_hidden_stays_hidden():
    env = JointEnv("bidding_3d_ttt")
    env.reset(seed=1)
    red, blue = np.zeros((2, 81))
    red[:2] = 0.29, 0.5  # 23 and 40 of 80 chips
    blue[2:4] = 1.0, 3 / 5  # divided by their sum: 50 and 30 chips
    seen, *_ = env.step({"red": red, "blue": blue})
    state = env.episode.state
    bids = [state.view(seat).to_dict()["history"][0]["bids"][seat] for seat in range(2)]
    assert [bids[0][:4], bids[1][:4]] == [[23, 40, 0, 0], [0, 0, 50, 30]]
    assert [sum(bid) for bid in bids] == [63, 80]
    encoded = env.game.encoding_size
    for seat, name in enumerate(env.agents):
        np.testing.assert_array_equal(seen[name]["observation"][:encoded], state.view(seat).encode())
        assert seen[name]["observation"][encoded:].tolist() == [float(name == "red"), float(name == "blue")]
        assert seen[name]["observation"][-2:].tolist() == [1.0 - seat, float(seat)]
    assert seen["red"]["open_tiles"][:4].tolist() == [0, 0, 0, 0]
    assert seen["red"]["open_tiles"].any()
    assert not seen["blue"]["open_tiles"].any()  # no chip is left
    other = env.game.new_initial_state()
    other.apply_actions((tuple(bids[0]), (0, 0, 40, 30, *bids[1][4:])))
    np.testing.assert_array_equal(other.view(0).encode(), state.view(0).encode())  # the chips of blue differ
    assert (other.view(1).encode() != state.view(1).encode()).any()
    while env.agents:
        _, rewards, *_ = env.step({name: env.action_space(name).sample() for name in env.agents})
    assert sum(rewards.values()) == pytest.approx(0.0)
    assert env.episode.state.is_terminal()


def test_weights_of_tiles_that_are_not_allowed_together_count_from_the_greatest_down():
    env = JointEnv("bidding_3d_ttt")
    env.reset(seed=1)
    red = np.zeros(81)
    red[:4] = 0.2, 0.3, 0.25, 0.1  # the first three are a line, which no bid of round 1 has
    env.step({"red": red, "blue": np.zeros(81)})
    red[:] = 0.0
    red[[4, 13, 40]] = 0.5, 0.4, 0.3  # on three boards, of which a bid of round 2 may have two
    env.step({"red": red, "blue": np.arange(81) / 81})
    first, second = (ply["bids"][0] for ply in env.episode.state.view(0).to_dict()["history"])
    assert (first[:4], sum(first)) == ([0, 24, 20, 8], 52)
    assert (second[4], second[13], sum(second)) == (14, 11, 25)  # of the 28 chips that were left


@pytest.mark.parametrize("recapture", ["false", "true"])
def test_any_weights_of_tiles_are_a_legal_bid(recapture):
    env = JointEnv(f"bidding_3d_ttt(recapture={recapture})")
    rng = np.random.default_rng(1)
    for number in range(20):
        env.reset(seed=number)
        while env.agents:
            env.step({name: rng.random(81) ** rng.integers(0, 20) for name in env.agents})
        assert env.episode.state.is_terminal()  # and not ended by an illegal action


def test_opponents_that_are_no_bots_or_cheat_are_named():
    class Cheat:
        def new_game(self, game, player, seed):
            pass

        def choose(self, view):
            return 777

    for opponent in ("level(3)", 5, None, bots.Bot):
        with pytest.raises(TypeError, match="is not a bot; valid: an object with new_game and choose"):
            SeatEnv("mnk", "x", {"o": opponent})
    with pytest.raises(TypeError, match="valid: a dict of player -> bot"):
        SeatEnv("mnk", "x", "random")
    env = SeatEnv("mnk", "x", {"o": Cheat()})
    env.reset(seed=1)
    with pytest.raises(mcts.IllegalActionError, match="the opponent o has chosen 777, which is illegal"):
        env.step(0)


@pytest.mark.parametrize(
    ("weights", "error", "words"),
    [
        (3, TypeError, "valid: 81 numbers from 0 to 1"),
        ("x", TypeError, "valid: 81 numbers"),
        ([0.5] * 80, TypeError, "valid: 81 numbers"),
        ([-0.5] * 81, ValueError, "weights from -0.5 to -0.5; valid: from 0 to 1"),
        ([float("nan")] * 81, ValueError, "valid: from 0 to 1"),
    ],
)
def test_weights_that_are_none_are_refused(weights, error, words):
    seat, turns, joint = SeatEnv("bidding_3d_ttt"), TurnEnv("bidding_3d_ttt"), JointEnv("bidding_3d_ttt")
    for env in (seat, turns, joint):
        env.reset(seed=1)
    for step in (seat.step, turns.step, lambda action: joint.step({"red": action, "blue": [0.0] * 81})):
        with pytest.raises(error, match=words):
            step(weights)


def test_a_seat_draws_its_own_view():
    env = SeatEnv("bidding_3d_ttt", "blue", {"red": bots.load_bot("spread")}, render_mode="ansi")
    env.reset(seed=2)
    env.step(env.action_space.sample())
    assert env.render() == str(env.episode.state.view(1))
    assert env.render() != str(env.episode.state)


def test_an_illegal_action_ends_the_game():
    env = TurnEnv("mnk")
    env.reset()
    env.step(4)
    env.step(4)
    assert env.rewards == {"x": 1.0, "o": -1.0}
    assert env.terminations == {"x": True, "o": True}
    joint = JointEnv("bidding_ttt")
    joint.reset()
    _, rewards, over, *_ = joint.step({"x": 99, "o": -1})
    assert (rewards, over, joint.agents) == ({"x": -1.0, "o": -1.0}, {"x": True, "o": True}, [])
    seat = SeatEnv("mnk")
    seat.reset(seed=1)
    assert seat.step(9)[1:3] == (-1.0, True)
    for bad in (None, "0", 1.5):
        seat.reset()
        env.reset()
        for step in (seat.step, env.step):
            with pytest.raises(TypeError, match="action is"):
                step(bad)


def throws(make, seed):
    """Return the steps of three games, of which only the first is given a seed."""
    env, found = make(Race()), []
    for given in (seed, None, None):
        env.reset(seed=given)
        while env.episode.returns is None:
            env.step(dict.fromkeys(env.agents, 1) if isinstance(env, JointEnv) else 1)
        found.append(tuple(env.episode.state.history()))
    return found


@pytest.mark.parametrize("make", [TurnEnv, JointEnv, SeatEnv])
def test_chance_depends_on_the_last_seed_alone(make):
    assert throws(make, 5) == throws(make, 5)
    assert len(set(throws(make, 5))) == 3
    assert len({throws(make, seed)[0] for seed in range(8)}) > 1
    assert throws(make, None) != throws(make, None)


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda given: pickle.loads(pickle.dumps(given))])
def test_an_environment_with_a_bot_is_copied(copied):
    env = SeatEnv("mnk", player="o", opponents={"x": bots.load_bot("mcts(simulations=50)")})
    env.reset(seed=4)
    env.step(next(action for action in (4, 0) if env.episode.state.is_legal(1, action)))
    twin = copied(env)
    action = env.episode.state.legal_actions(1)[0]
    found = [one.step(action)[0]["observation"] for one in (env, twin)]
    assert (found[0] == found[1]).all()
    assert env.episode.state == twin.episode.state


def test_the_others_are_bots_or_random():
    wins = {}
    for name, opponents in (("random", None), ("mcts", {"x": bots.load_bot("mcts(simulations=100)")})):
        env = SeatEnv("mnk", "o", opponents)
        total = 0.0
        for number in range(12):
            seen, info = env.reset(seed=number)
            over = False
            while not over:
                np.testing.assert_array_equal(info["action_mask"], seen["action_mask"])
                seen, reward, over, truncated, info = env.step(legal(seen)[0])
                assert not truncated
            total += reward
        wins[name] = total
        assert env.step(0)[2]  # a step after the end changes nothing
    assert wins["mcts"] < wins["random"]
    assert wins["mcts"] < -6


@sweep("spec", SPECS, 3)
def test_pixels_show_the_state_and_have_one_size(spec):
    env = TurnEnv(spec, render_mode="rgb_array")
    env.reset(seed=3)
    rng = np.random.default_rng(1)
    first = env.render()
    assert first.dtype == np.uint8
    while not any(env.terminations.values()):
        env.step(rng.choice(legal(env.observe(env.agent_selection))))
    last = env.render()
    assert first.shape == last.shape == (512, 512, 3)
    assert (first == 255).mean() < 0.9
    assert 0.01 < (first != last).any(axis=2).mean() < 0.9


def test_the_check_of_gymnasium_accepts_pixels():
    check_env(SeatEnv("three_player_ttt", "xplayer", render_mode="rgb_array"))


def test_missing_packages_for_pixels_are_named_with_their_extra(monkeypatch):
    monkeypatch.delitem(sys.modules, "mcts.adapters.pixels", raising=False)
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(ImportError, match=r"needs resvg_py, which is not installed: pip install 'playout\[pixels\]'"):
        TurnEnv("mnk", "rgb_array")


def test_games_that_cannot_be_environments_are_refused_with_the_reason(monkeypatch):
    monkeypatch.setattr("mcts.adapters.episode.num_tiles", lambda game: 0)  # as for a game that has no sealed bids
    for game, words in (("bidding_3d_ttt", "its actions are not listed"), (Dice(), "its states have no encoding")):
        for kind in (TurnEnv, JointEnv, SeatEnv):
            with pytest.raises(mcts.UnsupportedGameError, match=words):
                kind(game)
    with pytest.raises(TypeError, match="is not a Game"):
        supported_game(3)
    with pytest.raises(ValueError, match="render_mode='human'; valid: ansi, rgb_array, or None"):
        TurnEnv("mnk", "human")
    for arguments, words in (((5,), "unknown player 5"), (("z",), "unknown player 'z'"),
                             (("x", {0: None}), "x is the player of the environment")):  # fmt: skip
        with pytest.raises(mcts.ParameterError, match=words):
            SeatEnv("mnk", *arguments)


@pytest.mark.parametrize("name", ["gymnasium", "pettingzoo"])
def test_a_missing_package_is_named_with_its_extra(monkeypatch, name):
    monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setitem(sys.modules, f"{name}.spaces", None)
    for module in ("spaces", "pettingzoo", "gymnasium"):
        monkeypatch.delitem(sys.modules, f"mcts.adapters.{module}", raising=False)
    with pytest.raises(ImportError, match=rf"pip install 'playout\[{name}\]'"):
        __import__(f"mcts.adapters.{name}")
