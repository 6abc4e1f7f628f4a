"""Cards, dice and calls as text: helpers of games whose players have secrets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...arguments import shown
from ...errors import StateError
from ...notation import HIDDEN, NOTHING
from .board_text import BLANK, require


class CardsField:
    """Cards of all players, a letter each: `.` for none yet, `?` for a card that a view does not show."""

    def __init__(self, key: str) -> None:
        self.key = key

    def write(self, value: Sequence[str | None]) -> str:
        """Return the text of a list of cards."""
        return "".join(HIDDEN if card is None else card for card in value)

    def read(self, text: str) -> list[str | None]:
        """Return the list of cards, of any letters: the game checks them."""
        return [None if card == HIDDEN else card for card in text]


class HandsField:
    """The hands of all players, joined by `,`: cards, `-` for none, `?` for a hand that a view does not show.

    Args:
        key: see `Field`.
        size: number of letters of each card.
    """

    def __init__(self, key: str, size: int) -> None:
        self.key, self.size = key, size

    def write(self, value: Sequence[Sequence[str] | None]) -> str:
        """Return the text of a list of hands."""
        return ",".join(HIDDEN if hand is None else "".join(hand) or NOTHING for hand in value)

    def read(self, text: str) -> list[list[str] | None]:
        """Return the list of hands, of any cards: the game checks them."""
        return [None if hand == HIDDEN else self._cards_of(hand) for hand in text.split(",")]

    def _cards_of(self, hand: str) -> list[str]:
        return [] if hand == NOTHING else [hand[at : at + self.size] for at in range(0, max(1, len(hand)), self.size)]


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


def copied_cards(given: dict[str, Any], key: str, player: int, count: int, each: int = 1) -> list[Any]:
    """Return a copy of the cards of a view of a player, who has `each`. Raises StateError if it is not one."""
    cards = given.get(key)
    first = player * each
    if not isinstance(cards, (list, tuple)) or len(cards) != count or None in cards[first : first + each]:
        raise StateError(f"this is not a view of player {player + 1}, with null for the hidden entries of {key!r}")
    return list(cards)
