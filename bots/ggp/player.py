"""A player of the protocol: one match at a time, in which a bot decides. It answers in time, whatever the bot does."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

from mcts import Game, PlayoutError, State, View
from mcts.gdl.parser import Expression
from mcts.gdl.texts import IDLE, kif_of_text
from mcts.seeds import seed_for

from ..base import Bot
from ..clocks import TurnLimit
from ..steps import step_text
from ..system.deadlines import Deadline
from ..system.untrusted import clean_line, failure_of, plain_action
from .compiler import LONGEST_SECONDS
from .compiling import Sheets
from .errors import MessageError
from .games import joint_of, player_of
from .messages import BUSY, Abort, Info, Message, Play, Preview, Start, Stop, move_text

READY, DONE, ABORTED, AVAILABLE = "ready", "done", "aborted", "available"
SPARE_SECONDS = 30.0
"""Time beyond the clock after which a match without a message is forgotten."""
SCHEDULING_SECONDS = 0.02
"""Time between the end of a search and its answer."""
CLOSING_SECONDS = 2.0
"""Time for a bot to stop at the end of its match."""
LEAST_SECONDS = 0.01
"""Least time of a decision."""
MARGIN_SHARE = 0.25
"""Largest part of a clock that the margin takes."""

_log = logging.getLogger(__name__)


@dataclass
class _Match:
    """A match. The calls of the bot, in its thread, use only what stands below `thread`."""

    start: Start
    number: int
    heard: float = field(default_factory=time.monotonic)
    """Time of the last message."""
    preparing: asyncio.Task[bool] | None = None
    loaded: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when the rules are compiled or refused."""
    state: State | None = None
    """None until the rules are compiled."""
    player: int = 0
    missed: list[tuple[Expression, ...] | None] = field(default_factory=list)
    """The moves that came before."""
    steps: int = 0
    thread: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, "ggp-bot"))
    """Makes the calls of the bot one after the other, however long they take."""
    bot: Bot | None = None
    is_prepared: bool = False
    """True once the bot has begun the game."""
    ended: bool = False

    @property
    def name(self) -> str:
        """The id of the match, for messages."""
        return clean_line(self.start.match, 80)

    def expired(self) -> bool:
        longest = max(self.start.start_clock, self.start.play_clock)
        return time.monotonic() > self.heard + longest + SPARE_SECONDS

    def stop_bot(self) -> None:
        """End a decision that nobody waits for any more."""
        if self.bot is not None:
            with _failures_logged():
                self.bot.stop()


