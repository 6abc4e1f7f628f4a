"""The picture of liars_dice."""

from __future__ import annotations

from cext.game.game import State, View

from ..cards import cards_board, hand_marks
from ..facts import heading_of, seats_of
from ..parts import Picture


def picture(position: State | View) -> Picture:
    """Return the dice of both, and what each said last."""
    game, data = position.game, position.to_dict()
    notes = ["", ""]
    for number, call in enumerate(data["calls"]):
        notes[number % 2] = call
    count = game.parameters["dice"]
    names = [f"{name} {number + 1}" if count > 1 else name for name in game.players for number in range(count)]
    seats = seats_of(position, hand_marks(2), [{"note": note} for note in notes])
    return Picture(((cards_board(tuple(names), data["dice"], "."),),), seats=seats, heading=heading_of(position))
