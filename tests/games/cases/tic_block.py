"""Cases of tic_block."""

from game_cases import BadState, Info, NoActions, Play, rows
from hypothesis import strategies as st
from support import JSON

GAME = "tic_block"
AT_ONCE = "tic_block(block_phase=simultaneous)"
IN_TURNS = "tic_block(block_phase=alternating)"
PLAYERS = ("xcplayer", "obplayer")
DRAWN = "xoxxoooxx"
EMPTY = "." * 16
CELLS3 = [f"mark({row},{column})" for row in range(1, 4) for column in range(1, 4)]
CELLS4 = [f"mark({row},{column})" for row in range(1, 5) for column in range(1, 5)]
BASE = {"tic": "." * 9, "tic_scores": None, "block": None, "control": "xcplayer"}
DUE = {**BASE, "tic": DRAWN, "control": "obplayer"}
"""The tic board is drawn, and both have to reset."""


def in_block(block, tic=DRAWN, scores=(25, 25), control=None):
    """The dict of a state in the block phase."""
    return {"tic": tic, "tic_scores": list(scores), "block": rows(block), "control": control}


INFO = [Info("tic_block", AT_ONCE, PLAYERS, 26), Info(IN_TURNS, IN_TURNS, PLAYERS, 26)]
BAD_SPECS = [("tic_block(block_phase=both)", "valid: simultaneous, alternating")]

BEFORE_LINE = ["mark(1,1) noop", "noop mark(2,1)", "mark(1,2) noop", "noop mark(2,2)"]
PLAYS = {}
for _spec, _control in ((AT_ONCE, None), (IN_TURNS, "xcplayer")):
    PLAYS |= {
        f"xcplayer begins, {_spec}": Play(
            spec=_spec,
            state=BASE,
            acting=("xcplayer",),
            legal={"xcplayer": CELLS3, "obplayer": ["noop"]},
            numbers={"mark(1,1)": 0, "mark(2,1)": 3, "mark(3,3)": 8},
            forbids={"xcplayer": ["reset"]},
        ),
        f"the tic board is marked in turns, {_spec}": Play(
            BEFORE_LINE, spec=_spec, state={**BASE, "tic": "xx.oo....", "control": "xcplayer"}
        ),
        f"a line on the tic board calls for both to reset, {_spec}": Play(
            [*BEFORE_LINE, "mark(1,3) noop"],
            spec=_spec,
            state={**BASE, "tic": "xxxoo....", "control": "obplayer"},
            acting=PLAYERS,
            legal={"xcplayer": ["reset"], "obplayer": ["reset"]},
            forbids={"xcplayer": ["mark(3,3)"]},
            drawing="both to reset: the scores are recorded and the block board opens",
        ),
        f"a reset opens the block board, {_spec}": Play(
            [*BEFORE_LINE, "mark(1,3) noop", "reset reset"],
            spec=_spec,
            state={"tic": "xxxoo....", "tic_scores": [50, 0], "block": EMPTY, "control": _control},
            legal={"xcplayer": CELLS4},
        ),
    }
