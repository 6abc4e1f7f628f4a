import playout


def test_it_completes_a_line():
    state = playout.load_game("mnk").state_from_text("xx./oo./..._x")
    searcher = playout.load_searcher("my_searchers.FlatMonteCarlo", state.game, seed=1)
    result = searcher.run(state, playout.Limit(simulations=500))
    assert state.action_to_string(0, result.action) == "mark(1,3)"
    assert result.values == (100.0, 0.0)
