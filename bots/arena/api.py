"""Public functions of `bots.arena`: run a tournament, or open a stored one."""

from __future__ import annotations

import io
import os
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from typing import Any

from rich.console import Console

from cext.arguments import counted, whole_number_in
from mcts import ParameterError

from ..errors import TournamentError
from ..game.failures import Failure
from .play.executor import ArenaExecutor
from .play.executors import DEFAULT_EXECUTOR
from .ratings.anchors import parse_anchors
from .ratings.model_registry import chosen_rating_model
from .ratings.ratings import Ratings
from .records import GameRecord
from .report.json_data import report_to_dict
from .report.picture import report_to_svg
from .report.text import print_report
from .results.queries import find_tournament, tournament_report
from .results.report import Report
from .results.sequential import SequentialTest
from .results.standings import PairingResult, Standing
from .runner import run_tournament
from .store.store import TEMPORARY, Store, StoredGame
from .tournament.schedule import Tournament

Games = Callable[[], Iterator[StoredGame]]


class Result(AbstractContextManager["Result"]):
    """Results of a tournament: standings, ratings, and all games.

    If the games are not stored in a file of the user, they are in a temporary file. It is removed when the result is
    closed: by `close`, at the end of a `with` block, or with the last reference to the result. All methods except
    `records` work afterwards, too.

    `str(result)` is the table that `playout arena` prints.
    """

    def __init__(self, report: Report, games: Games, close: Callable[[], object] | None = None) -> None:
        self.report = report
        """All results as dataclasses."""
        self._games = games
        self._close = None if close is None else weakref.finalize(self, close)

    @property
    def tournament(self) -> Tournament:
        """The tournament that was played."""
        return self.report.tournament

    @property
    def standings(self) -> tuple[Standing, ...]:
        """Rating with error, mean return, wins, draws, losses and failures of each bot; the best bot first."""
        return self.report.standings

    @property
    def ratings(self) -> Ratings:
        """Ratings with errors, covariance and likelihoods of superiority, in the order of the tournament's bots."""
        return self.report.ratings

    @property
    def pairings(self) -> tuple[PairingResult, ...]:
        """Results and Elo difference of every two bots that met, from their own games."""
        return self.report.pairings

    @property
    def test(self) -> SequentialTest | None:
        """State of the sequential test; None for a tournament without one."""
        return self.report.test

    @property
    def failures(self) -> tuple[tuple[int, str, Failure], ...]:
        """Number of the game, label of the bot and failure, for every failure."""
        return self.report.failures

    @property
    def num_games(self) -> int:
        """Number of games played."""
        return self.report.games

    @property
    def interrupted(self) -> bool:
        """True if games of the tournament are missing."""
        return self.report.interrupted

    @property
    def notes(self) -> tuple[str, ...]:
        """Remarks that are needed to interpret the numbers."""
        return self.report.notes

    def records(self) -> Iterator[StoredGame]:
        """Yield the games by ascending number, with seats, opening, moves, returns, times and failures.

        Raises:
            StoreError: the file of the games is gone or damaged, or the result is closed.
        """
        return self._games()

    def to_dict(self) -> dict[str, Any]:
        """Return the results as data for JSON, as `playout arena --json` prints it."""
        return report_to_dict(self.report)

    def to_svg(self, *, size: float | None = 640, theme: str = "auto") -> str:
        """Return the ratings as SVG text: the rating of each bot with its interval. Notebooks show it.

        Args:
            size: the width in pixels, 16 to 10,000. None: the picture fills the element that contains it.
            theme: `light`, `dark`, or `auto`, which follows the reader's settings.
        """
        return report_to_svg(self.report, size=size, theme=theme)

    def _repr_svg_(self) -> str:
        return self.to_svg()

    def close(self) -> None:
        """Remove the temporary file of the games, if there is one. It may be called more than once."""
        if self._close is not None:
            self._close()

    def __exit__(self, *error: object) -> None:
        self.close()

    def __str__(self) -> str:
        text = io.StringIO()
        print_report(self.report, Console(file=text, width=100, highlight=False, force_jupyter=False))
        return "\n".join(line.rstrip() for line in text.getvalue().splitlines())

    def __repr__(self) -> str:
        return f"<Result of {counted(self.num_games, 'game')} of {self.tournament.game}>"


