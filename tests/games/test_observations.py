"""Games in Python that hide something: what players remember, and states that look the same to them."""

import json
import pickle
from collections import Counter

import pytest

import mcts
from cext.errors import ParameterError, StateError
from cext.game import observations


class Digits(mcts.PythonGame):
    """The second player writes digits that everybody sees after a secret one, which only it knows; both write in turns.

    The return of the first player is the share of its digits that are the secret one.
    """

    name, num_actions, num_outcomes, utility_sum = "digits", 10, 10, 1.0
    length = 12

    def initial_state(self):
        return None, ()

    def acting_players(self, state):
        secret, written = state
        return mcts.CHANCE if secret is None else len(written) % 2 if len(written) < self.length else ()

    def chance_outcomes(self, state):
        return {digit: 1 + digit for digit in range(10)}

    def legal_actions(self, state, player):
        return range(10)

    def next_state(self, state, joint):
        secret, written = state
        if secret is None:
            return joint[mcts.CHANCE], ()
        return secret, (*written, joint[len(written) % 2])

    def observation(self, state, player):
        secret, written = state
        return (secret if player == 1 else None), written

    def returns(self, state):
        secret, written = state
        share = sum(digit == secret for digit in written[::2]) / len(written[::2])
        return [share, 1.0 - share]


WRITTEN = (3, 1, 4, 1, 5, 9, 2, 6)


@pytest.fixture
def state():
    state = Digits().new_initial_state()
    state.apply_actions([-1, -1, 7])
    for digit in WRITTEN:
        state.apply_action(digit)
    return state


def test_a_player_remembers_what_it_saw(state):
    view = state.view(0)
    assert view.to_dict()["seen"][-1] == [-1, "(None, (3, 1, 4, 1, 5, 9, 2, 6))", 1]
    assert view.legal_actions() == list(range(10))
    assert str(view) == "(None, (3, 1, 4, 1, 5, 9, 2, 6))"
    assert [step[0] for step in view.to_dict()["seen"] if step[0] >= 0] == [3, 4, 5, 2]
    assert "7" not in view.to_text()
    other = Digits().new_initial_state()
    other.apply_actions([-1, -1, 2])
    for digit in WRITTEN:
        other.apply_action(digit)
    assert other.view(0) == view
    assert hash(other.view(0)) == hash(view)
    assert other.view(1) != state.view(1)


def test_states_are_drawn_although_random_games_rarely_lead_to_them(state):
    """One game in 10,000 writes these digits; the weights of the secret are those of the game."""
    view = state.view(0)
    drawn = Counter(view.resample(seed).to_dict()["state"] for seed in range(40))
    assert len(drawn) > 4
    assert all(text.endswith("(3, 1, 4, 1, 5, 9, 2, 6))") for text in drawn)
    assert all(view.resample(seed).view(0) == view for seed in range(3))
    assert {state.view(1).resample(seed) for seed in range(3)} == {state}


def test_secrets_are_drawn_by_their_weights():
    state = Digits().new_initial_state()
    state.apply_actions([-1, -1, 7])
    drawn = Counter(state.view(0).resample(seed).to_dict()["state"][1] for seed in range(2000))
    expected = {str(digit): 2000 * (1 + digit) / 55 for digit in range(10)}
    assert sum((drawn[key] - mean) ** 2 / mean for key, mean in expected.items()) < 27.9  # 9 degrees, 1 in 1000


def test_states_and_views_are_read_again(state):
    game = state.game
    assert pickle.loads(pickle.dumps(state)) == state
    assert pickle.loads(pickle.dumps(state.view(0))) == state.view(0)
    assert game.view_from_text(0, state.view(0).to_text()) == state.view(0)
    assert game.view_from_dict(1, state.view(1).to_dict()) == state.view(1)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"seen": [[-1, "(None, ())", -1], [-1, "(None, (5,))", 2]]}, "no state of digits"),
        ({"seen": [[-1, "open('x')", -1]]}, "is not what a player has seen"),
        ({"seen": [[-1, "()"]]}, "is not what a player has seen"),
        ({"seen": "all"}, "is not what a player has seen"),
        ({"seen": [], "state": "0"}, "valid: seen"),
    ],
)
def test_what_nobody_can_have_seen_is_refused(given, words, monkeypatch):
    monkeypatch.setattr(observations, "MOST_STEPS", 400)
    monkeypatch.setattr(observations, "_REJECTION_STEPS", 200)
    with pytest.raises(StateError, match=words):
        Digits().view_from_dict(0, given)


def test_a_view_does_not_show_the_state(state):
    with pytest.raises(mcts.UnsupportedGameError, match="resample"):
        state.view(0).state()
    with pytest.raises(mcts.PlayoutError, match="encoding"):
        state.view(0).encode()
    kind = type("Encoded", (Digits,), {"encoding_size": 1})
    with pytest.raises(ParameterError, match="has an encoding and hidden information"):
        kind()


class Short(Digits):
    """Two digits."""

    length = 2


def test_a_search_and_bots_play(playout):
    bots = ["ismcts:simulations=20", "greedy"]
    done = playout("arena", "test_observations.Short", *bots, "--games", "2", "--no-db", "--json", "-")
    assert done.status == 0, done.err
    assert json.loads(done.out)["games"] == 2
    assert mcts.check_game(Short(), games=5).passed
