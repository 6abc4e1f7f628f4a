"""The package `mcts`: a search in Python over games in Python."""

REQUIREMENTS = ("mcts==1.0.4",)
REMARK = "All actions maximise the return of the first player."


def prepare(rules):
    """Return the cases."""
    import mcts

    class Board(rules.Board):
        """The interface that the package expects."""

        __slots__ = ()
        isTerminal = rules.Board.is_over
        getPossibleActions = rules.Board.blanks
        takeAction = rules.Board.mark
        getReward = rules.Board.reward_of_first

    def begin(count, exploration):
        # The package multiplies by sqrt(2 ln N / n), and values range from -1 to 1.
        searcher = mcts.mcts(iterationLimit=count, explorationConstant=2**0.5 * exploration)
        return lambda: searcher.search(Board(0, 0, 0))

    return {rules.CASE: begin}
