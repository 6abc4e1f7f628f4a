"""The solved positions of connect four: their values against proofs, and what the net of the package keeps of them."""

import itertools

import mcts
from bench.connect_four import keeps_value, positions

GAME = mcts.load_game("connect_four")
KNOWN = {"6165237621": "-+---=-", "4334737523": "------+"}


def state_of(played):
    state = GAME.new_initial_state()
    for column in played:
        state.apply_action(state.string_to_action(state.acting_players()[0], f"drop({column})"))
    return state


def test_the_values_are_those_that_a_search_proves():
    search = mcts.MCTS(GAME, net="none", seed=1)
    proven = 0
    for _, values, state in [given for given in positions(GAME) if len(given[0]) >= 22][:40]:
        result = search.run(state, simulations=20_000)
        if result.proven:
            proven += 1
            best = next(value for value in "+=-" if value in values)
            assert result.values[state.acting_players()[0]] == {"+": 100, "=": 50, "-": 0}[best]
            assert keeps_value(state, result.action, values)
    assert proven >= 20


def test_the_net_of_the_package_keeps_most_values():
    search = mcts.MCTS(GAME)  # with a net, it draws no random numbers
    for played, values in KNOWN.items():
        state = state_of(played)
        assert keeps_value(state, search.run(state, simulations=4000).action, values)
    given = list(itertools.islice(positions(GAME), 50))
    kept = [keeps_value(state, search.run(state, simulations=1000).action, values) for _, values, state in given]
    assert sum(kept) >= 45
