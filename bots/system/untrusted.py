"""Convert everything that a bot returns, raises or writes to plain data, once, before other code handles it.

Actions become integers or tuples of integers. Errors become a kind of failure with a message and a log. Texts become
strings of bounded length without control characters, which can be stored, sent and printed safely.

`plain_action` and `failure_of` run code of the bot, such as `__index__` or `__str__`, so they must be called where
errors and delays are charged to the bot. `failure_of`, `clean_line` and `clean_text` never raise.
"""

from __future__ import annotations

import math
import operator
import traceback
import unicodedata
from itertools import islice
from numbers import Real
from typing import Any, NamedTuple

from mcts import Game
from mcts.primitives.places import with_place

from ..errors import CRASH, ILLEGAL, KINDS, MEMORY, RESIGN, BotFailureError

MESSAGE_LENGTH = 300
"""Maximum length of a message, in characters; a message is one line."""
LOG_LENGTH = 32_768
"""Maximum length of the log of a failure, in characters; the end of a longer log is kept."""
LINE_LENGTH = 1000
"""Maximum length of a line that a bot logs or prints, in characters."""
MOST_COUNTS = 4096
"""Maximum number of items of an action that is a tuple."""
_PLACE_LENGTH = 60
_TEXT_LENGTH = MESSAGE_LENGTH - _PLACE_LENGTH - 1
_TRACEBACK_LENGTH = 4000
_TRACEBACK_ENTRIES = 40
_LARGEST = 2**63 - 1
_MOST_STEPS = 10_000
_MOST_ENTRIES = 16
_ELLIPSIS = "..."


Steps = tuple[tuple[int, ...], ...]
"""Joint actions, and outcomes of chance as `State.apply_actions` takes them."""


class FailureFacts(NamedTuple):
    """Description of a failure in plain strings."""

    kind: str
    """One of `errors.KINDS`, or RESIGN."""
    message: str
    """One line of at most MESSAGE_LENGTH characters."""
    log: str
    """At most LOG_LENGTH characters."""
    steps: Steps = ()
    """Joint actions to the state in which the code of the game raised the error, from a state that the bot was given or
    from the start; empty if it was not the code of a game."""


def clean_line(value: Any, length: int = MESSAGE_LENGTH) -> str:
    """Return a text as one line, with single spaces for whitespace and escapes such as `\\x1b` for control characters.

    Args:
        value: the text, or any object with a `__str__`.
        length: maximum length in characters; a longer line ends in three dots.
    """
    text = _text_of(value)[: 4 * length]
    line = _printable(" ".join(text.split()))
    return line if len(line) <= length else line[: length - len(_ELLIPSIS)] + _ELLIPSIS


def clean_text(value: Any, length: int = LOG_LENGTH) -> str:
    """Return the end of a text of any number of lines, with control characters as escapes such as `\\x1b`.

    Args:
        value: the text, or any object with a `__str__`.
        length: maximum length in characters.
    """
    return _printable(_text_of(value)[-length:].replace("\r\n", "\n"))[-length:]


def plain_action(answer: Any, game: str) -> int | tuple[int, ...]:
    """Return an action given by a bot as a plain integer or tuple of integers. Every object is converted once.

    Args:
        answer: any object; an action is an object with `__index__`, or an iterable of such objects.
        game: spec of the game, for the message.

    Raises:
        BotFailureError: the object is not an action, or an integer has more than 64 bits.
        BaseException: raised by a method of the object.
    """
    if type(answer) is int and -_LARGEST <= answer <= _LARGEST:
        return answer
    kind: type = type(answer)
    if kind is not bool and hasattr(kind, "__index__") and not hasattr(kind, "__iter__"):
        return _bounded(operator.index(answer), game)
    if hasattr(kind, "__iter__") and not issubclass(kind, str):
        items = list(islice(iter(answer), MOST_COUNTS + 1))
        if len(items) <= MOST_COUNTS and all(hasattr(type(item), "__index__") for item in items):
            return tuple(_bounded(operator.index(item), game) for item in items)
    raise BotFailureError(ILLEGAL, f"an object of type {_type_name(answer)} is not an action of {game}")


