"""Searches of hidden information with fixed seeds: the values are those in tests/data/searches.json.

bench/signature.json has the searches where nothing is hidden. A change of speed alone must change neither. After an
intended change, `python tests/search/test_recorded_searches.py` writes the file again.
"""

import json
from pathlib import Path

import pytest

import mcts
from mcts.random_steps import random_game

FILE = Path(__file__).resolve().parents[1] / "data" / "searches.json"
CASES = [
    *(("bidding_3d_ttt", "double_oracle(opening=false)", 3000, plies) for plies in (0, 1, 2)),
    *(("bidding_3d_ttt(chips=40,recapture=true)", "double_oracle(opening=false)", 3000, plies) for plies in (0, 1)),
    *(
        (spec, "ismcts", 300, plies)
        for spec in ("leduc_poker", "oh_hell", "liars_dice", "dark_mnk")
        for plies in (0, 3)
    ),
    *((spec, "oos", 300, 0) for spec in ("leduc_poker", "liars_dice", "dark_mnk")),
    *((spec, "cfr", 20, 0) for spec in ("kuhn_poker", "leduc_poker")),
]


def view_after(game, plies):
    """Return the view of the mover of the first decision in a random game after some steps."""
    for number, state in enumerate(random_game(game.new_initial_state(), 3)):
        if number >= plies and not state.is_chance():
            return state.view(state.acting_players()[0])
    raise AssertionError(f"a game of {game.spec} has fewer than {plies} steps")


def values_of(spec, searcher, simulations, plies):
    """Return the text of each action of a search -> its probability and its value, which libraries may round."""
    game = mcts.load_game(spec)
    view = view_after(game, plies)
    result = mcts.load_searcher(searcher, game, seed=7).run(view, simulations=simulations)
    shares = result.policy
    found = {}
    for action, value in result.action_values.items():
        if shares.get(action, 0.0) > 1e-4:
            found[view.action_to_string(action)] = [shares[action], value]
    return found


@pytest.mark.parametrize("case", CASES, ids=[f"{spec} {searcher} {plies}" for spec, searcher, _, plies in CASES])
def test_a_search_has_the_recorded_values(case):
    recorded = json.loads(FILE.read_text(encoding="utf-8"))[" ".join(map(str, case))]
    found = values_of(*case)
    assert found.keys() == recorded.keys()
    for action, numbers in found.items():
        assert numbers == pytest.approx(recorded[action], rel=1e-6, abs=1e-6, nan_ok=True), action


if __name__ == "__main__":
    made = {" ".join(map(str, case)): values_of(*case) for case in CASES}
    FILE.write_text(json.dumps(made, indent=0) + "\n", encoding="utf-8")
