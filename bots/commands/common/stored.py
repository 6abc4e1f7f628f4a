"""Stored tournaments on the command line: the one that is shown, and a note about it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ...arena.results.queries import default_tournament_note, find_tournament
from ...arena.store.store import Store, StoredTournament
from ...errors import RecordError, StoreError
from .consoles import print_line, stderr


@contextmanager
def file_named(path: str) -> Iterator[None]:
    """Name the file of games in the errors of a `with` block, such as that of a game that cannot be replayed."""
    try:
        yield
    except (StoreError, RecordError) as error:
        if path in str(error):
            raise
        raise StoreError(f"{path}: {error}") from error


@contextmanager
def stored_tournament(path: str, wanted: str | None) -> Iterator[tuple[Store, StoredTournament]]:
    """Open a file of games, and return it with the tournament that `--tournament` names; see `note_choice`."""
    with Store(path, read_only=True) as store:
        stored = find_tournament(store, wanted)
        note_choice(store, stored, wanted)
        yield store, stored


def note_choice(store: Store, stored: StoredTournament, wanted: str | None) -> None:
    """Print on stderr which tournament of a file is shown, if the file has several and the user named none."""
    if wanted is None and (note := default_tournament_note(store, stored)) is not None:
        print_line(stderr(), note, "dim")
