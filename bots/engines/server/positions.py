"""Positions of the Universal Game Interface: the arguments of `position`, and the answers to `query`."""

from __future__ import annotations

import json
from dataclasses import dataclass

from cext.arguments import shown
from mcts import CHANCE, Game, PlayoutError, State, View
from mcts.primitives.failures import failures_named

from ...steps import apply_step
from .requests import RequestError

_FORMS = "valid: startpos, fen TEXT, view TEXT; the first two may be followed by moves M1 M2 ..."
QUERIES = ("p1turn", "gameover", "result", "players", "acting", "outcomes", "returns", "view P")


@dataclass(frozen=True)
class Position:
    """A position of a game: a state, or one player's view."""

    state: State
    """The state; if only a view is known, a possible state for that view."""
    view_text: str | None = None
    """Text of the view, if only a view is known."""

    def view_for(self, seat: int | None) -> View:
        """Return the view of the player who decides.

        Args:
            seat: the player, counted from 0; None if only one player decides.

        Raises:
            RequestError: the game is over, the player does not decide, or several players may decide.
            StateError: the position is the view of another player.
        """
        acting = self.state.acting_players()
        if not acting:
            reason = "chance decides here" if self.state.is_chance() else "the game is over"
            raise RequestError(f"{reason}; valid: a position in which a player decides")
        if seat is None:
            if len(acting) > 1 or self.view_text is not None:
                raise RequestError("several players may decide here; valid: go seat P, P counted from 1")
            seat = acting[0]
        view = self.state.view(seat)
        if self.view_text is not None:
            view = view.game.view_from_text(seat, self.view_text)
        if seat not in view.acting_players():
            valid = ", ".join(str(player + 1) for player in acting)
            raise RequestError(f"player {seat + 1} does not decide here; valid: go seat P, P one of {valid}")
        return view

    def answer(self, query: str) -> str:
        """Return the answer to one of QUERIES. Raises RequestError for another query."""
        name, _, argument = query.partition(" ")
        if name == "view" and argument:
            return self._view(argument)
        if query not in QUERIES:
            raise RequestError(f"unknown query {query!r}; valid: {', '.join(QUERIES)}")
        acting = self.state.acting_players()
        is_over = self.state.is_terminal()
        returns = self.state.returns() if is_over and self.view_text is None else None
        if query == "p1turn":
            return "true" if 0 in acting else "false"
        if query == "gameover":
            return "true" if is_over else "false"
        if query == "result":
            return _result(returns)
        if query == "players":
            return str(self.state.game.num_players)
        if query == "acting":
            return " ".join(str(player + 1) for player in acting) or ("none" if is_over else "chance")
        if query == "outcomes":
            return _outcomes(self.state)
        return "none" if returns is None else " ".join(f"{value:g}" for value in returns)

    def _view(self, player: str) -> str:
        """Return the text of the view of a player, counted from 1."""
        count = self.state.game.num_players
        if player not in map(str, range(1, count + 1)):
            raise RequestError(f"{shown(player)} is not a player; valid: query view P, P from 1 to {count}")
        view = self.state.view(int(player) - 1)
        if self.view_text is not None:
            view = view.game.view_from_text(view.player, self.view_text)
        return view.to_text()


def read_position(game: Game, text: str) -> Position:
    """Return the position described by the arguments of `position`.

    Raises:
        PlayoutError: the arguments are invalid, or no sequence of actions reaches the position.
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
    raise RequestError(f"unknown position {kind!r}; {_FORMS}")


def _after_moves(state: State, before: str, words: str) -> State:
    """Apply the steps of `moves S1 S2 ...` to a state and return it. Empty text is valid."""
    first, *steps = words.split() or ["moves"]
    if first != "moves":
        raise RequestError(f"{first!r} follows {before}; valid: nothing, or moves M1 M2 ...")
    for step in steps:
        apply_step(state, step)
    return state


def _split_text(text: str) -> tuple[str, str]:
    """Split off the text of a state: a word, or a JSON object, which may contain spaces."""
    if not text.startswith("{"):
        described, _, after = text.partition(" ")
        return described, after
    with failures_named("the position is not valid JSON", RequestError, ValueError, RecursionError):
        _, end = json.JSONDecoder().raw_decode(text)
    return text[:end], text[end:]


def _seen(game: Game, text: str) -> Position:
    """Return the position of a view."""
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


def _outcomes(state: State) -> str:
    """Return each outcome that chance may bring, followed by its weight; `none` where chance does not decide."""
    if not state.is_chance():
        return "none"
    return " ".join(f"{state.action_to_string(CHANCE, outcome)} {weight}" for outcome, weight in state.chance_weights())


def _result(returns: list[float] | None) -> str:
    """Return the winner, who alone has the highest return; `draw` if several have it, `none` without returns."""
    if returns is None:
        return "none"
    best = [player for player, value in enumerate(returns, 1) if value == max(returns)]
    return f"p{best[0]}win" if len(best) == 1 else "draw"
