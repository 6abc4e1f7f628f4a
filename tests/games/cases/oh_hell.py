"""Cases of oh_hell."""

from game_cases import BadState, Info, NoActions, Play, position
from hypothesis import strategies as st
from support import JSON

GAME = "oh_hell"
TWO = "oh_hell(players=2,suits=2,ranks=3,tricks=2)"  # Q, K, A of clubs and diamonds
THREE = ("first", "second", "third")
HANDS = [["Jc", "Qc", "Jd", "Ad"], ["Tc", "Td", "Js", "As"], ["Kd", "Th", "Kh", "Ts"]]
DEAL = [f"deal({card})" for hand in HANDS for card in hand]
BIDS = [*DEAL, "deal(Ac)", "bid(0)", "bid(2)", "bid(1)"]
SHORT = ["deal(Qc)", "deal(Kd)", "deal(Kc)", "deal(Ad)", "deal(Qd)"]

INFO = [
    Info("oh_hell", "oh_hell(players=3,suits=4,ranks=5,tricks=4)", THREE, 25, None, True, (0, 14)),
    Info(TWO, TWO, THREE[:2], 9, 0, True, (-12, 12)),
    Info("oh_hell(players=4,tricks=3)", "oh_hell(players=4,suits=4,ranks=5,tricks=3)", (*THREE, "fourth"), 24, None,
         True, (0, 13)),
]  # fmt: skip
BAD_SPECS = [
    ("oh_hell(players=5)", "valid: 2 to 4"),
    ("oh_hell(ranks=9)", "valid: 2 to 8"),
    ("oh_hell(tricks=7)", r"20 cards, and deals 21 and a trump card; valid: players \* tricks up to 19"),
    ("oh_hell(suits=1)", "valid: players . tricks up to 4"),
]
PLAYS = {
    "hands are dealt one after the other": Play(
        DEAL[:5], state={"hands": [HANDS[0], ["Tc"], []], "trump": None}, acting=()
    ),
    "then a card names the trumps": Play([*DEAL, "deal(Ac)"], state={"trump": "Ac"}, acting=("first",)),
    "any number of tricks may be bid": Play(
        [*DEAL, "deal(Ac)"],
        legal={"first": [f"bid({number})" for number in range(5)]},
        numbers={"bid(0)": 20, "bid(4)": 24},
        forbids={"first": ["play(Jc)"]},
    ),
    "the last bid must not make the sum right": Play(
        BIDS[:-1], legal={"third": ["bid(0)", "bid(1)", "bid(3)", "bid(4)"]}, forbids={"third": ["bid(2)"]}
    ),
    "the first player leads any card": Play(
        BIDS,
        legal={"first": ["play(Jc)", "play(Qc)", "play(Jd)", "play(Ad)"]},
        numbers={"play(Jc)": 1, "play(Ad)": 9},
        forbids={"first": ["play(Td)", "bid(0)"]},
        drawing="no card on the table",
    ),
    "others follow suit": Play(
        [*BIDS, "play(Jd)"], legal={"second": ["play(Td)"]}, forbids={"second": ["play(Js)", "play(Tc)"]}
    ),
    "who cannot follow plays any card": Play(
        [*BIDS, "play(Jc)", "play(Tc)"],
        legal={"third": ["play(Kd)", "play(Th)", "play(Kh)", "play(Ts)"]},
        drawing="first Jc, second Tc",
    ),
    "the highest card of the suit wins and leads": Play([*BIDS, "play(Jd)", "play(Td)", "play(Kd)"], acting=("third",)),
    "a trump wins": Play(
        [*BIDS, "play(Jd)", "play(Td)", "play(Kd)", "play(Kh)", "play(Jc)", "play(Tc)"], acting=("first",)
    ),
    "a card of another suit does not": Play(
        [*BIDS, "play(Ad)", "play(Td)", "play(Kd)", "play(Jd)", "play(As)", "play(Kh)"], acting=("first",)
    ),
    "a trick is worth 1, and a met bid 10": Play(
        [*BIDS, "play(Jc)", "play(Tc)", "play(Kd)", "play(Qc)", "play(Td)", "play(Th)", "play(Ad)", "play(As)",
         "play(Ts)", "play(Jd)", "play(Js)", "play(Kh)"],
        returns=[4, 0, 0],
    ),
    "with two players the points of the other are lost": Play(
        [*SHORT, "bid(1)", "bid(0)", "play(Qc)", "play(Kc)", "play(Ad)", "play(Kd)"], spec=TWO, returns=[-2, 2]
    ),
    "and a met bid decides": Play(
        [*SHORT, "bid(0)", "bid(1)", "play(Qc)", "play(Kc)", "play(Ad)", "play(Kd)"], spec=TWO, returns=[8, -8]
    ),
}  # fmt: skip
NO_ACTIONS = [
    NoActions(["play(2c)", "play", "", "deal(Tc)", "bid(5)"], r"valid: play\(Tc\) to play\(As\), bid\(0\) to bid\(4\)",
              start=position(GAME, None, BIDS).to_dict()),
    NoActions([25, -2, None], start=position(GAME, None, BIDS).to_dict(), message="is not an action|is an int"),
]  # fmt: skip
BASE = position(GAME, None, [*BIDS, "play(Jd)", "play(Td)", "play(Kd)", "play(Kh)"]).to_dict()
OPTIONAL = ()
BAD_STATES = [
    ({"hands": [["Jc", "Qc", "Ad"], None, ["Th", "Ts"]]}, "view"),
    ({"hands": [["Jc", "Qc", "Ad"]]}, "3 hands"),
    ({"hands": [["Jc", "Qc", "2d"], ["Tc", "Js", "As"], ["Th", "Ts"]]}, "valid: a list of Tc, Jc"),
    ({"hands": [["Jc", "Qc", "Kd"], ["Tc", "Js", "As"], ["Th", "Ts"]]}, "Kd is in two places"),
    ({"hands": [["Jc", "Qc"], ["Tc", "Js", "As"], ["Th", "Ts"]]}, "gives first 2 cards; valid: 3"),
    (
        {"hands": [["Jc", "Qc", "Ad"], ["Tc", "Td", "Js"], ["Th", "Ts"]], "plays": ["Jd", "As", "Kd", "Kh"]},
        "has As after 1 cards, which does not follow suit",
    ),
    ({"trump": "2c"}, "'trump' is '2c'; valid: null"),
    ({"trump": "Qc"}, "Qc is in two places"),
    ({"trump": None}, "'bids' has 3 bids; valid: up to 3, and none before the trump card"),
    ({"bids": ["0", "2"]}, "'plays' has 4 cards; valid: up to 12, and none before all have bid"),
    ({"bids": ["0", "2", "2"]}, "the sum of bids the number of tricks"),
    ({"bids": ["0", "2", "5"]}, "valid: a list of 0, 1"),
    ({"plays": ["Jd", "Td", "Kd", "Kd"]}, "two places"),
    ({"plays": "Jd"}, "valid: a list"),
    ({"pot": 2}, "unknown key"),
    BadState({"hands": [["Jc"], ["Tc"], []], "trump": None, "bids": [], "plays": []}, "not part of a deal"),
    BadState({"hands": [["As"], [], []], "trump": None, "bids": [], "plays": []}, "not part of a deal"),
    BadState({"hands": [[], [], []], "trump": None, "bids": []}, "no 'plays'"),
]
CARD = st.sampled_from(["Tc", "Jc", "Qc", "Kc", "Td", "Jd", "Th", "2c"])
HAND = st.lists(CARD, max_size=4, unique=True) | st.none()
NEARLY = {
    GAME: st.fixed_dictionaries(
        {
            "hands": st.lists(HAND, min_size=3, max_size=3) | JSON,
            "trump": CARD | st.none(),
            "bids": st.lists(st.sampled_from("0124"), max_size=3) | JSON,
            "plays": st.lists(CARD, max_size=5, unique=True) | JSON,
        }
    )
}
