"""A player of general game playing on the network, as a bot."""

from __future__ import annotations

import asyncio
import secrets
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

from mcts import Action, Game, Limit, ParameterError, State, View
from mcts.gdl.game import RulesheetGame
from mcts.gdl.parser import parse
from mcts.parameters import Integer, Text

from ..base import NO_LIMIT, Bot
from ..clocks import TurnLimit, answer_seconds, decision_limit
from ..errors import CRASH, ILLEGAL, LATE, UNREADABLE, BotError, BotFailureError
from ..ggp.errors import MessageError, WireError
from ..ggp.games import action_of
from ..ggp.messages import BUSY, LONGEST_CLOCK, MOST_ANSWER_BYTES, Start, move_text, read_term, start_text, step_text
from ..ggp.wire import Address, post, read_address
from ..steps import read_step

PLAY_CLOCK = 5
"""Play clock without a limit of time, in seconds."""
DEADLINE_SECONDS = 60.0
"""Deadline of a call without another one."""
GRACE_SECONDS = 0.5
"""Time beyond the clocks for the network."""
GOODBYE_SECONDS = 2.0
"""Time for the answer to STOP and ABORT."""

_playing: dict[tuple[int, Address], GgpBot] = {}
"""The bot that has a match with a player, by the thread and the address. A player has one match at a time."""


class GgpBot(Bot):
    """A player that is asked over HTTP for its moves. docs/ggp.md describes the protocol.

    Every failure of the player raises BotFailureError with the reason.
    """

    NAME = "ggp"
    SUMMARY = "a player of general game playing on the network, such as ggp(url=http://localhost:9147)"
    PARAMETERS = {  # noqa: RUF012 (declared a ClassVar by the base)
        "url": Text(None),
        "seconds": Integer(None, 1, LONGEST_CLOCK),
        "start_seconds": Integer(30, 1, LONGEST_CLOCK),
    }

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        url = self.parameters["url"]
        if url is None:
            raise ParameterError("bot ggp needs a url; valid: such as ggp(url=http://localhost:9147)")
        self._address = read_address(url)
        self._match = ""  # the id of the match; empty without one
        self._state: State | None = None  # the present state of the match
        self._moves: list[str] | None = None  # the moves of all roles in the last step; None before the first one
        self._is_asked = False  # in the present state

    def why_unsupported(self, game: Game) -> str | None:
        if isinstance(game, RulesheetGame):
            return None
        return "it is not a rulesheet without chance and secrets; use the bots of this package"

    def check_game(self, game: Game) -> None:
        super().check_game(game)
        try:
            self._post("( INFO )", self.parameters["start_seconds"])
        except BotFailureError as error:
            raise BotError(f"bot {self.spec}: {error}; valid: the URL of a player that runs") from None

    def new_game(self, game: Game, player: int, seed: int) -> None:
        super().new_game(game, player, seed)
        super().check_game(game)
        assert isinstance(game, RulesheetGame)
        place = threading.get_ident(), self._address
        for other in (self, _playing.get(place)):
            if other is not None:
                other.close()
        longest = _deadline_seconds(self._first_limit)
        own = decision_limit(None, self._first_limit, self.parameters).seconds
        self._play_clock = max(1, int(min(PLAY_CLOCK if own is None else own, LONGEST_CLOCK, longest)))
        start_clock = max(1, int(min(self.parameters["start_seconds"], longest - GRACE_SECONDS)))
        self._match = f"playout-{secrets.token_hex(8)}"
        self._state, self._moves, self._is_asked = game.new_initial_state(), None, False
        self._place = place
        _playing[place] = self
        message = Start(self._match, game.players[player], "", start_clock, self._play_clock)
        statements = [each.expression for each in parse(game.text)]
        try:
            answer = self._post(start_text(message, statements), start_clock + GRACE_SECONDS)
        except BotFailureError as error:
            if error.kind != LATE:
                raise
            answer = ""  # it may still answer in time when it is asked for a move
        if answer.strip().casefold() == BUSY:
            self._forget()
            raise BotFailureError(CRASH, f"{self._address.url} is busy, or refuses the rules")

    def inform(self, step: str) -> None:
        if self._state is None:
            return
        if not self._is_asked:  # the player only waits here, or the step belongs to an opening
            self._ask(_deadline_seconds(self._first_limit))
        joint = read_step(self._state, step)
        self._moves = [self._state.action_to_string(player, action) for player, action in enumerate(joint)]
        self._state.apply_actions(joint)
        self._is_asked = False
        if self._state.is_terminal():
            self._end(step_text("STOP", self._match, self._moves))

    def choose(self, view: View, limit: Limit = NO_LIMIT) -> Action:
        if self._state is None or self._state.game != view.game:
            self.new_game(view.game, view.player, 0)
        state = self._state
        assert state is not None
        if self._is_asked or state.view(view.player) != view:
            raise BotError(f"bot {self.spec} plays games from their start, with one decision in each position")
        answer = self._ask(answer_seconds(limit, view.player, _deadline_seconds(self._first_limit))[0])
        try:
            move = move_text(read_term(answer))
        except MessageError as error:
            raise BotFailureError(UNREADABLE, str(error)) from None
        try:
            return action_of(state, view.player, move)
        except MessageError as error:
            raise BotFailureError(ILLEGAL, str(error)) from None

    def close(self) -> None:
        if self._match:
            self._end(f"( ABORT {self._match} )")

    def _ask(self, seconds: float) -> str:
        """Return the answer to the moves of the last step. Raises BotFailureError."""
        self._is_asked = True
        message = step_text("PLAY", self._match, self._moves)
        return self._post(message, min(seconds, self._play_clock + GRACE_SECONDS))

    def _end(self, message: str) -> None:
        """End the match, whatever the player answers."""
        self._forget()
        with suppress(BotFailureError):
            self._post(message, GOODBYE_SECONDS)

    def _forget(self) -> None:
        self._match, self._state = "", None
        if _playing.get(self._place) is self:
            del _playing[self._place]

    def _post(self, text: str, seconds: float) -> str:
        """Return the answer of the player. Raises BotFailureError."""
        with ThreadPoolExecutor(1, "ggp-post") as thread:  # this one may have an event loop
            try:
                return thread.submit(asyncio.run, post(self._address, text, seconds, MOST_ANSWER_BYTES)).result()
            except TimeoutError:
                raise BotFailureError(LATE, f"no answer within {seconds:.3g} s") from None
            except WireError as error:
                raise BotFailureError(CRASH, str(error)) from None


def _deadline_seconds(limit: Limit) -> float:
    found = limit.deadline_seconds if isinstance(limit, TurnLimit) else None
    return DEADLINE_SECONDS if found is None else found


BOT = GgpBot
