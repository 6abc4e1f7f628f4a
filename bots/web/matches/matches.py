"""`Matches`: the open matches of a server, and who may use them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace

from mcts import Game, Limit, State

from ...base import Bot
from ...errors import RecordError
from ...game import Record
from ..analysis.kept_trees import KeptTrees
from ..analysis.scheduler import Asker, Threads
from ..caps import Caps
from ..problems import Problem
from ..security.access import OWNER, SEAT, SPECTATOR, Access, hash_of, new_id, new_token
from ..security.admission import Admission
from ..security.own_rules import OwnRules
from .open_match import OpenMatch, Terms
from .saved import Store, damaged, match_of, stored
from .served_match import ServedMatch, Snapshot


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
        own_rules: rulesheets of clients.
        caps: its limits.
        threads: its threads.
        store: keeps the matches.
        trees: the trees that bots keep.
    """

    def __init__(
        self,
        admission: Admission,
        own_rules: OwnRules,
        caps: Caps,
        threads: Threads,
        store: Store,
        trees: KeptTrees,
    ) -> None:
        self._admission = admission
        self._own_rules = own_rules
        self._caps = caps
        self._threads = threads
        self._store = store
        self._trees = trees
        self._opened: dict[str, OpenMatch] = {}
        self._closing: set[asyncio.Task[None]] = set()
        self._loading: dict[str, asyncio.Task[OpenMatch | None]] = {}
        self._tidies: asyncio.Task[None] | None = None

    @property
    def in_memory(self) -> tuple[OpenMatch, ...]:
        """The matches in memory."""
        return tuple(self._opened.values())

    async def count(self) -> int:
        """Return the number of matches, also of those that are not in memory."""
        return await self._store.count()

    def limit(self, seconds: float | None, simulations: int | None) -> Limit:
        """Return the limit of a bot's decision. Raises Problem above a cap, LimitError out of range."""
        caps = self._caps
        if seconds is not None and seconds > caps.seconds:
            raise Problem(422, "above_cap", f"seconds={seconds:g} is above the cap; valid: up to {caps.seconds:g}")
        if simulations is not None and simulations > caps.simulations:
            raise Problem(422, "above_cap", f"simulations={simulations} is above the cap; valid: {caps.simulations}")
        if seconds is None:
            seconds = caps.default_seconds if simulations is None else caps.seconds
        return Limit(simulations=simulations, seconds=seconds, memory_mb=caps.search_mb)

    async def create(self, order: Order, client: str) -> Created:
        """Begin a match for a client.

        Raises:
            PlayoutError: the order does not fit the rules, or a bot does not play the game.
            Problem: a bot is refused, or the client or the server has too many matches.
        """
        await self._check_room(client)
        match = await self._threads.setups.run(Asker(client), lambda: self._begun(order))
        created = self._created(match, order, client)
        await self._keep(created.opened, created.opened.snapshot, created.opened.changes)
        self._add(created.opened)
        return created

    async def delete(self, opened: OpenMatch) -> None:
        """Delete a match for good."""
        await opened.delete()
        await self._store.delete(opened.terms.match_id)
        self._forget(opened)

    async def find(self, match_id: str, token: str | None, client: str) -> tuple[OpenMatch, Access]:
        """Return a match and the rights of a token, which a client uses now. Raises Problem."""
        opened = self._opened.get(match_id) or await self._loaded(match_id)
        if opened is None:
            raise Problem(404, "unknown_match", "no match has this id")
        if token is None:
            raise Problem(401, "no_token", "a token is missing; valid: the header Authorization: Bearer TOKEN")
        access = opened.terms.hashes.get(hash_of(token))
        if access is None:
            raise Problem(403, "wrong_token", "the token is not one of this match")
        opened.ask(client, access)
        return opened, access

    async def close(self) -> None:
        """Close all matches."""
        if self._tidies is not None:
            self._tidies.cancel()
        opened, self._opened = list(self._opened.values()), {}
        await asyncio.gather(*(match.close() for match in opened), *self._closing)

    def _begun(self, order: Order) -> ServedMatch:
        bots: dict[int | str, Bot | str | None] = {}
        for player, spec in order.bots.items():
            bots[player] = None if spec is None else self._admission.bot(spec, order.game)
        limit = self._for_each(order.limit, sum(bot is not None for bot in bots.values()))
        return ServedMatch(order.game, bots, seed=order.seed, limit=limit, start=order.start, record=order.record)

    def _for_each(self, limit: Limit, bots: int) -> Limit:
        """Return the limit of each bot of a match, whose bots share the memory of one search."""
        return replace(limit, memory_mb=max(1, self._caps.search_mb // max(1, bots)))

    def _created(self, match: ServedMatch, order: Order, client: str) -> Created:
        owner, spectator = new_token(), new_token()
        numbers = [match.game.players.index(name) for name in match.persons]
        seats = {name: new_token() for name in match.persons}
        hashes = {hash_of(owner): Access(OWNER, tuple(numbers)), hash_of(spectator): Access(SPECTATOR, ())}
        for number, token in zip(numbers, seats.values(), strict=True):
            hashes[hash_of(token)] = Access(SEAT, (number,))
        assist = len(numbers) <= 1 if order.assist is None else order.assist
        terms = Terms(new_id(), hashes, assist, time.time(), client)
        return Created(OpenMatch(terms, match, self._threads, self._keep), owner, spectator, seats)

    async def _keep(self, opened: OpenMatch, snapshot: Snapshot, changes: list[int]) -> None:
        """Store a match after a change."""
        await self._store.save(stored(opened, snapshot, changes))
        self._trees.keep(opened, opened.match.tree_bytes)

    def _add(self, opened: OpenMatch) -> None:
        """Take a match into memory, and let its bots play."""
        self._opened[opened.terms.match_id] = opened
        opened.let_bots_play()
        if self._tidies is None:
            self._tidies = asyncio.create_task(self._tidy())
        if len(self._opened) > self._caps.matches_in_memory:
            unused = [other for other in self._opened.values() if not other.is_in_use]
            if unused:
                self._release(min(unused, key=lambda other: other.touched))

    async def _tidy(self) -> None:
        """Release the memory of what nobody has used for some time, again and again."""
        while True:
            await asyncio.sleep(self._caps.rest_seconds / 6)
            before = time.monotonic() - self._caps.rest_seconds
            for opened in list(self._opened.values()):
                if opened.touched < before and not opened.is_in_use:
                    self._release(opened)
            self._trees.release_idle()

    def _release(self, opened: OpenMatch) -> None:
        """Drop a match from memory. The store has it."""
        self._forget(opened)
        self._closing.add(task := asyncio.create_task(opened.close()))
        task.add_done_callback(self._closing.discard)

    def _forget(self, opened: OpenMatch) -> None:
        self._opened.pop(opened.terms.match_id, None)
        self._trees.drop(opened)

    async def _loaded(self, match_id: str) -> OpenMatch | None:
        """Return a match of the store; the same one to all who ask meanwhile."""
        task = self._loading.get(match_id)
        if task is None:
            task = self._loading[match_id] = asyncio.create_task(self._load(match_id))
            task.add_done_callback(lambda _: self._loading.pop(match_id))
        return await asyncio.shield(task)

    async def _load(self, match_id: str) -> OpenMatch | None:
        try:
            found = await self._store.load(match_id)
        except RecordError as error:
            raise damaged(error) from None
        if found is None:
            return None
        asker = Asker(found.client)
        await self._own_rules.prepare(str(found.terms.get("game")), found.client)
        loaded = await self._threads.setups.run(asker, lambda: match_of(found, self._admission), must=True)
        loaded.match.limit = self._for_each(loaded.match.limit, len(loaded.match.seats) - len(loaded.match.persons))
        opened = OpenMatch(loaded.terms, loaded.match, self._threads, self._keep, loaded.changes)
        self._add(opened)
        return opened

    async def _check_room(self, client: str) -> None:
        """Raise Problem if the client or the server has too many matches, and none of them may be removed."""
        caps = self._caps
        for owner, most, whose in (
            (client, caps.matches_per_client, "this client"),
            (None, caps.matches, "the server"),
        ):
            for seconds, played in ((caps.unplayed_seconds, False), (caps.idle_seconds, True)):
                if await self._store.count(owner) < most:
                    break
                await self._make_room(time.time() - seconds, owner, played=played)
            if await self._store.count(owner) >= most:
                text = f"{whose} has {most} matches; valid: delete one, or wait"
                raise Problem(429, "too_many_matches", text, retry_seconds=3600)

    async def _make_room(self, before: float, client: str | None, *, played: bool) -> None:
        kept = [match_id for match_id, opened in self._opened.items() if opened.is_in_use]
        for match_id in await self._store.forget(before, client, kept, played=played):
            if match_id in self._opened:
                self._release(self._opened[match_id])
