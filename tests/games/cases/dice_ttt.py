"""Cases of dice_ttt."""

from game_cases import Info, NoActions, Play
from hypothesis import strategies as st
from support import JSON

GAME = "dice_ttt"
BASE = {"board": ".........", "row": 1, "to_move": "x"}

INFO = [Info("dice_ttt", "dice_ttt", ("x", "o"), 9)]
BAD_SPECS = [("dice_ttt(coins=3)", "no parameter 'coins'")]

PLAYS = {
    "a turn begins with a throw": Play(
        state={"board": ".........", "row": None, "to_move": "x"}, acting=(), drawing="the die is thrown for x"
    ),
    "a throw names the row of the mark": Play(
        ["throw(2)"],
        state={"row": 2, "to_move": "x"},
        acting=("x",),
        legal={"x": ["mark(2,1)", "mark(2,2)", "mark(2,3)"], "o": ["noop"]},
        forbids={"x": ["mark(1,1)", "mark(3,3)"]},
        drawing="x marks a cell in row 2",
    ),
    "the die is thrown again after a mark": Play(
        ["throw(2)", "mark(2,2)"],
        state={"board": "....x....", "row": None, "to_move": "o"},
        acting=(),
        drawing="the die is thrown for o",
    ),
    "the outcomes are the rows": Play(numbers={"throw(1)": 0, "throw(2)": 1, "throw(3)": 2}),
    "a cell is marked once": Play(
        start={"board": "xo.......", "row": 1, "to_move": "x"},
        legal={"x": ["mark(1,3)"]},
        forbids={"x": ["mark(1,1)", "mark(1,2)"]},
    ),
    "three in a row win": Play(
        ["mark(1,3)"],
        start={"board": "xx.oo....", "row": 1, "to_move": "x"},
        state={"row": None, "to_move": None},
        returns=[100, 0],
        drawing="x has three in a row and wins",
    ),
    "three in a column win": Play(
        ["mark(3,1)"], start={"board": "oxxo.x...", "row": 3, "to_move": "o"}, returns=[0, 100]
    ),
    "three in a diagonal win": Play(
        ["mark(3,3)"], start={"board": "x.o.xo...", "row": 3, "to_move": "x"}, returns=[100, 0]
    ),
    "a full board without a line is a draw": Play(
        ["mark(3,2)"],
        start={"board": "xoxxoxo.o", "row": 3, "to_move": "x"},
        returns=[50, 50],
        drawing="the board is full: a draw",
    ),
}

NO_ACTIONS = [
    NoActions(["mark(0,1)", "mark(1,4)", "mark 1 1", "throw(1)", "pass", ""], start=BASE),
    NoActions([-2, 9, 2**31 - 1, -(2**31)], "valid: 0 to 8", start=BASE),
]

OPTIONAL = ("to_move",)
BAD_STATES = [
    ({"board": "x"}, "'board' must be 9 characters"),
    ({"board": "xz......."}, "'board' must be 9 characters"),
    ({"board": ["."] * 9}, "'board' must be 9 characters"),
    ({"row": 0}, "'row' is 0; valid: 1, 2, 3"),
    ({"row": True}, "'row' is True; valid"),
    ({"board": "xox......", "to_move": "o"}, "'row' is 1, but that row is full"),
    ({"board": "xxxoo....", "row": 2, "to_move": None}, "'row' is 2, but the game is over; valid: null"),
    ({"to_move": "z"}, "'to_move' is 'z'"),
    ({"to_move": "o"}, "'to_move' is 'o'"),
    ({"to_move": None}, "'to_move' is None"),
    ({"turn": 0}, "unknown key 'turn' in state"),
    ({"board": "oo......."}, "marks"),
    ({"board": "xxxooo...", "row": None}, "x and o both have three in a row"),
]
NEARLY = {
    GAME: st.fixed_dictionaries(
        {
            "board": st.text("...xo", min_size=9, max_size=9) | JSON,
            "row": st.sampled_from([1, 2, 3, None]) | JSON,
            "to_move": st.sampled_from(["x", "o", None]) | JSON,
        },
        optional={"more": JSON},
    )
}
