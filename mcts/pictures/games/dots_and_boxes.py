"""The picture of the rulesheet dots_and_boxes."""

from __future__ import annotations

from dataclasses import replace

from cext.game.game import State, View

from ..parts import Picture


def picture(position: State | View) -> Picture:
    """Return the board with the boxes of both: the facts tell those of red, and all other closed ones are blue's."""
    plain: Picture = position.game.picture(position)
    (board,) = plain.boards[0]
    cells = list(board.cells)
    for place, cell in enumerate(board.cells):
        row, column = divmod(place, board.columns)
        sides = (place - board.columns, place + board.columns, place - 1, place + 1)
        if row % 2 and column % 2 and not cell.mark and all(board.cells[side].mark for side in sides):
            cells[place] = replace(cell, mark=plain.seats[1].mark)
    return replace(plain, boards=((replace(board, cells=tuple(cells)),),), legend=())
