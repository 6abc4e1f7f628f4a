"""Cases of chess."""

from game_cases import Info, NoActions, Play
from hypothesis import strategies as st
from support import JSON

import mcts

GAME = "chess"
CHESS960 = "chess(chess960=true)"


def fen(text, spec=GAME):
    """The dict of a position."""
    return mcts.load_game(spec).state_from_text(text).to_dict()


INFO = [
    Info("chess", "chess(chess960=false)", ("white", "black"), 1880),
    Info(CHESS960, CHESS960, ("white", "black"), 1880),
]
BAD_SPECS = [
    ("chess(chess960=2)", "valid: true, false"),
    ("chess(size=9)", "no parameter 'size'"),
]
SHUFFLE = ["g1f3", "g8f6", "f3g1", "f6g8"]
PASSANT_ONCE = ["e2e4", "g8f6", "e4e5", "d7d5", "f1c4", "b8c6", "c4f1", "c6b8", "f1c4", "b8c6", "c4f1", "c6b8"]
FISCHER = "nrkb2nr/ppppp1p1/6bp/5p2/BPP1P1P1/P7/3P1P1P/qRK1BQNR w BHbh - 0 3"

PLAYS = {
    "white begins": Play(
        state={"to_move": "white", "castling": "KQkq", "en_passant": "-", "half_moves": 0, "full_moves": 1},
        acting=("white",),
        forbids={"white": ["e2e5", "e1g1", "a1a3", "e7e5", "b1d2"]},
        numbers={"a2a3": 204},
    ),
    "the third repetition draws": Play(
        [*SHUFFLE, *SHUFFLE], returns=[50, 50], drawing="a draw: third repetition", state={"half_moves": 8}
    ),
    "a position with a legal capture en passant is another one": Play([*PASSANT_ONCE], acting=("white",)),
    "and counts without": Play([*PASSANT_ONCE, "f1c4"], returns=[50, 50]),
    "a capture en passant by a pinned pawn does not count": Play(
        ["h7h5", "e6h6", "g7h7", "h6e6", "h7g7", "e6h6", "g7h7", "h6e6", "h7g7"],
        start=fen("6k1/1p2p1rp/rP1pR3/2pP1pP1/p1P2P1P/R5K1/8/8 b - - 0 1"),
        returns=[50, 50],
    ),
    "an illegal capture en passant is not in the position": Play(
        ["h7h5"],
        start=fen("6k1/1p2p1rp/rP1pR3/2pP1pP1/p1P2P1P/R5K1/8/8 b - - 0 1"),
        state={"en_passant": "-", "half_moves": 0, "full_moves": 2},
    ),
    "100 half moves draw": Play(
        ["h1h2"],
        start=fen("k7/8/8/8/8/8/1R6/K6R w - - 99 80"),
        returns=[50, 50],
        state={"half_moves": 100},
        drawing="a draw: 100 half moves without progress",
    ),
    "mate comes before 100 half moves": Play(
        ["h1h8"], start=fen("k7/8/1K6/8/8/8/8/7R w - - 99 80"), returns=[100, 0], drawing="checkmate"
    ),
    "stalemate draws": Play(
        ["g5g6"], start=fen("7k/8/5K2/6Q1/8/8/8/8 w - - 0 1"), returns=[50, 50], drawing="stalemate"
    ),
    "bishops of one color cannot mate": Play(
        ["a1b2"], start=fen("b1k5/8/8/8/8/8/1p6/B3K3 w - - 0 1"), acting=("black",)
    ),
    "a knight alone cannot mate": Play(
        start=fen("4k3/8/8/8/8/8/8/4KN2 w - - 0 1"), returns=[50, 50], drawing="a draw: too few pieces for a mate"
    ),
    "bishops on squares of both colors can mate": Play(
        start=fen("2b1k3/8/8/8/8/8/8/2B1K3 w - - 0 1"), acting=("white",)
    ),
    "bishops on squares of one color cannot": Play(start=fen("3bk3/8/8/8/8/8/8/2B1K3 w - - 0 1"), returns=[50, 50]),
    "a pawn promotes": Play(
        ["a7a8n"],
        start=fen("8/P6k/8/8/8/8/8/K7 w - - 0 1"),
        state={"board": "N" + "." * 14 + "k" + "." * 40 + "K" + "." * 7},
        returns=[50, 50],
    ),
    "rights without king and rook in place are dropped": Play(
        start=fen("4k2r/8/8/8/8/8/8/R2K3R w KQkq - 0 1"), state={"castling": "k"}
    ),
    "of several rooks the letter K means the outer one": Play(
        start=fen("4k3/8/8/8/8/8/8/4K1RR w K - 0 1", CHESS960), spec=CHESS960, forbids={"white": ["e1g1"]}
    ),
    "another one is written by its file": Play(
        start=fen("4k3/8/8/8/8/8/8/4K1RR w G - 0 1", CHESS960),
        spec=CHESS960,
        state={"castling": "G"},
        allows={"white": ["e1g1"]},
    ),
    "a rook that shields its king does not castle": Play(
        start=fen(FISCHER, CHESS960), spec=CHESS960, forbids={"white": ["c1b1", "c1h1"]}
    ),
    "the king takes its own rook": Play(
        ["g1c1"],
        start=fen("2r3kr/pbqp1ppp/1pn1p3/8/8/1PN1P3/PBQP1PPP/2R3KR w HChc - 0 1", CHESS960),
        spec=CHESS960,
        state={"castling": "kq", "board": "..r...krpbqp.ppp.pn.p....................PN.P...PBQP.PPP..KR...R"},
    ),
}
NO_ACTIONS = [
    NoActions(["a1b4", "e2", "e9e4", "e2e4q", "e2e1q", "castle", "O-O", "Nd2", "Qd4", ""]),
    NoActions([-2, 1880, 2**31 - 1, -(2**31)], "valid: 0 to 1879"),
]

