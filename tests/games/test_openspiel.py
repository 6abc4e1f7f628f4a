"""Games and bots in OpenSpiel, and those of OpenSpiel in this package."""

import pickle
import subprocess
import sys

import numpy as np
import pytest
from python_games import TicTacToe, matrix_game, zero_sum

import bots
import mcts
from bots import arena
from cext.matrix_game import matrix_game as matrix_strategies
from mcts.registry import native_games

pytest.importorskip("pyspiel")

import pyspiel
from open_spiel.python.algorithms import cfr, expected_game_score, exploitability
from open_spiel.python.bots.uniform_random import UniformRandomBot

from bots.adapters.openspiel import OpenSpielBot, PlayoutBot
from mcts.adapters.openspiel import from_openspiel, from_openspiel_state, to_openspiel, to_openspiel_state

OURS = [
    *(
        spec
        for spec, game in ((spec, mcts.load_game(spec)) for spec in native_games())
        if game.is_enumerable and not game.has_hidden_information
    ),
    "tic_block(block_phase=alternating)",
    "three_player_ttt(torus=true)",
    "bidding_ttt(tiebreaker=o)",
]
THEIRS = [
    "connect_four",
    "breakthrough(rows=4,columns=4)",  # OpenSpiel sorts the parameters
    "oshi_zumo(coins=6,size=1)",
    "matching_pennies_3p",
    "goofspiel(num_cards=3,points_order=descending)",
    "pig(winscore=20)",
    "nim",
]


def spec_of(name):
    """Return the spec of a game of OpenSpiel."""
    return mcts.load_game("mcts.adapters.openspiel.OpenSpielGame", game=name).spec


class RandomOfOpenSpiel(OpenSpielBot):
    """OpenSpiel's own random bot, in games of all kinds."""

    def bot_of(self, state, player, seed, limit):
        return UniformRandomBot(player, np.random.RandomState(seed))


@pytest.mark.parametrize("spec", OURS)
def test_openspiels_own_random_simulation_passes(spec):
    game = to_openspiel(spec)
    pyspiel.random_sim_test(game, num_sims=2, serialize=True, verbose=False)
    assert pyspiel.load_game(game.get_type().short_name).num_players() == mcts.load_game(spec).num_players


@pytest.mark.parametrize("spec", OURS)
def test_a_registered_game_has_the_same_rules(spec):
    state = mcts.load_game(spec).new_initial_state()
    theirs = to_openspiel(spec).new_initial_state()
    rng = np.random.default_rng(5)
    while not state.is_terminal():
        acting = state.acting_players()
        assert theirs.is_simultaneous_node() == (len(acting) > 1)
        assert str(theirs) == str(state)
        assert theirs.observation_tensor(0) == state.encode().tolist()
        if state.is_chance():
            assert theirs.chance_outcomes() == state.chance_outcomes()
            step = int(rng.choice([outcome for outcome, _ in theirs.chance_outcomes()]))
            state.apply_action(step)
            theirs.apply_action(step)
            continue
        for player in acting:
            assert theirs.legal_actions(player) == state.legal_actions(player)
        chosen = {player: int(rng.choice(state.legal_actions(player))) for player in acting}
        if len(acting) > 1:
            theirs.apply_actions([chosen.get(player, 0) for player in range(state.game.num_players)])
        else:
            theirs.apply_action(chosen[acting[0]])
        state.apply_actions(state.joint_action(chosen))
        assert from_openspiel_state(theirs) == state
    assert theirs.is_terminal()
    assert theirs.returns() == state.returns()


@pytest.mark.parametrize("name", THEIRS)
def test_a_game_of_openspiel_keeps_the_contract(name):
    game = mcts.load_game(spec_of(name))
    found = mcts.check_game(game, games=2)
    assert found.passed, found
    assert mcts.load_game(game.spec) == game == pickle.loads(pickle.dumps(game))
    assert from_openspiel(to_openspiel(game)) == game
    assert game.spec.count("=") == 1 + name.count("=")
    state = game.new_initial_state()
    for number in range(3):
        joint = bots.steps.sample_joint_action(state, number)
        state.apply_actions(joint)
        if state.is_terminal():
            break
        assert game.state_from_dict(state.to_dict()) == state == game.state_from_text(state.to_text())
        assert from_openspiel_state(to_openspiel_state(state)) == state
        assert to_openspiel_state(state).history_str().count(",") + 1 >= number + 1


def test_the_search_solves_their_games():
    nim = mcts.load_game(spec_of("nim(pile_sizes=1;2;3)"))
    result = mcts.MCTS.plain(nim, seed=1, solver=True).run(nim.new_initial_state(), simulations=5000)
    assert result.proven
    assert abs(result.values[0]) == 1.0
    penny = mcts.load_game(spec_of("matrix_mp"))
    result = mcts.MCTS.plain(penny, seed=1).run(penny.new_initial_state(), simulations=5000)
    assert result.values == pytest.approx((0, 0), abs=0.05)
    four = mcts.load_game(spec_of("connect_four"))
    state = four.new_initial_state()
    for column in (3, 0, 3, 0, 3, 1):
        state.apply_action(column)
    assert mcts.MCTS.plain(four, seed=1, solver=True).run(state, simulations=300).action == 3


