"""OpenSpiel both ways: a search of Playout in a game of OpenSpiel, and algorithms of OpenSpiel in a game of Playout."""

try:
    import pyspiel
    from open_spiel.python.algorithms import cfr, expected_game_score, exploitability
except ImportError:
    raise SystemExit("this example needs OpenSpiel's pyspiel: pip install open_spiel") from None

import playout
from playout import adapters, arena


def main() -> None:
    # Their game: the search finds the winning column of connect four, and bots of both packages meet in the arena.
    game = adapters.openspiel.OpenSpielGame(game="connect_four")
    state = game.new_initial_state()
    for column in (3, 0, 3, 0, 3, 1):
        state.apply_action(column)
    result = playout.MCTS(game, seed=1).run(state, simulations=1000)
    print(f"{state}\n{state.action_to_string(0, result.action)} is proven to win: {result.proven}")
    spec = "mcts.adapters.openspiel.OpenSpielGame(game=connect_four)"
    players = {"ours": "mcts(simulations=100)", "theirs": "bots.adapters.openspiel.OpenSpielMcts(simulations=10)"}
    with arena.run(arena.describe(spec, players, games=4, seed=1), workers=2) as match:
        for bot in match.standings:
            print(f"{bot.bot}: {tuple(bot.results)} wins, draws and losses")

    # Our game: counterfactual regret minimisation finds the exact value of the end of a game with sealed bids.
    ours = playout.load_game("bidding_ttt(coins=1)")
    end = ours.state_from_text("ox./oxx/xo._0,2_o_-")
    turns = pyspiel.convert_to_turn_based(adapters.openspiel.to_openspiel(end))
    solver = cfr.CFRPlusSolver(turns)
    for _ in range(10):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    values = expected_game_score.policy_value(turns.new_initial_state(), [policy, policy])
    print(f"CFR+: values {values.round(2)}, exploitability {exploitability.exploitability(turns, policy):.2f}")
    print(f"exact: values {playout.solve(ours).value(end)}")

    # Our bots there.
    mnk = adapters.openspiel.to_openspiel("mnk")
    seat = adapters.openspiel.PlayoutBot
    pair = [seat(mnk, 0, "mcts(simulations=100)", seed=1), seat(mnk, 1, "greedy", seed=2)]
    print("played by OpenSpiel:", pyspiel.evaluate_bots(mnk.new_initial_state(), pair, 1))


if __name__ == "__main__":
    main()
