"""The same policies in plain Python, for comparison with `playout.reference.ReferenceSearch`."""

from mcts.reference.playouts import PlayoutPolicy

RANDOM = 0.4
"""Share of the actions of a MAST playout that are random."""


class Mast(PlayoutPolicy):
    """Mostly the action of the best mean, wherever it was played."""

    LEARNS = True

    def __init__(self):
        self.values = {}
        self.visits = {}

    def choose(self, state, player, rng):
        """Return an action that was never played, or mostly that of the best mean."""
        legal = state.legal_actions(player)
        if rng.unit() < RANDOM:
            return legal[rng.below(len(legal))]
        return max(legal, key=lambda action: self.mean(player, action))

    def mean(self, player, action):
        """Return the mean value of an action."""
        visits = self.visits.get((player, action), 0)
        return self.values[player, action] / visits if visits else 1e18

    def learn(self, actions, values):
        """Add the values of a simulation to the statistics of its actions."""
        for player, action in actions:
            self.values[player, action] = self.values.get((player, action), 0) + values[player]
            self.visits[player, action] = self.visits.get((player, action), 0) + 1


class Decisive(PlayoutPolicy):
    """Win if possible, else prevent that the next player wins at once."""

    def choose(self, state, player, rng):
        """Return the first action that wins; else a random one, or the next one after which nobody wins at once."""
        legal = state.legal_actions(player)
        if len(state.acting_players()) > 1:
            return legal[rng.below(len(legal))]
        for action in legal:
            if _has_won(_after(state, player, action), player):
                return action
        first = rng.below(len(legal))
        for action in legal[first:] + legal[:first]:
            if not _can_win(_after(state, player, action), player):
                return action
        return legal[first]


def _after(state, player, action):
    """Return the state after an action of the one player who decides."""
    after = state.clone()
    after.apply_actions([action if other == player else -1 for other in range(state.game.num_players)])
    return after


def _has_won(state, player):
    """Return True if the game is over and a player has the greatest possible return."""
    return state.is_terminal() and state.returns()[player] >= state.game.max_utility


def _can_win(state, other):
    """Return True if one player decides, not `other`, and has an action that wins."""
    acting = state.acting_players()
    if len(acting) != 1 or acting[0] == other:
        return False
    return any(_has_won(_after(state, acting[0], action), acting[0]) for action in state.legal_actions(acting[0]))
