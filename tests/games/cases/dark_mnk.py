"""Cases of dark_mnk."""

from game_cases import BadState, Info, NoActions, Play
from hypothesis import strategies as st
from support import JSON

GAME = "dark_mnk"
WIDE = "dark_mnk(m=4,n=3,k=3)"
ABRUPT = "dark_mnk(retry=false)"
WORDS = [f"{row}{column}" for row in (1, 2, 3) for column in (1, 2, 3)]

INFO = [
    Info("dark_mnk", "dark_mnk(m=3,n=3,k=3,retry=true)", ("x", "o"), 9, 100, True),
    Info(WIDE, "dark_mnk(m=4,n=3,k=3,retry=true)", ("x", "o"), 12, 100, True),
]
BAD_SPECS = [(f"dark_mnk({given})", "valid") for given in ("k=4", "m=6", "n=0", "m=2,n=2,k=3", "retry=2")]
PLAYS = {
    "actions are the cells, row by row": Play(
        spec=WIDE, acting=("x",), numbers={"mark(1,1)": 0, "mark(2,3)": 6, "mark(3,4)": 11}
    ),
    "a mark of the other can be tried": Play(["mark(2,2)"], acting=("o",), allows={"o": ["mark(2,2)"]}),
    "a refused player tries again, elsewhere": Play(
        ["mark(2,2)", "mark(2,2)"],
        state={"board": "....x....", "x_tries": ["22"], "o_tries": ["22"], "to_move": "o"},
        acting=("o",),
        forbids={"o": ["mark(2,2)"]},
        drawing="o tried 22",
    ),
    "without retry a refused try ends the turn": Play(
        ["mark(2,2)", "mark(2,2)"], spec=ABRUPT, acting=("x",), forbids={"x": ["mark(2,2)"]}
    ),
    "a line wins": Play(
        ["mark(1,1)", "mark(1,1)", "mark(2,1)", "mark(1,2)", "mark(2,2)", "mark(1,3)"], returns=[100, 0]
    ),
    "a full board without a line is a draw": Play(
        [f"mark({word[0]},{word[1]})" for word in ("11", "12", "13", "21", "23", "22", "32", "33", "31")],
        returns=[50, 50],
    ),
}
NO_ACTIONS = [
    NoActions(["mark(4,1)", "mark(1,5)", "mark(0,1)", "pass"], spec=WIDE),
    NoActions([-2, 9, 2**31 - 1, -(2**31)], "valid: 0 to 8"),
]
BASE = {"board": "x...o...x", "x_tries": ["11", "22", "33"], "o_tries": ["22"], "to_move": "o"}
OPTIONAL = ("board", "to_move")
BAD_STATES = [
    ({"board": "x...o...."}, "by the other entries"),
    ({"board": "x"}, "by the other entries"),
    ({"to_move": "x"}, "by the other entries"),
    ({"x_tries": ["11", "22", "22", "33"]}, "twice"),
    ({"x_tries": ["11", "22"]}, "by the other entries"),
    ({"x_tries": ["11"]}, "by the other entries"),
    ({"x_tries": ["11", "22", "33", "12"]}, "'x_tries' has 4 tries, but after 3 x does not decide"),
    ({"o_tries": None}, "valid: a list of 11, 12"),
    ({"o_tries": ["44"]}, "valid: a list of 11, 12"),
    ({"turn": 3}, "unknown key"),
    BadState({**BASE, "x_tries": ["11", "12", "13", "33"], "o_tries": ["21", "22"]}, "does not decide"),
]
TRIES = st.lists(st.sampled_from(WORDS), max_size=4, unique=True) | JSON
NEARLY = {
    GAME: st.fixed_dictionaries(
        {
            "board": st.text("..xo", min_size=9, max_size=9) | JSON,
            "x_tries": TRIES,
            "o_tries": TRIES,
            "to_move": st.sampled_from(["x", "o", None]) | JSON,
        }
    )
}
