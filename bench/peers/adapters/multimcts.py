"""The package `multimcts`: a search compiled by Cython over games in Python."""

REQUIREMENTS = ("multimcts==0.6.4",)


def prepare(rules):
    """Return the cases."""
    import multimcts

    class Board(rules.Board):
        """The interface that the package expects. Its base class has abstract methods only."""

        __slots__ = ()
        is_terminal = rules.Board.is_over
        get_legal_moves = rules.Board.blanks
        make_move = rules.Board.mark

        def get_current_team(self):
            """Return the player to move."""
            return self.mover

        def get_reward(self):
            """Return the reward of the player who moved last."""
            return 1 if self.has_line() else 0

    def begin(count, exploration):
        searcher = multimcts.MCTS(exploration_bias=2 * exploration)
        return lambda: searcher.search(Board(0, 0, 0), max_iterations=count)

    return {rules.CASE: begin}
