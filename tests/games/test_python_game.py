"""Games in Python: searched exactly as compiled ones, with their own or default texts, and with secrets."""

import json
import pickle
from ast import literal_eval
from collections import Counter

import pytest
from python_games import TicTacToe, after_first_action, search_from_start

import mcts
from cext.errors import ParameterError, StateError
from cext.game import observations
from cext.game.playouts import play_chunks
from mcts.searchers.ismcts import ISMCTS


def variant(**methods):
    """Tic-tac-toe with some methods or attributes exchanged."""
    return type("Odd", (TicTacToe,), methods)()


@pytest.mark.sample(3)
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("threads", [1, 2])
def test_it_is_searched_exactly_as_the_compiled_game(seed, threads):
    ours, native = (
        search_from_start(game, 1_500, seed=seed, threads=threads) for game in (TicTacToe(), mcts.load_game("mnk"))
    )
    assert ours.arms == native.arms
    assert ours.values == native.values
    assert ours.pv == native.pv
    assert (ours.nodes, ours.memory_bytes) == (native.nodes, native.memory_bytes)


def test_playouts_equal_those_of_the_compiled_game():
    for play in ([], [4, 0], [0, 1, 2]):
        sums = []
        for game in (TicTacToe(), mcts.load_game("mnk")):
            state = game.new_initial_state()
            for action in play:
                state.apply_action(action)
            sums.append(play_chunks(state, 3, 500, 0, 1, (), by="playout"))
        assert sums[0] == sums[1]


def test_states_agree_with_those_of_the_compiled_game():
    ours, native = TicTacToe().new_initial_state(), mcts.load_game("mnk").new_initial_state()
    for action in (4, 0, 2, 6, 3):
        for player in (0, 1):
            assert ours.legal_actions(player) == native.legal_actions(player)
            assert [ours.is_legal(player, a) for a in range(-2, 11)] == [
                native.is_legal(player, a) for a in range(-2, 11)
            ]
        assert ours.current_player() == native.current_player()
        twin = ours.clone()
        ours.apply_action(action)
        native.apply_action(action)
        assert twin != ours
        twin.apply_action(action)
        assert (twin, twin.key()) == (ours, ours.key())
        with pytest.raises(mcts.IllegalActionError):
            ours.apply_action(action)
    for action in (5,):
        ours.apply_action(action)
        native.apply_action(action)
    assert ours.is_terminal() == native.is_terminal()


def test_texts_dicts_and_drawings_have_defaults():
    game = TicTacToe()
    state = after_first_action(game)
    assert state.to_dict() == {"state": "'x........'"}
    assert str(state) == "x........"
    assert "python_ttt" in repr(state)
    assert [state.action_to_string(1, action) for action in (0, 8)] == ["0", "8"]
    assert state.string_to_action(1, "8") == 8
    for text in ("0", "9", "middle", ""):
        with pytest.raises(mcts.IllegalActionError, match=repr(text)):
            state.string_to_action(1, text)
    with pytest.raises(
        mcts.IllegalActionError, match=r"'9' is not a legal action .*; valid: 1, 2, 3, 4, 5 and 3 more$"
    ):
        state.string_to_action(1, "9")
    for action in (1, 2, 3):
        state.apply_action(action)
    with pytest.raises(mcts.IllegalActionError, match=r"; valid: 4, 5, 6, 7, 8$"):
        state.string_to_action(0, "1")
    with pytest.raises(mcts.IllegalActionError, match="0 to 8"):
        state.action_to_string(1, 9)
    with pytest.raises(mcts.StateError, match="TicTacToe"):
        game.state_from_dict(state.to_dict())
    assert str(game) == game.spec == "python_ttt"


