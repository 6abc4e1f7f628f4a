"""Command lines of other programs as words."""

from __future__ import annotations

import shlex

from .features import IS_POSIX


def split_command(text: str) -> list[str]:
    """Split a command line into words, at blanks outside of quotes. On Windows a backslash is an ordinary character.

    Raises:
        ValueError: a quotation mark is not closed.
    """
    if IS_POSIX:
        return shlex.split(text)
    lexer = shlex.shlex(text, posix=True, punctuation_chars=False)
    lexer.whitespace_split = True
    lexer.commenters = lexer.escape = ""
    return list(lexer)
