"""`Matches`: the open matches of a server, and who may use them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from dataclasses import dataclass

from mcts import Game, Limit, State

from ..base import Bot
from ..records import Record
from .access import OWNER, SEAT, SPECTATOR, Access, hash_of, new_id, new_token
from .admission import Admission
from .caps import Caps
from .open_match import OpenMatch, Terms
from .problems import Problem
from .searches import SearchPool
from .served_match import ServedMatch


@dataclass(frozen=True)
class Order:
    """A match that a client asks for."""

    game: Game
    bots: Mapping[str, str | None]
    """Name of a player -> spec of its bot; None, and players that are missing, are persons."""
    limit: Limit
    seed: int | None = None
    start: State | None = None
    record: Record | None = None
    assist: bool | None = None


@dataclass(frozen=True)
class Created:
    """A new match with its tokens, which the server cannot show again."""

    opened: OpenMatch
    owner: str
    spectator: str
    seats: Mapping[str, str]
    """Name of each person -> token of its seat."""


class Matches:
    """The open matches.

    Args:
        admission: games and bots of the server.
        caps: its limits.
        pool: threads for decisions of bots.
    """

    def __init__(self, admission: Admission, caps: Caps, pool: SearchPool) -> None:
        self._admission = admission
        self._caps = caps
        self._pool = pool
        self._opened: dict[str, OpenMatch] = {}
        self._making = 0

    def __len__(self) -> int:
        return len(self._opened)

    def limit(self, seconds: float | None, simulations: int | None) -> Limit:
        """Return the limit of a bot's decision. Raises Problem above a cap, LimitError out of range."""
        caps = self._caps
        if seconds is not None and seconds > caps.seconds:
            raise Problem(422, "above_cap", f"seconds={seconds:g} is above the cap; valid: up to {caps.seconds:g}")
        if simulations is not None and simulations > caps.simulations:
            raise Problem(422, "above_cap", f"simulations={simulations} is above the cap; valid: {caps.simulations}")
        if seconds is None:
            seconds = caps.default_seconds if simulations is None else caps.seconds
        return Limit(simulations=simulations, seconds=seconds, memory_mb=caps.memory_mb)

    async def create(self, order: Order) -> Created:
        """Begin a match.

        Raises:
            PlayoutError: the order does not fit the rules, or a bot does not play the game.
            Problem: a bot is refused, or the server has too many matches.
        """
        await self._make_room()
        self._making += 1
        try:
            async with self._pool.place() as executor:
                match = await asyncio.get_running_loop().run_in_executor(executor, self._begun, order)
        finally:
            self._making -= 1
        created = self._opened_match(match, order)
        self._opened[created.opened.terms.match_id] = created.opened
        await self._keep(created.opened)
        created.opened.let_bots_play()
        return created

    def find(self, match_id: str, token: str | None) -> tuple[OpenMatch, Access]:
        """Return a match and the rights of a token. Raises Problem."""
        opened = self._opened.get(match_id)
        if opened is None:
            raise Problem(404, "unknown_match", "no match has this id")
        if token is None:
            raise Problem(401, "no_token", "a token is missing; valid: the header Authorization: Bearer TOKEN")
        access = opened.access(hash_of(token))
        if access is None:
            raise Problem(403, "wrong_token", "the token is not one of this match")
        return opened, access

    async def close(self) -> None:
        """Close all matches."""
        opened, self._opened = list(self._opened.values()), {}
        for match in opened:
            await match.close()

    def _begun(self, order: Order) -> ServedMatch:
        bots: dict[int | str, Bot | str | None] = {}
        for player, spec in order.bots.items():
            bots[player] = None if spec is None else self._admission.bot(spec, order.game)
        return ServedMatch(order.game, bots, seed=order.seed, limit=order.limit, start=order.start, record=order.record)

    def _opened_match(self, match: ServedMatch, order: Order) -> Created:
        owner, spectator = new_token(), new_token()
        numbers = [match.game.players.index(name) for name in match.persons]
        seats = {name: new_token() for name in match.persons}
        hashes = {hash_of(owner): Access(OWNER, tuple(numbers)), hash_of(spectator): Access(SPECTATOR, ())}
        for number, token in zip(numbers, seats.values(), strict=True):
            hashes[hash_of(token)] = Access(SEAT, (number,))
        assist = len(numbers) <= 1 if order.assist is None else order.assist
        terms = Terms(new_id(), hashes, assist, time.time())
        return Created(OpenMatch(terms, match, self._pool, self._keep), owner, spectator, seats)

    async def _keep(self, opened: OpenMatch) -> None:
        """Store a match after a change."""

    async def _make_room(self) -> None:
        if len(self._opened) + self._making < self._caps.matches:
            return
        oldest = min(self._opened.values(), key=lambda opened: opened.touched, default=None)
        if oldest is None or oldest.listeners or time.monotonic() - oldest.touched < self._caps.idle_seconds:
            raise Problem(429, "too_many_matches", f"the server has {self._caps.matches} matches", retry_seconds=60)
        del self._opened[oldest.terms.match_id]
        await oldest.close()
