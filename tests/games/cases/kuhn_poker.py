"""Cases of kuhn_poker."""

from game_cases import BadState, Info, NoActions, Play, position
from hypothesis import strategies as st
from support import JSON

GAME = "kuhn_poker"
THREE = "kuhn_poker(players=3)"
DEALT = ["deal(J)", "deal(K)"]
ALL = ["deal(J)", "deal(A)", "deal(Q)"]

INFO = [
    Info("kuhn_poker", "kuhn_poker(players=2)", ("first", "second"), 2, 0, True, (-2, 2)),
    Info(THREE, THREE, ("first", "second", "third"), 2, 0, True, (-2, 4)),
]
BAD_SPECS = [
    ("kuhn_poker(players=4)", "valid: 2 to 3"),
    ("kuhn_poker(players=1)", "valid: 2 to 3"),
    ("kuhn_poker(cards=3)", "no parameter 'cards'"),
]
PLAYS = {
    "each gets a card": Play(DEALT, state={"cards": ["J", "K"], "calls": []}, acting=("first",)),
    "both may pass or bet": Play(DEALT, legal={"first": ["pass", "bet"]}, numbers={"pass": 0, "bet": 1}),
    "two passes compare the cards": Play([*DEALT, "pass", "pass"], returns=[-1, 1]),
    "a bet and a call play for two": Play([*DEALT, "bet", "bet"], returns=[-2, 2]),
    "who passes after a bet gives up": Play([*DEALT, "bet", "pass"], returns=[1, -1]),
    "the first answers a bet of the second": Play([*DEALT, "pass", "bet"], acting=("first",)),
    "the first calls it": Play(
        [*DEALT, "pass", "bet", "bet"], returns=[-2, 2], drawing="first passes, second bets, first bets"
    ),
    "the first gives up": Play([*DEALT, "pass", "bet", "pass"], returns=[-1, 1]),
    "three players compare their cards": Play([*ALL, "pass", "pass", "pass"], spec=THREE, returns=[-1, 2, -1]),
    "all others answer a bet": Play([*ALL, "pass", "pass", "bet", "bet"], spec=THREE, acting=("second",)),
    "the highest card of those who bet wins": Play(
        [*ALL, "pass", "pass", "bet", "bet", "pass"], spec=THREE, returns=[-2, -1, 3]
    ),
}
NO_ACTIONS = [
    NoActions(["fold", "", "deal(J)"], "valid: pass, bet", start={"cards": ["J", "K"], "calls": []}),
    NoActions([2, -2, 2**40, None], start={"cards": ["J", "K"], "calls": []}, message="is not an action|is an int"),
]
BASE = position(GAME, None, [*DEALT, "pass"]).to_dict()
OPTIONAL = ()
BAD_STATES = [
    ({"cards": ["J", "J"]}, "twice"),
    ({"cards": ["J", None]}, "view"),
    ({"cards": ["A", "J"]}, "valid: J, Q, K"),
    ({"cards": "JK"}, "2 cards"),
    ({"cards": [".", "J"]}, "order of players"),
    ({"cards": ["J", "."]}, "nobody decides"),
    ({"calls": ["p", "p", "p"]}, "nobody decides"),
    ({"calls": ["x"]}, "valid"),
    ({"calls": 3}, "valid"),
    ({"pot": 2}, "unknown key"),
    BadState({"cards": ["J", "K"]}, "no 'calls'"),
]
CARDS = st.sampled_from(["J", "Q", "K", ".", None])
NEARLY = {
    GAME: st.builds(
        lambda cards, calls: {"cards": cards, "calls": calls},
        st.lists(CARDS, max_size=3) | JSON,
        st.lists(st.sampled_from("pb"), max_size=4) | JSON,
    )
}
