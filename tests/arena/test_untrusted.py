"""Values that bots return: answers, errors and texts are cleaned once, at the boundary."""

import copy
import math
import os
import pickle
import re

import numpy as np
import pytest

import mcts
from bots import arena, errors
from bots.arena.play.frames import JunkError, decode, encode
from bots.arena.play.soundness import is_sound
from bots.arena.play.worker import match_settings, play_batch
from bots.arena.tournament.plan import Plan
from bots.errors import BotFailureError
from bots.system.untrusted import LOG_LENGTH, MESSAGE_LENGTH, clean_line, clean_text, failure_of, plain_action

MNK = "mnk"


class Index:
    """Says something else every time it is converted."""

    def __init__(self):
        self.times = 0

    def __index__(self):
        self.times += 1
        return self.times


class Liar(int):
    def __index__(self):
        return 7

    __int__ = __index__

    def __le__(self, other):
        return True

    __ge__ = __le__


@pytest.mark.parametrize(
    ("answer", "plain"),
    [(3, 3), (np.int64(3), 3), ((1, 0), (1, 0)), ([1, np.uint8(2)], (1, 2)), (b"\1\2", (1, 2)),
     (np.array([1, 2]), (1, 2)), (Index(), 1), (-1, -1)],
)  # fmt: skip
def test_answers_become_plain_numbers(answer, plain):
    found = plain_action(answer, MNK)
    assert found == plain
    assert type(found) in (int, tuple)
    assert all(type(item) is int for item in (found if isinstance(found, tuple) else [found]))


def test_an_answer_is_converted_once():
    answer = [Index(), Index()]
    assert plain_action(answer, MNK) == (1, 1)
    assert [item.times for item in answer] == [1, 1]


@pytest.mark.parametrize("answer", [None, "1", 1.0, True, object(), ["1"], [1.5], {"a": 1}, range(10**9), 2**64,
                                    -(2**64), [2**70]])  # fmt: skip
def test_invalid_actions_are_illegal_moves(answer):
    with pytest.raises(BotFailureError, match="is not an action of mnk") as raised:
        plain_action(answer, MNK)
    assert raised.value.kind == errors.ILLEGAL


def test_numbers_with_hostile_methods_are_converted_once():
    assert type(plain_action(Liar(3), MNK)) is int
    with pytest.raises(BotFailureError, match="an integer of 20001 bits is not an action"):
        plain_action(Liar(2**20000), MNK)


class Mute(Exception):
    def __str__(self):
        raise KeyboardInterrupt


class Text(str):
    def __str__(self):
        return self

    def split(self, *given):
        raise RuntimeError

    translate = __getitem__ = split


class Meta(type):
    @property
    def __name__(cls):
        raise RuntimeError


class Nameless(Exception, metaclass=Meta):
    pass


class Odd(BotFailureError):
    @property
    def kind(self):
        raise SystemExit

    @kind.setter
    def kind(self, value):
        pass


def raised(error):
    try:
        raise error
    except BaseException as caught:
        return caught


@pytest.mark.parametrize(
    ("error", "kind", "message"),
    [
        (ValueError("bad\nthing"), errors.CRASH, "ValueError: bad thing"),
        (MemoryError("no more"), errors.MEMORY, "MemoryError: no more"),
        (Mute(), errors.CRASH, "Mute: <Mute without a text>"),
        (ValueError("\ud800 \x1b[31m\0"), errors.CRASH, r"ValueError: \ud800 \x1b[31m\x00"),
        (ValueError(Text("hello")), errors.CRASH, "ValueError: hello"),
        (Nameless("x"), errors.CRASH, "Nameless: x"),
        (BaseExceptionGroup("many", [KeyboardInterrupt()]), errors.CRASH,
         "BaseExceptionGroup: many (1 sub-exception)"),
        (BotFailureError(errors.LATE, "slow", "log\n"), errors.LATE, "slow"),
        (BotFailureError("banana", "x"), errors.CRASH, "failure of the unknown kind 'banana': x"),
        (BotFailureError(None, 3, b"\0"), errors.CRASH, "failure of the unknown kind 'None': 3"),
        (BotFailureError([], Text("t"), object), errors.CRASH, "failure of the unknown kind '[]': t"),
        (Odd("crash", "x"), errors.CRASH, "Odd, which cannot be read"),
    ],
)  # fmt: skip
def test_errors_become_failures_in_plain_strings(error, kind, message):
    found = failure_of(raised(error))
    assert (found.kind, re.sub(r" \(test_untrusted.py:\d+\)$", "", found.message)) == (kind, message)
    assert all(type(text) is str for text in found[:3])
    found.log.encode()


def test_the_innermost_line_of_the_users_file_is_named(tmp_path):
    """Below it is code of ours, of the standard library or of an installed package."""
    path = tmp_path / f"{'long' * 30}\n.py"
    text = "import json, mcts\ndef ours():\n    mcts.load_game('no')\ndef library():\n    json.loads('no')\n"
    parts = {"__name__": "x"}
    exec(compile(text, "my_bot.py", "exec"), parts)

    def place(call):
        try:
            call()
        except BaseException as error:
            return re.search(r" \(([^()]*)\)$", failure_of(error).message)[1]

    assert place(parts["ours"]) == "my_bot.py:3"
    assert place(parts["library"]) == "my_bot.py:5"
    installed = os.path.join(os.path.dirname(os.__file__), "site-packages", "their_bot.py")
    exec(compile(text, installed, "exec"), parts)
    with pytest.raises(ValueError, match="Expecting value") as error:
        parts["library"]()
    called = error.value.with_traceback(error.tb.tb_next)  # without a line of this file
    assert failure_of(called).message.endswith(" (their_bot.py:5)")
    exec(compile(text, str(path), "exec"), parts)
    with pytest.raises(LookupError) as error:
        parts["ours"]()
    assert re.search(r" \((long){13}[long]*\.\.\.$", failure_of(error.value).message)
    message = failure_of(raised(ValueError("m" * 10**6))).message
    assert MESSAGE_LENGTH - 60 < len(message) <= MESSAGE_LENGTH
    assert re.search(r"m\.\.\. \(test_untrusted.py:\d+\)$", message)


