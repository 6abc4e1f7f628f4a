"""A host of matches: players on the network play a rulesheet, and a random move replaces what is late or illegal."""

from __future__ import annotations

import asyncio
import logging
import random
import secrets
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from mcts import NOOP, Action, Game, ParameterError, State
from mcts.gdl.parser import parse

from ..deadlines import Deadline
from ..errors import BotError
from ..failures import CRASH, ILLEGAL, LATE, UNREADABLE
from ..fingerprints import package_version
from ..match.record import now
from ..records import FINISHED, Record, RecordedPly, RecordedSeat
from ..seeds import seed_for
from ..steps import step_text as text_of_step
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
class Replaced:
    """A move of a player that a random one replaced."""

    ply: int
    player: int
    kind: str
    """One of `failures.KINDS`."""
    message: str


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


@dataclass
class _Played:
    """A match so far."""

    state: State
    plies: list[RecordedPly] = field(default_factory=list)
    replaced: list[Replaced] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    steps: list[str] = field(default_factory=list)
    """Texts of the steps, as `steps.step_text` writes them."""


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
        self._on_ply = on_ply
        self._played = _Played(setup.game.new_initial_state(), seconds=[0.0] * players)

    @property
    def replaced(self) -> tuple[Replaced, ...]:
        """The moves that random ones replaced."""
        return tuple(self._played.replaced)

    @property
    def steps(self) -> tuple[str, ...]:
        """Texts of the steps, as `steps.step_text` writes them."""
        return tuple(self._played.steps)

    async def play(self) -> Record:
        """Play the match and return its record. If it is cancelled, the players are told.

        Raises:
            BotError: a player cannot be reached at the start, or is busy.
        """
        date = now()
        try:
            await self._start()
            moves = None
            state = self._played.state
            while not state.is_terminal():
                moves = await self._step(moves)
            await self._all(step_text("STOP", self.match, moves or ()))
        except BaseException:
            await asyncio.shield(self._all(f"( ABORT {self.match} )"))
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

    async def _step(self, last: Sequence[str] | None) -> list[str]:
        """Play a step, and return the text of the move of each role."""
        setup, played = self.setup, self._played
        state, ply = played.state, len(played.plies) + 1
        message = step_text("PLAY", self.match, last)
        times = [0.0] * setup.game.num_players

        async def ask(player: int) -> str:
            begin = time.monotonic()
            try:
                return await self._send(player, message, setup.play_clock + GRACE_SECONDS)
            finally:
                times[player] = round(time.monotonic() - begin, 6)

        answers = await self._gather(ask)
        acting = state.acting_players()
        joint: list[Action] = [NOOP] * setup.game.num_players
        kinds = {}
        for player in acting:
            try:
                joint[player] = self._action(player, answers[player])
            except _UnusableError as error:
                seed = seed_for(setup.seed, player, ply)
                joint[player] = random.Random(seed).choice(state.legal_actions(player))
                kinds[setup.game.players[player]] = error.kind
                played.replaced.append(Replaced(ply, player, error.kind, str(error)))
                _log.warning("ply %d, %s: %s: %s", ply, setup.game.players[player], error.kind, error)
            played.seconds[player] += times[player]
        texts = [state.action_to_string(player, action) for player, action in enumerate(joint)]
        names = setup.game.players
        played.plies.append(
            RecordedPly(
                {names[player]: texts[player] for player in acting},
                {names[player]: times[player] for player in acting},
                replaced=kinds,
            )
        )
        played.steps.append(text_of_step(state, acting, joint))
        state.apply_actions(joint)
        self._on_ply(ply, "  ".join(f"{names[player]} {texts[player]}" for player in acting))
        return texts

    def _action(self, player: int, answer: str | Exception) -> Action:
        """Return the action of an answer. Raises _UnusableError."""
        if isinstance(answer, WireError):
            raise _UnusableError(CRASH, str(answer))
        if isinstance(answer, Exception):
            raise _UnusableError(LATE, f"no answer within {self.setup.play_clock} s")
        try:
            move = move_text(read_move(answer))
        except MessageError as error:
            raise _UnusableError(UNREADABLE, str(error)) from None
        try:
            return action_of(self._played.state, player, move)
        except MessageError as error:
            raise _UnusableError(ILLEGAL, str(error)) from None

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
        game, played = self.setup.game, self._played
        seats = zip(game.players, self.addresses, played.seconds, strict=True)
        return Record(
            game.spec,
            tuple(RecordedSeat(name, name=address.url, seconds=round(seconds, 6)) for name, address, seconds in seats),
            tuple(played.plies),
            FINISHED,
            tuple(played.state.returns()),
            library=package_version(),
            date=date,
        )


class _UnusableError(Exception):
    """An answer that is no legal move, and the kind of the failure."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind
