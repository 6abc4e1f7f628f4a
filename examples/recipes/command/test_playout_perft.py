from playout_perft import count

import mcts


def test_tic_tac_toe():
    state = mcts.load_game("mnk").new_initial_state()
    assert [count(state, plies) for plies in range(4)] == [1, 9, 72, 504]