class GgpPlayer:
    """Answers the messages of a host. Its methods belong to one event loop; each bot runs in a thread of its own.

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
        self._match: _Match | None = None
        self._matches = 0
        self._closing: list[Future[None]] = []
        """The ends of bots that may still run after their match."""

    async def warm_up(self) -> None:
        """Wait until rules can be compiled at once. Call it before the first message."""
        await self._sheets.warm_up()

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
        match.stop_bot()
        if isinstance(message, Abort):
            self._end(match)
            return ABORTED
        if isinstance(message, Stop):
            return self._stop(match, message)
        return await self._play(match, message, received)

    def close(self) -> bool:
        """End the match, and all processes. Return False if a bot does not stop."""
        if self._match is not None:
            self._end(self._match)
        self._sheets.close()
        return not wait(self._closing, CLOSING_SECONDS).not_done

    def _forget_expired(self) -> None:
        match = self._match
        if match is not None and match.expired():
            _log.warning("match %s: no message any more; it is forgotten", match.name)
            self._end(match)

    def _end(self, match: _Match) -> None:
        """End a match. Its rules are no longer compiled, and its bot is closed after the call that runs."""
        match.ended = True
        self._match = None
        if match.preparing is not None:
            match.preparing.cancel()
        match.stop_bot()
        self._closing = [*(each for each in self._closing if not each.done()), match.thread.submit(_close_bot, match)]
        match.thread.shutdown(wait=False)

    def _deadline(self, received: float, clock: int) -> Deadline:
        """Return the time by which a message is answered."""
        margin = min(self._margin, MARGIN_SHARE * clock)
        return Deadline(received + clock - margin - time.monotonic())

    async def _preview(self, message: Preview, received: float) -> str:
        if self._match is not None:
            return BUSY

        async def load() -> None:
            try:
                await self._sheets.load(message.rules, min(message.clock, LONGEST_SECONDS))
            except Exception as error:
                _log.warning("the rules of a preview are refused: %s", failure_of(error).message)

        loading = asyncio.ensure_future(load())  # it may take longer than the answer
        await asyncio.wait({loading}, timeout=self._deadline(received, message.clock).seconds_left)
        return READY

    async def _start(self, message: Start, received: float) -> str:
        if self._match is not None:
            return BUSY
        self._matches += 1
        match = self._match = _Match(message, self._matches)
        match.preparing = asyncio.ensure_future(self._prepare(match))
        deadline = self._deadline(received, message.start_clock)
        await asyncio.wait({match.preparing}, timeout=deadline.seconds_left)
        if match.ended:
            return BUSY
        if match.preparing.done() and not match.preparing.result():
            self._end(match)
            return BUSY
        return READY  # also if the rules are still being compiled: later steps may have a game

    async def _prepare(self, match: _Match) -> bool:
        """Load the game and the bot of a match. Return False if that is not possible.

        The match has a state as soon as the rules are compiled, whatever the bot does.
        """
        start = match.start
        try:
            game = await self._sheets.load(start.rules, LONGEST_SECONDS)
            match.player = player_of(game, start.role)
            match.state = game.new_initial_state()
            begun = match.thread.submit(self._begin, match, game, self._closing[-1:])
            for moves in match.missed:
                self._advance(match, moves)
            match.loaded.set()
            await asyncio.wrap_future(begun)
        except Exception as error:
            _log.warning("match %s is refused: %s", match.name, failure_of(error).message)
            return False
        finally:
            match.loaded.set()
        _log.info("match %s: the player is %s of %s", match.name, start.role, game.spec)
        return True

    def _stop(self, match: _Match, message: Stop) -> str:
        if match.state is not None:
            try:
                self._advance(match, message.moves)
            except MessageError as error:
                _log.warning("match %s: STOP does not fit: %s", match.name, error)
            if match.state.is_terminal():
                returns = zip(match.state.game.players, match.state.returns(), strict=True)
                _log.info("match %s: %s", match.name, ", ".join(f"{player} {value:g}" for player, value in returns))
        self._end(match)
        return DONE

    async def _play(self, match: _Match, message: Play, received: float) -> str:
        deadline = self._deadline(received, match.start.play_clock)
        with suppress(TimeoutError):
            async with asyncio.timeout(deadline.seconds_left):
                await match.loaded.wait()
        if match.ended:
            return BUSY
        if match.state is None:
            match.missed.append(message.moves)
            return IDLE
        self._advance(match, message.moves)
        if match.player not in match.state.acting_players():
            return IDLE
        view = match.state.view(match.player)
        fallback = view.action_to_string(view.sample_action(seed_for(self._seed, match.number, match.steps)))
        deciding = asyncio.wrap_future(match.thread.submit(_decide, match, view, deadline))
        await asyncio.wait({deciding}, timeout=deadline.seconds_left)
        if not deciding.done():
            match.stop_bot()
            _log.warning("match %s: the bot is late; a random action is played", match.name)
        return kif_of_text((deciding.done() and deciding.result()) or fallback)

    def _advance(self, match: _Match, moves: tuple[Expression, ...] | None) -> None:
        """Play a step of a match that has a state, and tell the bot.

        Raises:
            MessageError: the moves do not fit; nothing has changed.
        """
        state = match.state
        assert state is not None
        if moves is None:
            if match.steps:
                raise MessageError("the moves are nil; valid: only in the first PLAY of a match")
            return
        joint = joint_of(state, tuple(move_text(move) for move in moves))
        step = step_text(state, state.acting_players(), joint)
        state.apply_actions(joint)
        match.steps += 1
        match.thread.submit(_inform, match, step)

    def _begin(self, match: _Match, game: Game, closing: Sequence[Future[None]]) -> None:
        """Make the bot of a match, and let it begin the game. Raises PlayoutError if it cannot play it."""
        wait(closing, CLOSING_SECONDS)  # two bots at a time would share the processor and the memory
        if match.ended:
            return
        with _failures_logged(PlayoutError):
            match.bot = self._make_bot()
            match.bot.check_game(game)
            match.bot.set_limit(TurnLimit(deadline_seconds=match.start.play_clock))
            match.bot.new_game(game, match.player, seed_for(self._seed, match.number))
            match.is_prepared = True


@contextmanager
def _failures_logged(*passed: type[Exception]) -> Iterator[None]:
    """Log errors of a bot, which is not trusted, but for some that pass. A random action is played for it."""
    try:
        yield
    except passed:
        raise
    except BaseException as error:
        _log.warning("the bot failed: %s", failure_of(error).message)


def _inform(match: _Match, step: str) -> None:
    """Tell the bot a step."""
    if match.bot is not None and match.is_prepared and not match.ended:
        with _failures_logged():
            match.bot.inform(step)


def _decide(match: _Match, view: View, deadline: Deadline) -> str:
    """Return the text of the action of the bot, or an empty text if it has none."""
    if match.bot is None or not match.is_prepared or match.ended or deadline.has_passed:
        return ""
    seconds = max(deadline.seconds_left - SCHEDULING_SECONDS, LEAST_SECONDS)
    with _failures_logged():
        limit = TurnLimit(seconds=seconds, deadline_seconds=seconds)
        action = plain_action(match.bot.choose(view, limit), view.game.spec)
        if view.is_legal(action):
            return view.action_to_string(action)
        _log.warning("the bot chose an illegal action; a random one is played")
    return ""


def _close_bot(match: _Match) -> None:
    """Close the bot of a match that has ended."""
    bot, match.bot = match.bot, None
    if bot is not None:
        with _failures_logged():
            bot.close()
