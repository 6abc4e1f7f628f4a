"""The Universal Game Interface as the arena speaks it. docs/ugi.md describes it."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence

from mcts import Game, Limit, View

from ..clocks import TurnLimit
from ..steps import is_in_turns
from .client import EngineClient


class UgiClient(EngineClient):
    """An engine of the Universal Game Interface."""

    HELLO, WELCOME, NEW_GAME = "ugi", "ugiok", "uginewgame"

    def options_of(self, game: Game, seed: int) -> dict[str, str]:
        return {"game": game.spec, "seed": str(seed >> 1)}  # many engines read numbers of up to 63 bits

    def position(self, view: View, steps: Sequence[str] | None) -> str:
        if steps is None:
            return f"position view {json.dumps(view.to_dict(), separators=(',', ':'))}"
        return " ".join(["position startpos", *(["moves", *steps] if steps else [])])

    def go(self, view: View, limit: Limit, clocks: TurnLimit) -> str:
        return " ".join(["go", *_seat_words(view), *_limit_words(limit), *_clock_words(clocks)])

    def score_of(self, words: Sequence[str]) -> float | None:
        return read_score(words)


def read_score(words: Sequence[str]) -> float | None:
    """Return the score in an `info` line, from -100 for a loss to 100 for a win, or None without one.

    `score cp N` is N, clipped to the range. `score mate N` is a win, or a loss if N is negative. Bounds are ignored.
    """
    if "score" not in words or "lowerbound" in words or "upperbound" in words:
        return None
    kind, number = (*words[words.index("score") + 1 :], "", "")[:2]
    try:
        value = float(number)
    except ValueError:
        return None
    if kind not in ("cp", "mate") or not math.isfinite(value):
        return None
    if kind == "mate":
        return 100.0 if value > 0 else -100.0
    return min(max(value, -100.0), 100.0)


def _seat_words(view: View) -> list[str]:
    """Return the words for the seat of the engine; none in games of two players in turns, where it is clear."""
    game = view.game
    clear = game.num_players == 2 and not game.has_hidden_information and is_in_turns(game)
    return [] if clear else ["seat", str(view.player + 1)]


def _limit_words(limit: Limit) -> list[str]:
    words = []
    if limit.simulations is not None:
        words += ["nodes", str(limit.simulations)]
    if limit.seconds is not None:
        words += ["movetime", _milliseconds(limit.seconds)]
    return words


def _clock_words(limit: TurnLimit) -> Sequence[str]:
    words = []
    for number, clock in enumerate(limit.clocks, 1):
        if clock is not None:
            words += [f"p{number}time", _milliseconds(clock.remaining_seconds)]
            words += [f"p{number}inc", _milliseconds(clock.increment_seconds)]
    return words


def _milliseconds(seconds: float) -> str:
    return str(max(1, int(seconds * 1000)) if seconds > 0 else 0)
