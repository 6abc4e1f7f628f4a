"""Cards of players as cells of a board."""

from __future__ import annotations

from collections.abc import Sequence

from .parts import Board, Cell, Mark, display_name

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
    return Mark(card[0] + symbol, color, name=f"{card[0]} of {name}", symbol=card)


def back(name: str) -> Cell:
    """Return a card that is not shown."""
    return Cell(name, text="*", is_closed=True)


def cards_board(names: Sequence[str], cards: Sequence[str | None], blank: str) -> Board:
    """Return a row of cards below the names of those who have them.

    Args:
        names: who has each card, such as a player or `open`.
        cards: a letter for each card; None: hidden.
        blank: the letter of a card that is not there.
    """
    cells = tuple(
        back(name)
        if card is None
        else Cell(name, None if card == blank else Mark(card.upper(), "white", name=f"card {card}"))
        for name, card in zip(names, cards, strict=True)
    )
    return Board(len(cells), cells, column_names=tuple(map(display_name, names)), row_names=("",))
