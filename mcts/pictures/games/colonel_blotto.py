"""The picture of the rulesheet colonel_blotto."""

from __future__ import annotations

import re

from cext.game.game import State, View

from ..cards import hand_marks
from ..facts import heading_of, seats_of
from ..parts import Board, Cell, Mark, Picture, display_name

_PLACED = re.compile(r"on\((\w+),(\w+),(\d+)\)")


def picture(position: State | View) -> Picture:
    """Return the fields with the soldiers of both; those of the viewing player have the names of the amounts."""
    game = position.game
    fields = game.info.amounts.split()[1:]
    soldiers = {
        (field, player): int(count) for field, player, count in _PLACED.findall(" ".join(position.to_dict()["facts"]))
    }
    viewer = position.player if isinstance(position, View) else 0
    cells = []
    for number, player in enumerate(game.players):
        for field in fields:
            count = soldiers.get((field, player))
            mark = None if count is None else Mark(str(count), hand_marks(2)[number].color, f"{count} soldiers")
            is_most = count is not None and all(
                count > soldiers[field, other] for other in game.players if other != player
            )
            name = field if number == viewer else f"{field} of {player}"
            cells.append(Cell(name, mark, is_winning=is_most, is_closed=number != viewer and mark is None))
    names = tuple(map(display_name, game.players))
    board = Board(len(fields), tuple(cells), column_names=tuple(fields), row_names=names)
    return Picture(((board,),), seats=seats_of(position, hand_marks(2)), heading=heading_of(position))
