"""Cards of players as cells of a board."""

from __future__ import annotations

from collections.abc import Sequence

from .parts import Board, Cell, Mark, display_name

_COLORS = ("blue", "orange", "green", "purple")


def hand_marks(count: int) -> tuple[Mark, ...]:
    """Return the marks of players, for whom cards are drawn instead of marks."""
    return tuple(Mark(str(number + 1), color) for number, color in zip(range(count), _COLORS, strict=False))


def cards_board(names: Sequence[str], cards: Sequence[str | None], blank: str) -> Board:
    """Return a row of cards below the names of those who have them.

    Args:
        names: who has each card, such as a player or `open`.
        cards: a letter for each card; None: hidden.
        blank: the letter of a card that is not there.
    """
    cells = tuple(
        Cell(
            name,
            None if card is None or card == blank else Mark(card.upper(), "white", name=f"card {card}"),
            text="*" if card is None else "",
            is_closed=card is None,
        )
        for name, card in zip(names, cards, strict=True)
    )
    return Board(len(cells), cells, column_names=tuple(map(display_name, names)), row_names=("",))
