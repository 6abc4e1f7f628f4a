"""`mcts.check_game` and `playout check`: games of this project pass, and each kind of mistake is found and named."""

import json
import random
import re

import pytest
from faulty_games import Raises
from games_by_path import CountDown
from python_games import Coin
from support import VARIANTS

import mcts
from cext.game import observations
from mcts.contract import RULES


class Heap(CountDown):
    """A sound game; the classes below each break one rule."""

    name = "heap"
    from_dict = mcts.PythonGame.from_dict  # games may leave it out


class Endless(Heap):
    def next_state(self, state, joint):
        return 5, 1 - state[1]


class OutOfRange(Heap):
    def returns(self, state):
        return [3.0, -2.0]


class WrongSum(Heap):
    def returns(self, state):
        return [0.5, 0.25]


class Raising(Heap):
    def next_state(self, state, joint):
        if state[0] == 3:
            raise ZeroDivisionError("three sticks")
        return super().next_state(state, joint)


class SameTexts(Heap):
    def action_to_string(self, state, player, action):
        return "take"


class Drawing(Heap):
    """The same action leads to different states."""

    def next_state(self, state, joint):
        left, mover = super().next_state(state, joint)
        return max(0, left - random.randrange(2)), mover


class Changing(Heap):
    """A state is a list that `next_state` changes."""

    class Sticks(list):
        def __hash__(self):
            return hash(tuple(self))

    def initial_state(self):
        return Changing.Sticks([5, 0])

    def next_state(self, state, joint):
        state[0] -= joint[state[1]] + 1
        state[1] = 1 - state[1]
        return state


class Lists(Changing):
    def initial_state(self):
        return [5, 0]


class NoActions(Heap):
    def legal_actions(self, state, player):
        return range(min(2, state[0])) if state[0] != 2 else []


class UnequalDice(Heap):
    """The texts of states lead to other states."""

    def to_dict(self, state):
        return {"left": state[0]}

    def from_dict(self, given):
        return given["left"], 0


class Betraying(Coin):
    def legal_actions(self, state, player):
        return [0, 1] if state[0] else [0]


class Marked:
    """A number that equals all others, and shows itself."""

    def __init__(self, number):
        self.number = number

    def __eq__(self, other):
        return isinstance(other, Marked)

    def __hash__(self):
        return 0

    def __repr__(self):
        return f"Marked({self.number})"


class Told(Coin):
    """The second player is told the guess, but does not see it."""

    public_actions = True

    def acting_players(self, state):
        return mcts.CHANCE if state[0] is None else 0 if state[1] is None else 1 if state[1] < 2 else ()

    def next_state(self, state, joint):
        return (state[0], 2 + state[1]) if joint[1] >= 0 else super().next_state(state, joint)

    def observation(self, state, player):
        return "over" if not self.acting_players(state) else None

    def returns(self, state):
        return [1.0, 0.0]


class Showing(Coin):
    def observation(self, state, player):
        return state if player == 1 else (Marked(state[0]), state[1])


class SameSides(Coin):
    """Both sides of the coin have one text."""

    def action_to_string(self, state, player, action):
        return "side" if player == mcts.CHANCE else super().action_to_string(state, player, action)


class Twins(Heap):
    players = ("one", "one")


class Unequal(Coin):
    """No observation equals another one."""

    def observation(self, state, player):
        return object()


FAULTS = [
    (Endless, "ends", "300 plies"),
    (OutOfRange, "returns", "returns of heap has 3.0; valid: 0.0 to 1.0"),
    (WrongSum, "returns", "sum to 0.75; utility_sum says 1"),
    (Raising, "play", "three sticks"),
    (SameTexts, "texts of actions", "have the same text 'take'"),
    (Drawing, "repeatable", "the same actions lead to two states"),
    (Lists, "game", "initial_state returned a list: unhashable type: 'list'; valid: an object that is never changed"),
    (Changing, "unchanged", "in a copy has changed the state itself"),
    (NoActions, "legal actions", "is empty for a player that acting_players names"),
    (UnequalDice, "round trips", "is another state"),
    (Betraying, "secrets", "first cannot tell two states apart, but legal_actions can: [0"),
    (Told, "secrets", "public_actions is true, but the view of second is the same after 0 and 1"),
    (Unequal, "views", "was found in 1,000 steps of random games; valid: games whose observations can be reached"),
    (SameSides, "chance", "two outcomes have the same text: ['side', 'side']"),
    (Twins, "game", "the names of the players are not different: one, one"),
    (Showing, "secrets", "first cannot tell two states apart, but str can: (Marked("),
]


@pytest.mark.sample(12)
@pytest.mark.parametrize("spec", VARIANTS)
def test_our_games_keep_the_contract(spec):
    result = mcts.check_game(mcts.load_game(spec), games=3, seed=1)
    assert result.passed, result.problems
    assert result.games == 3
    assert result.plies[0] <= result.plies[1] <= result.plies[2]


