"""Joint actions: a game receives NO_ACTION for every player that does not decide."""

import pytest

import mcts


class Turns(mcts.PythonGame):
    """Three players: by turns one of them decides, or the first and the last at once. Six steps."""

    name = "turns"
    players = ("a", "b", "c")
    num_actions = 3

    def initial_state(self):
        return 0, 0

    def acting_players(self, state):
        step, _ = state
        if step == 6:
            return ()
        return step % 3 if step % 2 else (0, 2)

    def legal_actions(self, state, player):
        return (2, 0, 1)

    def next_state(self, state, joint):
        step, total = state
        acting = self.acting_players(state)
        acting = (acting,) if isinstance(acting, int) else acting
        assert [player for player in range(3) if joint[player] != mcts.NOOP] == list(acting)
        return step + 1, total * 3 + max(joint)

    def returns(self, state):
        return [state[1] % 2, state[1] % 3 / 2, 0]


@pytest.mark.parametrize("options", [{}, {"selection": "grave"}, {"solver": True}], ids=str)
def test_the_search_names_only_those_who_decide(options):
    game = Turns()
    assert mcts.MCTS.plain(game, **options).run(game.new_initial_state(), simulations=3000).simulations > 0


def test_single_steps_and_playouts_name_only_those_who_decide():
    game = Turns()
    state = game.new_initial_state()
    assert sum(mcts.playouts(state, 100)) > 0
    while not state.is_terminal():
        assert state.legal_actions(2) in ([0, 1, 2], [mcts.NOOP])
        if state.current_player() == mcts.SIMULTANEOUS:
            state.apply_actions([state.legal_actions(player)[0] for player in range(3)])
        else:
            state.apply_action(2)
