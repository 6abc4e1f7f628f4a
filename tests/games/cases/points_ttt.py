"""Cases of points_ttt."""

from game_cases import Info, NoActions, Play
from hypothesis import strategies as st
from support import JSON

GAME = "points_ttt"
BASE = {"board": ".........", "balances": [1, 0], "to_move": "x", "passes": 0}
CELLS = [f"mark({row},{column})" for row in (1, 2, 3) for column in (1, 2, 3)]
BOTH_BROKE = ["mark(2,2)", "mark(1,1)", "pass", "mark(1,3)"]

INFO = [Info("points_ttt", "points_ttt", ("x", "o"), 10)]
BAD_SPECS = [("points_ttt(coins=3)", "no parameter 'coins'")]


def known(balances, to_move, passes):
    return {"balances": balances, "to_move": to_move, "passes": passes}


PLAYS = {
    "x begins with an income": Play(state=BASE, acting=("x",), legal={"x": [*CELLS, "pass"], "o": ["noop"]}),
    **{
        f"a mark on {cell} costs {cost}": Play([f"mark({cell})"], state=known([1 - cost, 2], "o", 0))
        for cells, cost in ((("1,2", "2,1", "2,3", "3,2"), 2), (("1,1", "1,3", "3,1", "3,3"), 3), (("2,2",), 4))
        for cell in cells
    },
    "a balance of zero must pass": Play(
        ["mark(1,1)", "mark(1,2)"], state=known([0, 0], "x", 0), legal={"x": ["pass"]}, forbids={"x": ["mark(3,3)"]}
    ),
    "a balance above zero may mark": Play(
        ["mark(1,1)", "mark(1,2)", "pass", "pass"], allows={"x": ["mark(3,3)", "pass"]}
    ),
    "a cell is marked once": Play(["mark(1,2)"], forbids={"o": {"mark(1,2)": "pass"}}),
    "a pass by choice is counted": Play(
        ["pass"], state=known([1, 2], "o", 1), drawing="o marks a cell or passes; a pass ends the game"
    ),
    "two passes by choice end the game": Play(
        ["pass", "pass"],
        state=known([1, 2], "o", 2),
        returns=[0, 100],
        drawing="both passed: o wins by the higher balance",
    ),
    "a player with a debt must pass": Play(
        ["mark(2,2)", "pass"], state={"balances": [-1, 2]}, legal={"x": ["pass"]}, drawing="x must pass"
    ),
    "income brings a balance above zero again": Play(BOTH_BROKE, state=known([1, -2], "x", 0)),
    "a pass by choice before a forced one is counted": Play([*BOTH_BROKE, "pass"], state=known([1, 0], "o", 1)),
    "a forced pass ends no game and no series": Play([*BOTH_BROKE, "pass", "pass"], state=known([3, 0], "x", 0)),
    "a series of passes begins anew after a forced one": Play(
        [*BOTH_BROKE, "pass", "pass", "pass"], state=known([3, 2], "o", 1)
    ),
    "a mark ends a series of passes": Play([*BOTH_BROKE, "pass", "pass", "pass", "mark(3,2)"], state={"passes": 0}),
    "a second pass by choice ends the game": Play([*BOTH_BROKE, "pass", "pass", "pass", "pass"], returns=[100, 0]),
    "both may have to pass": Play([*BOTH_BROKE, "mark(3,1)", "pass"], state=known([0, 0], "x", 0)),
    "two forced passes in a row do not end the game": Play(
        [*BOTH_BROKE, "mark(3,1)", "pass", "pass"], state=known([0, 2], "o", 0)
    ),
    "one pass at equal balances is counted": Play(
        ["mark(1,1)", "mark(1,2)", "pass", "mark(2,1)", "pass"], state=known([2, 2], "o", 1)
    ),
    "equal balances are a draw": Play(
        ["mark(1,1)", "mark(1,2)", "pass", "mark(2,1)", "pass", "pass"], returns=[50, 50]
    ),
    "balances before a line": Play(
        ["mark(1,2)", "pass", "mark(2,2)", "pass", "pass", "mark(1,1)"], state=known([1, 3], "x", 0)
    ),
    "three in a row win whatever the balances": Play(
        ["mark(1,2)", "pass", "mark(2,2)", "pass", "pass", "mark(1,1)", "mark(3,2)"],
        state=known([-1, 3], "x", 0),
        returns=[100, 0],
        forbids={"x": {"pass": "over"}, "o": {"pass": "over"}},
        drawing="x has three in a row and wins",
    ),
    "a full board is won by the higher balance": Play(
        start={"board": "xoxoxooxo", "balances": [1, 0], "to_move": "x"},
        returns=[100, 0],
        drawing="the board is full: x wins by the higher balance",
    ),
}

NO_ACTIONS = [
    NoActions(["mark(0,1)", "mark(1,4)", "mark 1 1", "passes", "bid(1)", ""]),
    NoActions([-2, 10, 2**31 - 1, -(2**31)], "valid: 0 to 9"),
]

OPTIONAL = ("passes",)
BAD_STATES = [
    ({"board": "x"}, "'board' must be 9 characters"),
    ({"board": "xz......."}, "'board' must be 9 characters"),
    ({"board": ["."] * 9}, "'board' must be 9 characters"),
    ({"balances": [1]}, "'balances' must be 2 whole numbers"),
    ({"balances": [1, "0"]}, "'balances' must be 2 whole numbers"),
    ({"balances": [True, 0]}, "'balances' must be 2 whole numbers"),
    ({"balances": [10**40, 0]}, "'balances' must be 2 whole numbers from -3 to 15"),
    ({"balances": [1, -4]}, "'balances' must be 2 whole numbers"),
    ({"to_move": "z"}, "'to_move' is 'z'; valid: 'x', 'o'"),
    ({"to_move": None}, "'to_move' is None"),
    ({"passes": 3}, "'passes' is 3; valid: 0, 1, 2"),
    ({"passes": True}, "'passes' is True; valid"),
    ({"turn": 0}, "unknown key 'turn' in state"),
    ({"board": "xxxooo..."}, "x and o both have three in a row"),
    ({"board": "xxx......", "passes": 1}, "'passes' is 1, but a mark ended the game"),
    ({"board": "xoxxoooxx", "passes": 2}, "'passes' is 2, but a mark ended the game"),
]
NEARLY = {
    GAME: st.fixed_dictionaries(
        {
            "board": st.text("...xo", min_size=9, max_size=9) | JSON,
            "balances": st.lists(st.integers(-3, 3), min_size=2, max_size=2) | st.lists(JSON, max_size=3) | JSON,
            "to_move": st.sampled_from("xo") | JSON,
            "passes": st.sampled_from([0, 1, 2]) | JSON,
        },
        optional={"more": JSON},
    )
}
