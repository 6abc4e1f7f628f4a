"""Stored tournaments on the command line: anchors, rating model, and a note about the one that is shown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from ...arena.ratings.anchors import parse_anchors
from ...arena.ratings.model_registry import load_rating_model
from ...arena.ratings.rating_model import RatingModel
from ...arena.results.queries import default_tournament_note, find_tournament
from ...arena.store.store import Store, StoredTournament
from ...errors import RecordError, StoreError
from ...registry import canonical_spec
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


def read_anchors(texts: Sequence[str] | None, labels: Sequence[str]) -> dict[int, float]:
    """Return the ratings that `--anchor` gives to bots.

    Args:
        texts: values of the option.
        labels: names of the bots as results show them.

    Returns:
        Index of the bot in `labels` -> rating.

    Raises:
        ParameterError: a text does not read BOT=RATING, or names an unknown bot or the same bot twice.
    """
    return parse_anchors(texts or (), labels, canonical_spec)


def read_model(name: str | None) -> RatingModel | None:
    """Return the rating model that `--model` names; None without the option.

    Raises:
        ParameterError: there is no such model.
    """
    return None if name is None else load_rating_model(name)


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
