"""Simulations until searches with simultaneous bids prove the value of a state."""

FILES = ("proofs",)
COMMAND = "python -m bench.proofs"


def markdown(proofs):
    first, games, solution = proofs.results
    seeds = first.values.values()
    values = games.values
    states, value = solution.values["states"], solution.values["value"]
    return (
        f"`bidding_ttt(coins=3)` has {states:,.0f} states, and its value is {value:g}. "
        "With `mcts(solver=true,transpositions=true)`:\n\n"
        f"- The first state is proven after {min(seeds):,.0f} to {max(seeds):,.0f} simulations ({len(seeds)} seeds).\n"
        f"- Of {values['states']:.0f} states of random games, {values['proven']:.0f} are proven, after "
        f"{values['mean_simulations']:,.0f} simulations on average and {values['most_simulations']:,.0f} at most."
    )
