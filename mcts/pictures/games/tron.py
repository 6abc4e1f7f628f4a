"""The picture of the rulesheet tron."""

from __future__ import annotations

import itertools
from dataclasses import replace

from cext.game.game import State, View

from ..facts import last_steps
from ..parts import Cell, Mark, Picture

_STEPS = {"ride(up)": (-1, 0), "ride(down)": (1, 0), "ride(left)": (0, -1), "ride(right)": (0, 1)}


def picture(position: State | View) -> Picture:
    """Return the board with the trail of each rider, as far as the history tells."""
    plain: Picture = position.game.picture(position)
    (board,) = plain.boards[0]
    places = {cell.name: place for place, cell in enumerate(board.cells)}
    cells, links = list(board.cells), []
    for player, trail in _trails(position).items():
        color = (plain.seats[player].mark or Mark("disc", "gray")).color
        walls = [places[name] for name in trail if not _is_rider(cells[places[name]])]
        links += [(one, other, color) for one, other in itertools.pairwise(walls)]
        for place in walls:
            cells[place] = replace(
                cells[place], mark=Mark("block", color, name=f"wall of {position.game.players[player]}")
            )
    cells = [replace(cell, note="") for cell in cells]
    return replace(plain, boards=((replace(board, cells=tuple(cells), links=tuple(links)),),), legend=())


def _trails(position: State | View) -> dict[int, list[str]]:
    """Return player -> the names of the cells on which it has ridden, in order."""
    game = position.game
    starts = [fact[3:-1].split(",") for fact in game.new_initial_state().to_dict()["facts"] if fact.startswith("at(")]
    trails = {game.players.index(player): [f"{row},{column}"] for player, row, column in starts}
    steps = last_steps(position, game.parameters["max_steps"])[::-1]
    if not steps:
        return {player: [] for player in trails} if position.to_dict()["step"] else trails
    walls = {starts_at for trail in trails.values() for starts_at in trail}
    for step in steps:
        aims = {}
        for player, text in step.items():
            down, right = _STEPS.get(text, (0, 0))
            row, column = map(int, trails[player][-1].split(","))
            aims[player] = f"{row + down},{column + right}"
        for player, name in aims.items():
            if name not in walls and list(aims.values()).count(name) == 1 and _is_inside(name):
                trails[player].append(name)
        walls.update(name for name in aims.values() if _is_inside(name))
    return trails


def _is_rider(cell: Cell) -> bool:
    return cell.mark is not None and cell.mark.shape != "block"


def _is_inside(name: str) -> bool:
    return all(1 <= int(number) <= 6 for number in name.split(","))