class Claim(Exception):
    def __init__(self, steps):
        self.failed_play = steps


class Trap(list):
    def __iter__(self):
        raise SystemExit


@pytest.mark.parametrize(
    "steps", ["ab", 3, Trap([[0]]), [Trap([0])], [[True]], [[2**31]], [[0.0]], [[]], [[0] * 17], [[0]] * 10_001, None]
)
def test_steps_that_are_no_joint_actions_are_dropped(steps):
    assert failure_of(raised(Claim(steps))).steps == ()
    assert failure_of(raised(BotFailureError(errors.CRASH, "x", "", steps))).steps == ()
    assert failure_of(raised(Claim([[0, -1], (1, 2, 3)]))).steps == ((0, -1), (1, 2, 3))


def test_lengths_are_bounded():
    found = failure_of(raised(BotFailureError(errors.CRASH, "m" * 10**6, "l" * 10**6)))
    assert (len(found.message), len(found.log)) == (MESSAGE_LENGTH, LOG_LENGTH)
    assert found.message.endswith("...")
    assert len(clean_line("\x1b" * 10**6)) == MESSAGE_LENGTH


def test_texts_keep_their_lines_and_nothing_else_that_controls_a_terminal():
    assert clean_text("a\r\n\tb\x9b2J\u202e\x7f") == "a\n\tb\\x9b2J\\u202e\\x7f"
    assert clean_line(" a \r\n b\u2028c ") == "a b c"
    assert clean_text("é — 漢字") == "é — 漢字"


# Results of workers

GO = "go(size=3)"  # its records have a decision for each ply


def batch():
    """Return the result of two games between random bots, and the games."""
    of = arena.describe(GO, ["random", "random"], games=2, seed=1)
    games = [Plan(of, mcts.load_game(GO)).scheduled(number) for number in range(2)]
    return play_batch(match_settings(of), games), games


def changed(instance, **fields):
    """Return a copy of a dataclass with other values, whatever they are."""
    other = copy.copy(instance)
    for name, value in fields.items():
        object.__setattr__(other, name, value)
    return other


def failed(**fields):
    """Return the fields of a record in which a bot failed."""
    return {"failures": (changed(arena.Failure(0, errors.CRASH, "no", 1), **fields),)}


@pytest.mark.parametrize(
    "fields",
    [{"seconds": 1}, {"seconds": -0.5}, {"seconds": math.inf}, {"records": ()}, {"records": [1, 2]},
     {"records": (1, 2)}, {"records": None}],
    ids=str,
)  # fmt: skip
def test_a_result_that_is_not_of_its_batch_is_not_sound(fields):
    result, games = batch()
    game = mcts.load_game(GO)
    assert is_sound(result, games, game)
    assert not is_sound(changed(result, **fields), games, game)
    assert not is_sound(changed(result, records=result.records[::-1]), games, game)
    assert not is_sound(changed(result, records=[*result.records]), games, game)
    assert not is_sound(vars(result), games, game)


@pytest.mark.parametrize(
    "fields",
    [{"number": 1}, {"seats": (1, 1)}, {"plies": -1}, {"plies": 5.0}, {"returns": [0.0, 100.0]}, {"returns": (0.0,)},
     {"returns": (0.0, 101.0)}, {"returns": (-1.0, 100.0)}, {"returns": ("0", "100")}, {"moves": b"a"},
     {"moves": "a b"}, {"moves": "\x1b[31m"}, {"failures": []}, {"failures": ("crash",)},
     {"seconds": (0.0,)}, {"seconds": [0.0, 0.0]}, {"slowest": (0.0, math.nan)}, {"decisions": ()},
     {"decisions": [(0.5, None)]}, {"decisions": ((0.5,),)}, {"decisions": ((0.5, 101.0),)},
     {"decisions": ((-0.5, None),)}, {"ending": "won"}, {"ending": None}, failed(seat=2), failed(seat=-2),
     failed(seat=0.0), failed(kind="other"), failed(message=None), failed(log=None), failed(ply=-1), failed(ply=2),
     failed(ply=1.0), failed(steps=[[0]])],
    ids=str,
)  # fmt: skip
def test_a_record_that_is_not_of_its_game_is_not_sound(fields):
    result, games = batch()
    game = mcts.load_game(GO)
    first, second = result.records
    broken = changed(first, plies=1, moves="a", decisions=((0.5, None),), **failed())
    assert is_sound(changed(result, records=(broken, second)), games, game)
    assert not is_sound(changed(result, records=(changed(broken, **fields), second)), games, game)


def test_results_have_only_data_errors_and_dataclasses():
    result, _ = batch()
    for sent in (result, {"a": (1, 2.5, None)}, BotFailureError(errors.CRASH, "no")):
        assert repr(decode(encode(sent))) == repr(sent)
    for refused in (Plan, arena.describe, os.system, re.compile("a")):
        with pytest.raises(JunkError, match="a result of a worker refers to"):
            decode(pickle.dumps(refused))
