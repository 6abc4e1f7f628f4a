"""Positions in which a player can win at once, and in which all moves but one lose at once."""

import random

from cext.exact.forced_ends import forced_ends


def near_ends(game, number, seed=1):
    """Return positions from games between players who overlook much.

    Returns:
        Two lists of (state, good actions): `number` states with a win in one, and as many without one in which only one
        action does not let the other player win at once.
    """
    rng = random.Random(seed)
    wins, blocks = [], []
    while min(len(wins), len(blocks)) < number:
        state = game.new_initial_state()
        while not state.is_terminal():
            (player,) = state.acting_players()
            legal, ends = state.legal_actions(player), forced_ends(state, 2)
            won = [action for action, plies in ends.items() if plies == 1]
            safe = [action for action in legal if ends.get(action, 0) >= 0]
            if won and len(won) < len(legal) and rng.random() < 0.5:
                wins.append((state.clone(), won))
            elif not won and len(safe) == 1 < len(legal):
                blocks.append((state.clone(), safe))
            careful = safe if safe and rng.random() < 0.6 else legal
            state.apply_action(rng.choice(won if won and rng.random() < 0.3 else careful))
    return wins[:number], blocks[:number]
