"""Find good openings of the games, by exact solutions and by large searches, and store them in docs/results.

    python -m bench.openings                                   # all of them, about ten minutes
    python -m bench.openings --game points_ttt                 # one of them
    python -m bench.openings --simulations 100000              # a smaller search where no exact solution exists

Values are returns of the player who decides, from 0 to 100.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import mcts

TARGET = Path(__file__).parent.parent / "docs" / "results" / "openings.json"
SIMULATIONS = 20_000_000
BOARDS = ["mnk(m=3,n=3,k=3)", "mnk(m=4,n=3,k=3)", "mnk(m=4,n=4,k=3)", "mnk(m=4,n=4,k=4)"]
DRAWN_TIC_PHASE = "xox/xxo/oxo_25,25_..../..../..../...._-"
Row = dict[str, Any]


def solved_actions(spec: str, text: str | None = None) -> Row:
    """Return the exact value of every action at a position, for each player who decides."""
    game = mcts.load_game(spec)
    solution = mcts.solve(game)
    state = game.new_initial_state() if text is None else game.state_from_text(text)
    players = {}
    for player in state.acting_players():
        value = solution.value(state)[player]
        policy = solution.policy(state, player)
        players[game.players[player]] = {
            "value": round(value, 6),
            "actions": {
                state.action_to_string(player, action): {
                    "value": round(value - solution.loss(state, player, action), 6),
                    "probability": round(policy.get(action, 0.0), 6),
                }
                for action in state.legal_actions(player)
            },
        }
    return {"method": "exact", "state": state.to_text(), "players": players}


def replies(spec: str) -> dict[str, Row]:
    """Return the exact values of all replies to each first action, one action of each class of symmetric ones."""
    game = mcts.load_game(spec)
    first = game.new_initial_state()
    found: dict[str, Row] = {}
    seen = set()
    for action in first.legal_actions():
        after = first.child(action)
        key = after.canonical()[0].key()
        if key not in seen:
            seen.add(key)
            found[first.action_to_string(first.current_player(), action)] = solved_actions(spec, after.to_text())
    return found


def searched_actions(spec: str, simulations: int) -> Row:
    """Return the values of all first actions by a search with merged states."""
    game = mcts.load_game(spec)
    state = game.new_initial_state()
    result = mcts.MCTS.plain(game, transpositions=True, memory_mb=2000, seed=1).run(state, simulations=simulations)
    actions = {
        state.action_to_string(result.player, action): {"value": result.action_values[action], "visits": visits}
        for action, visits in result.visits.items()
    }
    return {
        "method": f"search with {result.simulations} simulations",
        "state": state.to_text(),
        "values": result.values,
        "actions": actions,
    }


def jobs(simulations: int) -> dict[str, Callable[[], Any]]:
    """Return the function that finds each entry of the file, by the key of the entry."""
    found: dict[str, Callable[[], Any]] = {}
    for spec in [*BOARDS, "points_ttt", *(f"bidding_ttt(coins={coins})" for coins in range(11))]:
        found[spec] = lambda spec=spec: solved_actions(spec)
    found["points_ttt replies"] = lambda: replies("points_ttt")
    found["bidding_ttt(coins=3) first mark"] = lambda: solved_actions("bidding_ttt(coins=3)", ".../.../..._2,4_o_x")
    found["tic_block first mark"] = lambda: solved_actions("tic_block")
    found["tic_block block phase"] = lambda: solved_actions("tic_block", DRAWN_TIC_PHASE)
    found["three_player_ttt"] = lambda: searched_actions("three_player_ttt", simulations)
    return found


def main() -> None:
    """Find the openings and store them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", help="only the entries that begin with this text")
    parser.add_argument("--simulations", type=int, default=SIMULATIONS, help="of the searches (%(default)s)")
    parser.add_argument("--out", type=Path, default=TARGET, help="file of the results (%(default)s)")
    given = parser.parse_args()
    chosen = {key: job for key, job in jobs(given.simulations).items() if key.startswith(given.game or "")}
    if not chosen:
        parser.error(f"--game {given.game}: no such entry; valid beginnings: {', '.join(jobs(1))}")
    stored = json.loads(given.out.read_text()) if given.out.exists() else {}
    for key, job in chosen.items():
        stored[key] = job()
        print(key, "done", flush=True)
        given.out.parent.mkdir(parents=True, exist_ok=True)
        given.out.write_text(json.dumps(stored, indent=1) + "\n")


if __name__ == "__main__":
    main()
