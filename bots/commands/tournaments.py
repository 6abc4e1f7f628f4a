"""`playout tournaments`: the tournaments of a database."""

from __future__ import annotations

from ..arena.results.queries import find_tournament
from ..arena.store.store import ID_DIGITS, Store, StoredTournament
from ..arena.tournament.schedule import Tournament
from .common.consoles import print_json, stdout
from .common.options import DEFAULT_DB, DbArgument, JsonOption
from .common.tables import spec_table


def command(db: DbArgument = DEFAULT_DB, as_json: JsonOption = False) -> None:
    """List the tournaments in a database.

    An asterisk marks the one that was played last: other commands show it by default. Their option --tournament takes a
    number of this list or the beginning of an id. A tournament that was extended has a new id; its earlier ids are
    still accepted.

    Examples:
        playout tournaments arena.db
    """
    with Store(db, read_only=True) as store:
        found = store.tournaments()
        default = find_tournament(store).key if found else None
        parts = [part.tournament.digest for part in store.parts()] if as_json else []
    if as_json:
        listed = [_tournament_json(number, stored) for number, stored in enumerate(found, 1)]
        print_json({"tournaments": listed, "parts": parts})
        return
    rows = []
    for number, stored in enumerate(found, 1):
        of = stored.tournament
        mark = "*" if stored.key == default else ""
        played = f"{stored.games:,} of {of.num_games:,}"
        bots = ", ".join(label + _limit_text(of, bot) for bot, label in enumerate(of.labels))
        what = f"{of.game}, {of.pairing.title}, seed {of.seed}\n{bots}"
        rows.append((f"{number}{mark}", of.digest[:ID_DIGITS], stored.last_played, played, what))
    console = stdout()
    console.print(spec_table(["#", "id", "last session (UTC)", "games", "game and bots"], rows, 4, console))


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