def test_texts_dicts_and_drawings_can_be_overridden():
    game = variant(
        action_to_string=lambda self, board, player, action: "abc"[action % 3] + "123"[action // 3],
        to_dict=lambda self, board: {"board": board},
        from_dict=lambda self, given: given["board"],
        draw=lambda self, board: "\n".join((board[:3], board[3:6], board[6:])),
    )
    state = after_first_action(game)
    assert state.string_to_action(1, "c3") == 8
    assert search_from_start(game).to_dict()["action"] == "b2"
    assert game.state_from_dict(state.to_dict()) == state
    assert str(state) == "x..\n...\n..."
    with pytest.raises(KeyError, match="board"):
        game.state_from_dict({})


def test_games_and_states_are_pickled():
    game = TicTacToe()
    state = after_first_action(game)
    again = pickle.loads(pickle.dumps(state))
    assert pickle.loads(pickle.dumps(game)) == game
    assert (again, again.game, again.key()) == (state, game, state.key())
    view = pickle.loads(pickle.dumps(state.view(1)))
    assert view == state.view(1)
    assert view.legal_actions() == list(range(1, 9))
    found = pickle.loads(pickle.dumps(search_from_start(game)))
    assert found.arms == search_from_start(game).arms


BAD_ANSWERS = {
    "no legal action": ({"legal_actions": lambda *_: []}, "legal_actions of python_ttt is empty"),
    "an action too high": ({"legal_actions": lambda *_: [0, 9]}, r"legal_actions of python_ttt has 9.*0 to 8"),
    "an action below zero": ({"legal_actions": lambda *_: [-1, 0]}, r"legal_actions of python_ttt has -1.*0 to 8"),
    "an action twice": ({"legal_actions": lambda *_: [3, 3]}, r"legal_actions of python_ttt has 3.*different"),
    "an unknown player": ({"acting_players": lambda *_: 2}, r"acting_players of python_ttt names player 2.*0 to 1"),
    "a player below zero": ({"acting_players": lambda *_: (0, -1)}, r"names player -1.*0 to 1"),
    "too few returns": ({"returns": lambda *_: [50]}, r"returns of python_ttt has 1 numbers.*2"),
    "too many returns": ({"returns": lambda *_: [50, 25, 25]}, r"returns of python_ttt has 3 numbers.*2"),
    "returns too high": ({"returns": lambda *_: [101, 0]}, r"returns of python_ttt has 101.*0.0 to 100.0"),
    "returns too low": ({"returns": lambda *_: [50, -1]}, r"returns of python_ttt has -1.*0.0 to 100.0"),
    "returns that are no numbers": ({"returns": lambda *_: [50, float("nan")]}, "returns of python_ttt has nan"),
}


@pytest.mark.parametrize(("methods", "says"), BAD_ANSWERS.values(), ids=BAD_ANSWERS)
def test_errors_name_bad_answers_of_rules(methods, says):
    game = variant(**methods)
    with pytest.raises(ValueError, match=says):
        search_from_start(game)
    with pytest.raises(ValueError, match=says):
        mcts.playouts(game.new_initial_state(), 50)


@pytest.mark.parametrize(
    "methods",
    [
        {"legal_actions": lambda *_: None},
        {"legal_actions": lambda *_: ["corner"]},
        {"acting_players": lambda *_: None},
        {"acting_players": lambda *_: "x"},
        {"returns": lambda *_: None},
        {"returns": lambda *_: ["all", "nothing"]},
    ],
    ids=lambda methods: next(iter(methods)),
)
def test_answers_of_the_wrong_type_are_errors(methods):
    game = variant(**methods)
    for call in (lambda: search_from_start(game), lambda: mcts.playouts(game.new_initial_state(), 50)):
        with pytest.raises((TypeError, ValueError)):
            call()


@pytest.mark.parametrize("method", ["initial_state", "acting_players", "legal_actions", "next_state", "returns"])
def test_errors_name_a_missing_method(method):
    game = variant(**{method: getattr(mcts.PythonGame, method)})
    with pytest.raises(NotImplementedError, match=f"Odd must define {method}"):
        search_from_start(game)


@pytest.mark.parametrize(
    ("attributes", "says"),
    [
        ({"num_actions": 0}, "num_actions is 0; valid: 1 to 65536"),
        ({"num_actions": 65537}, "num_actions is 65537"),
        ({"num_actions": 9.0}, r"num_actions is 9\.0"),
        ({"players": ()}, "0 players; valid: 1 to"),
        ({"players": tuple("abcdefghijklmnop")}, "16 players"),
        ({"min_utility": 100.0}, "returns from 100.0 to 100.0"),
        ({"max_utility": -1}, "least below the greatest"),
        ({"max_utility": float("inf")}, "finite"),
        ({"players": "xo"}, "a tuple of names"),
        ({"utility_sum": "a"}, "a number or None"),
        ({"max_utility": float("nan")}, "nan"),
    ],
    ids=str,
)
def test_bad_class_attributes_are_refused(attributes, says):
    with pytest.raises(mcts.ParameterError, match=says):
        variant(**attributes)


def test_games_are_equal_when_class_and_parameters_are():
    game = TicTacToe()
    assert (game.name, game.players, game.num_players, game.num_actions) == ("python_ttt", ("x", "o"), 2, 9)
    assert (game.min_utility, game.max_utility, game.utility_sum) == (0.0, 100.0, 100.0)
    assert game.is_enumerable
    assert not game.has_hidden_information
    assert (game, hash(game)) == (TicTacToe(), hash(TicTacToe()))
    assert game != variant()
    with pytest.raises(mcts.StateError):
        mcts.MCTS.plain(game).run(variant().new_initial_state(), simulations=10)


def test_a_search_for_one_player_finds_the_best_path():
    class Doors(mcts.PythonGame):
        """Three doors in a row, of which one way brings the most."""

        name, players, num_actions = "doors", ("walker",), 3

        def initial_state(self):
            return ()

        def acting_players(self, way):
            return () if len(way) == 3 else 0

        def legal_actions(self, way, player):
            return range(3)

        def next_state(self, way, joint):
            return way + joint

        def returns(self, way):
            return [sum(a == b for a, b in zip(way, (2, 0, 1), strict=True)) / 3]

    found = search_from_start(Doors(), 3_000)
    assert found.pv == ((2,), (0,), (1,))
    assert found.values[0] > 0.8


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

    def from_dict(self, given):
        return literal_eval(given["state"])

    def returns(self, state):
        secret, written = state
        share = sum(digit == secret for digit in written[::2]) / len(written[::2])
        return [share, 1.0 - share]


class Guess(Digits):
    """Both choose one of three at once, without chance. Illegal actions are none of its business."""

    name, num_outcomes = "guess", 0

    def initial_state(self):
        return ()

    def acting_players(self, state):
        return () if state else (0, 1)

    def legal_actions(self, state, player):
        return [0, 1, 2]

    def next_state(self, state, joint):
        assert set(joint) <= {0, 1, 2}
        return joint

    def observation(self, state, player):
        return ()

    def returns(self, state):
        return [float(state[0] == state[1]), float(state[0] != state[1])]


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
    drawn = Counter(view.resample(seed).to_dict()["state"] for seed in range(15))
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


def with_sight(state, player, at, **changed):
    """Return the dict of a state in which one sight of a player is another."""
    given = json.loads(json.dumps(state.to_dict()))
    sight = given["seen"][player][at]
    sight[:] = (changed.get(part, old) for part, old in zip(("action", "text", "mask"), sight, strict=True))
    return given


@pytest.mark.parametrize("mask", [-1, 0, 1, 4, 8, 255, 256, 2**31, 2**32, 10**30, 2.0, True, None, "1"])
def test_masks_that_no_play_leads_to_are_refused(state, mask):
    bids = mcts.load_game("secret_goofspiel").new_initial_state()  # chance has no part in it
    places = []
    for start in (state, bids):
        sights = start.to_dict()["seen"][0]
        for at in range(len(sights) - 1 if mask in range(-1, 4) else 0, len(sights)):
            if mask is True or mask != sights[at][2]:
                places.append((start, at))
    assert places
    for start, at in places:
        with pytest.raises(StateError, match="mask"):
            start.game.state_from_dict(with_sight(start, 0, at, mask=mask))


@pytest.mark.parametrize(
    ("at", "changed", "words"),
    [
        (
            -1,
            {"text": "(None, (3,))"},
            r"first sees \(None, \(3,\)\) and the mask 1; valid in this state: \(None, \(3, 1",
        ),
        (-1, {"text": "(7, (3, 1, 4, 1, 5, 9, 2, 6))"}, "first sees"),
        (2, {"action": 10}, "with actions from 0 to 9 where the player has decided, else -1"),
        (2, {"action": -1}, "with actions from 0 to 9"),
        (0, {"action": 3}, "with actions from 0 to 9"),
        (1, {"text": "[1]"}, "is not what first has seen"),
        (1, {"text": "1e999"}, "is not what first has seen"),
        (1, {"text": f"0x{'f' * 5000}"}, "is not what first has seen"),
        (1, {"text": " 1"}, "is not what first has seen"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_a_past_that_nobody_can_have_is_refused(state, at, changed, words):
    state.game.state_from_dict(state.to_dict())
    with pytest.raises(StateError, match=words):
        state.game.state_from_dict(with_sight(state, 0, at, **changed))


def test_the_number_of_sights_is_checked(state):
    given = state.to_dict()
    for seen in ([], given["seen"][:1], [[], given["seen"][1]], given["seen"] * 2, "all", None, {"0": []}):
        with pytest.raises(StateError, match="seen"):
            state.game.state_from_dict({**given, "seen": seen})


@pytest.mark.parametrize("mask", [-1, 8, 256, 2**31, 10**30, None])
def test_a_state_of_a_pickle_with_a_wrong_mask_raises(mask):
    """Pickles of states of games in Python are trusted, but damage no memory."""
    state = Guess().new_initial_state()
    make, (game, whole, *_) = state.__reduce__()
    sights = tuple((whole.seen[0][0]._replace(acting=mask),) for _ in whole.seen)
    wrong = make(game, whole._replace(seen=sights))
    for use in (wrong.current_player, wrong.chance_weights, lambda: wrong.sample_outcome(1), wrong.legal_actions):
        with pytest.raises(StateError, match="mask"):
            use()


@pytest.mark.parametrize("actions", [[], [10**30], [-1], [0, 0], None])
def test_a_method_of_the_base_class_that_is_overridden_damages_no_memory(actions):
    game = type("Odd", (Guess,), {"_ascending_actions": lambda self, state, player: actions})()
    for use in (
        lambda: game.new_initial_state().legal_actions(0),
        lambda: ISMCTS(game).run(game.new_initial_state().view(0), simulations=3),
    ):
        with pytest.raises((ValueError, TypeError, OverflowError)):
            use()


@pytest.mark.parametrize("action", [4, 9])
def test_a_view_in_which_the_player_did_what_was_illegal_is_refused(action, monkeypatch):
    """The rules are asked about legal actions only."""
    monkeypatch.setattr(observations, "MOST_STEPS", 400)
    monkeypatch.setattr(observations, "REJECTION_STEPS", 200)
    game = Guess()
    with pytest.raises(StateError, match="no state of guess"):
        game.view_from_dict(0, {"seen": [[-1, "()", 3], [action, "()", 0]]})


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"seen": [[-1, "(None, ())", -1], [-1, "(None, (5,))", 2]]}, "no state of digits"),
        ({"seen": [[-1, "open('x')", -1]]}, "is not what first has seen.*, masks from -?[0-9]+ to 3, and observations"),
        ({"seen": [[-1, "()"]]}, "is not what first has seen"),
        ({"seen": "all"}, "is not what first has seen"),
        ({"seen": [], "state": "0"}, "valid: seen"),
    ],
)
def test_what_nobody_can_have_seen_is_refused(given, words, monkeypatch):
    monkeypatch.setattr(observations, "MOST_STEPS", 400)
    monkeypatch.setattr(observations, "REJECTION_STEPS", 200)
    with pytest.raises(StateError, match=words):
        Digits().view_from_dict(0, given)


