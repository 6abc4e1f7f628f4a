"""Workloads with fixed seeds, whose instructions are counted.

A workload is a function that prepares everything and returns a function for the measured region. A change of a workload
changes its figure: write the figures again in the same commit.
"""

import mcts

SEED = 20
EXPLORATION = 1.4
"""Weight of exploration in all searches, whatever the default: a changed default changes no workload."""
GRAVE = {"selection": "grave", "exploration": None}
"""Options of a search by GRAVE, which reads no `exploration`."""
PLAYOUT_COUNTS = {
    "mnk(m=3,n=3,k=3)": 100_000,
    "bidding_ttt": 100_000,
    "points_ttt": 50_000,
    "three_player_ttt": 50_000,
    "tic_block": 50_000,
    "bidding_3d_ttt": 3_000,
}


def playouts(spec, count):
    """Prepare random playouts from the initial state."""
    state = mcts.load_game(spec).new_initial_state()
    return lambda: mcts.playouts(state, count, seed=SEED)


def search(spec, simulations, **options):
    """Prepare a search from the initial state with a new tree."""
    game = mcts.load_game(spec)
    state = game.new_initial_state()
    options = {"seed": SEED, "exploration": EXPLORATION, **options}
    return lambda: mcts.MCTS.plain(game, **options).run(state, simulations=simulations)


def solution(spec):
    """Prepare the solution of a game by backward induction, without the cache."""
    game = mcts.load_game(spec)
    return lambda: mcts.solve(game, cache=False)


def steps_from_python(spec, games):
    """Prepare games whose every step is taken from Python: legal actions, one action, views and returns."""
    game = mcts.load_game(spec)

    def play():
        for seed in range(games):
            state = game.new_initial_state()
            while not state.is_terminal():
                player = state.current_player()
                actions = state.view(player).legal_actions()
                state.apply_action(actions[seed % len(actions)])
            state.returns()

    return play


WORKLOADS = {
    **{f"playouts of {spec}": lambda s=spec, n=count: playouts(s, n) for spec, count in PLAYOUT_COUNTS.items()},
    "ucb1 on mnk(m=5,n=5,k=4)": lambda: search("mnk(m=5,n=5,k=4)", 50_000),
    "ucb1 on three_player_ttt": lambda: search("three_player_ttt", 50_000),
    "regret matching on bidding_ttt": lambda: search("bidding_ttt", 20_000),
    "ucb1 and regret matching on tic_block": lambda: search("tic_block", 20_000),
    "solver and transpositions on bidding_ttt": lambda: search("bidding_ttt", 10_000, solver=True, transpositions=True),
    "grave on mnk(m=7,n=7,k=5)": lambda: search("mnk(m=7,n=7,k=5)", 20_000, **GRAVE),
    "solver and grave on mnk(m=7,n=7,k=5)": lambda: search("mnk(m=7,n=7,k=5)", 20_000, **GRAVE, solver=True),
    "solver and transpositions on mnk(m=5,n=5,k=4)": lambda: search(
        "mnk(m=5,n=5,k=4)", 20_000, solver=True, transpositions=True
    ),
    "puct on mnk(m=5,n=5,k=4)": lambda: search("mnk(m=5,n=5,k=4)", 30_000, selection="puct"),
    "backward induction of mnk(m=4,n=3,k=3)": lambda: solution("mnk(m=4,n=3,k=3)"),
    "steps from Python on points_ttt": lambda: steps_from_python("points_ttt", 1_000),
}
