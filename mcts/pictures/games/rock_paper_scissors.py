"""The picture of the rulesheet rock_paper_scissors."""

from __future__ import annotations

import re
from dataclasses import replace

from cext.game.game import State, View

from ..cards import hand_marks
from ..facts import heading_of, last_steps, seats_of
from ..parts import Board, Cell, Mark, Picture, display_name

_HANDS = {
    "rock": Mark("disc", "gray", "rock", "R", scale=1.3),
    "paper": Mark("square", "white", "paper", "P", scale=1.3),
    "scissors": Mark("\u2702", "gray", "scissors", "S", scale=1.3),
}
_BEATS = {"rock": "scissors", "paper": "rock", "scissors": "paper"}
_ROUNDS = 9


def picture(position: State | View) -> Picture:
    """Return the hands to choose from and the rounds so far, as far as the history tells."""
    game, facts = position.game, " ".join(position.to_dict()["facts"])
    choices = tuple(Cell(hand, mark, action=f"choose({hand})") for hand, mark in _HANDS.items())
    cells = [Cell(f"{name} in round {number + 1}") for name in game.players for number in range(_ROUNDS)]
    steps = last_steps(position, _ROUNDS)[::-1]
    for number, step in enumerate(steps):
        hands = {player: text[len("choose(") : -1] for player, text in step.items()}
        for player, hand in hands.items():
            place = player * _ROUNDS + number
            is_won = _BEATS[hand] == hands[1 - player]
            cells[place] = replace(cells[place], mark=_HANDS[hand], is_winning=is_won, is_last=number == len(steps) - 1)
    names, rounds = tuple(map(display_name, game.players)), tuple(str(number + 1) for number in range(_ROUNDS))
    boards = (
        (Board(len(choices), choices, column_names=tuple(_HANDS), row_names=("",)),),
        (Board(_ROUNDS, tuple(cells), column_names=rounds, row_names=names, scale=0.4),),
    )
    won = dict(re.findall(r"wins\((\w+),(\d)\)", facts))
    more = [{"detail": f"won {won[player]} of 3", "number": won[player]} for player in game.players]
    return Picture(boards, seats=seats_of(position, hand_marks(2), more), heading=heading_of(position))
