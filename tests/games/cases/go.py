"""Cases of Go."""

from game_cases import Info, NoActions, Play
from hypothesis import strategies as st
from support import JSON

GAME = "go(size=3,komi=0)"
SMALL = "go(size=2,komi=0)"

INFO = [
    Info("go", "go(size=9,komi=7,handicap=none)", ("black", "white"), 82),
    Info("go(size=19,komi=6.5)", "go(size=19,komi=6.5,handicap=none)", ("black", "white"), 362),
]
BAD_SPECS = [
    (f"go({given})", "valid")
    for given in ("size=1", "size=20", "komi=x", "size=3,handicap=D1", "size=3,handicap=A1-A1", "size=3,handicap=3")
] + [("go(size=2,handicap=A1-A2-B1-B2)", "valid")]

PLAYS = {
    "actions are the points, row by row from the top, and a pass": Play(
        acting=("black",),
        legal={"black": ["A3", "B3", "C3", "A2", "B2", "C2", "A1", "B1", "C1", "pass"], "white": ["noop"]},
        numbers={"A3": 0, "C1": 8, "pass": 9},
    ),
    "stones without a liberty are captured": Play(
        ["A1"],
        start={"board": ["...", "...", ".wb"], "to_move": "black", "moves": 4},
        state={"board": ["...", "...", "bwb"], "to_move": "white"},
    ),
    "a stone may not take its own last liberty": Play(
        start={"board": ["...", "w..", ".w."], "to_move": "black"}, forbids={"black": ["A1"]}
    ),
    "a stone that captures may be without liberties before": Play(
        ["A1"],
        start={"board": ["b..", "wb.", ".wb"], "to_move": "black"},
        state={"board": ["b..", ".b.", "b.b"]},
    ),
    "a board may not repeat": Play(
        ["B3", "D4", "C4", "D2", "C2", "E3", "A5", "C3", "D3"],
        spec="go(size=5)",
        acting=("white",),
        forbids={"white": ["C3"]},
    ),
    "two passes end the game": Play(
        ["B2", "pass", "pass"], returns=[100, 0], forbids={"white": {"A1": "over"}}, drawing="black wins by 9 points"
    ),
    "a pass between others does not": Play(["pass", "B2", "pass"], acting=("white",), state={"passes": 1, "moves": 3}),
    "the longest game has three moves for each point": Play(
        ["A1"], spec=SMALL, start={"board": ["..", ".."], "to_move": "black", "moves": 11}, returns=[100, 0]
    ),
    "blank points between both belong to nobody": Play(
        start={"board": ["b.w", "b.w", "b.w"], "to_move": "black", "passes": 2}, returns=[50, 50], drawing="a draw"
    ),
}

NO_ACTIONS = [NoActions(["A4", "D1", "I1", "A0", "resign"]), NoActions([-2, 10, 2**31 - 1], "valid: 0 to 9")]

BASE = {"board": ["...", ".b.", "..."], "to_move": "white", "passes": 0, "moves": 1, "earlier": []}
OPTIONAL = {"passes", "moves", "last", "earlier"}
BAD_STATES = [
    ({"board": ["...", ".b."]}, "3 rows"),
    ({"board": ["...", ".x.", "..."]}, "3 rows"),
    ({"board": ["wb.", "b..", "..."]}, "no liberty"),
    ({"to_move": None}, "to_move"),
    ({"passes": 3}, "passes"),
    ({"moves": 28}, "moves"),
    ({"passes": 2}, "moves"),
    ({"earlier": ["00000000000000ff", "00000000000000fe"], "moves": 5}, "ascending"),
    ({"earlier": ["0000000000000000"]}, "not 0"),
    ({"earlier": ["00000000000000fe", "00000000000000ff"]}, "up to 1"),
    ({"ko": "A1"}, "ko"),
]
NEARLY = {
    GAME: st.fixed_dictionaries({
        "board": st.lists(st.text("..bw", min_size=3, max_size=3), min_size=3, max_size=3) | JSON,
        "to_move": st.sampled_from(["black", "white"]) | JSON,
        "passes": st.integers(0, 2) | JSON,
        "moves": st.integers(0, 27) | JSON,
        "earlier": st.lists(st.sampled_from(["00000000000000ff", "0123456789abcdef"]), unique=True).map(sorted),
        "last": st.sampled_from([None, "A1", "B2", "C3"]) | JSON,
    })
}  # fmt: skip
