"""The picture of bidding_3d_ttt. A view's picture is made of the view's data, so it shows no more than the view."""

from __future__ import annotations

from cext.arguments import counted
from cext.game.game import State, View

from ..facts import heading_of, seats_of
from ..parts import BLUE, RED, Amounts, Board, Cell, Picture

_LETTERS = "ABCDEFGHI"
_TILES = 9
_MARKS = {"r": RED, "b": BLUE}
_NAMES = {letter: tuple(f"{letter}{tile + 1}" for tile in range(_TILES)) for letter in _LETTERS}
_LINES = ["123", "456", "789", "147", "258", "369", "159", "357"]
_RULES = (
    "Round 1: no line of three tiles within one board.",
    "Round 2: tiles of at most two boards.",
    "Round 3: any open tiles. It is the last round.",
)
_LIMITS = (
    tuple((2, {f"{letter}{tile}": (f"{letter}{tile}",) for tile in line}) for letter in _LETTERS for line in _LINES),
    ((2, _NAMES),),
    (),
)


def picture(position: State | View) -> Picture:
    """Return the nine boards, the chips, and the bids of the last round as far as they are known."""
    data = position.to_dict()
    history = data["history"]
    tiles, before = data["tiles"], history[-2]["tiles"] if len(history) > 1 else "." * len(data["tiles"])
    bids = history[-1]["bids"] if history else [None, None]
    can_recapture = position.game.parameters["recapture"]
    boards = []
    for number, letter in enumerate(_LETTERS):
        owners = data["boards"][number]
        cells = []
        for tile in range(_TILES):
            place = number * _TILES + tile
            mark = _MARKS.get(tiles[place])
            is_closed = bool(owners) or position.is_terminal() or (mark is not None and not can_recapture)
            cells.append(
                Cell(
                    _NAMES[letter][tile],
                    mark,
                    text="" if is_closed else str(tile + 1),
                    is_last=bool(history) and tiles[place] != before[place],
                    is_closed=is_closed,
                )
            )
        boards.append(
            Board(3, tuple(cells), letter, tuple(mark for key, mark in _MARKS.items() if key in owners), False)
        )
    more = []
    for player in range(2):
        chips, spent = data["chips"][player], bids[player]
        more.append(
            {
                "detail": "? chips" if chips is None else counted(chips, "chip"),
                "number": "?" if chips is None else str(chips),
                "note": "" if spent is None else f"bid {sum(spent)}",
            }
        )
    heading = heading_of(position)
    if not position.is_terminal():
        heading = f"Round {data['round']} of 3: both bid, in secret"
    rows = tuple(tuple(boards[start : start + 3]) for start in range(0, _TILES, 3))
    amounts = None
    if isinstance(position, View) and not position.is_terminal():
        chips, turn = data["chips"][position.player], data["round"] - 1
        free = [cell.name for board in boards for cell in board.cells if not cell.is_closed]
        places = dict.fromkeys(free, (0, chips))
        amounts = Amounts("bid", places, (0, chips), is_named=True, rule=_RULES[turn], limits=_LIMITS[turn])
    return Picture(rows, seats=seats_of(position, (RED, BLUE), more), heading=heading, amounts=amounts)
