"""The picture of oh_hell."""

from __future__ import annotations

from collections.abc import Sequence

from cext.game.game import State, View

from ..cards import back, hand_marks, suited_mark
from ..facts import heading_of, seats_of
from ..parts import Board, Cell, Picture, display_name

_RANKS = "23456789TJQKA"


def picture(position: State | View) -> Picture:
    """Return the hands, the trump card, the tricks so far, and what each player bid and won."""
    game, data = position.game, position.to_dict()
    players, most = game.players, game.parameters["tricks"]
    tricks = _tricks(data["plays"], data["trump"], len(players))
    won = [sum(winner == player for _, _, winner in tricks) for player in range(len(players))]
    hands = []
    for name, hand, told in zip(players, data["hands"], _cards_left(tricks, most, len(players)), strict=True):
        cells = (
            [back(f"{name} {number + 1}") for number in range(told)]
            if hand is None
            else [Cell(card, suited_mark(card), action=f"play({card})") for card in hand]
        )
        hands += cells + [Cell(f"{name} {number + 1}", is_hole=True) for number in range(len(cells), most)]
    trump = Cell("trump", suited_mark(data["trump"]) if data["trump"] else None)
    names = tuple(map(display_name, players))
    upper = (
        _table(tricks, players, most),
        Board(1, (trump,), column_names=("trump",), row_names=("",)),
    )
    lower = (Board(most, tuple(hands), column_names=("",) * most, row_names=names),)
    rows = (upper,) if all(cell.is_hole for cell in hands) else (upper, lower)
    more = [
        {"detail": f"won {count}/{bid}", "number": f"{count}/{bid}"}
        for bid, count in zip([*data["bids"], *"-" * len(players)], won, strict=False)
    ]
    return Picture(rows, seats=seats_of(position, hand_marks(len(players)), more), heading=heading_of(position))


def _tricks(plays: Sequence[str], trump: str, players: int) -> list[tuple[int, Sequence[str], int | None]]:
    """Return for each trick who led, the cards in the order of play, and the winner, None if it is not complete."""
    found: list[tuple[int, Sequence[str], int | None]] = []
    leader = 0
    for first in range(0, len(plays), players):
        cards = plays[first : first + players]
        worth = [(card[1] == trump[1], card[1] == cards[0][1], _RANKS.index(card[0])) for card in cards]
        winner = (leader + worth.index(max(worth))) % players if len(cards) == players else None
        found.append((leader, cards, winner))
        leader = leader if winner is None else winner
    return found


def _cards_left(tricks: Sequence[tuple[int, Sequence[str], int | None]], most: int, players: int) -> list[int]:
    """Return the number of cards of each player."""
    played = [0] * players
    for leader, cards, _ in tricks:
        for place in range(len(cards)):
            played[(leader + place) % players] += 1
    return [most - count for count in played]


def _table(tricks: Sequence[tuple[int, Sequence[str], int | None]], players: Sequence[str], most: int) -> Board:
    """Return the tricks as rows, with the card of each player in its column."""
    cells = [[Cell(f"{name} in trick {number + 1}") for name in players] for number in range(most)]
    for number, (leader, cards, winner) in enumerate(tricks):
        for place, card in enumerate(cards):
            player = (leader + place) % len(players)
            is_last = number == len(tricks) - 1 and place == len(cards) - 1
            name = cells[number][player].name
            cells[number][player] = Cell(name, suited_mark(card), is_last=is_last, is_winning=player == winner)
    rows = tuple(cell for row in cells for cell in row)
    return Board(len(players), rows, column_names=tuple(map(display_name, players)))
