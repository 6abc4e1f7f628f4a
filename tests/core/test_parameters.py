"""Kinds of parameters: the values that each accepts, and its errors."""

import pytest

import mcts
from cext.errors import ParameterError
from cext.parameters import Choice, Flag, Integer, Real, Text, read_parameters

WHOLE = Integer(3, 0, 10)
REAL = Real(1.5, 0.0, 10.0)
CHOICE = Choice("a", ("a", "b"))
FLAG = Flag(False)


@pytest.mark.parametrize(
    ("kind", "value", "read"),
    [
        (WHOLE, 0, 0), (WHOLE, "10", 10), (WHOLE, 7.0, 7), (WHOLE, " 7 ", 7), (Integer(None, 0, 1), None, None),
        (REAL, 2, 2.0), (REAL, "2.5", 2.5), (REAL, "1e1", 10.0), (Real(None, 0, 1), None, None),
        (CHOICE, "b", "b"),
        (Text(None), "a b", "a b"), (Text("a"), "b", "b"), (Text(None), None, None),
        (FLAG, True, True), (FLAG, "true", True), (FLAG, "False", False),
    ],
)  # fmt: skip
def test_good_values_are_read(kind, value, read):
    found = kind.read("p", value)
    assert found == read
    assert type(found) is type(read)


@pytest.mark.parametrize("kind", [WHOLE, REAL, CHOICE, Text("a"), FLAG, Integer(None, 0, 1), Flag(None)])
def test_bad_values_are_refused_with_the_valid_ones(kind):
    for value in kind.invalid():
        with pytest.raises(ParameterError, match=r"p=.*valid: "):
            kind.read("p", value)


@pytest.mark.parametrize("name", mcts.registered_games())
def test_games_refuse_bad_parameters(name):
    for parameter, kind in mcts.game_info(name).parameters.items():
        for value in kind.invalid():
            with pytest.raises(ParameterError, match=rf"{parameter}=.*valid: "):
                mcts.load_game(name, **{parameter: value})


def test_parameters_are_complete_and_in_order():
    kinds = {"n": WHOLE, "way": CHOICE, "flag": FLAG}
    assert read_parameters("game", kinds, {}) == {"n": 3, "way": "a", "flag": False}
    found = read_parameters("game", kinds, {"flag": "true", "n": "4"})
    assert list(found.items()) == [("n", 4), ("way", "a"), ("flag", True)]
    with pytest.raises(ParameterError, match="game has no parameter 'm'; valid: n, way, flag"):
        read_parameters("game", kinds, {"m": 1})
    with pytest.raises(ParameterError, match=r"no parameter 'flags'; did you mean flag\? valid: n, way, flag"):
        read_parameters("game", kinds, {"flags": 1})
    with pytest.raises(ParameterError, match="takes no parameters"):
        read_parameters("game", {}, {"m": 1})
    with pytest.raises(ParameterError, match="game: n=99"):
        read_parameters("game", kinds, {"n": 99})
