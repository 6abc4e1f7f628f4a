"""A player of the protocol: one match at a time, in which a bot decides. It answers in time, whatever the bot does."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from typing import Any, TypeVar

from mcts import Game, PlayoutError, State
from mcts.gdl.parser import Expression
from mcts.gdl.texts import IDLE, kif_of_text

from ..base import Bot
from ..clocks import TurnLimit
from ..deadlines import Deadline
from ..seeds import seed_for
from ..steps import step_text
from ..untrusted import clean_line, failure_of, plain_action
from .errors import MessageError
from .games import Sheets, joint_of, player_of
from .messages import Abort, Info, Message, Play, Preview, Start, Stop, move_text

BUSY, READY, DONE, ABORTED, AVAILABLE = "busy", "ready", "done", "aborted", "available"
SPARE_SECONDS = 30.0
"""Time beyond the clock after which a match without a message is forgotten."""
SCHEDULING_SECONDS = 0.02
"""Time between the end of a search and its answer."""
CLOSING_SECONDS = 2.0
"""Time for a bot to stop at the end."""
LEAST_SECONDS = 0.01
"""Time of a decision that begins too late."""
MARGIN_SHARE = 0.25
"""Largest part of a clock that the margin takes."""
LONGEST_LOADING = 600
"""Seconds in which a rulesheet must be compiled, however long the clock."""

_log = logging.getLogger(__name__)
_T = TypeVar("_T")


@dataclass
class _Match:
    """A match. The thread of the bot alone uses what stands below `heard`."""

    start: Start
    number: int
    ended: bool = False
    heard: float = field(default_factory=time.monotonic)
    """Time of the last message."""
    game: Game | None = None
    player: int = 0
    state: State | None = None
    fallback: str = IDLE
    """The move if the bot has none."""
    steps: int = 0

    def expired(self) -> bool:
        longest = max(self.start.start_clock, self.start.play_clock)
        return time.monotonic() > self.heard + longest + SPARE_SECONDS


class GgpPlayer:
    """Answers the messages of a host. Its methods belong to one event loop; the bot runs in a thread of its own.

    Args:
        make_bot: makes the bot of a match.
        name: a word, by which the player introduces itself.
        margin: seconds between an answer and the end of the clock; at most a quarter of the clock.
        seed: root of the random numbers; the matches are counted.
    """

    def __init__(self, make_bot: Callable[[], Bot], name: str, margin: float, seed: int) -> None:
        self.name = name
        self._make_bot = make_bot
        self._margin = margin
        self._seed = seed
        self._sheets = Sheets()
        self._thread = ThreadPoolExecutor(1, "ggp-bot")
        self._match: _Match | None = None
        self._matches = 0
        self._bot: Bot | None = None

    async def answer(self, message: Message, received: float) -> str:
        """Return the answer to a message.

        Args:
            message: the message.
            received: time of the monotonic clock at which it began to arrive.

        Raises:
            MessageError: the message does not fit the match.
        """
        self._forget_expired()
        match message:
            case Info():
                return f"( ( name {self.name} ) ( status {AVAILABLE if self._match is None else BUSY} ) )"
            case Preview():
                return await self._preview(message, received)
            case Start():
                return await self._start(message, received)
        match = self._match
        if match is None or match.start.match != message.match:
            return BUSY
        match.heard = time.monotonic()
        if self._bot is not None:
            self._bot.stop()  # a decision that nobody waits for any more
        if isinstance(message, Abort):
            self._end(match)
            return ABORTED
        if isinstance(message, Stop):
            return await self._stop(match, message)
        return await self._play(match, message, received)

    def close(self) -> bool:
        """End the match, the bot and its thread. Return False if the bot does not stop."""
        if self._match is not None:
            self._end(self._match)
        if self._bot is not None:
            self._bot.stop()
        closed = self._thread.submit(self._close_bot)
        self._thread.shutdown(wait=False)
        self._sheets.close()
        return not wait([closed], CLOSING_SECONDS).not_done

    def _forget_expired(self) -> None:
        match = self._match
        if match is not None and match.expired():
            _log.warning("match %s: no message any more; it is forgotten", clean_line(match.start.match, 80))
            self._end(match)

    def _end(self, match: _Match) -> None:
        match.ended = True
        self._match = None
        if self._bot is not None:
            self._bot.stop()

    def _deadline(self, received: float, clock: int) -> Deadline:
        """Return the time by which a message is answered."""
        margin = min(self._margin, MARGIN_SHARE * clock)
        return Deadline(received + clock - margin - time.monotonic())

    async def _in_thread(self, function: Callable[[], _T], deadline: Deadline) -> _T | None:
        """Return the result of a function that runs in the thread of the bot; None if it takes longer."""
        future = asyncio.get_running_loop().run_in_executor(self._thread, function)
        done, _ = await asyncio.wait({future}, timeout=deadline.seconds_left)
        if done:
            return future.result()
        future.add_done_callback(_note_late)
        return None

    async def _preview(self, message: Preview, received: float) -> str:
        if self._match is not None:
            return BUSY
        seconds = min(message.clock, LONGEST_LOADING)

        def load() -> None:
            try:
                self._sheets.load(message.rules, seconds)
            except PlayoutError as error:
                _log.warning("the rules of a preview are refused: %s", clean_line(error))

        await self._in_thread(load, self._deadline(received, message.clock))
        return READY

    async def _start(self, message: Start, received: float) -> str:
        if self._match is not None:
            return BUSY
        self._matches += 1
        match = self._match = _Match(message, self._matches)
        ready = await self._in_thread(lambda: self._prepare(match), self._deadline(received, message.start_clock))
        if ready is False:
            self._end(match)
            return BUSY
        return READY  # also if the rules are still being compiled: later steps may have a game

    def _prepare(self, match: _Match) -> bool:
        """Load the game and the bot of a match. Return False if that is not possible."""
        start = match.start
        try:
            game = self._sheets.load(start.rules, min(start.start_clock, LONGEST_LOADING))
            match.player = player_of(game, start.role)
            self._close_bot()
            if match.ended:
                return False
            self._bot = self._make_bot()
            self._bot.check_game(game)
            self._bot.set_limit(TurnLimit(deadline_seconds=start.play_clock))
            self._bot.new_game(game, match.player, seed_for(self._seed, match.number))
        except PlayoutError as error:
            _log.warning("match %s is refused: %s", clean_line(start.match, 80), clean_line(error))
            return False
        except Exception as error:  # bots are not trusted
            _log.warning("match %s: the bot failed: %s", clean_line(start.match, 80), failure_of(error).message)
            return False
        match.state = game.new_initial_state()
        match.game = game
        _log.info("match %s: %s plays %s", clean_line(start.match, 80), self._bot.spec, game.players[match.player])
        return True

    async def _stop(self, match: _Match, message: Stop) -> str:
        deadline = self._deadline(time.monotonic(), match.start.play_clock)
        self._end(match)
        problem = await self._in_thread(lambda: self._advance(match, message.moves), deadline)
        if problem:
            _log.warning("match %s: STOP does not fit: %s", clean_line(match.start.match, 80), problem)
        elif match.state is not None and match.state.is_terminal():
            returns = zip(match.state.game.players, match.state.returns(), strict=True)
            results = ", ".join(f"{player} {value:g}" for player, value in returns)
            _log.info("match %s: %s", clean_line(match.start.match, 80), results)
        return DONE

    async def _play(self, match: _Match, message: Play, received: float) -> str:
        deadline = self._deadline(received, match.start.play_clock)

        def decide() -> tuple[str, str]:
            problem = self._advance(match, message.moves)
            return ("", problem) if problem else (self._decide(match, deadline), "")

        found = await self._in_thread(decide, deadline)
        if found is None:
            if self._bot is not None:
                self._bot.stop()
            _log.warning("match %s: the bot did not decide in time", clean_line(match.start.match, 80))
            return kif_of_text(match.fallback)
        move, problem = found
        if problem:
            raise MessageError(problem)
        return kif_of_text(move)

    def _advance(self, match: _Match, moves: tuple[Expression, ...] | None) -> str:
        """Play a step of the match, and tell the bot. Return what is wrong with the moves, or an empty text."""
        state = match.state
        if state is None:
            return ""  # the rules were refused after the answer to START
        match.fallback = IDLE
        try:
            if moves is None:
                if match.steps:
                    raise MessageError("the moves are nil; valid: only in the first PLAY of a match")
            else:
                joint = joint_of(state, tuple(move_text(move) for move in moves))
                step = step_text(state, state.acting_players(), joint)
                state.apply_actions(joint)
                match.steps += 1
                if self._bot is not None:
                    self._bot.inform(step)
        except MessageError as error:
            return str(error)
        except Exception as error:
            _log.warning("the bot failed: %s", failure_of(error).message)
        if match.player in state.acting_players():
            action = state.sample_action(match.player, seed_for(self._seed, match.number, match.steps))
            match.fallback = state.action_to_string(match.player, action)
        return ""

    def _decide(self, match: _Match, deadline: Deadline) -> str:
        """Return the move of the bot, or the fallback."""
        state, bot = match.state, self._bot
        if state is None or bot is None or match.ended or match.player not in state.acting_players():
            return match.fallback
        seconds = max(deadline.seconds_left - SCHEDULING_SECONDS, LEAST_SECONDS)
        try:
            view = state.view(match.player)
            action = plain_action(
                bot.choose(view, TurnLimit(seconds=seconds, deadline_seconds=seconds)), view.game.spec
            )
            if state.is_legal(match.player, action):
                return state.action_to_string(match.player, action)
            _log.warning("the bot chose an illegal action; a random one is played")
        except Exception as error:  # bots are not trusted
            _log.warning("the bot failed; a random action is played: %s", failure_of(error).message)
        return match.fallback

    def _close_bot(self) -> None:
        bot, self._bot = self._bot, None
        if bot is not None:
            try:
                bot.close()
            except Exception as error:
                _log.warning("the bot failed: %s", failure_of(error).message)


def _note_late(future: asyncio.Future[Any]) -> None:
    """Fetch the error of a call that nobody waits for."""
    if not future.cancelled() and (error := future.exception()) is not None:
        _log.warning("a late call failed: %s", failure_of(error).message)
