import time

import playout
from mcts.limits import search_limit
from mcts.random_steps import sample_joint_action
from mcts.searchers.base import SampledSearchResult, state_of


class FlatMonteCarlo(playout.Searcher):
    """Plays the same number of random playouts after each action."""

    SUMMARY = "the best mean return of random playouts"
    PARAMETERS = {"most_actions": playout.parameters.Integer(100, 1, 1000)}

    @classmethod
    def why_unsupported(cls, game):
        return None if game.is_enumerable else "its actions are too many to list; use double_oracle"

    def run(self, position, limit=None, seconds=None, *, simulations=None, player=None, on_progress=None):
        begin = time.perf_counter()
        most = search_limit(limit, simulations, seconds).simulations or 1000
        self.check_position(position)
        state = state_of(position)
        player = state.acting_players()[0] if player is None else player
        legal = state.legal_actions(player)[: self.parameters["most_actions"]]
        share = max(1, most // len(legal))
        means = {}
        for action in legal:
            after = state.clone()
            joint = sample_joint_action(after, self.seed)
            joint[player] = action
            after.apply_actions(joint)
            means[action] = tuple(playout.playouts(after, share, seed=self.seed))
        best = max(legal, key=lambda action: means[action][player])
        return SampledSearchResult(
            view=state.view(player),
            action=best,
            policy={best: 1.0},
            visits=dict.fromkeys(legal, share),
            action_values={action: means[action][player] for action in legal},
            values=means[best],
            simulations=share * len(legal),
            seconds=time.perf_counter() - begin,
        )
