"""Cases of three_player_ttt."""

from game_cases import Info, NoActions, Play, rows
from hypothesis import strategies as st
from support import JSON

GAME = "three_player_ttt"
FLAT = "three_player_ttt(torus=false)"
TORUS = "three_player_ttt(torus=true)"
PLAYERS = ("xplayer", "oplayer", "zplayer")
BLANK = "." * 25
CELLS = [f"mark({row},{column})" for row in range(1, 6) for column in range(1, 6)]


def described(board):
    """The dict of a board with whose turn it is."""
    board = rows(board)
    return {"board": board, "control": PLAYERS[(25 - board.count(".")) % 3]}


INFO = [
    Info("three_player_ttt", FLAT, PLAYERS, 25, utility_sum=None),
    Info(TORUS, TORUS, PLAYERS, 25, utility_sum=None),
]
BAD_SPECS = [("three_player_ttt(torus=maybe)", "valid: true, false")]

# Lines of four that go over an edge of the board -> the board, and the returns on a torus.
WRAPPED = {
    "a row": ("xx.xx oo... zz... ..... o..z.", [100, 0, 0]),
    "a column": ("x.oz. x.... .oz.o x.... x..z.", [100, 0, 0]),
    "a diagonal down right": ("...x. ....x x..o. .xo.z zo..z", [100, 66, 0]),
    "a diagonal down left": (".x... x.o.. .o..x z..xo z...z", [100, 0, 0]),
    "the main diagonal, over the corner": ("x..z. .x... ..oo. ...x. zzo.x", [100, 0, 0]),
}

PLAYS = {
    **{
        f"xplayer begins, {spec}": Play(
            spec=spec,
            state={"board": BLANK, "control": "xplayer"},
            acting=("xplayer",),
            legal={"xplayer": CELLS, "oplayer": ["noop"], "zplayer": ["noop"]},
            numbers={"mark(1,1)": 0, "mark(2,4)": 8, "mark(5,5)": 24},
        )
        for spec in (FLAT, TORUS)
    },
    **{
        f"oplayer follows and no cell is marked twice, {spec}": Play(
            ["mark(2,4) noop noop"],
            spec=spec,
            state={"board": "." * 8 + "x" + "." * 16, "control": "oplayer"},
            acting=("oplayer",),
            legal={"oplayer": CELLS[:8] + CELLS[9:]},
            forbids={"oplayer": ["mark(2,4)"]},
        )
        for spec in (FLAT, TORUS)
    },
    **{
        f"after zplayer it is xplayer's turn again, {spec}": Play(
            ["mark(2,4)", "mark(1,1)", "mark(5,5)"],
            spec=spec,
            state={"board": "o" + "." * 7 + "x" + "." * 15 + "z", "control": "xplayer"},
        )
        for spec in (FLAT, TORUS)
    },
    **{
        f"without a torus it is no line: {what}": Play(spec=FLAT, start=described(board), acting=("oplayer",))
        for what, (board, _) in WRAPPED.items()
    },
    **{
        f"on a torus it is a line: {what}": Play(spec=TORUS, start=described(board), returns=returns)
        for what, (board, returns) in WRAPPED.items()
    },
    **{
        f"each of the players may win or come second: {board} gives {returns}": Play(
            start=described(board), returns=returns
        )
        for board, returns in {
            "xxxx. oo.o. zz.z. ..... .....": [100, 0, 0],
            "xxxx. ooo.. zz.z. ..... .....": [100, 66, 0],
            "xxxx. oo.o. zzz.. ..... .....": [100, 0, 66],
            "xxxx. ooo.. zzz.. ..... .....": [100, 66, 66],
            "oooo. xx.xx ..... zz.z. .....": [0, 100, 0],
            "zzzz. xx.xx oo.oo ..... .....": [0, 0, 100],
            "xzoxx xozzo zooxx zzxzo xoxzo": [33, 33, 33],
            "ozzxz oxzxx xzooo xoxzo ozxxz": [33, 66, 33],
            "oooxz xzzxx zxzoz oxzoo zxoxx": [66, 66, 66],
        }.items()
    },
    "two lines that one mark made are a state": Play(
        start=described("xxxx. x.oo. x.zz. xoz.o zozzo"), returns=[100, 0, 66]
    ),
}

NO_ACTIONS = [
    NoActions(["mark(0,1)", "mark(6,1)", "mark(1,6)", "mark(1)", "reset", "mark(1,1", ""], "valid: mark"),
    NoActions([-2, 25, 2**31 - 1, -(2**31)], "valid: 0 to 24"),
]

BASE = {"board": BLANK, "control": "xplayer"}
OPTIONAL = ("control",)
BAD_STATES = [
    ({"to_move": "x"}, "unknown key"),
    ({"board": BLANK[1:]}, "25 characters"),
    ({"board": "q" + BLANK[1:]}, "25 characters"),
    ({"board": None}, "25 characters"),
    ({"control": None}, "by the other entries it is 'xplayer'"),
    ({"control": "x"}, "by the other entries it is 'xplayer'"),
    ({"control": "oplayer"}, "by the other entries it is 'xplayer'"),
    (described("o" + BLANK[1:]), "alternate"),
    (described("xz" + BLANK[2:]), "alternate"),
    (described("xxo" + BLANK[3:]), "alternate"),
    (described("xxxx. oooo. zzz.. ..... ....."), "both have four"),
]
BOARD = st.lists(st.sampled_from(".xoz"), min_size=25, max_size=25).map("".join)
NEARLY = dict.fromkeys(
    (FLAT, TORUS), JSON | st.fixed_dictionaries({"board": JSON | BOARD, "control": JSON | st.sampled_from(PLAYERS)})
)
