"""Cases of bidding_3d_ttt."""

from game_cases import BadState, Info, NoActions, Play, position
from hypothesis import strategies as st
from support import JSON

GAME = "bidding_3d_ttt"
RECAPTURE = "bidding_3d_ttt(recapture=true)"
PASS = "bid() bid()"
NOTHING = [0] * 81
BOARDS = ["", "", "", "r", "", "b", "", "", ""]


def tiles(**owned):
    """The text of all tiles: those of red and of blue as names separated by blanks, the rest open."""
    text = ["."] * 81
    for owner, names in owned.items():
        for name in names.split():
            text["ABCDEFGHI".index(name[0]) * 9 + int(name[1]) - 1] = owner[0]
    return "".join(text)


def boards(**held):
    """The list of who controls each board: by its letter, beside D of red and F of blue."""
    return [held.get(letter, shown) for letter, shown in zip("ABCDEFGHI", BOARDS, strict=True)]


def closed(*texts):
    """Bids that are refused since their tiles are owned or their boards controlled."""
    return dict.fromkeys(texts, "which cannot be bid on now")


def bids(*boards_and_tiles):
    """Text of bids of one chip each: "A123" bids on A1, A2 and A3."""
    return ",".join(f"{word[0]}{number}:1" for word in boards_and_tiles for number in word[1:])


INFO = [
    Info(
        "bidding_3d_ttt", "bidding_3d_ttt(chips=80,recapture=false)", ("red", "blue"), None, has_hidden_information=True
    )
]
BAD_SPECS = [
    ("bidding_3d_ttt(chips=-1)", "valid: 0 to 255"),
    ("bidding_3d_ttt(chips=256)", "valid: 0 to 255"),
    ("bidding_3d_ttt(chips=x)", "valid: 0 to 255"),
    ("bidding_3d_ttt(recapture=2)", "valid: true, false"),
    ("bidding_3d_ttt(coins=3)", "no parameter 'coins'"),
]

IN_A_ROW = f"bid({bids('A123', 'G123')})"
AFTER_ROUND_1 = ["bid(A1:2,A2:2) bid(B1:3)"]
PLAYS = {
    "both bid at once": Play(
        state={"round": 1, "chips": [80, 80], "tiles": "." * 81, "boards": BOARDS, "history": []},
        acting=("red", "blue"),
    ),
    "the higher bid owns, equal bids own nothing, and all chips are spent": Play(
        ["bid(A1:3,A2:2,B1:4) bid(A1:2,A2:2,C1:1)"],
        state={"round": 2, "chips": [71, 75], "tiles": tiles(red="A1 B1", blue="C1"), "boards": BOARDS},
    ),
    "a bid is limited by the chips left": Play(
        ["bid(A1:70) bid()"],
        allows={"red": ["bid(A2:10)"], "blue": ["bid(A2:80)"]},
        forbids={"red": ["bid(A2:11)", "bid(A2:10,A3:1)"]},
    ),
    "round 1 forbids a line of three within one board": Play(
        allows={"red": ["bid(A1:1,A2:1,A4:1,A9:1,B3:1,C3:1)"]},
        forbids={"red": [f"bid({bids(line)})" for line in ("A123", "E147", "I159", "G357", "B1234")]},
    ),
    "round 2 allows a line of three": Play([PASS], allows={"red": [f"bid({bids('A123')})"]}),
    "round 2 allows two boards": Play(
        [PASS],
        allows={"red": [f"bid({bids('A1', 'B19')})"]},
        forbids={"red": {f"bid({bids('A1', 'B1', 'C1')})": "boards A, B, C; valid in round 2"}},
    ),
    "round 3 allows all boards": Play(
        [PASS, PASS], allows={"red": [f"bid({bids('A1', 'B1', 'C1', 'E1', 'G1', 'H1', 'I1')})"]}
    ),
    "owned tiles and controlled boards are closed": Play(
        ["bid(A1:1,A2:1) bid()"],
        forbids={"red": closed("bid(A1:1)", "bid(D1:1)"), "blue": closed("bid(A1:5)", "bid(F5:1)")},
    ),
    "a line of tiles controls a board and closes it": Play(
        ["bid(A1:1,A2:1) bid()", "bid(A3:1) bid()"],
        state={"boards": boards(A="r")},
        forbids={"blue": closed("bid(A9:1)")},
    ),
    "both can control a board": Play(
        [PASS, f"bid({bids('A123')}) bid({bids('A456')})"],
        state={"boards": boards(A="rb")},
        forbids={"red": closed("bid(A7:1)")},
    ),
    "three boards in a line win at once for red": Play(
        [PASS, f"{IN_A_ROW} bid()"],
        state={"round": 2, "boards": boards(A="r", G="r")},
        returns=[100, 0],
        forbids={"red": {"bid()": "over"}},
    ),
    "three boards in a line win at once for blue": Play(
        [PASS, f"bid() bid({bids('C159', 'I123')})"], state={"round": 2}, returns=[0, 100]
    ),
    "a line of boards beats more boards": Play(
        [PASS, f"bid() bid({bids('B123', 'E123')})", f"{IN_A_ROW} bid({bids('I123')})"],
        state={"boards": boards(A="r", B="b", E="b", G="r", I="b")},
        returns=[100, 0],
    ),
    "lines of both with as many boards are a draw": Play(
        [PASS, f"{IN_A_ROW} bid({bids('C123', 'I123')})"], returns=[50, 50]
    ),
    "lines of both are decided by the number of boards": Play(
        [PASS, PASS, f"bid({bids('A123', 'G123', 'E123')}) bid({bids('C123', 'I123')},E4:9)"], returns=[100, 0]
    ),
    "after round 3 more boards win": Play([PASS, PASS, f"bid() bid({bids('A123')})"], returns=[0, 100]),
    "after round 3 equal boards are decided by tiles": Play([PASS, PASS, "bid(A1:5) bid(B1:1,B9:1)"], returns=[0, 100]),
    "after round 3 equal tiles are decided by chips": Play([PASS, PASS, "bid(A1:5) bid(B1:6)"], returns=[100, 0]),
    "after round 3 equal chips are a draw": Play([PASS, PASS, "bid(A1:5) bid(B1:5)"], returns=[50, 50]),
    "nothing bid at all is a draw": Play([PASS, PASS, PASS], returns=[50, 50]),
    "with recapture a tile of the other may be bid on": Play(
        AFTER_ROUND_1, spec=RECAPTURE, allows={"blue": ["bid(A1:1)"]}
    ),
    "a tile is taken by a higher bid than its owner's in that round": Play(
        [*AFTER_ROUND_1, "bid(A1:1) bid(A1:1,A2:1)"], spec=RECAPTURE, state={"tiles": tiles(red="A1", blue="A2 B1")}
    ),
    "a board with taken tiles is controlled": Play(
        [*AFTER_ROUND_1, "bid(A1:1) bid(A1:1,A2:1)", "bid(A2:3,A3:1) bid()"],
        spec=RECAPTURE,
        state={"boards": boards(A="r")},
        returns=[100, 0],
    ),
    "with recapture a controlled board is closed": Play(
        [PASS, f"bid({bids('A123')}) bid(A4:2)"],
        spec=RECAPTURE,
        forbids={"red": closed("bid(A4:9)"), "blue": closed("bid(A1:9)")},
    ),
    "an illegal bid is refused with the reason": Play(
        forbids={
            "red": {
                "bid(A1:81)": "81 chips; valid: up to 80",
                "bid(A2:1,D1:1)": "D1, which cannot be bid on",
                "bid(A1:1,A2:1,A3:1)": "line of three",
            }
        }
    ),
}

