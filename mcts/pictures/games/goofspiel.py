"""The picture of the rulesheets goofspiel and secret_goofspiel."""

from __future__ import annotations

import re
from collections.abc import Sequence

from cext.game.game import State, View

from ..cards import back, card_mark, hand_marks
from ..facts import heading_of, last_steps, legal_texts, seats_of
from ..parts import Board, Cell, Picture, display_name

_TAKEN = re.compile(r"takes\((\w+),(\d+)\)")
_HELD = re.compile(r"hand\((\w+),(\d+)\)")
_CARDS = "12345"


def picture(position: State | View) -> Picture:
    """Return the prizes, the hands, and the scores; cards that the player does not see as backs."""
    data, players = position.to_dict(), position.game.players
    viewer = position.player if isinstance(position, View) else 0
    if "facts" in data:
        facts = " ".join(data["facts"])
        step = data["step"]
        hands: list[str | None] = ["".join(card for name, card in _HELD.findall(facts) if name == player)
                                   for player in players]  # fmt: skip
        taken = _taken(position, players)
        scores = [int(found[1]) for player in players if (found := re.search(rf"score\({player},(\d+)\)", facts))]
    else:
        step = len(data["seen"]) - 1
        taken = {prize: name for name, prize in _TAKEN.findall(str(data["seen"]))}
        scores = [sum(int(prize) for prize, name in taken.items() if name == player) for player in players]
        own = "".join(sorted(text[4] for text in legal_texts(position)))
        hands = [own if player == viewer else None for player in range(len(players))]
    marks = hand_marks(2)
    colors = {card: marks[players.index(name)].color for card, name in taken.items()}
    colors |= dict.fromkeys(_CARDS[step:], "gray")
    prizes = tuple(
        Cell(
            f"prize {card}",
            card_mark(card, colors[card]) if card in colors else None,
            is_closed=int(card) <= step,
            is_offered=int(card) == step + 1,
        )
        for card in _CARDS
    )
    cells = [
        cell
        for player, hand in enumerate(hands)
        for cell in _hand(players[player], hand, len(_CARDS) - step, marks[player].color, player == viewer)
    ]
    names = tuple(map(display_name, players))
    boards = (
        (Board(len(_CARDS), prizes, column_names=("",) * 5, row_names=("prizes",)),),
        (Board(len(_CARDS), tuple(cells), column_names=("",) * 5, row_names=names),),
    )
    last = next(iter(last_steps(position, 1)), {})
    more = [
        {"detail": f"score {score}", "number": str(score), "note": last.get(player, "").replace("(", " ").strip(")")}
        for player, score in enumerate(scores)
    ]
    return Picture(boards, seats=seats_of(position, marks, more), heading=heading_of(position))


def _taken(position: State | View, players: Sequence[str]) -> dict[str, str]:
    """Return prize -> who took it, as far as the history tells."""
    found = {}
    for number, step in enumerate(reversed(last_steps(position, len(_CARDS)))):
        bids = sorted((text[len("bid(") : -1], players[player]) for player, text in step.items())
        if bids[0][0] != bids[1][0]:
            found[_CARDS[number]] = bids[1][1]
    return found


def _hand(player: str, hand: str | None, count: int, color: str, is_viewer: bool) -> list[Cell]:
    """Return the cells of a hand. None: `count` cards that are not seen."""
    if hand is None:
        return [
            back(f"{player} {card}") if int(card) <= count else Cell(f"{player} {card}", is_hole=True)
            for card in _CARDS
        ]
    return [
        Cell(f"{player} {card}", card_mark(card, color), action=f"bid({card})" if is_viewer else "")
        if card in hand
        else Cell(f"{player} {card}", is_closed=True)
        for card in _CARDS
    ]
