"""Cases of bidding_ttt."""

from game_cases import BadState, Info, NoActions, Play
from hypothesis import strategies as st
from support import JSON

GAME = "bidding_ttt(coins=3)"
UNEQUAL = "bidding_ttt(coins=2,o_coins=5,tiebreaker=o)"
BASE = {"board": ".........", "coins": [3, 3], "tiebreaker": "x", "stage": "bidding", "control": None}
MARKED = {**BASE, "board": "x........", "tiebreaker": "o"}
MARKING = {"stage": "marking", "control": "x"}
CELLS = [f"mark({row},{column})" for row in (1, 2, 3) for column in (1, 2, 3)]
O_MARKS = ["bid(0) bid(0)", "noop mark(1,1)", "bid(0) bid(0)", "noop mark(2,2)", "bid(0) bid(0)", "noop mark(3,3)"]

INFO = [
    Info("bidding_ttt", GAME, ("x", "o"), 23),
    Info(UNEQUAL, UNEQUAL, ("x", "o"), 25),
    Info("bidding_ttt(coins=100)", "bidding_ttt(coins=100)", ("x", "o"), 411),
]
BAD_SPECS = [
    (f"bidding_ttt(coins={coins})", "valid: 0 to 100") for coins in ("-1", "101", "200", "many", "2.5", "true")
]


def after_bids(x, o, start=BASE, **state):
    """Play of one auction after which a cell is marked."""
    return Play([f"bid({x}) bid({o})"], start=start, state={**state, "stage": "marking"}, acting=(state["control"],))


PLAYS = {
    "both bid first": Play(state=BASE, acting=("x", "o")),
    "only the holder may add the tiebreaker": Play(
        start={**MARKED, "coins": [2, 4]},
        legal={
            "x": ["bid(0)", "bid(1)", "bid(2)"],
            "o": [f"bid({chips}{more})" for chips in range(5) for more in ("", ",tiebreaker")],
        },
        forbids={"x": ["bid(1,tiebreaker)", "bid(3)"]},
    ),
    "the higher bid of x wins and pays o": after_bids(2, 1, control="x", coins=[1, 5], tiebreaker="x"),
    "the higher bid of o wins and pays x": after_bids(1, 3, control="o", coins=[6, 0], tiebreaker="x"),
    "equal bids without the tiebreaker go to o, who does not hold it": after_bids(
        2, 2, control="o", coins=[5, 1], tiebreaker="x"
    ),
    "equal bids without the tiebreaker go to x, who does not hold it": after_bids(
        0, 0, MARKED, control="x", coins=[3, 3], tiebreaker="o"
    ),
    "equal bids with the tiebreaker go to x, who hands it over": after_bids(
        "2,tiebreaker", 2, control="x", coins=[1, 5], tiebreaker="o"
    ),
    "equal bids with the tiebreaker go to o, who hands it over": after_bids(
        0, "0,tiebreaker", MARKED, control="o", coins=[3, 3], tiebreaker="x"
    ),
    "a winner hands the tiebreaker over even when it was not needed": after_bids(
        "3,tiebreaker", 1, control="x", coins=[0, 6], tiebreaker="o"
    ),
    "a loser keeps the tiebreaker that it bid": after_bids(
        "1,tiebreaker", 2, control="o", coins=[5, 1], tiebreaker="x"
    ),
    "the winner of the auction marks a cell": Play(
        ["bid(0) bid(1)"], acting=("o",), legal={"x": ["noop"], "o": CELLS}, forbids={"o": ["bid(0)"]}
    ),
    "after a mark both bid again": Play(
        ["bid(0) bid(1)", "noop mark(2,3)"], state={**BASE, "board": ".....o...", "coins": [4, 2]}, acting=("x", "o")
    ),
    "a cell is marked once": Play(
        ["bid(0) bid(1)", "noop mark(2,3)", "bid(0) bid(0)"], acting=("o",), forbids={"o": ["mark(2,3)"]}
    ),
    "two in a row do not end the game": Play(O_MARKS[:-1], acting=("o",)),
    "three in a row end the game": Play(
        O_MARKS,
        state={"stage": "bidding", "control": None},
        returns=[0, 100],
        forbids={"x": {"bid(0)": "over"}},
        drawing="o has three in a row and wins",
    ),
    "a full board without a line is a draw": Play(
        ["noop mark(3,1)"], start={**BASE, "board": "xoxxoo.xx", "stage": "marking", "control": "o"}, returns=[50, 50]
    ),
    "a board with one blank cell is not over": Play(start={**BASE, "board": "xoxoxoox.", **MARKING}, acting=("x",)),
    "a line on a full board wins": Play(
        ["mark(3,3) noop"], start={**BASE, "board": "xoxoxoox.", **MARKING}, returns=[100, 0]
    ),
    "without coins there is only the tiebreaker to bid": Play(
        spec="bidding_ttt(coins=0)", legal={"x": ["bid(0)", "bid(0,tiebreaker)"], "o": ["bid(0)"]}
    ),
    "without coins a kept tiebreaker lets the other mark": Play(
        ["bid(0) bid(0)"], spec="bidding_ttt(coins=0)", state={"control": "o", "tiebreaker": "x"}
    ),
    "without coins a tiebreaker that was bid is handed over": Play(
        ["bid(0,tiebreaker) bid(0)"], spec="bidding_ttt(coins=0)", state={"control": "x", "tiebreaker": "o"}
    ),
    "a player can hold all coins": Play(
        ["bid(100) bid(0)", "mark(1,1) noop"],
        spec="bidding_ttt(coins=100)",
        state={"coins": [0, 200]},
        legal={"o": [f"bid({coins})" for coins in range(201)]},
    ),
    "the holder of all coins may bid all and the tiebreaker": Play(
        ["bid(100) bid(0)", "mark(1,1) noop", "bid(0) bid(200)", "noop mark(1,2)"],
        spec="bidding_ttt(coins=100)",
        state={"coins": [200, 0], "tiebreaker": "x"},
        legal={"x": [f"bid({coins}{more})" for coins in range(201) for more in ("", ",tiebreaker")]},
    ),
    "players may begin with unequal coins": Play(
        spec=UNEQUAL,
        state={"coins": [2, 5], "tiebreaker": "o"},
        legal={
            "x": [f"bid({coins})" for coins in range(3)],
            "o": [f"bid({coins}{more})" for coins in range(6) for more in ("", ",tiebreaker")],
        },
    ),
}