def test_cfr_and_exploitability_agree_with_exact_values():
    small = mcts.load_game("mnk(m=3,n=2,k=2)")
    exact = mcts.solve(small).value(small.new_initial_state())
    game = to_openspiel(small)
    solver = cfr.CFRSolver(game)
    for _ in range(15):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    values = expected_game_score.policy_value(game.new_initial_state(), [policy, policy])
    distance = exploitability.exploitability(game, policy)
    assert distance < 2
    assert values == pytest.approx(exact, abs=2 * distance)


def test_cfr_of_the_end_of_a_game_with_sealed_bids_agrees_with_its_solution():
    game = mcts.load_game("bidding_ttt(coins=1)")
    state = game.state_from_text("ox./oxx/xo._0,2_o_-")
    exact = mcts.solve(game).value(state)
    turns = pyspiel.convert_to_turn_based(to_openspiel(state))
    solver = cfr.CFRPlusSolver(turns)
    for _ in range(15):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    values = expected_game_score.policy_value(turns.new_initial_state(), [policy, policy])
    assert exploitability.exploitability(turns, policy) < 0.5
    assert values == pytest.approx(exact, abs=1)


def test_cfr_of_a_game_in_python_finds_the_mixed_strategy_of_the_matrix():
    payoffs = np.array([[3, -1, 0], [-2, 1, 0.5]])
    value, row, column = matrix_strategies(payoffs)
    turns = pyspiel.convert_to_turn_based(to_openspiel(matrix_game(zero_sum(payoffs))))
    solver = cfr.CFRPlusSolver(turns)
    for _ in range(200):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    values = expected_game_score.policy_value(turns.new_initial_state(), [policy, policy])
    assert values == pytest.approx([value, -value], abs=0.01)
    state = turns.new_initial_state()
    for exact in (row, column):
        found = policy.action_probabilities(state)
        assert [found[action] for action in range(len(exact))] == pytest.approx(list(exact), abs=0.02)
        state.apply_action(0)


def test_bots_play_in_openspiel():
    game = to_openspiel("mnk")
    pair = [PlayoutBot(game, 0, "mcts(simulations=100)", seed=1), PlayoutBot(game, 1, "random", seed=2)]
    points = [pyspiel.evaluate_bots(game.new_initial_state(), pair, number)[0] for number in range(6)]
    assert sum(points) >= 500
    theirs = pyspiel.load_game("connect_four")
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
    weak = pyspiel.MCTSBot(theirs, evaluator, 2.0, 2, 10, True, 1, False)
    ours = PlayoutBot(theirs, 0, "mcts(simulations=300)", seed=1)
    assert pyspiel.evaluate_bots(theirs.new_initial_state(), [ours, weak], 1) == [1.0, -1.0]
    zumo = pyspiel.load_game("oshi_zumo(coins=6,size=1)")
    pair = [PlayoutBot(zumo, player, "mcts(simulations=50)") for player in range(2)]
    assert sum(pyspiel.evaluate_bots(zumo.new_initial_state(), pair, 1)) == 0


@pytest.mark.sample(1)
@pytest.mark.parametrize("spec", ["mnk", spec_of("connect_four"), "three_player_ttt"])
def test_bots_of_openspiel_play_in_the_arena(spec):
    names = ["bots.adapters.openspiel.OpenSpielMcts(simulations=3)", "greedy", "random"]
    with arena.run(arena.describe(spec, names, games=2, seed=1), workers=1) as result:
        assert not result.failures
        assert result.num_games in (3, 6)


def test_openspiels_search_prefers_to_win():
    bot = bots.load_bot("bots.adapters.openspiel.OpenSpielMcts(simulations=200)")
    state = mcts.load_game("mnk").state_from_text("xx./oo./..._x")
    bot.new_game(state.game, 0, 1)
    assert state.action_to_string(0, bot.choose(state.view(0))) == "mark(1,3)"
    with pytest.raises(mcts.errors.LimitError, match="no time limit here"):
        bot.choose(state.view(0), mcts.Limit(seconds=1))
    four = mcts.load_game(spec_of("connect_four"))
    bot.new_game(four, 0, 1)
    assert bot.choose(four.new_initial_state().view(0), mcts.Limit(seconds=0.01)) in range(7)
    with pytest.raises(mcts.UnsupportedGameError, match="players decide at the same time"):
        bot.check_game(mcts.load_game("bidding_ttt"))
    joint = RandomOfOpenSpiel()
    state = mcts.load_game("bidding_ttt").new_initial_state()
    assert {joint.choose(state.view(1)) for _ in range(60)} == set(state.legal_actions(1))