def test_a_sound_python_game_passes():
    result = mcts.check_game(Heap(), games=20)
    assert result.passed, result.problems
    assert (result.simultaneous, result.chance, result.actions[2]) == (False, False, 2)
    assert 3 <= result.plies[0] <= result.plies[2] <= 5


@pytest.mark.parametrize(("kind", "rule", "words"), FAULTS, ids=lambda value: getattr(value, "__name__", None))
def test_a_mistake_is_found_and_named(kind, rule, words, monkeypatch):
    monkeypatch.setattr("mcts.contract.LONGEST_GAME", 300)
    monkeypatch.setattr("cext.game.observations.MOST_STEPS", 1000)
    result = mcts.check_game(kind(), games=5, seed=2)
    assert not result.passed
    found = {problem.rule: problem for problem in result.problems}
    assert rule in found, result.problems
    assert words in found[rule].message
    assert found[rule].times >= 1


def test_a_sampler_that_knows_the_secret_is_found(monkeypatch):
    truth = {}
    seen_by = observations.seen_by

    def seen_by_with_truth(game, whole, player):
        found = seen_by(game, whole, player)
        truth[id(found)] = found, whole
        return found

    assert mcts.check_game(Coin(), games=5).passed
    monkeypatch.setattr(observations, "seen_by", seen_by_with_truth)
    monkeypatch.setattr(observations, "resampled", lambda game, seen, seed: (truth.get(id(seen), (seen, seen))[1], ()))
    found = {problem.rule: problem.message for problem in mcts.check_game(Coin(), games=5).problems}
    assert "first cannot tell two states apart, but resample with one seed can" in found["secrets"]


def test_arguments_are_checked():
    with pytest.raises(TypeError, match="a game"):
        mcts.check_game("mnk")
    with pytest.raises(mcts.errors.LimitError, match="games"):
        mcts.check_game(Heap(), games=0)


def test_the_command_says_what_is_wrong(playout):
    good = playout("check", "mnk", "--games", "3")
    assert (good.status, good.err) == (0, "")
    assert f"No rule is broken; {len(RULES)} were checked" in good.out
    bad = playout("check", "test_check_game.WrongSum", "--games", "3")
    assert bad.status == 10
    assert "returns: the returns (0.5, 0.25) sum to 0.75" in bad.out or "returns: the returns [0.5, 0.25]" in bad.out
    assert "1 rule is broken." in bad.out
    assert "random games: no game came to its end\n" in playout("check", "test_check_game.Lists", "--games", "2").out
    data = json.loads(playout("check", "test_check_game.WrongSum", "--games", "3", "--json").out)
    assert data["passed"] is False
    assert data["problems"][0]["rule"] == "returns"


MISSPELT = """
(role a) (role c)
(init (control a))
(<= (legal a go) (true (control a)))
(<= (legal b go) (true (control b)))
(<= (legal ?role noop) (role ?role) (not (true (control ?role))))
(<= (next (control b)) (does a go))
(<= (next (control a)) (does b go))
(<= (legal a stop) (true (control a)))
(<= (next (done)) (does b go))
(<= (next (done)) (does a stop))
(<= (goal ?role 50) (role ?role))
(<= terminal (true (done)))
"""


def test_a_misspelt_role_of_a_rulesheet_is_named_before_any_game(playout, tmp_path):
    path = tmp_path / "wrong.kif"
    path.write_text(MISSPELT)
    found = playout("check", str(path))
    assert found.status == 10
    assert "roles: line 5: legal is for b, which is not a role; valid: a, c" in found.out
    assert "0 random games" in found.out
    path.write_text(MISSPELT.replace("(role c)", "(role b)"))
    assert playout("check", str(path), "--games", "3").status == 0


def test_a_check_ends_when_its_time_is_over(playout, monkeypatch):
    monkeypatch.setattr("bots.commands.check.LINE_SECONDS", 0.0)
    found = playout("check", "mnk", "--games", "1000000", "--seconds", "0.1")
    assert found.status == 0
    assert "The time was over before all games were played; --seconds gives more." in found.out
    assert "of up to 0.1 s: " in found.err
    assert found.err.splitlines()[0].endswith(" of 1,000,000 games have ended")
    assert mcts.check_game(mcts.load_game("mnk"), games=10**6, seconds=0.02).out_of_time


def test_a_game_with_chance_that_hides_nothing_says_so(playout):
    words = "Every player sees everything, all outcomes of chance included."
    assert words in playout("check", "chance_games.Dice", "--games", "2").out
    assert words not in playout("check", "mnk", "--games", "2").out


def test_an_error_of_the_code_is_named_with_its_line():
    problems = mcts.check_game(Raises(), games=1_000).problems
    assert "play" in {problem.rule for problem in problems}
    for problem in problems:
        assert re.search(r"KeyError: 'forgotten' \(faulty_games.py:\d+\)", problem.message), problem
