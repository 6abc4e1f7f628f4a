"""The picture of the rulesheet kalah."""

from __future__ import annotations

from dataclasses import replace

from cext.game.game import State, View

from ..parts import Board, Cell, Mark, Picture


def picture(position: State | View) -> Picture:
    """Return the houses of both between their stores; seeds have the color of their player."""
    plain: Picture = position.game.picture(position)
    marks = [seat.mark or Mark("disc", "gray") for seat in plain.seats]
    (houses,) = plain.boards[0]
    cells = [
        replace(cell, mark=replace(cell.mark, color=marks[place < houses.columns].color) if cell.mark else None)
        for place, cell in enumerate(houses.cells)
    ]
    board = replace(houses, cells=tuple(cells), is_round=True)
    south, north = (_store(seat.name, seat.detail.removeprefix("store "), mark)
                    for seat, mark in zip(plain.seats, marks, strict=True))  # fmt: skip
    return replace(plain, boards=((north, board, south),))


def _store(player: str, seeds: str, mark: Mark) -> Board:
    cell = Cell(f"store of {player}", Mark(seeds, mark.color, name=f"{seeds} seeds"))
    return Board(1, (cell,), player, (mark,), is_numbered=False, scale=1.5, is_round=True)
