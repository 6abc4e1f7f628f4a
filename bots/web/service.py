"""`Service`: everything that the routes of the interface use."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from .analysis.exact_values import ExactValues
from .analysis.kept_trees import KeptTrees
from .analysis.scheduler import Threads
from .caps import Caps
from .matches.matches import Matches
from .matches.saved import IN_MEMORY, Store
from .security.admission import Admission, may_solve
from .security.own_rules import OwnRules, RulesCompiler
from .security.sockets import Sockets

if TYPE_CHECKING:
    from .tournaments.tournaments import Tournaments


@dataclass(frozen=True)
class Settings:
    """Settings of a server."""

    hosts: Sequence[str] = ()
    """Names under which clients may reach the server, besides localhost and addresses."""
    games: Sequence[str] = ()
    """Specs of further games, which may be paths of classes."""
    bots: Sequence[str] = ()
    """Specs of further bots, which may name files and paths of classes."""
    proxies: Sequence[str] = ()
    """Addresses of reverse proxies, whose X-Forwarded-For names the client."""
    is_local: bool = False
    """True if only this machine can connect."""
    has_one_client: bool = False
    """True if all matches are of one client, who may know the seeds of matches with several persons."""
    own_rules: bool | None = None
    """True if clients may bring rulesheets; None: if only this machine can connect."""
    matches: str = IN_MEMORY
    """Path of the file of matches."""
    database: str | None = None
    """Path of a database of tournaments to show."""
    caps: Caps = field(default_factory=Caps)


class Service:
    """The parts of a server.

    Args:
        settings: the settings.
        store: keeps the matches.
        compiler: compiles rulesheets of clients.

    Raises:
        PlayoutError: a game or a bot cannot be loaded.
    """

    tournaments: Tournaments
    """The tournaments of the database, in an application that has routes for them."""

    def __init__(self, settings: Settings, store: Store, compiler: RulesCompiler) -> None:
        caps = settings.caps
        self.caps = caps
        self.is_local = settings.is_local
        self.has_one_client = settings.has_one_client
        self.takes_rules = settings.is_local if settings.own_rules is None else settings.own_rules
        """True if clients may bring rulesheets."""
        self.has_database = settings.database is not None
        self.own_rules = OwnRules(caps, compiler)
        self.admission = Admission(caps, settings.games, settings.bots, self.own_rules)
        self.threads = Threads(caps)
        self.trees = KeptTrees(caps.trees_mb << 19, caps.rest_seconds)
        self.exact = ExactValues(self.threads.solutions, may_solve)
        self._store = store
        if self.takes_rules:
            self.own_rules.store = self._store
        self.matches = Matches(self.admission, self.own_rules, caps, self.threads, self._store, self.trees)
        self.sockets = Sockets(caps)

    async def close(self) -> None:
        """End all searches and close all matches."""
        await self.own_rules.close()
        await self.matches.close()
        self.threads.close()
        self._store.close()
