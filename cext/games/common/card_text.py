"""Cards, dice and calls as text: helpers of games whose players have secrets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...arguments import shown
from ...errors import StateError
from ...notation import HIDDEN, NOTHING, shorten
from .board_text import BLANK, require


class CardsField:
    """Cards of all players, a letter each: `.` for none yet, `?` for a card that a view does not show."""

    def __init__(self, key: str, count: int, letters: str) -> None:
        self.key = key
        self.count, self.letters = count, letters

    def write(self, value: Sequence[str | None]) -> str:
        """Return the text of a list of cards."""
        return "".join(HIDDEN if card is None else card for card in value)

    def read(self, text: str) -> list[str | None]:
        """Return the list of cards. Raises StateError."""
        if len(text) != self.count or set(text) - set(self.letters + BLANK + HIDDEN):
            raise StateError(
                f"{self.key} is {shorten(text)}; valid: {self.count} of {self.letters}, {BLANK} for none and {HIDDEN} "
                "for a hidden one"
            )
        return [None if card == HIDDEN else card for card in text]


class HandsField:
    """The hands of all players, joined by `,`: cards, `-` for none, `?` for a hand that a view does not show.

    Args:
        key: see `Field`.
        count: number of players.
        cards: names of the cards, all of the same length.
    """

    def __init__(self, key: str, count: int, cards: Sequence[str]) -> None:
        self.key = key
        self.count, self.cards = count, cards

    def write(self, value: Sequence[Sequence[str] | None]) -> str:
        """Return the text of a list of hands."""
        return ",".join(HIDDEN if hand is None else "".join(hand) or NOTHING for hand in value)

    def read(self, text: str) -> list[list[str] | None]:
        """Return the list of hands. Raises StateError."""
        hands = [None if hand == HIDDEN else self._cards_of(hand) for hand in text.split(",")]
        if len(hands) != self.count or any(set(hand) - set(self.cards) for hand in hands if hand):
            raise StateError(
                f"{self.key} is {shorten(text)}; valid: {self.count} hands of {self.cards[0]} to {self.cards[-1]}, "
                f"joined by commas, {NOTHING} for no cards and {HIDDEN} for a hidden hand"
            )
        return hands

    def _cards_of(self, hand: str) -> list[str]:
        size = len(self.cards[0])
        return [] if hand == NOTHING else [hand[at : at + size] for at in range(0, max(1, len(hand)), size)]


class CallsField:
    """The words of the players, a letter or word each, joined by `,` where words are longer. `-` for nothing.

    `?` is a list that a view does not show.
    """

    def __init__(self, key: str, words: Sequence[str]) -> None:
        self.key = key
        self.words = words
        self._separator = "" if all(len(word) == 1 for word in words) else ","

    def write(self, value: Sequence[str] | None) -> str:
        """Return the text of a list of words."""
        return HIDDEN if value is None else self._separator.join(value) or NOTHING

    def read(self, text: str) -> list[str] | None:
        """Return the list of words. Raises StateError."""
        if text == HIDDEN:
            return None
        words = [] if text == NOTHING else list(text) if not self._separator else text.split(self._separator)
        for word in words:
            if word not in self.words:
                raise StateError(f"{self.key} is {shorten(text)}; valid: {', '.join(self.words)}, or {NOTHING}")
        return words


def read_cards(given: dict[str, Any], key: str, count: int, letters: str) -> list[int]:
    """Return the cards under `key` as numbers from 0, -1 for none yet. Raises StateError, also for a hidden card."""
    cards = require(given, key)
    if not isinstance(cards, (list, tuple)) or len(cards) != count:
        raise StateError(f"{key!r} must be {count} cards, not {shown(cards)}")
    found = []
    for card in cards:
        if card is None:
            raise StateError(f"{key!r} has a hidden card: this is a view, and a state is needed")
        if not isinstance(card, str) or len(card) != 1 or card not in letters + BLANK:
            raise StateError(f"{key!r} has the card {shown(card)}; valid: {', '.join(letters)}, and {BLANK} for none")
        found.append(letters.find(card))
    return found


def read_hands(given: dict[str, Any], key: str, count: int, cards: Sequence[str]) -> list[Sequence[str]]:
    """Return the hands under `key`, lists of cards. Raises StateError, also for a hidden hand."""
    hands = require(given, key)
    if not isinstance(hands, (list, tuple)) or len(hands) != count:
        raise StateError(f"{key!r} must be {count} hands, not {shown(hands)}")
    for hand in hands:
        if hand is None:
            raise StateError(f"{key!r} has a hidden hand: this is a view, and a state is needed")
        if not isinstance(hand, (list, tuple)) or not all(isinstance(card, str) and card in cards for card in hand):
            raise StateError(f"{key!r} has the hand {shown(hand)}; valid: a list of {', '.join(cards)}")
    return [*hands]


def read_calls(given: dict[str, Any], key: str, words: Sequence[str]) -> list[int]:
    """Return the numbers of the words under `key`. Raises StateError."""
    calls = require(given, key)
    if not isinstance(calls, (list, tuple)) or not all(isinstance(call, str) and call in words for call in calls):
        raise StateError(f"{key!r} is {shown(calls)}; valid: a list of {', '.join(words)}")
    return [words.index(call) for call in calls]


def copied_cards(given: dict[str, Any], key: str, player: int, count: int) -> list[Any]:
    """Return a copy of the cards of a view of a player. Raises StateError if it is not one."""
    cards = given.get(key)
    if not isinstance(cards, (list, tuple)) or len(cards) != count or cards[player] is None:
        raise StateError(f"this is not a view of player {player + 1}, with null for the hidden entries of {key!r}")
    return list(cards)
