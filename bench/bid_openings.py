"""Solve the openings that come with the package: `python -m bench.bid_openings` writes `mcts/openings.json`.

The value net of the default parameters values the positions after the first round of that variant, and the estimate
those of the others: with recapture, the opening of the net was no better. The result depends on this net, the seed and
the machine code alone. It takes minutes. With specs of games as arguments, it solves these alone and keeps
the other openings.
"""

import json
import sys
from pathlib import Path

import mcts
from mcts.nets.shipped import shipped_net
from mcts.openings import FILE, solve_opening

SPECS = [
    f"bidding_3d_ttt(chips={chips},recapture={recapture})" for chips in (40, 80, 160) for recapture in ("false", "true")
]
WITH_NET = "bidding_3d_ttt(chips=80,recapture=false)"
PATH = Path(__file__).parent.parent / "mcts" / FILE
SEED = 1


def solved(spec: str) -> dict[str, float]:
    """Return text of a bid -> probability."""
    game = mcts.load_game(spec)
    state = game.new_initial_state()
    opening = solve_opening(game, seed=SEED, net=shipped_net(game) if spec == WITH_NET else None)
    return {
        state.action_to_string(0, bid): round(weight, 4)
        for bid, weight in zip(opening.bids, opening.weights, strict=True)
    }


def main() -> None:
    """Solve the openings and write the file."""
    found = json.loads(PATH.read_text(encoding="utf-8"))
    for spec in sys.argv[1:] or SPECS:
        found[spec] = solved(spec)
        chips = sum(
            weight * sum(mcts.load_game(spec).new_initial_state().string_to_action(0, text))
            for text, weight in found[spec].items()
        )
        print(f"{spec}: {len(found[spec])} bids, {chips:.1f} chips", file=sys.stderr)
    PATH.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
