"""The picture of the rulesheet dice_race."""

from __future__ import annotations

import re

from cext.game.game import State, View

from ..cards import die_mark, hand_marks
from ..facts import heading_of, last_steps, seats_of
from ..parts import Board, Cell, Clicks, Mark, Picture, display_name

_SQUARES = ("0", "1", "2", "3", "4", "5", "6", "7", "8", "home")
_AT = re.compile(r"at\((\w+),(\d),(\w+)\)")
_DIE = re.compile(r"die\((\d)\)")


def picture(position: State | View) -> Picture:
    """Return the track of each player with its pieces, and the die."""
    game, facts = position.game, " ".join(position.to_dict()["facts"])
    at = {(player, piece): square for player, piece, square in _AT.findall(facts)}
    acting = [game.players[player] for player in position.acting_players() if player >= 0]
    last = next(iter(last_steps(position, 1)), {})
    cells: list[Cell] = []
    clicks: dict[str, Clicks] = {}
    for number, player in enumerate(game.players):
        for square in _SQUARES:
            name = f"{player} {square}"
            pieces = [piece for piece in "12" if at.get((player, piece)) == square]
            words = f"{display_name(player)}: {' and '.join(pieces)}"
            mark = Mark("".join(pieces), hand_marks(2)[number].color, words) if pieces else None
            is_last = any(last.get(number) == f"move({piece})" for piece in pieces)
            cells.append(Cell(name, mark, is_last=is_last))
            if player in acting:
                clicks |= {f"move({piece})": ((name,),) for piece in pieces}
    names = tuple(map(display_name, game.players))
    track = Board(len(_SQUARES), tuple(cells), column_names=_SQUARES, row_names=names)
    die = _DIE.search(facts)
    thrown = Board(
        1, (Cell("die", die_mark(die[1]) if die else None),), column_names=("die",), row_names=("",), scale=2
    )
    home = [sum(at.get((player, piece)) == "home" for piece in "12") for player in game.players]
    more = [{"detail": f"{count} of 2 at home", "number": str(count)} for count in home]
    seats = seats_of(position, hand_marks(2), more)
    return Picture(((thrown,), (track,)), seats=seats, heading=heading_of(position), clicks=clicks)
