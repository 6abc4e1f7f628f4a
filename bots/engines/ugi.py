"""The Universal Game Interface as the arena speaks it. docs/ugi.md describes it."""

from __future__ import annotations

import json
from collections.abc import Sequence

from mcts import Action, Game, View

from ..clocks import TurnLimit
from ..steps import is_in_turns
from .client import EngineClient
from .uci import UciClient, read_score, words_of_clocks


class UgiClient(UciClient):
    """An engine of the Universal Game Interface."""

    KNOWS_STARTS = False
    HELLO, WELCOME, NEW_GAME = "ugi", "ugiok", "uginewgame"

    def options_of(self, game: Game, seed: int) -> dict[str, str]:
        return {"game": game.spec, "seed": str(seed >> 1)}  # many engines read numbers of up to 63 bits

    def position(self, view: View, steps: Sequence[str] | None) -> str:
        if steps is None:
            return f"position view {json.dumps(view.to_dict(), separators=(',', ':'))}"
        return super().position(view, steps)

    def seat_words(self, view: View) -> list[str]:
        """Return the words for the seat of the engine; none in games of two players in turns, where it is clear."""
        game = view.game
        clear = game.num_players == 2 and not game.has_hidden_information and is_in_turns(game)
        return [] if clear else ["seat", str(view.player + 1)]

    def clock_words(self, view: View, clocks: TurnLimit) -> list[str]:
        return words_of_clocks((f"p{number}" for number in range(1, len(clocks.clocks) + 1)), clocks)

    def action(self, view: View, text: str) -> Action:
        return EngineClient.action(self, view, text)

    def score_of(self, words: Sequence[str]) -> float | None:
        score = read_score(words)
        return None if score is None else min(max(score, -100.0), 100.0)
