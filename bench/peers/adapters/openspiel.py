"""OpenSpiel: random rollouts and tree search in C++, and its tree search in Python.

Its game `tic_tac_toe` is several times as fast as its `mnk` with the same board, so both are measured.
"""

REQUIREMENTS = ("open_spiel==2.0.2",)
ROLLOUTS = "Rollouts are uniform and begin in the initial state."
SEARCH = "One uniform playout, no solver. OpenSpiel gives an action that ends the game its exact value."
CASES = {
    "C++ rollouts, tic_tac_toe": {"ours": "playouts mnk(m=3,n=3,k=3)", "count": 200_000, "same": ROLLOUTS},
    "C++ rollouts, mnk(m=3,n=3,k=3)": {"ours": "playouts mnk(m=3,n=3,k=3)", "count": 50_000, "same": ROLLOUTS},
    "C++ rollouts, mnk(m=5,n=5,k=4)": {"ours": "playouts mnk(m=5,n=5,k=4)", "count": 10_000, "same": ROLLOUTS},
    "C++ search, tic_tac_toe": {"ours": "search mnk(m=3,n=3,k=3)", "count": 100_000, "same": SEARCH},
    "C++ search, mnk(m=3,n=3,k=3)": {"ours": "search mnk(m=3,n=3,k=3)", "count": 30_000, "same": SEARCH},
    "C++ search, mnk(m=5,n=5,k=4)": {"ours": "search mnk(m=5,n=5,k=4)", "count": 10_000, "same": SEARCH},
    "Python search, tic_tac_toe": {
        "ours": "search mnk(m=3,n=3,k=3)",
        "count": 5_000,
        "same": f"{SEARCH} Its search is in Python and its rules are in C++.",
    },
}
SEED = 1
MEMORY_MB = 1000


def prepare(rules):
    """Return the cases."""
    import numpy
    import pyspiel
    from open_spiel.python.algorithms import mcts

    def bot(game, rollouts, simulations, exploration):
        evaluator = pyspiel.RandomRolloutEvaluator(rollouts, SEED)
        return pyspiel.MCTSBot(game, evaluator, 2 * exploration, simulations, MEMORY_MB, False, SEED, False)

    def rollouts(name):
        # The evaluator has no method for Python. A search of one simulation calls it once, in the initial state.
        game = pyspiel.load_game(name)

        def begin(count, exploration):
            state, searcher = game.new_initial_state(), bot(game, count, 1, exploration)
            return lambda: searcher.mcts_search(state)

        return begin

    def search(name):
        game = pyspiel.load_game(name)

        def begin(count, exploration):
            state, searcher = game.new_initial_state(), bot(game, 1, count, exploration)
            return lambda: searcher.mcts_search(state)

        return begin

    def python_search(name):
        game = pyspiel.load_game(name)
        state = game.new_initial_state()

        def begin(count, exploration):
            random = numpy.random.RandomState(SEED)
            evaluator = mcts.RandomRolloutEvaluator(1, random)
            searcher = mcts.MCTSBot(game, 2 * exploration, count, evaluator, solve=False, random_state=random)
            return lambda: searcher.mcts_search(state)

        return begin

    kinds = {"C++ rollouts": rollouts, "C++ search": search, "Python search": python_search}
    return {case: kinds[case.split(", ")[0]](case.split(", ")[1]) for case in CASES}
