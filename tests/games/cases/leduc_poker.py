"""Cases of leduc_poker."""

from game_cases import BadState, Info, NoActions, Play, position
from hypothesis import strategies as st
from support import JSON

GAME = "leduc_poker"
DEALT = ["deal(K)", "deal(j)"]
OPEN = [*DEALT, "call", "call", "deal(J)"]

INFO = [Info("leduc_poker", "leduc_poker", ("first", "second"), 3, 0, True, (-13, 13))]
BAD_SPECS = [("leduc_poker(players=3)", "players")]
PLAYS = {
    "nobody folds without a bet": Play(
        DEALT, legal={"first": ["call", "raise"]}, numbers={"call": 1, "raise": 2}, forbids={"first": ["fold"]}
    ),
    "a bet can be left, called or raised": Play([*DEALT, "raise"], legal={"second": ["fold", "call", "raise"]}),
    "the second raise of a round is the last": Play([*DEALT, "raise", "raise"], legal={"first": ["fold", "call"]}),
    "two calls end the first round": Play([*DEALT, "call", "call"], acting=()),
    "a call of a raise ends it too": Play([*DEALT, "raise", "call", "deal(Q)"], acting=("first",)),
    "the open card": Play(OPEN, state={"cards": ["K", "j", "J"], "calls": ["c", "c"]}, acting=("first",)),
    "a pair with the open card wins": Play([*OPEN, "call", "call"], returns=[-1, 1]),
    "without a pair the higher card wins": Play(
        ["deal(K)", "deal(j)", "call", "call", "deal(Q)", "call", "call"], returns=[1, -1]
    ),
    "equal cards share": Play(["deal(K)", "deal(k)", "call", "call", "deal(Q)", "call", "call"], returns=[0, 0]),
    "raises are 2 in the first round": Play([*DEALT, "raise", "fold"], returns=[1, -1]),
    "and 4 in the second": Play([*DEALT, "raise", "call", "deal(J)", "raise", "raise", "fold"], returns=[-7, 7]),
    "at most 13 are lost": Play(
        [*DEALT, "raise", "raise", "call", "deal(J)", "raise", "raise", "call"],
        returns=[-13, 13],
        drawing="raise raise call raise raise call",
    ),
}
NO_ACTIONS = [
    NoActions(["bet", "", "deal(K)"], "valid: fold, call, raise", start={"cards": ["K", "j", "."], "calls": []}),
    NoActions([3, -2, None], start={"cards": ["K", "j", "."], "calls": []}, message="is not an action|is an int"),
]
BASE = position(GAME, None, OPEN).to_dict()
OPTIONAL = ()
BAD_STATES = [
    ({"cards": ["K", "K", "J"]}, "twice"),
    ({"cards": ["K", None, "J"]}, "view"),
    ({"cards": ["K", "A", "J"]}, "valid: J, j, Q, q, K, k"),
    ({"cards": ["K", "j"]}, "3 cards"),
    ({"cards": [".", "j", "."]}, "not dealt yet"),
    ({"calls": []}, "open card before"),
    ({"calls": ["c"]}, "open card before"),
    ({"calls": ["f"]}, "not allowed"),
    ({"calls": ["r", "r", "r"]}, "not allowed"),
    ({"calls": ["r", "f", "c"]}, "nobody decides"),
    ({"calls": "cc"}, "valid: a list"),
    ({"pot": 2}, "unknown key"),
    BadState({"cards": ["K", "j", "."]}, "no 'calls'"),
]
CARDS = st.sampled_from(["J", "j", "Q", "K", ".", None])
NEARLY = {
    GAME: st.builds(
        lambda cards, calls: {"cards": cards, "calls": calls},
        st.lists(CARDS, max_size=4) | JSON,
        st.lists(st.sampled_from("fcr"), max_size=6) | JSON,
    )
}