NO_ACTIONS = [
    NoActions(["bid", "bid(", "pass", ""], r"is not a bid; valid: bid\(\) or bid\(tile:chips,...\)"),
    NoActions(
        ["bid(A1)", "bid(A0:1)", "bid(J1:1)", "bid(A1:1,)", "bid(,)", "bid(a1:1)", "bid(A1:-1)", "bid(A1:1 )"],
        "valid: A1 to I9, as in E5:2",
    ),
    NoActions(["bid(A1:0)", "bid(A1:256)"], "valid: 1 to 255"),
    NoActions(["bid(A1:1,A1:1)"], "A1 occurs twice"),
    NoActions([None, 3, (1,) * 80, (-1,) * 81, (256,) * 81, [None] * 81], "is a tuple of 81 numbers"),
]

BASE = position(GAME, None, ["bid(A1:3) bid(B1:2)", "bid(A2:1) bid()"]).to_dict()
"""A state before the last round."""
OVER = position(GAME, None, [PASS, f"{IN_A_ROW} bid()"]).to_dict()
OPTIONAL = ("history",)
BAD_STATES = [
    BadState({key: value for key, value in BASE.items() if key != "history"}, "history"),
    ({"round": 2}, "round"),
    ({"chips": [76, 79]}, "chips"),
    ({"chips": [-1, 300]}, "chips"),
    ({"tiles": "r" * 81}, "tiles"),
    ({"boards": [""] * 9}, "boards"),
    ({"history": None}, "history"),
    ({"history": [{}]}, "bids"),
    ({"history": [{"bids": [None, NOTHING], "tiles": "." * 81}]}, "view"),
    ({"history": [{"bids": [NOTHING[1:], NOTHING], "tiles": "." * 81}]}, "81 whole numbers"),
    ({"history": [{"bids": [[True] * 81, NOTHING], "tiles": "." * 81}]}, "81 whole numbers"),
    ({"history": [{"bids": [[90, *NOTHING[1:]], NOTHING], "tiles": "." * 81}]}, "90 chips"),
    ({"history": [{"bids": [NOTHING, NOTHING], "tiles": "r" * 81}]}, "lead to"),
    ({"history": [{"bids": [NOTHING, NOTHING], "tiles": "." * 81}] * 4}, "at most 3"),
    ({"colour": 1}, "colour"),
    BadState(
        {**OVER, "history": [*OVER["history"], {"bids": [NOTHING, NOTHING], "tiles": OVER["tiles"]}]}, "ended the game"
    ),
]


def _changed(place, value):
    """The dict of a state with one place changed."""
    changed = {**BASE, "history": [{**finished, "bids": list(finished["bids"])} for finished in BASE["history"]]}
    if place == "bids":
        changed["history"][1]["bids"] = value
    elif place == "red":
        changed["history"][0]["bids"][0] = value
    else:
        changed[place] = value
    return changed


PLACES = ["round", "chips", "tiles", "boards", "history", "bids", "red"]
NEARLY = {GAME: st.builds(_changed, st.sampled_from(PLACES), JSON) | JSON}
