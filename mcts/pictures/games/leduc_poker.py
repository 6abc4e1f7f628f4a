"""The picture of leduc_poker."""

from __future__ import annotations

from cext.game.game import State, View

from ..cards import cards_board, hand_marks
from ..facts import heading_of, seats_of
from ..parts import Picture

_WORDS = {"f": "fold", "c": "call", "r": "raise"}


def picture(position: State | View) -> Picture:
    """Return the cards of both, the open card, and what each said last."""
    game, data = position.game, position.to_dict()
    notes, begun = ["", ""], 0
    for number, call in enumerate(data["calls"]):
        notes[(number - begun) % 2] = _WORDS[call]
        if call == "c" and number > begun:
            begun = number + 1
    seats = seats_of(position, hand_marks(2), [{"note": note} for note in notes])
    board = cards_board((*game.players, "open"), data["cards"], ".")
    return Picture(((board,),), seats=seats, heading=heading_of(position))
