"""The picture of tic_block."""

from __future__ import annotations

from dataclasses import replace

from cext.game.game import State, View

from ..facts import board_of, bridge, heading_of, last_marks, runs, seats_of
from ..parts import Board, O, Picture, X

_MARKS = {"x": X, "o": O}


def picture(position: State | View) -> Picture:
    """Return the tic board; in the block phase beside the larger block board, with the bridge."""
    data = position.to_dict()
    tic, block, scores = data["tic"], data["block"], data["tic_scores"]
    last = last_marks(position, back=1)
    is_tic = block is None
    cells = board_of(
        tic, 3, _MARKS, last=last if is_tic else frozenset(), winning=runs(tic, 3, 3), is_closed=not is_tic
    )
    heading = heading_of(position)
    if is_tic:
        if not position.is_terminal() and len(position.acting_players()) > 1:
            heading = "The tic phase is over: both reset"
        return Picture(((Board(3, cells),),), seats=seats_of(position, (X, O)), heading=heading)
    boards = (
        Board(
            3,
            tuple(replace(cell, name=f"tic:{cell.name}", action="") for cell in cells),
            title="tic phase",
            is_numbered=False,
            scale=0.62,
        ),
        Board(4, board_of(block, 4, _MARKS, last=last, winning=bridge(block, 4, "x")), edges=(X.color, "")),
    )
    more = [{"detail": f"tic phase: {score:g}", "number": f"{score:g}"} for score in scores]
    if not position.is_terminal() and len(position.acting_players()) > 1:
        heading = "Both mark at once"
    return Picture((boards,), seats=seats_of(position, (X, O), more), heading=heading)
