"""Parser of the Knowledge Interchange Format: text to nested tuples, with the place of each statement."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable
from dataclasses import dataclass

from ..errors import RulesheetError

MAX_CHARACTERS = 4_000_000
MAX_NESTING = 64
MESSAGE_NESTING = 2
"""Levels that a message may have around a rulesheet."""

Expression = str | tuple["Expression", ...]
"""A word, or a list of expressions."""

_TOKEN = re.compile(r"[()]|;[^\n]*|[^\s();]+|\s+")
_WORD = re.compile(r"\?[A-Za-z0-9_+\-*]+|[A-Za-z0-9_+\-*/<>=.!$%&@^~:#]+")
ARITY = {"role": 1, "init": 1, "true": 1, "next": 1, "does": 2, "legal": 2, "goal": 2}
ARITY |= {"terminal": 0, "distinct": 2, "sees": 2}
"""Relations of the language -> number of their arguments."""
IGNORED = ("base", "input")
"""Relations that name all fluents and moves: their statements are not read, as the rules tell which can be reached."""
RANDOM = "random"
"""The role that chance plays (GDL-II: Thielscher 2010)."""
KEYWORDS = frozenset([*ARITY, *IGNORED, RANDOM, "not", "or", "and"])


@dataclass(frozen=True)
class Statement:
    """An expression on the top level of a rulesheet, with the place where it begins."""

    expression: Expression
    line: int
    column: int

    def refuse(self, reason: str) -> RulesheetError:
        """Return the error of this statement."""
        return RulesheetError(f"line {self.line}, column {self.column}: {reason}")


def parse(text: str, deadline: float = math.inf) -> list[Statement]:
    """Return the statements of a rulesheet.

    Keywords may be written in any case; all other words keep theirs. A list of one word is that word.

    Args:
        text: the rulesheet.
        deadline: value of `time.monotonic` at which the time ends.

    Raises:
        RulesheetError: the text is not balanced, has an invalid word, or is too long or nested too deeply.
        TimeoutError: the time has ended.
    """
    return _parse(text, MAX_CHARACTERS, MAX_NESTING, _term, deadline)


def parse_message(text: str) -> Expression:
    """Return the single expression of a message between programs. Its lists may be empty and begin with lists.

    Raises:
        RulesheetError: as for `parse`, or the text is not one expression.
    """
    found = _parse(text, 2 * MAX_CHARACTERS, MAX_NESTING + MESSAGE_NESTING, lambda made, place: made)
    if len(found) != 1:
        raise RulesheetError(f"a message has {len(found)} expressions; valid: 1")
    return found[0].expression


def _parse(
    text: str,
    most_characters: int,
    most_nesting: int,
    read_list: Callable[[tuple[Expression, ...], tuple[int, int]], Expression],
    deadline: float = math.inf,
) -> list[Statement]:
    """Return the expressions of a text.

    Args:
        text: the text.
        most_characters: length of the longest text.
        most_nesting: levels of parentheses.
        read_list: called with each list and its place; returns the expression that it is.
        deadline: as for `parse`.
    """
    if len(text) > most_characters:
        raise RulesheetError(f"the text has {len(text):,} characters; valid: up to {most_characters:,}")
    statements: list[Statement] = []
    open_lists: list[list[Expression]] = []
    places: list[tuple[int, int]] = []
    line, line_start = 1, 0
    for match in _TOKEN.finditer(text):
        if time.monotonic() > deadline:
            raise TimeoutError
        token, start = match[0], match.start()
        place = (line, start - line_start + 1)
        if token[0].isspace():
            breaks = token.count("\n")
            if breaks:
                line += breaks
                line_start = start + token.rindex("\n") + 1
        elif token == "(":
            if len(open_lists) == most_nesting:
                raise _error(place, f"parentheses are nested too deeply; valid: up to {most_nesting} levels")
            open_lists.append([])
            places.append(place)
        elif token == ")":
            if not open_lists:
                raise _error(place, "this parenthesis closes nothing")
            begin = places.pop()
            made = read_list(tuple(open_lists.pop()), begin)
            if open_lists:
                open_lists[-1].append(made)
            else:
                statements.append(Statement(made, *begin))
        elif token[0] != ";":
            word = _word(token, place)
            if open_lists:
                open_lists[-1].append(word)
            else:
                statements.append(Statement(word, *place))
    if open_lists:
        raise _error(places[-1], "this parenthesis is never closed")
    return statements


def _term(made: tuple[Expression, ...], place: tuple[int, int]) -> Expression:
    """Return the expression of a list in a rulesheet. Raises RulesheetError unless it begins with a word."""
    if not made:
        raise _error(place, "an empty list; valid: a list that begins with a word")
    if not isinstance(made[0], str) or made[0][0] == "?":
        raise _error(place, "a list begins with a list or a variable; valid: a list that begins with a word")
    return made if len(made) > 1 else made[0]


def _word(token: str, place: tuple[int, int]) -> str:
    if not _WORD.fullmatch(token):
        raise _error(place, f"invalid word {token[:40]!r}; valid: letters, digits and _+-*/<>=.!$%&@^~:#")
    lower = token.lower()
    return lower if lower in KEYWORDS else token


def _error(place: tuple[int, int], reason: str) -> RulesheetError:
    return RulesheetError(f"line {place[0]}, column {place[1]}: {reason}")
