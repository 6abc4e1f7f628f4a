"""Play games of every kind to their ends as an embedding program does, without NumPy and SciPy.

`make wasm-test` runs it in the Python of browsers, a test natively. The last line tells how many games were played.
"""

from __future__ import annotations

import json
import sys
from typing import Any

RULESHEETS = (
    "connect_four",
    "breakthrough",
    "othello",
    "rock_paper_scissors",
    "three_player_connect_four",
    "tic_tac_toe",
)
OPPONENT = {
    "bidding_3d_ttt": "level(2)",
    "dark_mnk": "ismcts",
    "kuhn_poker": "ismcts",
    "leduc_poker": "cfr",
    "liars_dice": "ismcts",
    "oh_hell": "ismcts",
}
MOST_PLIES = 400


class Blocked:
    """A finder of modules that refuses NumPy and SciPy."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> None:
        """Raise ImportError for a module that must not be needed."""
        if name.partition(".")[0] in ("numpy", "scipy"):
            raise ImportError(f"{name} is imported")


def play(spec: str, opponent: str) -> None:
    """Play a game against a bot in the last seat, with a hint, pictures, and a record that is loaded again."""
    import bots
    import mcts

    game = mcts.load_game(spec)
    limit = mcts.Limit(simulations=60)
    with bots.Match(game, {game.num_players - 1: opponent}, seed=3, limit=limit) as match:
        first = match.waits_for[0] if match.waits_for else None
        if first is not None and game.is_enumerable and not game.has_hidden_information:
            assert match.hint(seconds=0.02, player=first) in match.legal_actions(first)
        for ply in range(MOST_PLIES):
            if match.is_over:
                break
            for player in match.waits_for:
                actions = match.legal_actions(player) if game.is_enumerable else [sampled(match.view(player), ply)]
                match.play(actions[(7 * ply) % len(actions)], player)
        assert match.is_over, spec
        assert match.to_svg().startswith("<svg")
        assert match.returns is not None
        record = json.loads(json.dumps(match.record().to_dict()))
        again = bots.Record.from_dict(record)
        with bots.Match(game, record=again) as loaded:
            assert loaded.returns == match.returns
    print(f"{spec} against {opponent}: {match.returns}", flush=True)


def sampled(view: Any, seed: int) -> str:
    """Return the text of a sampled action."""
    return str(view.action_to_string(view.sample_action(seed)))


def check_memory() -> None:
    """Play 110 matches, and check that the last 100 let the memory of the page grow by less than 20 MB."""
    from pyodide_js import _module

    import bots
    import mcts

    limit = mcts.Limit(simulations=60)
    sizes = []
    for number in range(110):
        game = mcts.load_game(("mnk", "connect_four")[number % 2])
        with bots.Match(game, {1: "level(5)"}, seed=number, limit=limit) as match:
            match.play(match.legal_actions()[0])
            match.hint(seconds=0.01)
        sizes.append(_module.HEAPU8.length)
    assert sizes[-1] - sizes[9] < 20_000_000, sizes
    print(f"110 matches: {sizes[0] / 1e6:.0f} MB after the first, {sizes[-1] / 1e6:.0f} MB after the last", flush=True)


def main() -> None:
    """Play the games."""
    sys.meta_path.insert(0, Blocked())  # type: ignore[arg-type]
    import bots
    import mcts
    from mcts.registry import native_games

    games = [*native_games(), "mnk(m=5,n=5,k=4)", "kuhn_poker(players=3)", *RULESHEETS]
    for spec in games:
        play(spec, OPPONENT.get(spec.partition("(")[0], "level(3)"))
    state = mcts.load_game("mnk(m=5,n=5,k=4)").new_initial_state()
    assert len(mcts.playouts(state, 100, threads=2)) == 2
    assert mcts.searcher_for(state.game, threads=2).run(state, simulations=2000).simulations == 2000
    assert {"cfr", "level", "mcts"} <= set(bots.registered_bots())
    if sys.platform == "emscripten":
        check_memory()
    print(f"{len(games)} games played")


if __name__ == "__main__":
    main()