def clean_value(value: Any, game: Game) -> float | None:
    """Return a value given by a bot, clipped to the range of the game; None unless it is a finite real number."""
    if isinstance(value, bool) or not isinstance(value, Real):
        return None
    try:
        number = float(value)
    except (OverflowError, ValueError, TypeError):
        return None
    return min(max(number, game.min_utility), game.max_utility) if math.isfinite(number) else None


def failure_of(error: BaseException) -> FailureFacts:
    """Return the failure described by an error of a bot. It never raises, whatever the methods of the error do."""
    try:
        if isinstance(error, BotFailureError):
            return _reported_failure(error)
        kind = MEMORY if isinstance(error, MemoryError) else CRASH
        text = _text_of(error)
        place = clean_line(with_place("", error), _PLACE_LENGTH)
        message = clean_line(f"{_type_name(error)}: {text}" if text else _type_name(error), _TEXT_LENGTH)
        steps = plain_steps(getattr(error, "failed_play", ()))
        return FailureFacts(kind, f"{message} {place}".rstrip(), _traceback_of(error), steps)
    except BaseException:  # isinstance and attributes may run code of the error's class
        return FailureFacts(CRASH, f"{_type_name(error)}, which cannot be read", "")


def plain_steps(given: Any) -> Steps:
    """Return joint actions that a bot or the error of a game names; none if they are not lists of small integers."""
    if type(given) not in (tuple, list) or len(given) > _MOST_STEPS:
        return ()
    if not all(type(joint) in (tuple, list) and 0 < len(joint) <= _MOST_ENTRIES for joint in given):
        return ()
    if not all(type(action) is int and -(2**31) <= action < 2**31 for joint in given for action in joint):
        return ()
    return tuple(map(tuple, given))


def _reported_failure(error: BotFailureError) -> FailureFacts:
    """Return the failure that a bot reports. An unknown kind becomes a crash."""
    kind, message, log = error.kind, _text_of(error), clean_text(error.log)
    if type(kind) is str and kind in (*KINDS, RESIGN):
        return FailureFacts(kind, clean_line(message), log, plain_steps(error.steps))
    return FailureFacts(CRASH, clean_line(f"failure of the unknown kind {clean_line(kind, 40)!r}: {message}"), log)


def _traceback_of(error: BaseException) -> str:
    try:
        lines = traceback.format_exception(error, limit=-_TRACEBACK_ENTRIES)
        return clean_text("".join(lines), _TRACEBACK_LENGTH)
    except BaseException:  # the texts of causes and notes run code of the bot
        return ""


def _bounded(number: int, game: str) -> int:
    """Return an integer. Raises BotFailureError if it has more than 64 bits."""
    if -_LARGEST <= number <= _LARGEST:
        return number
    raise BotFailureError(ILLEGAL, f"an integer of {number.bit_length()} bits is not an action of {game}")


def _text_of(value: Any) -> str:
    """Return `str(value)` as a plain string."""
    try:
        text = str(value)
        return text if type(text) is str else str.__str__(text)
    except BaseException:
        return f"<{_type_name(value)} without a text>"


def _type_name(value: Any) -> str:
    """Return the name of an object's class without running code of its metaclass."""
    name: str = type.__dict__["__name__"].__get__(type(value))
    return _printable(name)[:MESSAGE_LENGTH]


def _printable(text: str) -> str:
    """Return a text with escapes for control characters and for characters that cannot be shown or encoded."""
    if text.isprintable():
        return text
    return "".join(
        letter if letter.isprintable() or letter in "\t\n" or unicodedata.category(letter) == "Zs" else _escape(letter)
        for letter in text
    )


def _escape(letter: str) -> str:
    code = ord(letter)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
