"""The package `monte-carlo-tree-search`, a fork of `mcts`: a search in Python over games in Python."""

REQUIREMENTS = ("monte-carlo-tree-search==2.1.0",)


def prepare(rules):
    """Return the cases."""
    from mcts.base.base import BaseState
    from mcts.searcher.mcts import MCTS

    class Board(rules.Board, BaseState):
        """The interface that the package expects."""

        is_terminal = rules.Board.is_over
        get_possible_actions = rules.Board.blanks
        take_action = rules.Board.mark
        get_reward = rules.Board.reward_of_first

        def get_current_player(self):
            """Return 1 for the first player and -1 for the second one."""
            return -1 if self.mover else 1

    def begin(count, exploration):
        searcher = MCTS(iteration_limit=count, exploration_constant=2 * exploration)
        return lambda: searcher.search(initial_state=Board(0, 0, 0))

    return {rules.CASE: begin}
