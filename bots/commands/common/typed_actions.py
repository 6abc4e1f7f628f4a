"""Actions typed by a person: in full, in a short form, or as a number.

All forms are derived from the texts of the legal actions, so they work for every game.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from cext.arguments import shown
from mcts import IllegalActionError

_TOKEN = re.compile(r"\d+|[^\W\d]\w*|[^\s\w(),;]")
_LAST_NUMBER = re.compile(r"(?P<before>.*?)(?P<number>\d{1,9})(?P<after>\D*)", re.DOTALL)
_CALL = re.compile(r"[^\W\d]\w*\(.*\)", re.DOTALL)
_MOST_RANGES = 24
_LONGEST_NUMBER = 9


class TypedActions:
    """Reads typed text as one of the legal actions of a position.

    `bid(2)` can be typed as `bid 2`, `b2`, or `2`; `mark(1,3)` as `mark 1 3` or `1,3`; `pass` as `p`. Spaces, brackets,
    commas and case are ignored. If no action has a single number as its text or only argument, a number N means the
    action with index N - 1, in every position.

    Args:
        texts: action -> text, for every legal action.
        notation: text of an action -> its notation on the board, such as `e2-e4`, which can be typed as well.
    """

    def __init__(self, texts: Mapping[int, str], notation: Mapping[str, str] | None = None) -> None:
        self.texts = dict(texts)
        self._notation = notation or {}
        self._words = {action: _tokens(text) for action, text in self.texts.items()}
        self._arguments = {
            action: self._words[action][1:] for action, text in self.texts.items() if _CALL.fullmatch(text.strip())
        }
        self.is_numbered = not any(
            len(words) == 1 and words[0].isdecimal() for words in (*self._words.values(), *self._arguments.values())
        )
        """True if a number means the index of an action plus 1."""

    def read(self, typed: str) -> int:
        """Return the action that a text means.

        Raises:
            IllegalActionError: the text matches no legal action, or several. The message lists the candidates.
        """
        for found in self._matches(typed):
            if len(found) == 1:
                return found[0]
            if found:
                meant = ", ".join(self.texts[action] for action in found[:_MOST_RANGES])
                raise IllegalActionError(f"{shown(typed)} is ambiguous; it could be: {meant}")
        raise IllegalActionError(f"{shown(typed)} is not a legal action; valid: {self.ranges()}")

    def label(self, action: int) -> str:
        """Return the shortest form that means the same action in all such positions: a number if possible."""
        if self.is_numbered:
            return str(action + 1)
        return ",".join(self._arguments.get(action, ())) or self.texts[action]

    def written(self, action: int) -> str:
        """Return an action in the notation of the board, or as its text."""
        return self._notation.get(self.texts[action], self.texts[action])

    def ranges(self) -> str:
        """Return a list of the legal actions as text, in which ranges are joined as in `bid(0) to bid(3)`."""
        groups: dict[tuple[str, str], list[tuple[int, str]]] = {}
        for text in self.texts.values():
            match = _LAST_NUMBER.fullmatch(text)
            key = (text, "") if match is None else (match["before"], match["after"])
            groups.setdefault(key, []).append((-1 if match is None else int(match["number"]), text))
        parts = [part for group in groups.values() for part in _runs(sorted(group))]
        more = len(parts) - _MOST_RANGES
        return ", ".join(parts[:_MOST_RANGES]) + (f" and {more} more" if more > 0 else "")

    def _matches(self, typed: str) -> Iterator[list[int]]:
        """Yield the actions that match a text, by one rule after the other, from the strictest to the loosest."""
        yield [action for action, text in self.texts.items() if text == typed.strip()]
        written = typed.strip().casefold()
        yield [action for action, text in self.texts.items() if self._notation.get(text) == written]
        words = _tokens(typed)
        if not words:
            return
        yield [action for action, full in self._words.items() if full == words]
        if len(words) == 1 and words[0].isdecimal() and self.is_numbered:
            number = int(words[0]) if len(words[0]) <= _LONGEST_NUMBER else 0
            yield [number - 1] if number - 1 in self.texts else []
            return
        yield [action for action, arguments in self._arguments.items() if arguments == words]
        yield [action for action, full in self._words.items() if _abbreviates(words, full)]
        yield [action for action, arguments in self._arguments.items() if _abbreviates(words, arguments)]


def argument_forms(typed: str, name: str) -> list[str]:
    """Return the full texts that a short form can mean, for an action with a list such as `bid(A1:3,E5:2)`.

    Args:
        typed: the full text, or the list with spaces or commas, with or without the name; `pass` for an empty list.
        name: name of the action, such as `bid`.

    Returns:
        Texts to try, in this order.
    """
    head, bracket, rest = typed.strip().partition("(")
    if bracket:
        rest = rest.rstrip().removesuffix(")")
    else:
        head, _, rest = typed.strip().partition(" ")
    if head.strip().casefold() != name.casefold():
        if bracket:
            return [typed.strip()]
        rest = "" if typed.strip().casefold() == "pass" else typed
    arguments = ",".join(part for part in re.split(r"[\s,;]+", rest) if part)
    return list(dict.fromkeys((f"{name}({arguments})", f"{name}({arguments.upper()})")))


def _tokens(text: str) -> tuple[str, ...]:
    return tuple(_TOKEN.findall(text.casefold()))


def _abbreviates(words: tuple[str, ...], full: tuple[str, ...]) -> bool:
    """Return True if each word is the beginning of its counterpart. Numbers must be equal."""
    return len(words) == len(full) and all(
        word == whole or (not word[0].isdecimal() and whole.startswith(word))
        for word, whole in zip(words, full, strict=True)
    )


def _runs(group: list[tuple[int, str]]) -> Iterator[str]:
    """Yield texts sorted by number; three or more consecutive ones are joined by `to`."""
    begin = 0
    for i in range(1, len(group) + 1):
        if i == len(group) or group[i][0] != group[i - 1][0] + 1:
            if i - begin > 2:
                yield f"{group[begin][1]} to {group[i - 1][1]}"
            else:
                yield from (text for _, text in group[begin:i])
            begin = i