NO_ACTIONS = [
    NoActions(["bid(7)", "bid(-1)", "bid(01)", "bid()", "bid(1, tiebreaker)", "mark(4,1)", "pass", ""]),
    NoActions([-2, 23, 2**31 - 1, -(2**31)], "valid: 0 to 22"),
]

OPTIONAL = ("stage",)
BAD_STATES = [
    ({"board": "x"}, "'board' must be 9 characters"),
    ({"board": "xy......."}, "'board' must be 9 characters"),
    ({"board": None}, "'board' must be 9 characters"),
    ({"coins": [3, 4]}, "6 coins in all"),
    ({"coins": [7, -1]}, "'coins' must be 2 whole numbers from 0 to 6"),
    ({"coins": [3.0, 3]}, "'coins' must be 2 whole numbers"),
    ({"coins": [True, 5]}, "'coins' must be 2 whole numbers"),
    ({"coins": 6}, "'coins' must be 2 whole numbers"),
    ({"coins": [10**30, 3]}, "'coins' must be 2 whole numbers"),
    ({"tiebreaker": None}, "'tiebreaker' is None; valid: 'x', 'o'"),
    ({"stage": "over"}, "'stage' is 'over', but by the other entries it is 'bidding'"),
    ({"control": "z"}, "'control' is 'z'; valid: null, 'x', 'o'"),
    ({"control": "x"}, "'stage' is 'bidding', but by the other entries it is 'marking'"),
    ({"stage": "marking"}, "'stage' is 'marking', but by the other entries it is 'bidding'"),
    ({"winner": "x"}, "unknown key 'winner' in state"),
    ({"board": "xxxooo..."}, "x and o both have three in a row"),
    ({"board": "xxx......", "coins": [0, 6], **MARKING}, "the game is over"),
    ({"board": "xoxxoooxx", **MARKING}, "the game is over"),
    BadState(BASE, "7 coins in all", UNEQUAL),
]
STAGES = st.sampled_from([("bidding", None), ("marking", "x"), ("marking", "o")]) | st.tuples(JSON, JSON)
NEARLY = {
    GAME: st.builds(
        lambda rest, stage: {**rest, "stage": stage[0], "control": stage[1]},
        st.fixed_dictionaries(
            {
                "board": st.text("..xo", min_size=9, max_size=9) | JSON,
                "coins": st.integers(-1, 7).map(lambda own: [own, 6 - own]) | st.lists(JSON, max_size=3) | JSON,
                "tiebreaker": st.sampled_from("xo") | JSON,
            },
            optional={"more": JSON},
        ),
        STAGES,
    )
}