class Sampled(Digits):
    """Draws the secret, and repeats what has been written."""

    wrong = ()

    def resample(self, player, sights, rng):
        secret, written = sights[-1].observation
        if sights[-1].acting == mcts.CHANCE:
            return []
        if secret is None:
            secret = rng.choices(range(10), range(1, 11))[0]
        turns = [(digit, -1) if number % 2 == 0 else (-1, digit) for number, digit in enumerate(written)]
        return [(-1, -1, secret), *turns, *self.wrong]


def test_a_game_draws_states_in_its_own_way(state, monkeypatch):
    view = Sampled().view_from_text(0, state.view(0).to_text())
    drawn = Counter(view.resample(seed).to_dict()["state"][1] for seed in range(2000))
    expected = {str(digit): 2000 * (1 + digit) / 55 for digit in range(10)}
    assert sum((drawn[key] - mean) ** 2 / mean for key, mean in expected.items()) < 27.9  # 9 degrees, 1 in 1000
    assert mcts.check_game(Sampled(), games=2).passed
    for wrong, words in (((1, -1), "leads to"), ((-1, 1), "illegal"), ((12, -1), "illegal"), ((-1, -1, 1), "illegal")):
        monkeypatch.setattr(Sampled, "wrong", [wrong])
        with pytest.raises(StateError, match=words):
            view.resample(0)


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
    done = playout("arena", "test_python_game.Short", *bots, "--games", "2", "--no-db", "--json")
    assert done.status == 0, done.err
    assert json.loads(done.out)["games"] == 2
    assert mcts.check_game(Short(), games=5).passed


class Unseen(Short):
    """The second player may go round in a circle that the first one does not see."""

    num_outcomes = 0

    def initial_state(self):
        return 0, 0

    def acting_players(self, state):
        return 1 if state[1] < 2 else ()

    def next_state(self, state, joint):
        return 1 - state[0], 0

    def observation(self, state, player):
        return state[1] if player == 0 else state


@pytest.mark.parametrize(("acting", "words"), [(0, "is not what first has seen"), (2, "no state of digits")])
def test_games_without_an_end_do_not_keep_the_sampler(acting, words, monkeypatch):
    monkeypatch.setattr(observations, "MOST_STEPS", 3000)
    with pytest.raises(StateError, match=words):
        Unseen().view_from_dict(0, {"seen": [[-1, "0", 2], [-1, "1", acting], [-1, "2", 2]]})
