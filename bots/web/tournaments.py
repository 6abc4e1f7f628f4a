"""Tournaments of a database, which is only read. Another process may be playing them."""

from __future__ import annotations

from typing import Any

from ..arena.report.json_data import report_to_dict
from ..arena.results.queries import find_tournament, tournament_report
from ..arena.store.store import Store, StoredTournament
from .problems import Problem


class Tournaments:
    """The tournaments of a file. Methods read the file, so they run in threads.

    Args:
        path: path of the database; None for a server without one.
    """

    def __init__(self, path: str | None) -> None:
        self._path = path
        if path is not None:
            Store(path, read_only=True).close()

    @property
    def has_database(self) -> bool:
        """True if the server has a database."""
        return self._path is not None

    def listed(self) -> list[dict[str, Any]]:
        """Return the tournaments, oldest first."""
        with self._store() as store:
            return [_head(stored) for stored in store.tournaments()]

    def report(self, digest: str) -> dict[str, Any]:
        """Return the ratings and results of a tournament so far. Raises Problem if there is none."""
        with self._store() as store:
            if digest not in [stored.tournament.digest for stored in store.tournaments()]:
                raise Problem(404, "unknown_tournament", "no tournament has this id")
            stored = find_tournament(store, digest)
            return {**_head(stored), "report": report_to_dict(tournament_report(store, stored))}

    def _store(self) -> Store:
        if self._path is None:
            raise Problem(404, "no_database", "the server has no database; valid: playout serve --db FILE")
        return Store(self._path, read_only=True)


def _head(stored: StoredTournament) -> dict[str, Any]:
    of = stored.tournament
    return {
        "id": of.digest,
        "game": of.game,
        "bots": list(of.labels),
        "pairing": of.pairing.title,
        "begun": stored.begun,
        "last_played": stored.last_played,
        "games": stored.games,
        "games_scheduled": of.num_games,
    }
