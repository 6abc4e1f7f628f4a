"""Checks of arguments: values in messages, and whole numbers in a range."""

import numpy as np
import pytest

import mcts
from cext.arguments import counted, seed_bits, shown, whole_number_in


class Unprintable:
    def __repr__(self):
        raise RuntimeError("no repr")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (7, "7"),
        ("x", "'x'"),
        ("x" * 101, f"'{'x' * 100}'..."),
        (b"y" * 300, f"b'{'y' * 100}'..."),
        (list(range(100)), f"{str(list(range(100)))[:100]}..."),
        (10**5000, "a very large integer"),
        (Unprintable(), "<Unprintable without a repr>"),
        ([Unprintable()], "<list without a repr>"),
    ],
    ids=["number", "text", "long text", "long bytes", "long list", "many digits", "no repr", "no repr inside"],
)
def test_values_in_messages_are_short(value, text):
    assert shown(value) == text


@pytest.mark.parametrize("value", [3, np.int64(3), np.uint8(3)])
def test_whole_numbers_of_any_type_are_read(value):
    found = whole_number_in("size", value, 1, 3, mcts.errors.LimitError)
    assert found == 3
    assert type(found) is int


@pytest.mark.parametrize("value", [0, 4, 3.0, "3", None, True, np.float64(3), pytest.param(10**5000, id="huge")])
def test_other_values_are_refused(value):
    with pytest.raises(
        mcts.errors.LimitError, match=r"^size=.* is not valid; valid: a whole number from 1 to 3, or so$"
    ):
        whole_number_in("size", value, 1, 3, mcts.errors.LimitError, ", or so")


def test_seeds_are_taken_modulo_two_to_the_64():
    assert [seed_bits(seed) for seed in (5, -1, 2**64 + 7, np.int64(-2))] == [5, 2**64 - 1, 7, 2**64 - 2]
    with pytest.raises(TypeError, match=r"seed is 0\.5; valid: a whole number"):
        seed_bits(0.5)


def test_numbers_have_their_nouns():
    assert [counted(number, "game") for number in (0, 1, 2, 1200)] == ["0 games", "1 game", "2 games", "1,200 games"]
    assert [counted(number, "match is", "matches are") for number in (1, 3)] == ["1 match is", "3 matches are"]
