"""The picture of kuhn_poker."""

from __future__ import annotations

from cext.arguments import counted
from cext.game.game import State, View

from ..cards import cards_board, hand_marks
from ..facts import heading_of, seats_of
from ..parts import Picture


def picture(position: State | View) -> Picture:
    """Return the cards, the chips of each player in the pot, and what it said last."""
    game, data = position.game, position.to_dict()
    chips, notes = [1] * game.num_players, [""] * game.num_players
    for number, call in enumerate(data["calls"]):
        player = number % game.num_players
        chips[player] += call == "b"
        notes[player] = "bet" if call == "b" else "pass"
    more = [
        {"detail": f"{counted(count, 'chip')} in the pot", "number": str(count), "coins": count, "note": note}
        for count, note in zip(chips, notes, strict=True)
    ]
    seats = seats_of(position, hand_marks(game.num_players), more)
    return Picture(((cards_board(game.players, data["cards"], "."),),), seats=seats, heading=heading_of(position))
