import itertools

import playout

DEALS = list(itertools.permutations("JQK", 2))
OVER = ("pp", "bp", "bb", "pbp", "pbb")  # p for a pass, b for a bet


class Kuhn(playout.PythonGame):
    """Kuhn poker: a card each, and one bet."""

    name, players = "kuhn", ("first", "second")
    num_actions, num_outcomes = 2, len(DEALS)
    min_utility, max_utility, utility_sum = -2.0, 2.0, 0.0
    public_actions = True
    score = "returns"  # tournaments count chips, not hands

    def initial_state(self):
        return (), ""  # the cards and the calls

    def acting_players(self, state):
        cards, calls = state
        return playout.CHANCE if not cards else () if calls in OVER else len(calls) % 2

    def chance_outcomes(self, state):
        return dict.fromkeys(range(len(DEALS)), 1)

    def legal_actions(self, state, player):
        return [0, 1]

    def next_state(self, state, joint):
        cards, calls = state
        return (cards, calls + "pb"[joint[len(calls) % 2]]) if cards else (DEALS[joint[playout.CHANCE]], calls)

    def observation(self, state, player):
        cards, calls = state
        return cards[player : player + 1], calls

    def returns(self, state):
        cards, calls = state
        winner = len(calls) % 2 if calls.endswith("bp") else cards.index(max(cards, key="JQK".index))
        won = 2 if calls.endswith("bb") else 1
        return [won, -won] if winner == 0 else [-won, won]

    def action_to_string(self, state, player, action):
        return "".join(DEALS[action]) if player == playout.CHANCE else ("pass", "bet")[action]
