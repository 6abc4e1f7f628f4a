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
from .saved import match_of, stored, terms_of
from .searches import SearchPool
from .served_match import ServedMatch
from .store import MatchStore


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
        store: keeps the matches.
    """

    def __init__(self, admission: Admission, caps: Caps, pool: SearchPool, store: MatchStore) -> None:
        self._admission = admission
        self._caps = caps
        self._pool = pool
        self._store = store
        self._opened: dict[str, OpenMatch] = {}
        self._closing: set[asyncio.Task[None]] = set()
        self._loading: dict[str, asyncio.Task[OpenMatch | None]] = {}
        self._count: int | None = None

    @property
    def in_memory(self) -> tuple[OpenMatch, ...]:
        """The matches in memory."""
        return tuple(self._opened.values())

    async def count(self) -> int:
        """Return the number of matches, also of those that are not in memory."""
        if self._count is None:
            self._count = await self._store.count()
        return self._count

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
        await self._check_room()
        async with self._pool.place() as executor:
            match = await asyncio.get_running_loop().run_in_executor(executor, self._begun, order)
        created = self._created(match, order)
        await self._keep(created.opened)
        assert self._count is not None
        self._count += 1
        self._add(created.opened)
        return created

    async def find(self, match_id: str, token: str | None) -> tuple[OpenMatch, Access]:
        """Return a match and the rights of a token. Raises Problem."""
        opened = self._opened.get(match_id) or await self._loaded(match_id)
        if opened is None:
            raise Problem(404, "unknown_match", "no match has this id")
        if token is None:
            raise Problem(401, "no_token", "a token is missing; valid: the header Authorization: Bearer TOKEN")
        access = opened.access(hash_of(token))
        if access is None:
            raise Problem(403, "wrong_token", "the token is not one of this match")
        opened.touch()
        return opened, access

    async def close(self) -> None:
        """Close all matches."""
        opened, self._opened = list(self._opened.values()), {}
        await asyncio.gather(*(match.close() for match in opened), *self._closing)

    def _begun(self, order: Order) -> ServedMatch:
        bots: dict[int | str, Bot | str | None] = {}
        for player, spec in order.bots.items():
            bots[player] = None if spec is None else self._admission.bot(spec, order.game)
        return ServedMatch(order.game, bots, seed=order.seed, limit=order.limit, start=order.start, record=order.record)

    def _created(self, match: ServedMatch, order: Order) -> Created:
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
        await self._store.save(stored(opened))

    def _add(self, opened: OpenMatch) -> None:
        """Take a match into memory, and let its bots play."""
        self._opened[opened.terms.match_id] = opened
        opened.let_bots_play()
        if len(self._opened) > self._caps.matches_in_memory:
            self._release()

    def _release(self) -> None:
        """Drop the match from memory that nobody has used for the longest time. The store has it."""
        unused = [other for other in self._opened.values() if not other.is_in_use]
        if unused:
            oldest = min(unused, key=lambda other: other.touched)
            del self._opened[oldest.terms.match_id]
            self._closing.add(task := asyncio.create_task(oldest.close()))
            task.add_done_callback(self._closing.discard)

    async def _loaded(self, match_id: str) -> OpenMatch | None:
        """Return a match of the store; the same one to all who ask meanwhile."""
        task = self._loading.get(match_id)
        if task is None:
            task = self._loading[match_id] = asyncio.create_task(self._load(match_id))
            task.add_done_callback(lambda _: self._loading.pop(match_id))
        return await asyncio.shield(task)

    async def _load(self, match_id: str) -> OpenMatch | None:
        found = await self._store.load(match_id)
        if found is None:
            return None
        async with self._pool.place() as executor:
            loop = asyncio.get_running_loop()
            match = await loop.run_in_executor(executor, match_of, found, self._admission)
        opened = OpenMatch(terms_of(found), match, self._pool, self._keep, version=found.course["version"])
        self._add(opened)
        return opened

    async def _check_room(self) -> None:
        """Raise Problem if the server has too many matches and none of them is idle."""
        if await self.count() < self._caps.matches:
            return
        await self._store.forget_before(time.time() - self._caps.idle_seconds)
        self._count = None
        if await self.count() >= self._caps.matches:
            raise Problem(429, "too_many_matches", f"the server has {self._caps.matches} matches", retry_seconds=3600)
