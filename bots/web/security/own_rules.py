"""`OwnRules`: rulesheets that clients bring, compiled in a process of their own, and the games that they make.

The text of a stranger is compiled by a `Compiler`, within limits of time, memory and size. What comes back is plain
data that the game checks. A game is named by the SHA-256 of its text, so the same text is the same game for all, a link
to it works as long as the file of matches has the text, and a match continues after a restart of the server.

Each client has one rulesheet that is compiled at a time, and all clients take turns at one process. Nothing else waits
for it: games are made before a request or a match needs them.
"""

from __future__ import annotations

import asyncio
import re
import weakref
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import ClassVar, Protocol

from mcts.errors import GameLoadError, UnknownGameError
from mcts.gdl.game import RulesheetGame
from mcts.gdl.network import Network
from mcts.gdl.rulesheets import SHOWN_DIGITS, digest_of, file_name
from mcts.gdl.secret_game import refuse_gdl_ii

from ..caps import Caps
from ..problems import Problem

_SPEC = re.compile(rf"([A-Za-z_][A-Za-z0-9_]{{0,99}}\.kif)\(sha256=([0-9a-f]{{{SHOWN_DIGITS}}})\)")
_SMALL_EDGES, _SMALL_MOVES = 20_000, 200


@dataclass(frozen=True)
class StoredRules:
    """The rulesheet of a client."""

    digest: str
    """The first digits of the SHA-256 of the text, by which games and matches name it."""
    name: str
    text: str


class RulesCompiler(Protocol):
    """Compiles rulesheets of strangers, as `ggp.compiler.Compiler` does in a process."""

    def compile(self, rules: str, seconds: int) -> Network:
        """Return the network of a rulesheet. Raises GameLoadError."""

    def end(self) -> None:
        """End it at once."""


class RulesStore(Protocol):
    """Keeps rulesheets."""

    async def save_rules(self, rules: StoredRules, client: str, most: int, most_of_client: int) -> None:
        """Keep the rulesheet of a client. Above a limit, those that were used least lately go."""

    async def load_rules(self, digest: str) -> StoredRules | None:
        """Return a rulesheet, and note its use; None if there is none with this digest."""


class OwnGame(RulesheetGame):
    """The game of a rulesheet that a client has brought."""

    may_compile: ClassVar[bool] = False

    @property
    def is_small(self) -> bool:
        """True if the game may be solved: its steps take little time."""
        return len(self.network.edges) <= _SMALL_EDGES and sum(map(len, self.network.moves)) <= _SMALL_MOVES


