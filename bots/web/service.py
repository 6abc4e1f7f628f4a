"""`Service`: everything that the routes of the interface use."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from .admission import Admission
from .caps import Caps
from .exact_values import ExactValues
from .matches import Matches
from .searches import SearchPool
from .sockets import Sockets
from .store import IN_MEMORY, MatchStore
from .tournaments import Tournaments


@dataclass(frozen=True)
class Settings:
    """Settings of a server."""

    hosts: Sequence[str] = ()
    """Names under which clients may reach the server, besides localhost and addresses."""
    games: Sequence[str] = ()
    """Specs of further games, which may be paths of classes."""
    matches: str = IN_MEMORY
    """Path of the file of matches."""
    database: str | None = None
    """Path of a database of tournaments to show."""
    caps: Caps = field(default_factory=Caps)


class Service:
    """The parts of a server.

    Raises:
        PlayoutError: a game cannot be loaded, or a file cannot be used.
    """

    def __init__(self, settings: Settings) -> None:
        caps = settings.caps
        self.caps = caps
        self.admission = Admission(caps, settings.games)
        self.decisions = SearchPool("decision", caps.workers, caps.queue)
        self.analyses = SearchPool("analysis", caps.analyses, caps.queue)
        self.tournaments = Tournaments(settings.database, self.admission)
        self.exact = ExactValues(self.decisions)
        self._store = MatchStore(settings.matches)
        self.matches = Matches(self.admission, caps, self.decisions, self._store)
        self.sockets = Sockets(caps)

    async def close(self) -> None:
        """End all searches and close all matches."""
        await self.matches.close()
        self.decisions.close()
        self.analyses.close()
        self.tournaments.close()
        self._store.close()
