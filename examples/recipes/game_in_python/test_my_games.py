import playout


def test_a_multiple_of_four_loses():
    for sticks in range(1, 13):
        game = playout.load_game("my_games.TakeAway", sticks=sticks)
        result = playout.MCTS(game, solver=True, transpositions=True).run(game.new_initial_state(), simulations=5000)
        assert result.proven
        assert result.values == ((0.0, 1.0) if sticks % 4 == 0 else (1.0, 0.0))


def test_the_search_finds_the_winning_action():
    game = playout.load_game("my_games.TakeAway", sticks=7)
    state = game.new_initial_state()
    result = playout.MCTS(game).run(state, simulations=5000)
    assert state.action_to_string(0, result.action) == "take(3)"