class OwnRules:
    """The rulesheets of clients. Methods but `game` belong to the event loop.

    Args:
        caps: limits of the server.
        compiler: compiles them; None: no rulesheets are taken.
    """

    def __init__(self, caps: Caps, compiler: RulesCompiler | None = None) -> None:
        self._caps = caps
        self._compiler = compiler
        self.store: RulesStore | None = None
        """Keeps the texts of rulesheets; None: clients cannot bring any."""
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="rules")  # Linux ends a process with its thread
        self._alive: weakref.WeakValueDictionary[str, OwnGame] = weakref.WeakValueDictionary()
        """First digits of the SHA-256 -> game, as long as anything uses it."""
        self._kept: OrderedDict[str, OwnGame] = OrderedDict()
        """Those that were used last."""
        self._loading: dict[str, asyncio.Task[OwnGame]] = {}
        self._clients: set[str] = set()
        """Clients whose rulesheets are being compiled."""

    async def add(self, text: str, name: str, client: str) -> OwnGame:
        """Return the game of a rulesheet, and keep the text.

        Args:
            text: the rulesheet.
            name: name of its file, for the spec of the game.
            client: who brings it.

        Raises:
            GameLoadError: the rulesheet is not valid, or exceeds a limit.
            Problem: clients cannot bring rulesheets here, or this one already waits for another.
        """
        if self.store is None:
            raise Problem(403, "no_own_rules", "this server takes no rules of clients; it needs --own-rules")
        digest = digest_of(text)[:SHOWN_DIGITS]
        known = self._alive.get(digest)
        found = StoredRules(digest, known.name if known else file_name(name[:100] or "rules"), text)
        game = await self._loaded(found, client)
        await self.store.save_rules(found, client, self._caps.rules, self._caps.rules_per_client)
        return game

    async def prepare(self, spec: str, client: str, text: str | None = None) -> None:
        """Make the game of a spec, if it is one of a rulesheet that is kept or given, so that `game` finds it.

        Args:
            spec: any spec of a game.
            client: who needs it.
            text: the rulesheet, if the client has sent it.

        Raises:
            GameLoadError: the rulesheet exceeds a limit.
            Problem: the client already waits for another one, or too many are in use.
        """
        named = _SPEC.fullmatch(spec)
        if named is None or self.store is None or named[2] in self._alive:
            return
        found = await self.store.load_rules(named[2])
        if found is not None:
            await self._loaded(found, client)
        elif text is not None and digest_of(text).startswith(named[2]):
            await self.add(text, named[1], client)

    def game(self, spec: str) -> OwnGame | None:
        """Return the game of a spec that `prepare` has made; None for the spec of another kind of game.

        Raises:
            UnknownGameError: the rulesheet is not kept.
        """
        named = _SPEC.fullmatch(spec)
        if named is None:
            return None
        found = self._alive.get(named[2])
        if found is None or found.spec != spec:
            raise UnknownGameError(f"the rules of {spec} are not on this server; valid: a game whose rules it has")
        return found

    async def close(self) -> None:
        """End the process, and make no more games."""
        for task in self._loading.values():
            task.cancel()
        if self._compiler is not None:
            self._compiler.end()
        self._thread.shutdown(wait=False, cancel_futures=True)

    async def _loaded(self, found: StoredRules, client: str) -> OwnGame:
        task = self._loading.get(found.digest)
        if task is None:
            game = self._alive.get(found.digest)
            if game is not None:
                self._keep(found.digest, game)
                return game
            if client in self._clients:
                raise Problem(429, "busy", "other rules of this client are being compiled; valid: wait", None, 2)
            if len(self._loading) >= self._caps.queue:
                raise Problem(503, "busy", "too many rules are being compiled; valid: wait", None, 10)
            task = self._loading[found.digest] = asyncio.create_task(self._load(found, client))
            task.add_done_callback(lambda done: self._loaded_or_not(found.digest, done))
        return await asyncio.shield(task)

    def _loaded_or_not(self, digest: str, done: asyncio.Task[OwnGame]) -> None:
        self._loading.pop(digest, None)
        if not done.cancelled():
            done.exception()  # maybe nobody waits

    async def _load(self, found: StoredRules, client: str) -> OwnGame:
        self._clients.add(client)
        try:
            self._check_memory()
            game = await asyncio.get_running_loop().run_in_executor(self._thread, self._made, found)
        finally:
            self._clients.discard(client)
        self._alive[found.digest] = game
        self._keep(found.digest, game)
        return game

    def _keep(self, digest: str, game: OwnGame) -> None:
        self._kept[digest] = game
        self._kept.move_to_end(digest)
        while len(self._kept) > self._caps.rules_in_memory:
            self._kept.popitem(last=False)

    def _check_memory(self) -> None:
        """Forget games that were used least lately, and raise Problem if those in use take too much memory."""
        most = self._caps.rules_mb << 20
        while self._kept and sum(_bytes_of(game.network) for game in self._alive.values()) > most:
            self._kept.popitem(last=False)
        if sum(_bytes_of(game.network) for game in self._alive.values()) > most:
            raise Problem(503, "busy", "the rules of clients take all memory that they may; valid: wait", None, 60)

    def _made(self, found: StoredRules) -> OwnGame:
        """Compile a rulesheet, and find its boards."""
        caps = self._caps
        assert self._compiler is not None
        network = refuse_gdl_ii(self._compiler.compile(found.text, caps.rules_seconds))
        for what, count, most in (
            ("moves", sum(map(len, network.moves)), caps.rules_moves),
            ("fluents", len(network.fluents) + len(network.always) + len(network.unused), caps.rules_fluents),
        ):
            if count > most:
                raise GameLoadError(f"the rules have {count:,} {what}; valid: up to {most:,} on this server")
        game = OwnGame(found.text, found.name, compiled=network)
        game.new_initial_state().to_svg()
        return game


def _bytes_of(network: Network) -> int:
    return 4 * (len(network.edges) + len(network.gate_starts)) + 64 * (len(network.fluents) + len(network.legal))
