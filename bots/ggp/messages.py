"""Messages of the protocol: read from untrusted text, and written."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from mcts.errors import RulesheetError
from mcts.gdl.parser import MAX_CHARACTERS, Expression, parse_message
from mcts.gdl.texts import kif_of_text, kif_text

from ..system.untrusted import clean_line
from .errors import MessageError

BUSY = "busy"
"""Answer of a player that has another match, or refuses the rules."""
LONGEST_CLOCK = 3600
"""Seconds of the longest start or play clock."""
MOST_MESSAGE_BYTES = MAX_CHARACTERS + 65_536
MOST_ANSWER_BYTES = 65_536
MOST_CHARACTERS = 65_536
"""Of a message without its rules."""
_SHOWN = 40
_COMMENT = re.compile(r";[^\n]*")
_BEFORE_RULES = re.compile(r"\s*\(\s*(?:(start)\s+[^\s()]+\s+[^\s()]+|preview)\s*\(", re.IGNORECASE)


@dataclass(frozen=True)
class Info:
    """A question for the name and the status of a player."""


@dataclass(frozen=True)
class Preview:
    """A rulesheet, some time before a match of it."""

    rules: str
    """A text that is not read yet."""
    clock: int


@dataclass(frozen=True)
class Start:
    """The begin of a match."""

    match: str
    role: str
    rules: str
    start_clock: int
    play_clock: int


@dataclass(frozen=True)
class Play:
    """A step of a match: the moves of all roles in the last step, as expressions; None before the first step."""

    match: str
    moves: tuple[Expression, ...] | None


@dataclass(frozen=True)
class Stop:
    """The end of a match, with the moves of the last step."""

    match: str
    moves: tuple[Expression, ...] | None


@dataclass(frozen=True)
class Abort:
    """The end of a match that is not played to its end."""

    match: str


Message = Info | Preview | Start | Play | Stop | Abort
_LENGTHS = {"info": (1,), "ping": (1,), "preview": (3,), "start": (6,), "play": (3,), "stop": (3,), "abort": (2,)}


def read_message(text: str) -> Message:
    """Return the message of a text. Rules stay a text: they are read where they are compiled.

    Raises:
        MessageError: it is not a message of the protocol.
    """
    text, rules = _without_rules(_COMMENT.sub("", text))
    if len(text) > MOST_CHARACTERS:
        raise MessageError(
            f"the message has {len(text):,} characters beside its rules; valid: up to {MOST_CHARACTERS:,}"
        )
    given = read_term(text)
    if isinstance(given, str):
        given = (given,)
    kind = given[0].lower() if given and isinstance(given[0], str) else ""
    if kind not in _LENGTHS:
        raise MessageError("unknown kind of message; valid: INFO, PREVIEW, START, PLAY, STOP, ABORT")
    if len(given) not in _LENGTHS[kind]:
        raise MessageError(f"{kind.upper()} has {len(given) - 1} arguments; valid: {_LENGTHS[kind][0] - 1}")
    if kind in ("info", "ping"):
        return Info()
    if kind == "preview":
        clock = _clock("preview clock", given[2])
        return Preview(_rules(given[1], rules), clock)
    match = _word("match id", given[1])
    if kind == "start":
        role = _word("role", given[2])
        clocks = _clock("start clock", given[4]), _clock("play clock", given[5])
        return Start(match, role, _rules(given[3], rules), *clocks)
    if kind == "abort":
        return Abort(match)
    moves = given[2]
    if isinstance(moves, str) and moves.lower() != "nil":
        raise MessageError("the moves are a word; valid: nil, or a list with the move of each role")
    found = None if isinstance(moves, str) or not moves else moves
    return Play(match, found) if kind == "play" else Stop(match, found)


def _without_rules(text: str) -> tuple[str, str]:
    """Return a START or PREVIEW with an empty list of rules, and the rules. Other texts are returned as they are."""
    before = _BEFORE_RULES.match(text)
    end = text.rfind(")", 0, max(text.rfind(")"), 0))
    if before is None or end < before.end() or len(text[end + 1 :].replace(")", "").split()) != (2 if before[1] else 1):
        return text, ""
    return f"{before[0]}{text[end:]}", text[before.end() : end]


def read_term(text: str) -> Expression:
    """Return the expression of a text, such as the move that a player answers. Raises MessageError."""
    try:
        return parse_message(text)
    except RulesheetError as error:
        raise MessageError(clean_line(error)) from None


def move_text(given: Expression) -> str:
    """Return a move in the notation of actions. Raises MessageError if it is not a term."""
    if isinstance(given, str):
        return given
    if len(given) < 2 or not isinstance(given[0], str):
        raise MessageError("a move is not a term; valid: a word, or a list of a word and terms")
    return f"{given[0]}({','.join(map(move_text, given[1:]))})"


def _word(what: str, given: Expression) -> str:
    if not isinstance(given, str):
        raise MessageError(f"the {what} is a list; valid: a word")
    return given


def _clock(what: str, given: Expression) -> int:
    if (
        not isinstance(given, str)
        or not (given.isascii() and given.isdecimal())
        or len(given) > 6
        or not 1 <= int(given) <= LONGEST_CLOCK
    ):
        shown = given[:_SHOWN] if isinstance(given, str) else "a list"
        raise MessageError(f"the {what} is {shown}; valid: 1 to {LONGEST_CLOCK} seconds")
    return int(given)


def _rules(given: Expression, rules: str) -> str:
    """Return the rules of a message that has a list in their place."""
    if isinstance(given, str):
        raise MessageError("the rules are a word; valid: a list of statements")
    return rules


def start_text(message: Start, statements: Sequence[Expression]) -> str:
    """Return the text of a START, with the statements of its rules."""
    rules = " ".join(map(kif_text, statements))
    return f"( START {message.match} {message.role} ( {rules} ) {message.start_clock} {message.play_clock} )"


def step_text(kind: str, match: str, moves: Sequence[str] | None) -> str:
    """Return the text of a PLAY or STOP. The moves have the notation of actions; None before the first step."""
    given = "NIL" if moves is None else f"( {' '.join(map(kif_of_text, moves))} )"
    return f"( {kind} {match} {given} )"