def run(
    tournament: Tournament,
    *,
    db: str | os.PathLike[str] | None = None,
    workers: int | None = None,
    executor: str | ArenaExecutor = DEFAULT_EXECUTOR,
    anchors: Mapping[str, float] | None = None,
    model: str | None = None,
    on_records: Callable[[Sequence[GameRecord]], Any] | None = None,
) -> Result:
    """Play the games of a tournament and return its results.

    Ctrl-C ends the tournament early; the result is then `interrupted`.

    Args:
        tournament: made by `describe`.
        db: file in which every game is stored. Stored games of this tournament are not played again, so the same call
            continues an interrupted tournament. None stores the games in a temporary file.
        workers: number of games played at the same time, 1 to 1,024; by default the number of processors.
        executor: `processes`, `isolated`, `threads`, `dask://HOST:PORT`, the path of a class of an executor, or an open
            executor. A script that plays in processes needs `if __name__ == "__main__":` if processes are not forked.
        anchors: ratings of bots by name or spec; the other ratings are relative to them.
        model: rating model, such as `bradley_terry`, or the path of a class; by default, `least_squares` where returns
            count; where wins count, `bradley_terry` for two players and `plackett_luce` for more.
        on_records: called in this thread with finished games, in any order.

    Returns:
        The results. They depend on the tournament alone, unless bots are limited by time.

    Raises:
        PlayoutError: the game or a bot cannot be used, the file cannot be used, or a bot failed and the policy for the
            failure is `abort`.
    """
    count = (os.cpu_count() or 1) if workers is None else whole_number_in("workers", workers, 1, 1024, TournamentError)
    by_index, rating_model = _anchors(anchors, tournament), chosen_rating_model(model)
    with ExitStack() as files:
        store = files.enter_context(Store(TEMPORARY if db is None else _path(db)))
        outcome = run_tournament(
            tournament,
            count,
            lambda records, tally: on_records(records) if on_records is not None and records else None,
            executor=executor,
            store=store,
        )
        if outcome.store_error is not None:
            raise outcome.store_error
        report = outcome.report(by_index, rating_model)
        if db is None:
            return Result(report, lambda: store.games(outcome.key), files.pop_all().close)
    return Result(report, _stored_games(_path(db), outcome.tournament.digest))


def open(
    path: str | os.PathLike[str],
    tournament: str | None = None,
    *,
    anchors: Mapping[str, float] | None = None,
    model: str | None = None,
) -> Result:
    """Return the results of a stored tournament. It may still be running.

    Args:
        path: a file written by `run` or `playout arena`.
        tournament: its number or the beginning of its id, as listed by `playout tournaments FILE`; by default, the
            tournament that was played last.
        anchors: as in `run`.
        model: as in `run`.

    Raises:
        StoreError: there is no such file or tournament, or the file is damaged.
    """
    name = _path(path)
    with Store(name, read_only=True) as store:
        stored = find_tournament(store, tournament)
        report = tournament_report(store, stored, _anchors(anchors, stored.tournament), chosen_rating_model(model))
    return Result(report, _stored_games(name, stored.tournament.digest))


def _stored_games(path: str, digest: str) -> Games:
    def games() -> Iterator[StoredGame]:
        with Store(path, read_only=True) as store:
            yield from store.games(find_tournament(store, digest).key)

    return games


def _anchors(anchors: Mapping[str, float] | None, tournament: Tournament) -> dict[int, float]:
    texts = [f"{bot}={elo}" for bot, elo in (anchors or {}).items()]
    return parse_anchors(texts, tournament.labels)


def _path(path: str | os.PathLike[str]) -> str:
    """Return a path as a string. An empty path is not valid, as it would mean a temporary file."""
    text = os.fspath(path)
    if not isinstance(text, str) or not text:
        raise ParameterError(f"{path!r} is not the path of a file of games; valid: as in 'games.db'")
    return text