PLAYS |= {
    "a drawn tic board gives 25 to each": Play(
        ["mark(3,3) noop", "reset reset"], start={**BASE, "tic": DRAWN[:-1] + "."}, state=in_block(EMPTY)
    ),
    "in the block phase both mark at once": Play(
        start=in_block(EMPTY), acting=PLAYERS, forbids={"obplayer": ["reset"]}
    ),
    "marks at once on two cells": Play(
        ["mark(1,1) mark(2,3)"], start=in_block(EMPTY), state={"block": rows("x... ..o. .... ....")}
    ),
    "the same cell goes to obplayer": Play(
        ["mark(2,3) mark(2,3)"], start=in_block(EMPTY), state={"block": rows(".... ..o. .... ....")}
    ),
    "the last blank cell can only be chosen by both": Play(
        start=in_block("xxxx oooo xxxo ooo."), legal={"xcplayer": ["mark(4,4)"], "obplayer": ["mark(4,4)"]}
    ),
    "the last blank cell goes to obplayer": Play(
        ["mark(4,4) mark(4,4)"],
        start=in_block("xxxx oooo xxxo ooo."),
        state=in_block("xxxx oooo xxxo oooo"),
        returns=[25, 75],
    ),
    "in turns xcplayer marks first": Play(
        spec=IN_TURNS,
        start=in_block(EMPTY, control="xcplayer"),
        acting=("xcplayer",),
        numbers={"mark(1,1)": 10, "mark(2,1)": 14, "mark(4,4)": 25},
    ),
    "in turns obplayer follows": Play(
        ["mark(1,1) noop"],
        spec=IN_TURNS,
        start=in_block(EMPTY, control="xcplayer"),
        state=in_block("x" + EMPTY[1:], control="obplayer"),
        legal={"xcplayer": ["noop"], "obplayer": CELLS4[1:]},
        forbids={"obplayer": ["mark(1,1)"]},
        drawing="obplayer (o) to mark",
    ),
    "in turns xcplayer follows again": Play(
        ["mark(1,1) noop", "noop mark(4,4)"],
        spec=IN_TURNS,
        start=in_block(EMPTY, control="xcplayer"),
        state=in_block("x" + "." * 14 + "o", control="xcplayer"),
    ),
    **{
        f"a bridge adds 50 to {scores}": Play(
            start=in_block("x..o x..o x..o x..o", tic, scores), returns=[scores[0] + 50, scores[1]], acting=()
        )
        for tic, scores in (("xxxoo....", (50, 0)), ("xx.ooox..", (0, 50)), (DRAWN, (25, 25)))
    },
    **{
        f"a full board without a bridge adds 50 for obplayer to {scores}": Play(
            start=in_block("xxxx oooo oooo xxxx", tic, scores), returns=[scores[0], scores[1] + 50], acting=()
        )
        for tic, scores in (("xxxoo....", (50, 0)), ("xx.ooox..", (0, 50)), (DRAWN, (25, 25)))
    },
    "a bridge is named in the drawing": Play(
        start=in_block("x..o x..o x..o x..o"),
        returns=[75, 25],
        drawing="a bridge; over: xcplayer (x) 75, obplayer (o) 25",
    ),
    "no bridge is named in the drawing": Play(
        start=in_block("xxxx oooo oooo xxxx"),
        returns=[25, 75],
        drawing="no bridge; over: xcplayer (x) 25, obplayer (o) 75",
    ),
}

NO_ACTIONS = [
    NoActions(["mark(0,1)", "mark(4,1)", "mark(1,4)", "pass", "resets", ""], "valid: mark"),
    *(NoActions([-2, 26, 2**31 - 1, -(2**31)], "valid: 0 to 25", start) for start in (BASE, DUE, in_block(EMPTY))),
]

OPTIONAL = ("tic_scores", "control")
BAD_STATES = [
    ({"to_move": "x"}, "unknown key"),
    ({"tic": "." * 8}, "9 characters"),
    ({"tic": 3}, "9 characters"),
    ({"tic": "o........"}, "marks on the tic board alternate"),
    ({"tic": "xx......."}, "marks on the tic board alternate"),
    ({"tic": "xxxooo..."}, "xcplayer and obplayer both have a line"),
    ({"control": "obplayer"}, "'control' is 'obplayer', but"),
    ({"control": None}, "'control' is None, but"),
    ({"control": "x"}, "by the other entries it is 'xcplayer'"),
    ({"block": EMPTY}, "'block' must be null"),
    ({"tic": DRAWN, "control": "obplayer", "block": EMPTY}, "'tic_scores' is None, but"),
    ({"tic_scores": [25, 25]}, "'tic_scores' is \\[25, 25\\], but by the other entries it is None"),
    (in_block(EMPTY, scores=[50, 0]), "by the other entries it is \\[25, 25\\]"),
    (in_block(EMPTY, scores=[25, 24]), "by the other entries it is \\[25, 25\\]"),
    (in_block(EMPTY, scores=[25]), "by the other entries it is"),
    (in_block(EMPTY, scores=["25", 25]), "by the other entries it is"),
    ({**in_block(EMPTY), "block": None}, "'tic_scores' is .*, but by the other entries it is None"),
    (in_block("." * 15), "16 characters"),
    (in_block(EMPTY, control="xcplayer"), "'control' is 'xcplayer', but"),
    BadState(in_block("o..." + "." * 12, control="obplayer"), "marks on the block board alternate", IN_TURNS),
    BadState(in_block("xx.." + "." * 12, control="xcplayer"), "marks on the block board alternate", IN_TURNS),
    BadState(in_block(EMPTY), "'control' is None, but", IN_TURNS),
    BadState(in_block("x" + EMPTY[1:], control="xcplayer"), "'control' is 'xcplayer', but", IN_TURNS),
]


def board_of(cells):
    return st.lists(st.sampled_from(".xo"), min_size=cells, max_size=cells).map("".join)


NEARLY = dict.fromkeys(
    (AT_ONCE, IN_TURNS),
    JSON
    | st.fixed_dictionaries(
        {
            "tic": JSON | board_of(9) | st.sampled_from([DRAWN, "xxxoo....", "xx.ooox.."]),
            "tic_scores": JSON | st.sampled_from([None, [25, 25], [50, 0], [0, 50]]),
            "block": JSON | st.none() | board_of(16),
            "control": JSON | st.sampled_from([None, *PLAYERS]),
        }
    ),
)
