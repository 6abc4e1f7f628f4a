"""Cases of mnk."""

from game_cases import Info, NoActions, Play
from hypothesis import strategies as st
from support import JSON

GAME = "mnk"
WIDE = "mnk(m=5,n=3,k=3)"
LARGE = "mnk(m=5,n=5,k=3)"

INFO = [Info("mnk", "mnk(m=3,n=3,k=3)", ("x", "o"), 9), Info(WIDE, WIDE, ("x", "o"), 15)]
BAD_SPECS = [
    (f"mnk({given})", "valid") for given in ("k=4", "m=3,n=3,k=4", "m=9,n=9,k=5", "m=0", "k=0", "m=65,n=1", "n=three")
]

PLAYS = {
    "actions are the cells, row by row": Play(
        spec=WIDE,
        acting=("x",),
        legal={"x": [f"mark({row},{column})" for row in (1, 2, 3) for column in (1, 2, 3, 4, 5)], "o": ["noop"]},
        numbers={"mark(1,1)": 0, "mark(2,3)": 7, "mark(3,5)": 14},
    ),
    "a cell is marked once": Play(
        ["mark(2,3)"],
        spec=WIDE,
        state={"board": ".......x.......", "to_move": "o"},
        acting=("o",),
        allows={"o": ["mark(2,4)"]},
        forbids={"o": ["mark(2,3)"]},
    ),
    "a line wins": Play(
        ["mark(1,1)", "mark(2,1)", "mark(1,2)", "mark(2,2)", "mark(1,3)"],
        state={"board": "xxxoo...."},
        returns=[100, 0],
        forbids={"o": {"mark(3,3)": "over"}},
    ),
    "a full board without a line is a draw": Play(["mark(3,3)"], start={"board": "xoxxooox."}, returns=[50, 50]),
    "one mark can make two lines": Play(spec=LARGE, start={"board": "xxx..x....xo.o.o.o......."}, returns=[100, 0]),
}

NO_ACTIONS = [
    NoActions(["mark(4,1)", "mark(1,6)", "mark(0,1)", "pass"], spec=WIDE),
    NoActions([-2, 15, 2**31 - 1, -(2**31)], "valid: 0 to 14", spec=WIDE),
]

BASE = {}
OPTIONAL = {"to_move"}
BAD_STATES = [
    ({"board": "xx......."}, "alternate"),
    ({"board": "o........"}, "alternate"),
    ({"board": "x.o"}, "9 characters"),
    ({"board": "z........"}, "9 characters"),
    ({"board": None}, "9 characters"),
    ({}, "no 'board'"),
    ({"board": "xxxooo..."}, "x and o both have 3 in a row"),
    ({"board": "x........", "to_move": "x"}, "to_move"),
    ({"board": "x........", "to_move": None}, "to_move"),
    ({"board": ".........", "turn": 3}, "turn"),
]
NEARLY = {
    GAME: st.fixed_dictionaries(
        {"board": st.text("..xo", min_size=9, max_size=9) | JSON, "to_move": st.sampled_from(["x", "o", None]) | JSON}
    )
}
