"""`playout ratings`: the results of one stored tournament, or of several together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict
from typing import Annotated

from mcts import ParameterError, load_game

from ..arena.ratings.anchors import parse_anchors
from ..arena.ratings.model_registry import chosen_rating_model
from ..arena.report.cross_table import print_cross_tables
from ..arena.report.json_data import report_to_dict
from ..arena.report.text import print_report
from ..arena.results.pool import Source, pool, source_of
from ..arena.results.queries import tournament_report
from ..arena.results.report import Report
from ..arena.store.store import Store
from .common.consoles import print_json, print_line, stdout
from .common.options import (
    DEFAULT_DB,
    AnchorOption,
    DbsArgument,
    JsonOption,
    ModelOption,
    TournamentOption,
    flag,
    option,
)
from .common.stored import stored_tournament

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
"""Keys of the results that have no meaning for several tournaments together."""


def command(
    dbs: DbsArgument = None,
    tournament: TournamentOption = None,
    pooled: Annotated[bool, flag("--all", "Rate the games of all tournaments in these files together.")] = False,
    game: Annotated[
        str | None, option("With --all: the game.", "GAME", default="that of the tournament played last")
    ] = None,
    anchor: AnchorOption = None,
    model: ModelOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show the results and ratings of a stored tournament.

    The tournament may still be running. With --all, the games of all tournaments are rated together: a bot with two
    different limits counts as two bots, a game that is in several files counts once, and other games are left out.

    Examples:
        playout ratings
        playout ratings arena.db --tournament 1
        playout ratings --all mnk.db --anchor random=0
        playout ratings arena.db --model plackett_luce
    """
    paths = list(dict.fromkeys(dbs or [DEFAULT_DB]))
    if pooled:
        if tournament is not None:
            raise ParameterError("--all and --tournament cannot be given together")
        _show_pool(paths, game, anchor, model, as_json)
        return
    if len(paths) > 1 or game is not None:
        raise ParameterError(
            f"{'several files' if game is None else '--game'} without --all; valid: --all, or one file"
        )
    with stored_tournament(paths[0], tournament) as (store, stored):
        anchors = parse_anchors(anchor or (), stored.tournament.labels)
        report = tournament_report(store, stored, anchors, chosen_rating_model(model))
        source = source_of(store, stored, report.games)
    if as_json:
        print_json({**report_to_dict(report), **_sources_json([source], [])})
    else:
        _print(report, [source], [])


def _show_pool(
    paths: Sequence[str], game: str | None, anchor: Sequence[str] | None, model: str | None, as_json: bool
) -> None:
    """Show the ratings of all tournaments of one game in several files."""
    with ExitStack() as stack:
        stores = [stack.enter_context(Store(path, read_only=True)) for path in paths]
        spec = None if game is None else load_game(game).spec
        found = pool(stores, spec, lambda labels: parse_anchors(anchor or (), labels), chosen_rating_model(model))
    if as_json:
        data = {key: value for key, value in report_to_dict(found.report).items() if key not in _OF_ONE_TOURNAMENT}
        print_json({**data, **_sources_json(found.sources, found.left_out)})
    else:
        _print(found.report, found.sources, found.left_out)


def _sources_json(sources: Sequence[Source], left_out: Sequence[Source]) -> Mapping[str, object]:
    return {"sources": [asdict(source) for source in sources], "not_pooled": [asdict(source) for source in left_out]}


def _print(report: Report, sources: Sequence[Source], left_out: Sequence[Source]) -> None:
    console = stdout()
    print_report(report, console)
    print_cross_tables(report, console)
    for title, named in (("From", sources), ("Not pooled", left_out)):
        for source in named:
            print_line(console, f"{title} {source.text()}", "dim")
