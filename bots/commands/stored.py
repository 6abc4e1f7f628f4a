"""The commands that look at stored tournaments: `tournaments`, `ratings` and `replay`."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict
from typing import Annotated

import typer
from rich import box
from rich.table import Table
from rich.text import Text

from mcts import ParameterError, load_game

from ..arena.ratings.anchors import parse_anchors
from ..arena.report.cross_table import print_cross_tables
from ..arena.report.json_data import report_to_dict
from ..arena.report.replay_text import print_replay
from ..arena.report.text import print_report
from ..arena.results.pool import Source, pool, source_of
from ..arena.results.queries import ID_DIGITS, default_tournament_note, find_game, find_tournament, tournament_report
from ..arena.store.store import Store, StoredTournament
from ..arena.tournament.schedule import Tournament
from ..registry import load_bot
from .common import stderr, stdout

DEFAULT_DB = "arena.db"
_OF_ONE_TOURNAMENT = (
    "seed",
    "limits",
    "deadline_seconds",
    "policies",
    "games_scheduled",
    "block_size",
    "interrupted",
    "adjudication",
)
"""Keys of the results that say nothing of several tournaments together."""

TournamentOption = Annotated[
    str | None,
    typer.Option(
        "--tournament", metavar="ID", help="its number, or the beginning of its id [default: the one played last]"
    ),
]
AnchorOption = Annotated[
    list[str] | None,
    typer.Option("--anchor", metavar="BOT=ELO", help="rate the others relative to this; may be given repeatedly"),
]


def read_anchors(texts: Sequence[str] | None, tournament: Tournament) -> dict[int, float]:
    """Elo by index of the bot, of the texts of `--anchor`."""
    return _anchors(texts, tournament.labels)


def _anchors(texts: Sequence[str] | None, labels: Sequence[str]) -> dict[int, float]:
    return parse_anchors(texts or (), labels, lambda spec: load_bot(spec).spec)


def say_which(store: Store, stored: StoredTournament, wanted: str | None) -> None:
    """Say on stderr which tournament of a file is shown, where it has several and none was asked for."""
    if wanted is None and (note := default_tournament_note(store, stored)) is not None:
        stderr().print(note, style="dim", markup=False, soft_wrap=True)


def ratings(
    dbs: Annotated[
        list[str] | None, typer.Argument(metavar="DB...", help=f"files of stored games [default: {DEFAULT_DB}]")
    ] = None,
    tournament: TournamentOption = None,
    pooled: Annotated[
        bool, typer.Option("--all", help="rate the games of all tournaments of these files together")
    ] = False,
    game: Annotated[
        str | None,
        typer.Option("--game", metavar="GAME", help="with --all, the game [default: that of the one played last]"),
    ] = None,
    anchor: AnchorOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="print the results as JSON")] = False,
) -> None:
    """Show the results of a stored tournament, even while it is played.

    With `--all` the games of all tournaments of the files are rated together. A bot under different limits counts as
    different bots, a game that stands in several files counts once, and other games are left out.

    Examples:
        playout ratings
        playout ratings arena.db --tournament 1
        playout ratings --all mnk.db --anchor random=0
    """
    paths = list(dict.fromkeys(dbs or [DEFAULT_DB]))
    if pooled:
        if tournament is not None:
            raise ParameterError("--all and --tournament cannot be given together")
        _pooled_ratings(paths, game, anchor, as_json)
        return
    if len(paths) > 1 or game is not None:
        raise ParameterError(
            f"{'several files' if game is None else '--game'} without --all; valid: --all, or one file"
        )
    with Store(paths[0], read_only=True) as store:
        stored = find_tournament(store, tournament)
        say_which(store, stored, tournament)
        report = tournament_report(store, stored, read_anchors(anchor, stored.tournament))
        source = source_of(store, stored, report.games)
    if as_json:
        _print_json(report_to_dict(report), [source], [])
        return
    print_report(report, stdout())
    print_cross_tables(report, stdout())
    _print_sources("From", [source])


def _pooled_ratings(paths: Sequence[str], game: str | None, anchor: Sequence[str] | None, as_json: bool) -> None:
    with ExitStack() as stack:
        stores = [stack.enter_context(Store(path, read_only=True)) for path in paths]
        spec = None if game is None else load_game(game).spec
        found = pool(stores, spec, lambda labels: _anchors(anchor, labels))
    if as_json:
        data = {key: value for key, value in report_to_dict(found.report).items() if key not in _OF_ONE_TOURNAMENT}
        _print_json(data, found.sources, found.left_out)
        return
    print_report(found.report, stdout())
    print_cross_tables(found.report, stdout())
    _print_sources("From", found.sources)
    _print_sources("Not pooled", found.left_out)


def _print_json(data: Mapping[str, object], sources: Sequence[Source], left_out: Sequence[Source]) -> None:
    more = {"sources": [asdict(source) for source in sources], "not_pooled": [asdict(source) for source in left_out]}
    sys.stdout.write(json.dumps({**data, **more}, indent=2) + "\n")


def _print_sources(title: str, sources: Sequence[Source]) -> None:
    for source in sources:
        stdout().print(Text(f"{title} {source.text()}", "dim"), soft_wrap=True)


def replay(
    db: Annotated[str, typer.Argument(metavar="DB", help="a file of stored games")],
    game_id: Annotated[str, typer.Argument(metavar="GAME_ID", help="as `playout records DB` lists them")],
) -> None:
    """Show a stored game move by move.

    A number alone is of the tournament that was played last.

    Examples:
        playout replay arena.db 17
        playout replay arena.db 1a2b3c4d-17
    """
    with Store(db, read_only=True) as store:
        stored, game = find_game(store, game_id)
        say_which(store, stored, game_id if "-" in game_id else None)
        print_replay(stored.tournament, game, stdout())


def tournaments(
    db: Annotated[str, typer.Argument(metavar="DB", help="a file of stored games")] = DEFAULT_DB,
    as_json: Annotated[bool, typer.Option("--json", help="print the list as JSON")] = False,
) -> None:
    """List the tournaments in a file of stored games.

    The one that was played last, which other commands show by default, is marked. `--tournament` takes a number of this
    list, or the beginning of an id. Tournaments that were extended stand under their present id, and are found by their
    former ones too.

    Examples:
        playout tournaments arena.db
    """
    with Store(db, read_only=True) as store:
        found = store.tournaments()
        default = find_tournament(store).key if found else None
        parts = [part.tournament.digest for part in store.parts()] if as_json else []
    if as_json:
        listed = [_tournament_json(number, stored) for number, stored in enumerate(found, 1)]
        sys.stdout.write(json.dumps({"tournaments": listed, "parts": parts}, indent=2) + "\n")
        return
    table = Table("#", "id", "last played (UTC)", "games", box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("game and bots", overflow="fold", min_width=20)
    for column in table.columns[:4]:
        column.no_wrap = True
    for number, stored in enumerate(found, 1):
        of = stored.tournament
        bots = ", ".join(label + _limit_text(of, bot) for bot, label in enumerate(of.labels))
        mark = "*" if stored.key == default else ""
        played = f"{stored.games:,} of {of.num_games:,}"
        what = Text(f"{of.game}, {of.system.replace('_', ' ')}, seed {of.seed}\n{bots}")
        table.add_row(f"{number}{mark}", of.digest[:ID_DIGITS], stored.last_played, played, what)
    stdout().print(table)


def _limit_text(tournament: Tournament, bot: int) -> str:
    limit = str(tournament.limit_of(bot))
    return f" [{limit}]" if limit else ""


def _tournament_json(number: int, stored: StoredTournament) -> dict[str, object]:
    of = stored.tournament
    return {
        "number": number,
        "id": of.digest,
        "begun": stored.begun,
        "last_played": stored.last_played,
        "games": stored.games,
        "games_scheduled": of.num_games,
        **of.to_dict(),
    }
