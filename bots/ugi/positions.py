"""Positions of the Universal Game Interface: what follows the word `position`, and what `query` says of one."""

from __future__ import annotations

import json
from dataclasses import dataclass

from mcts import Game, PlayoutError, State, View

from ..steps import apply_step
from .requests import RequestError

_FORMS = "valid: startpos, fen TEXT, view TEXT; the first two may be followed by moves M1 M2 ..."
QUERIES = ("p1turn", "gameover", "result", "players", "acting", "returns")


@dataclass(frozen=True)
class Position:
    """A position of a game, known in full or as one player sees it."""

    state: State
    """The state; where only a view is known, some state that looks like it."""
    view_text: str | None = None
    """The text of the view where no more is known."""

    def view_for(self, seat: int | None) -> View:
        """Return what the player who is to decide sees.

        Args:
            seat: the player, counted from 0; None where it follows from the position.

        Raises:
            RequestError: nobody decides here, that player does not, or it is not clear who does.
            StateError: the position is not what that player sees.
        """
        acting = self.state.acting_players()
        if not acting:
            raise RequestError("the game is over: there is nothing to decide")
        if seat is None:
            if len(acting) > 1 or self.view_text is not None:
                raise RequestError("several players may decide here; valid: go seat P, P counted from 1")
            seat = acting[0]
        view = self.state.view(seat)
        if self.view_text is not None:
            view = view.game.view_from_text(seat, self.view_text)
        if seat not in view.acting_players():
            valid = ", ".join(str(player + 1) for player in acting)
            raise RequestError(f"player {seat + 1} has nothing to decide; valid: go seat P, P one of {valid}")
        return view

    def answer(self, query: str) -> str:
        """Return what is asked by one of QUERIES."""
        acting = self.state.acting_players()
        returns = self.state.returns() if not acting and self.view_text is None else None
        if query == "p1turn":
            return "true" if 0 in acting else "false"
        if query == "gameover":
            return "false" if acting else "true"
        if query == "result":
            return _result(returns)
        if query == "players":
            return str(self.state.game.num_players)
        if query == "acting":
            return " ".join(str(player + 1) for player in acting) or "none"
        return "none" if returns is None else " ".join(f"{value:g}" for value in returns)


def read_position(game: Game, text: str) -> Position:
    """Return the position that the words after `position` describe.

    Raises:
        PlayoutError: there is no such position, or it cannot be reached.
    """
    kind, _, rest = text.partition(" ")
    rest = rest.strip()
    if kind == "startpos":
        return Position(_after_moves(game.new_initial_state(), kind, rest))
    if kind == "fen":
        described, after = _split_text(rest)
        return Position(_after_moves(game.state_from_text(described), "the text of the position", after))
    if kind == "view":
        return _seen(game, rest)
    raise RequestError(f"no position {kind!r}; {_FORMS}")


def _after_moves(state: State, before: str, words: str) -> State:
    """Play the steps of `moves S1 S2 ...`; nothing may stand there as well."""
    first, *steps = words.split() or ["moves"]
    if first != "moves":
        raise RequestError(f"{first!r} follows {before}; valid: nothing, or moves M1 M2 ...")
    for step in steps:
        apply_step(state, step)
    return state


def _split_text(text: str) -> tuple[str, str]:
    """The text of a state and what follows it. A text is a word, or a JSON object, which may have spaces."""
    if not text.startswith("{"):
        described, _, after = text.partition(" ")
        return described, after
    try:
        _, end = json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError) as error:
        raise RequestError(f"the position is no JSON: {error}") from None
    return text[:end], text[end:]


def _seen(game: Game, text: str) -> Position:
    """The position of a view."""
    if not game.has_hidden_information:
        return Position(game.state_from_text(text))
    reason: PlayoutError | None = None
    for player in range(game.num_players):
        try:
            return Position(game.view_from_text(player, text).resample(0), text)
        except PlayoutError as error:
            reason = reason or error
    assert reason is not None
    raise reason


def _result(returns: list[float] | None) -> str:
    """Who has won: the only one with the highest return; `draw` where there are several."""
    if returns is None:
        return "none"
    best = [player for player, value in enumerate(returns, 1) if value == max(returns)]
    return f"p{best[0]}win" if len(best) == 1 else "draw"
