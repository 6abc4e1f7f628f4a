"""The games of the targets, and play whose choices come from an input."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import mcts

from .reader import Reader

SPECS = (
    "mnk(m=3,n=3,k=3)",
    "bidding_ttt(coins=2,o_coins=5,tiebreaker=o)",
    "points_ttt",
    "three_player_ttt(torus=true)",
    "tic_block(block_phase=simultaneous)",
    "bidding_3d_ttt(chips=12)",
    "mnk(m=5,n=4,k=3)",
    "bidding_ttt(coins=3)",
    "three_player_ttt(torus=false)",
    "tic_block(block_phase=alternating)",
    "bidding_3d_ttt(recapture=true)",
    "mnk(m=64,n=1,k=4)",
    "bidding_3d_ttt(chips=0)",
    "bidding_ttt(coins=0)",
    "mnk(m=1,n=1,k=1)",
    "mnk(m=8,n=8,k=5)",
    "dice_ttt",
    "kuhn_poker(players=2)",
    "kuhn_poker(players=3)",
    "leduc_poker",
    "liars_dice(dice=1,sides=6)",
    "liars_dice(dice=2,sides=3)",
    "dark_mnk(m=3,n=3,k=3,retry=true)",
    "dark_mnk(m=5,n=5,k=3,retry=false)",
    "oh_hell(players=2,suits=4,ranks=8,tricks=15)",
    "oh_hell(players=4,suits=3,ranks=4,tricks=2)",
    "chess(chess960=false)",
    "go(size=3)",
    "go(size=5,komi=0.5)",
)
"""Every rule of every game, and the ends of their sizes. An input names the place of its game, so new ones follow."""
SECRETS = ("fuzz.secret_bids.SecretBids(dealt=true)", "fuzz.secret_bids.SecretBids(dealt=false)", "secret_goofspiel")
"""Games in Python that hide something: where chance decides, and where it does not."""


@cache
def loaded(spec: str) -> mcts.Game:
    """Return a game, loaded once."""
    return mcts.load_game(spec)


def chosen_game(reader: Reader, specs: Sequence[str] = SPECS) -> mcts.Game:
    """Return the game that the next byte names."""
    return loaded(reader.choice(specs))


def played(game: mcts.Game, reader: Reader, most: int = 255) -> mcts.State:
    """Return a state after random play: one byte is the number of plies, another the seed of all actions."""
    state = game.new_initial_state()
    plies, seed = min(reader.byte(), most), reader.byte()
    for ply in range(plies):
        if state.is_terminal():
            break
        if state.is_chance():
            state.apply_action(state.sample_outcome(256 * ply + seed))
            continue
        players = range(game.num_players)
        state.apply_actions([state.sample_action(player, 256 * ply + seed) for player in players])
    return state