BASE = fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 3 9")
OPTIONAL = ("en_passant", "half_moves", "full_moves", "earlier")
BAD_STATES = [
    ({"board": "k"}, "'board' must be 64 characters"),
    ({"board": "." * 64}, "white has 0 kings; valid: 1"),
    ({"board": "kk" + "." * 61 + "K"}, "black has 2 kings"),
    ({"board": "k......P" + "." * 55 + "K"}, "a pawn stands on the first or last rank"),
    ({"board": "kR" + "." * 61 + "K"}, "black is in check, but white is to move"),
    ({"board": "kK" + "." * 62}, "black is in check, but white is to move"),
    ({"board": "k......." + "N" * 16 + "." * 39 + "K"}, "white has 17 pieces"),
    ({"board": "k......." + "P" * 9 + "." * 46 + "K"}, "9 of them pawns"),
    ({"to_move": None}, "'to_move' is None"),
    ({"castling": "X"}, "'castling' is 'X'"),
    ({"castling": None}, "'castling' is None"),
    ({"en_passant": "e9"}, "'en_passant' is 'e9'; valid: a square, or -"),
    ({"half_moves": -1}, "'half_moves' is -1; valid: 0 to 9999"),
    ({"full_moves": True}, "'full_moves' is True; valid: 0 to 9999"),
    ({"earlier": ["0" * 16] * 4}, "at most 'half_moves'"),
    ({"earlier": ["x"]}, "16 hexadecimal digits"),
    ({"earlier": 3}, "'earlier' is 3"),
    ({"clock": 3}, "unknown key 'clock' in state"),
]
NEARLY = {
    GAME: st.fixed_dictionaries(
        {
            "board": st.sampled_from([BASE["board"], "k" + "." * 62 + "K"])
            | st.text(".kKpPqR", min_size=64, max_size=64),
            "to_move": st.sampled_from(["white", "black"]) | JSON,
            "castling": st.just("-") | st.none(),
            "en_passant": st.just("-") | st.integers(),
            "half_moves": st.integers(0, 101) | st.none(),
            "full_moves": st.integers(1, 10_000) | st.none(),
            "earlier": st.lists(st.just("0123456789abcdef"), max_size=3) | st.integers(),
        },
        optional={"more": JSON},
    )
}
