"""Cards of players as cells of a board."""

from __future__ import annotations

from collections.abc import Sequence

from .parts import Board, Cell, Mark, display_name

_FIRST_SIDE = 0x2680
"""The character of a die that shows 1."""
_COLORS = ("blue", "orange", "green", "purple")
_SUITS = {
    "c": ("\u2663", "green", "clubs"), "d": ("\u2666", "blue", "diamonds"), "h": ("\u2665", "red", "hearts"),
    "s": ("\u2660", "gray", "spades"),
}  # fmt: skip


def hand_marks(count: int) -> tuple[Mark, ...]:
    """Return the marks of players, for whom cards are drawn instead of marks."""
    return tuple(Mark(str(number + 1), color) for number, color in zip(range(count), _COLORS, strict=False))


def suited_mark(card: str) -> Mark:
    """Return the mark of a card with a suit, such as `Ah`."""
    symbol, color, name = _SUITS[card[1]]
    return card_mark(card[0] + symbol, color, f"{card[0]} of {name}", card)


def card_mark(text: str, color: str = "gray", name: str = "", symbol: str = "") -> Mark:
    """Return the mark of a card that shows a text."""
    return Mark(text, color, name or f"card {text}", symbol or text, is_card=True)


def die_mark(side: str) -> Mark:
    """Return the mark of a die that shows a side, `1` to `6`."""
    return Mark(chr(_FIRST_SIDE + int(side) - 1), "gray", f"die {side}", side, scale=1.5)


def back(name: str) -> Cell:
    """Return a card that is not shown."""
    return Cell(name, Mark("", "blue", "hidden", "*", is_card=True), is_closed=True)


def cards_board(names: Sequence[str], cards: Sequence[str | None], blank: str) -> Board:
    """Return a row of cards, or of dice, below the names of those who have them.

    Args:
        names: who has each card, such as a player or `open`.
        cards: a letter for each card, or a number for a die; None: hidden.
        blank: the letter of a card that is not there.
    """
    cells = tuple(
        back(name)
        if card is None
        else Cell(name, None if card == blank else die_mark(card) if card.isdigit() else card_mark(card.upper()))
        for name, card in zip(names, cards, strict=True)
    )
    return Board(len(cells), cells, column_names=tuple(map(display_name, names)), row_names=("",))
