"""Stored games as PGN, from which programs such as ordo and BayesElo compute ratings.

The tags are those of the PGN standard (Edwards, "Portable game notation specification and implementation guide", 1994).
The steps are not chess moves, so they are written as a comment, which every reader of the format skips. Games for three
and more players have no White and no Black and cannot be rated by such programs; their seats have tags of their own.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator
from functools import lru_cache

from mcts import Game, load_game

from ...errors import ILLEGAL, LATE, STALL, UNREADABLE
from ...system.version import package_version
from ..records import NOBODY_LABEL, GameRecord, shown_number
from ..tournament.openings import opening_steps
from ..tournament.schedule import Tournament
from .replay import opening_state
from .store import StoredGame

LINE_LENGTH = 80
"""Longest line of the movetext."""
UNKNOWN = "*"
"""Result tag of a game that counts for nobody, or is not for two players."""
_CONTROL = re.compile(r"[\x00-\x1f\x7f]+")


def pgn_games(tournament: Tournament, games: Iterable[StoredGame], game_ids: str) -> Iterator[str]:
    """Yield the PGN text of each game, with an empty line at its end.

    Args:
        tournament: the tournament of the games.
        games: the games.
        game_ids: first part of every id, before the number of the game.

    Raises:
        StoreError: an opening cannot be played.
    """
    game = load_game(tournament.game)
    for stored in games:
        tags = [f'[{name} "{_escaped(value)}"]' for name, value in _tags(tournament, game, stored, game_ids)]
        yield "\n".join([*tags, "", *_movetext(stored.record, result_tag(stored.record)), "", ""])


def result_tag(record: GameRecord) -> str:
    """Return the result tag of a game: 1-0, 0-1 or 1/2-1/2 for two players, UNKNOWN for others."""
    if record.returns is None or len(record.returns) != 2:
        return UNKNOWN
    first, second = record.returns
    return "1/2-1/2" if first == second else "1-0" if first > second else "0-1"


def _tags(tournament: Tournament, game: Game, stored: StoredGame, game_ids: str) -> Iterator[tuple[str, str]]:
    record = stored.record
    labels = [tournament.labels[bot] for bot in record.seats]
    date, _, clock = stored.begun.partition(" ")
    yield "Event", f"{game.spec}, tournament {tournament.digest}"
    yield "Site", f"playout {package_version()}".strip()
    yield "Date", date.replace("-", ".") or "????.??.??"
    yield "Round", f"{record.block + 1}.{record.number % tournament.block_size + 1}"
    if len(labels) == 2:
        yield from zip(("White", "Black"), labels, strict=True)
    yield "Result", result_tag(record)
    if len(labels) != 2:
        yield from ((f"Player{seat}", label) for seat, label in enumerate(labels, 1))
    if clock:
        yield "UTCDate", date.replace("-", ".")
        yield "UTCTime", clock
    yield "Game", game.spec
    yield "Seats", " ".join(game.players)
    if record.returns is not None:
        yield "Returns", " ".join(f"{value:g}" for value in record.returns)
    yield "GameId", f"{game_ids}{shown_number(record.number)}"
    yield "Seed", str(record.seed)
    yield "PlyCount", str(record.plies)
    yield "Termination", _termination(record)
    for failure in record.failures:
        yield "Failure", f"{failure.whose(game.players, NOBODY_LABEL)}: {failure.kind}: {failure.message}"
    if record.opening:
        yield "SetUp", "1"
        yield "FEN", _start_text(tournament.game, record.opening)
        if steps := opening_steps(record.opening):
            yield "Opening", " ".join(steps)


def _termination(record: GameRecord) -> str:
    """Return the Termination tag of a game, in the words of the PGN standard."""
    if record.ending:
        return "adjudication"
    if not record.failures:
        return "normal"
    if record.returns is None:
        return "unterminated"
    kinds = {failure.kind for failure in record.failures}
    if kinds & {LATE, STALL}:
        return "time forfeit"
    return "rules infraction" if kinds & {ILLEGAL, UNREADABLE} else "abandoned"


@lru_cache(maxsize=1024)
def _start_text(game: str, opening: tuple[str, ...]) -> str:
    """Return the position in which the bots began, as `State.to_text` writes it."""
    return opening_state(load_game(game), opening).to_text()


def _movetext(record: GameRecord, result: str) -> list[str]:
    """Return lines with the steps as a comment, which contains no braces, and the result. No line begins like a tag."""
    steps = [f"{number}.\xa0{step}" for number, step in enumerate(record.moves.split(), 1)]
    if not steps:
        return [result]
    text = " ".join(steps).replace("{", "(").replace("}", ")")
    lines = textwrap.wrap("{" + text + "}", LINE_LENGTH, break_long_words=False, break_on_hyphens=False)
    return [*(line.replace("\xa0", " ") for line in lines), result]


def _escaped(value: str) -> str:
    """Return the value of a tag: backslashes and quotes are escaped, control characters replaced by spaces."""
    return _CONTROL.sub(" ", value).replace("\\", "\\\\").replace('"', '\\"')
