from playout_perft import count

import playout


def test_tic_tac_toe():
    state = playout.load_game("mnk").new_initial_state()
    assert [count(state, plies) for plies in range(4)] == [1, 9, 72, 504]