@pytest.mark.parametrize(("version", "spec"), [("classical", "dark_mnk"), ("abrupt", "dark_mnk(retry=false)")])
def test_dark_tic_tac_toe_is_theirs(version, spec):
    theirs, rng = pyspiel.load_game(f"phantom_ttt(gameversion={version})"), np.random.default_rng(5)
    for _ in range(20):
        other, state = theirs.new_initial_state(), mcts.load_game(spec).new_initial_state()
        while not other.is_terminal():
            player = state.current_player()
            assert player == other.current_player()
            assert list(state.view(player).legal_actions()) == other.legal_actions()
            for seen in (state.view(0).to_dict(), state.view(1).to_dict()):
                seat = 0 if seen["o_tries"] is None else 1
                assert seen["board"] == other.observation_string(seat).replace("\n", "")
            tries = state.view(player).to_dict()[f"{'xo'[player]}_tries"]
            told = [f"{player},{3 * int(word[0]) + int(word[1]) - 4}" for word in tries]
            assert other.information_state_string(player).split("\n")[3].split() == told
            action = int(rng.choice(other.legal_actions()))
            other.apply_action(action)
            state.apply_action(action)
        assert [value / 50 - 1 for value in state.returns()] == other.returns()


@pytest.mark.parametrize(("players", "suits", "ranks", "tricks"), [(3, 4, 5, 4), (4, 4, 8, 7), (3, 2, 4, 2)])
def test_oh_hell_is_theirs_after_the_last_player_deals(players, suits, ranks, tricks):
    size = {"players": players, "num_suits": suits, "num_cards_per_suit": ranks, "num_tricks_fixed": tricks}
    theirs, rng = pyspiel.load_game("oh_hell", size), np.random.default_rng(5)
    ours = mcts.load_game("oh_hell", players=players, suits=suits, ranks=ranks, tricks=tricks)
    number = {action: action for action in range(suits * ranks, ours.num_actions)}
    number |= {card: card % suits * ranks + card // suits for card in range(suits * ranks)}
    for _ in range(20):
        other, state = theirs.new_initial_state(), ours.new_initial_state()
        other.apply_action(tricks)
        other.apply_action(players - 1)
        dealt = [int(card) for card in rng.permutation(suits * ranks)[: players * tricks + 1]]
        for card in dealt:
            other.apply_action(card)
        for player in range(players):
            for card in sorted(number[card] for card in dealt[player:-1:players]):
                state.apply_action(card)
        state.apply_action(number[dealt[-1]])
        while not other.is_terminal():
            assert state.current_player() == other.current_player()
            legal = {number[action]: action for action in other.legal_actions()}
            assert list(state.legal_actions()) == sorted(legal)
            action = int(rng.choice(sorted(legal)))
            other.apply_action(legal[action])
            state.apply_action(action)
        assert state.returns() == other.returns()


def test_what_cannot_be_converted_is_refused_with_the_reason():
    for name, words in (("kuhn_poker", "it hides parts"), ("mfg_crowd_modelling", "mean field")):
        if name in pyspiel.registered_names():
            with pytest.raises(mcts.UnsupportedGameError, match=words):
                spec_of(name)
    with pytest.raises(mcts.ParameterError, match="has no game 'no_such_game'"):
        spec_of("no_such_game")
    with pytest.raises(mcts.ParameterError, match="cannot load"):
        spec_of("connect_four(size=3)")
    with pytest.raises(mcts.UnsupportedGameError, match="its actions are not listed"):
        to_openspiel("bidding_3d_ttt")
    for convert in (to_openspiel, to_openspiel_state, from_openspiel, from_openspiel_state):
        with pytest.raises(TypeError):
            convert(None)
    game = mcts.load_game(spec_of("connect_four"))
    for bad in (None, [[9, -1]], [[0, 0]], [[0]], [["0", -1]], [[-1, 0]]):
        with pytest.raises(mcts.StateError, match="history"):
            game.state_from_dict({"history": bad})
    with pytest.raises(mcts.UnsupportedGameError, match="hides parts"):
        PlayoutBot(pyspiel.load_game("kuhn_poker"), 0, "random")
    with pytest.raises(mcts.ParameterError, match=r"player 7 in .*; valid: 0 to 1"):
        PlayoutBot(to_openspiel("mnk"), 7, "random")
    with pytest.raises(mcts.StateError, match=r"the state is one of .*tic_tac_toe.*; valid: one of mnk"):
        PlayoutBot(to_openspiel("mnk"), 0, "random").step(pyspiel.load_game("tic_tac_toe").new_initial_state())


def test_two_games_of_one_name_are_told_apart():
    to_openspiel(TicTacToe())
    assert isinstance(from_openspiel(to_openspiel(TicTacToe())), TicTacToe)
    one, two = (type("Twin", (TicTacToe,), {"name": "twins"})() for _ in range(2))
    assert to_openspiel(one).get_type().short_name == "playout_twins"
    with pytest.raises(mcts.ParameterError, match="knows another game as playout_twins"):
        to_openspiel(two)


def test_the_package_is_imported_late_and_its_absence_is_explained():
    code = (
        "import sys, mcts, bots, mcts.adapters\n"
        "assert 'pyspiel' not in sys.modules\n"
        "sys.modules['pyspiel'] = None\n"
        "for name in ('mcts', 'bots'):\n"
        "    try: __import__(f'{name}.adapters.openspiel')\n"
        "    except ImportError as error: print(error)\n"
    )
    done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.count("pip install 'playout[openspiel]'") == 2
