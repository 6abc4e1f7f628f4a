"""Cases of liars_dice."""

from game_cases import BadState, Info, NoActions, Play, position
from hypothesis import strategies as st
from support import JSON

GAME = "liars_dice"
TWO = "liars_dice(dice=2)"
SMALL = "liars_dice(sides=3)"
ROLLED = ["roll(2)", "roll(5)"]

INFO = [
    Info("liars_dice", "liars_dice(dice=1,sides=6)", ("first", "second"), 13, 0, True, (-1, 1)),
    Info(TWO, "liars_dice(dice=2,sides=6)", ("first", "second"), 25, 0, True, (-1, 1)),
    Info(SMALL, "liars_dice(dice=1,sides=3)", ("first", "second"), 7, 0, True, (-1, 1)),
]
BAD_SPECS = [
    ("liars_dice(dice=4)", "valid: 1 to 3"),
    ("liars_dice(sides=1)", "valid: 2 to 6"),
    ("liars_dice(players=3)", "no parameter 'players'"),
]
PLAYS = {
    "nobody challenges before a bid": Play(
        ["roll(1)", "roll(2)"],
        spec=SMALL,
        legal={"first": ["bid(1x1)", "bid(1x2)", "bid(1x3)", "bid(2x1)", "bid(2x2)", "bid(2x3)"]},
        forbids={"first": ["liar"]},
    ),
    "bids rise": Play(
        ["roll(1)", "roll(2)", "bid(1x3)"], spec=SMALL, legal={"second": ["bid(2x1)", "bid(2x2)", "bid(2x3)", "liar"]}
    ),
    "after the highest bid there is only the challenge": Play(
        ["roll(1)", "roll(2)", "bid(2x3)"], spec=SMALL, legal={"second": ["liar"]}
    ),
    "a true bid wins": Play([*ROLLED, "bid(1x5)", "liar"], returns=[1, -1]),
    "a false bid loses": Play([*ROLLED, "bid(1x3)", "liar"], returns=[-1, 1]),
    "the highest face counts as any": Play(
        ["roll(6)", "roll(3)", "bid(1x1)", "bid(2x3)", "liar"], returns=[-1, 1], drawing="1x1 2x3 liar"
    ),
    "more than the bid is true": Play(["roll(6)", "roll(6)", "bid(1x4)", "liar"], returns=[1, -1]),
    "dice of a player are in order": Play(
        ["roll(5)", "roll(2)", "roll(3)", "roll(1)"], spec=TWO, state={"dice": ["2", "5", "1", "3"], "calls": []}
    ),
    "dice of both count": Play(
        ["roll(5)", "roll(2)", "roll(2)", "roll(6)", "bid(3x2)", "liar"], spec=TWO, returns=[1, -1]
    ),
}
NO_ACTIONS = [
    NoActions(["bid(3x1)", "bid", "", "roll(2)"], "valid: bid\\(1x1\\)", start={"dice": ["2", "5"], "calls": []}),
    NoActions([13, -2, None], start={"dice": ["2", "5"], "calls": []}, message="is not an action|is an int"),
]
BASE = position(GAME, None, [*ROLLED, "bid(1x5)", "bid(2x2)"]).to_dict()
OPTIONAL = ()
BAD_STATES = [
    ({"dice": ["2", None]}, "view"),
    ({"dice": ["2", "7"]}, "valid: 1, 2, 3, 4, 5, 6"),
    ({"dice": ["2"]}, "2 cards"),
    ({"dice": [".", "2"]}, "behind one"),
    ({"dice": ["2", "."]}, "nobody decides"),
    ({"calls": ["liar"]}, "not allowed"),
    ({"calls": ["2x2", "1x5"]}, "not allowed"),
    ({"calls": ["1x5", "liar", "2x2"]}, "nobody decides"),
    ({"calls": "1x5"}, "valid: a list"),
    ({"pot": 2}, "unknown key"),
    BadState({"dice": ["2", "5"]}, "no 'calls'"),
    BadState({"dice": ["5", "2", "1", "1"], "calls": []}, "ascending", TWO),
]
DIE = st.sampled_from(["1", "2", "5", "6", ".", None])
NEARLY = {
    GAME: st.builds(
        lambda dice, calls: {"dice": dice, "calls": calls},
        st.lists(DIE, max_size=3) | JSON,
        st.lists(st.sampled_from(["1x1", "1x5", "2x2", "2x6", "liar"]), max_size=5) | JSON,
    )
}
