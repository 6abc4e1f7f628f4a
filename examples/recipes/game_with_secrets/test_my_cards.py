import pytest

import playout


def test_the_value_is_known():
    game = playout.load_game("my_cards.Kuhn")
    assert playout.solve(game).value() == pytest.approx([-1 / 18, 1 / 18])


def test_the_other_card_is_hidden():
    state = playout.load_game("my_cards.Kuhn").new_initial_state()
    state.apply_action(0)  # J for the first player, Q for the second
    view = state.view(0)
    assert str(view) == "(('J',), '')"
    assert {str(view.resample(seed)) for seed in range(50)} == {"(('J', 'Q'), '')", "(('J', 'K'), '')"}
