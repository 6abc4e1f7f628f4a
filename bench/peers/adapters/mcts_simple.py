"""The package `mcts-simple`: a search in Python over games in Python, which copies the game for every simulation."""

REQUIREMENTS = ("mcts-simple==1.1.0",)
REMARK = (
    "No transpositions. This package copies the game for every simulation, "
    "and adds all states of a playout to its tree."
)


def prepare(rules):
    """Return the cases."""
    from mcts_simple import UCT, Game

    class TicTacToe(Game):
        """The interface that the package expects."""

        def __init__(self, board):
            self.board = board

        def __deepcopy__(self, memo):
            return TicTacToe(self.board)

        def get_state(self):
            """Return the marks of both players."""
            return self.board.own, self.board.other

        def number_of_players(self):
            """Return 2."""
            return 2

        def current_player(self):
            """Return the player to move."""
            return self.board.mover

        def possible_actions(self):
            """Return the blank cells."""
            return self.board.blanks()

        def take_action(self, action):
            """Mark a cell."""
            self.board = self.board.mark(action)

        def has_outcome(self):
            """Return True at the end of the game."""
            return self.board.is_over()

        def winner(self):
            """Return the winner, or both players after a draw."""
            return [1 - self.board.mover] if self.board.has_line() else [0, 1]

    def begin(count, exploration):
        searcher = UCT(TicTacToe(rules.Board(0, 0, 0)), allow_transpositions=False, seed=1, c=exploration)

        def run():
            for _ in range(count):  # `self_play` does the same and draws a progress bar
                searcher.step()

        return run

    return {rules.CASE: begin}
