"""A host of matches: players on the network play a rulesheet, and a random move replaces what is late or illegal."""

from __future__ import annotations

import asyncio
import logging
import random
import secrets
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass

from mcts import NOOP, Action, Game, ParameterError
from mcts.gdl.parser import parse
from mcts.seeds import seed_for

from ..errors import CRASH, ILLEGAL, LATE, UNREADABLE, BotError, BotFailureError
from ..game import FINISHED, Record, RecordedSeat, recorded_plies, recorded_rules
from ..game.course import Course, Turn
from ..game.failures import Failure
from ..game.loop import play_on
from ..match.record import now
from ..system.deadlines import Deadline
from ..system.version import package_version
from .errors import MessageError, WireError
from .games import action_of
from .messages import MOST_ANSWER_BYTES, Start, move_text, read_move, start_text, step_text
from .player import BUSY
from .wire import Address, post

GRACE_SECONDS = 0.5
"""Time beyond the clock for the network."""
GOODBYE_SECONDS = 2.0
"""Time for the answer to STOP and ABORT."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Setup:
    """The rules, the clocks and the seed of a match.

    Args:
        game: the game of the rulesheet.
        rules: text of the rulesheet.
        start_clock: seconds before the first step.
        play_clock: seconds for each step.
        seed: root of the random moves.
    """

    game: Game
    rules: str
    start_clock: int
    play_clock: int
    seed: int


class Host:
    """Plays a match between players on the network.

    Args:
        setup: the rules, the clocks and the seed.
        addresses: of the player of each role.
        on_ply: called after each step with the number of the ply and its text.
    """

    def __init__(
        self, setup: Setup, addresses: Sequence[Address], on_ply: Callable[[int, str], object] = lambda ply, step: None
    ) -> None:
        players = setup.game.num_players
        if len(addresses) != players:
            raise ParameterError(f"{len(addresses)} players; valid in {setup.game.name}: {players}, one for each role")
        if len(set(addresses)) < len(addresses):
            raise ParameterError("a player is given twice; valid: one URL for each role, since a player has one match")
        self.setup = setup
        self.addresses = tuple(addresses)
        self.match = f"playout-{secrets.token_hex(8)}"
        self.course = Course(setup.game.new_initial_state())
        self.failures: list[Failure] = []
        """Failures of players, whose moves random ones replaced."""
        self._on_ply = on_ply
        self._moves: list[str] | None = None
        """Texts of the last move of each role."""

    def play(self) -> Record:
        """Play the match and return its record. If it breaks off, as after Ctrl-C, the players are told.

        Raises:
            BotError: a player cannot be reached at the start, or is busy.
        """
        date = now()
        with asyncio.Runner() as runner:
            try:
                runner.run(self._start())
                play_on(self.course, self.setup.seed, lambda acting: runner.run(self._turn(acting)), self._told)
                runner.run(self._all(step_text("STOP", self.match, self._moves or ())))
            except BaseException:
                runner.run(self._all(f"( ABORT {self.match} )"))
                raise
        return self._record(date)

    async def _start(self) -> None:
        setup = self.setup
        statements = [each.expression for each in parse(setup.rules)]

        async def start(player: int) -> str:
            role = setup.game.players[player]
            message = Start(self.match, role, "", setup.start_clock, setup.play_clock)
            answer = await self._send(player, start_text(message, statements), setup.start_clock + GRACE_SECONDS)
            return answer.strip().casefold()

        for player, found in enumerate(await self._gather(start)):
            url = self.addresses[player].url
            if isinstance(found, WireError):
                raise BotError(f"{url}: {found}; valid: a player that can be reached")
            if found == BUSY:
                raise BotError(f"{url} is busy, or refuses the rules; valid: a player without a match")
            if isinstance(found, Exception):
                _log.warning("%s did not answer START in time", url)

    async def _turn(self, acting: Sequence[int]) -> Turn:
        """Ask all players for their moves."""
        setup, state, ply = self.setup, self.course.state, len(self.course.turns)
        names = setup.game.players
        message = step_text("PLAY", self.match, self._moves)
        times = [0.0] * len(names)

        async def ask(player: int) -> str:
            begin = time.monotonic()
            try:
                return await self._send(player, message, setup.play_clock + GRACE_SECONDS)
            finally:
                times[player] = round(time.monotonic() - begin, 6)

        answers = await self._gather(ask)
        joint: list[Action] = [NOOP] * len(names)
        kinds = {}
        for player in acting:
            try:
                joint[player] = self._action(player, answers[player])
            except BotFailureError as error:
                seed = seed_for(setup.seed, player, ply + 1)
                joint[player] = random.Random(seed).choice(state.legal_actions(player))
                kinds[player] = error.kind
                self.failures.append(Failure(player, error.kind, str(error), ply))
                _log.warning("ply %d, %s: %s: %s", ply + 1, names[player], error.kind, error)
        self._moves = [state.action_to_string(player, action) for player, action in enumerate(joint)]
        return Turn(joint, {player: times[player] for player in acting}, replaced=kinds)

    def _told(self, step: str) -> bool:
        texts = self.course.plies[-1].items()
        self._on_ply(len(self.course.turns), "  ".join(f"{name} {text}" for name, text in texts))
        return True

    def _action(self, player: int, answer: str | Exception) -> Action:
        """Return the action of an answer. Raises BotFailureError."""
        if isinstance(answer, WireError):
            raise BotFailureError(CRASH, str(answer))
        if isinstance(answer, Exception):
            raise BotFailureError(LATE, f"no answer within {self.setup.play_clock} s")
        try:
            move = move_text(read_move(answer))
        except MessageError as error:
            raise BotFailureError(UNREADABLE, str(error)) from None
        try:
            return action_of(self.course.state, player, move)
        except MessageError as error:
            raise BotFailureError(ILLEGAL, str(error)) from None

    async def _send(self, player: int, text: str, seconds: float) -> str:
        return await post(self.addresses[player], text, Deadline(seconds), MOST_ANSWER_BYTES)

    async def _gather(self, ask: Callable[[int], Awaitable[str]]) -> list[str | Exception]:
        """Return the answer of each player, or its WireError or TimeoutError."""

        async def guarded(player: int) -> str | Exception:
            try:
                return await ask(player)
            except (WireError, TimeoutError) as error:
                return error

        return list(await asyncio.gather(*map(guarded, range(len(self.addresses)))))

    async def _all(self, text: str) -> None:
        """Send a message to all players, whatever they answer."""

        async def tell(player: int) -> str:
            return await self._send(player, text, GOODBYE_SECONDS)

        with suppress(asyncio.CancelledError):
            await self._gather(tell)

    def _record(self, date: str) -> Record:
        game, course = self.setup.game, self.course
        seats = enumerate(zip(game.players, self.addresses, strict=True))
        return Record(
            game.spec,
            tuple(
                RecordedSeat(name, name=address.url, seconds=course.seconds(player))
                for player, (name, address) in seats
            ),
            recorded_plies(course),
            FINISHED,
            tuple(course.state.returns()),
            library=package_version(),
            date=date,
            rules=recorded_rules(game, carried=True),
        )
