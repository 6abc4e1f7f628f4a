"""The package `fastmcts`, which continues `mctspy`: a search in Python and numpy over games in Python."""

REQUIREMENTS = ("fastmcts==0.3.0", "numpy>=1.26,<2")


def prepare(rules):
    """Return the cases."""
    from fastmcts.games.common import TwoPlayersAbstractGameState
    from fastmcts.tree import nodes, search

    class Board(rules.Board, TwoPlayersAbstractGameState):
        """The interface that the package expects."""

        get_legal_actions = rules.Board.blanks
        is_game_over = rules.Board.is_over
        move = rules.Board.mark
        game_result = property(rules.Board.reward_of_first)
        next_to_move = property(lambda self: self.mover)

    def begin(count, exploration):
        # Searches call best_child() without arguments. The package multiplies by sqrt(2 ln N / n), values from -1 to 1.
        nodes.MonteCarloTreeSearchNode.best_child.__defaults__ = (2**0.5 * exploration,)
        root = nodes.TwoPlayersGameMonteCarloTreeSearchNode(Board(0, 0, 0))
        searcher = search.MonteCarloTreeSearch(root, num_processes=1)
        return lambda: searcher.best_action(count)

    return {rules.CASE: begin}
