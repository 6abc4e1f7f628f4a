"""Solve the first rounds of sealed bids: `python -m bench.first_rounds` writes `mcts/rounds/first_round.json`.

With 80 chips, the shipped net of the variant values the positions after the first round, and the estimate does with
other numbers of chips. With recapture and 80 chips, the opponent plays first bids of other bots with a probability
of 0.3: the strategy gives up nothing that adversaries with nets show, and wins more from such bots. The result depends
on the net, the seed and the machine code alone. It takes minutes. With specs of games as arguments, it solves these
alone and keeps the other strategies.
"""

import json
import sys
from pathlib import Path
from typing import cast

import mcts
from bots import load_bot
from mcts import Game
from mcts.nets.shipped_nets import shipped_net
from mcts.rounds.first_round import FILE, solve_first_round

SPECS = [
    f"bidding_3d_ttt(chips={chips},recapture={recapture})" for chips in (40, 80, 160) for recapture in ("false", "true")
]
FIXED_SHARES = {"bidding_3d_ttt(chips=80,recapture=true)": 0.3}
"""Probability that the opponent plays a first bid of another bot, where it is not 0."""
OPPONENTS = ("proportional", "sampled_mcts", "spread", "web")
BIDS_OF_EACH = 24
PATH = Path(__file__).parent.parent / "mcts" / "rounds" / FILE
SEED = 1


def first_bids(game: Game, name: str) -> list[tuple[int, ...]]:
    """Return first bids of a bot as the first player, each with another seed."""
    view = game.new_initial_state().view(0)
    bot = load_bot(name)
    found = []
    for seed in range(BIDS_OF_EACH):
        bot.new_game(game, 0, seed)
        found.append(cast("tuple[int, ...]", bot.choose(view)))
    bot.close()
    return found


def solved(spec: str) -> dict[str, float]:
    """Return text of a bid -> probability."""
    game = mcts.load_game(spec)
    state = game.new_initial_state()
    share = FIXED_SHARES.get(spec, 0.0)
    fixed_bids = [bid for name in OPPONENTS for bid in first_bids(game, name)] if share else []
    strategy = solve_first_round(game, seed=SEED, net=shipped_net(game), fixed_bids=fixed_bids, fixed_share=share)
    return {
        state.action_to_string(0, bid): round(weight, 4)
        for bid, weight in zip(strategy.bids, strategy.weights, strict=True)
    }


def main() -> None:
    """Solve the first rounds and write the file."""
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
