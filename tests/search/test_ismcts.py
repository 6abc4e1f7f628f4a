"""Information set MCTS: strength in small games, determinism, views, memory, and games in Python."""

import pytest
from chance_games import Race
from python_games import Coin

import bots
import mcts
from mcts.searchers.ismcts import ISMCTS


@pytest.mark.long
def test_it_plays_almost_as_well_as_perfect_play():
    game = mcts.load_game("leduc_poker")
    solution = mcts.solve(game)
    bot = bots.load_bot("ismcts(simulations=2000)")
    earned = solution.expected_returns(bot, solution.policy, samples=1)
    even = solution.expected_returns(
        lambda view: dict.fromkeys(view.legal_actions(), 1 / len(view.legal_actions())), solution.policy
    )
    assert earned[0] > -0.35  # the value is -0.086
    assert earned[0] > even[0] + 0.3


@pytest.mark.parametrize("selection", ["ucb1", "exp3", "regret_matching"])
def test_the_highest_card_calls_and_the_lowest_gives_up(selection):
    search = ISMCTS(mcts.load_game("kuhn_poker"), selection=selection, seed=1)
    for text, best in (("QK_b", 1), ("QJ_b", 0)):
        view = search.game.state_from_text(text).view(1)
        result = search.run(view, simulations=3000)
        assert result.simulations == 3000
        assert result.policy[best] > 0.9
        assert result.action_values[best] == pytest.approx(-1 if best == 0 else 2, abs=0.2)
        assert sum(result.visits.values()) == 3000
        assert sum(result.values) == pytest.approx(0)
        again = search.run(view, simulations=3000)
        assert (again.visits, again.policy) == (result.visits, result.policy)


def test_what_a_player_does_not_see_changes_nothing():
    game = mcts.load_game("leduc_poker")
    search = ISMCTS(game, seed=3)
    results = [search.run(game.state_from_text(f"{card}Q._r").view(1), 500) for card in "JjKk"]
    assert len({tuple(result.visits.items()) for result in results}) == 1


GAMES = ["three_player_ttt", "bidding_ttt(coins=2)", "dice_ttt", "kuhn_poker(players=3)", "tron"]


@pytest.mark.parametrize("spec", GAMES)
def test_it_searches_every_game_with_listed_actions(spec):
    game = mcts.load_game(spec)
    state = game.new_initial_state()
    while state.is_chance():
        state.apply_action(state.sample_outcome(1))
    view = state.view(state.acting_players()[0])
    result = ISMCTS(game, seed=1).run(view, simulations=200)
    assert result.action in view.legal_actions()
    assert len(result.values) == game.num_players
    assert result.to_dict()["simulations"] == 200
    for player in set(range(game.num_players)) - set(state.acting_players()):
        waits = ISMCTS(game).run(state.view(player), simulations=200)
        middle = (game.min_utility + game.max_utility) / 2
        assert (waits.simulations, waits.values) == (0, (middle,) * game.num_players)


def test_a_full_tree_goes_on_with_playouts():
    game = mcts.load_game("mnk(m=8,n=8,k=5)")
    result = ISMCTS(game, memory_mb=1).run(game.new_initial_state().view(0), simulations=20_000)
    assert result.simulations == 20_000


def test_games_in_python_are_searched_and_their_errors_are_raised():
    class Broken(Race):
        def returns(self, state):
            raise RuntimeError("broken rules")

    state = Race().new_initial_state()
    while state.is_chance():
        state.apply_action(state.sample_outcome(1))
    assert ISMCTS(state.game).run(state.view(state.acting_players()[0]), simulations=300).simulations == 300
    state = Broken().new_initial_state()
    while state.is_chance():
        state.apply_action(state.sample_outcome(1))
    with pytest.raises(RuntimeError, match="broken rules"):
        ISMCTS(state.game).run(state.view(state.acting_players()[0]), simulations=300)


@pytest.mark.parametrize(("actions", "message"), [([], "is empty"), ([0, 7], "has 7; valid: different numbers")])
def test_wrong_actions_of_a_subclass_are_refused(actions, message):
    """What lists the actions where something is hidden is checked like the method of the game."""

    class Wrong(Coin):
        def _ascending_actions(self, state, player):
            return actions

    state = Wrong().new_initial_state()
    state.apply_action(0)
    for name in ("ismcts", "oos", "cfr"):
        with pytest.raises(ValueError, match=message):
            mcts.load_searcher(name, state.game).run(state.view(0), simulations=50)


def test_games_that_it_does_not_support_are_refused():
    game = mcts.load_game("kuhn_poker")
    with pytest.raises(mcts.UnsupportedGameError, match="use double_oracle"):
        ISMCTS(mcts.load_game("bidding_3d_ttt"))
    with pytest.raises(mcts.UnsupportedGameError, match="use ismcts"):
        bots.load_bot("mcts").check_game(game)
    with pytest.raises(mcts.StateError, match="hidden information"):
        ISMCTS(game).run(game.state_from_text("JK_-"), simulations=1)
