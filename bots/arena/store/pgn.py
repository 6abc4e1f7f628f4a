"""Stored games as PGN, from which programs such as ordo and BayesElo compute ratings.

The tags are those of the PGN standard (Edwards, "Portable game notation specification and implementation guide", 1994).
Moves of chess are written in SAN, with comments as fastchess writes them: score and depth, time, and the time that is
left. The steps of other games are a comment, which every reader of the format skips. Games for three and more players
have no White and no Black and cannot be rated by such programs; their seats have tags of their own.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator
from functools import lru_cache

from mcts import Game, State, load_game

from ...engines.uci import centipawns_of
from ...errors import ILLEGAL, LATE, STALL, UNREADABLE
from ...game.course import Course
from ...system.version import package_version
from ..records import NOBODY_LABEL, GameRecord, shown_number
from ..tournament.limits import Clock
from ..tournament.openings import opening_steps
from ..tournament.schedule import Tournament
from .replay import opening_state, whole_course
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
        StoreError: an opening cannot be played, or a game of chess.
    """
    game = load_game(tournament.game)
    for stored in games:
        record, course = stored.record, None
        if game.name == "chess":
            course = whole_course(game, record)
            text = " ".join(_moves(tournament, record, course))
        else:
            text = " ".join(f"{number}.\xa0{step}" for number, step in enumerate(record.moves.split(), 1))
            text = text and "{" + text.replace("{", "(").replace("}", ")") + "}"
        tags = [f'[{name} "{_escaped(value)}"]' for name, value in _tags(tournament, game, stored, game_ids, course)]
        lines = textwrap.wrap(text, LINE_LENGTH, break_long_words=False, break_on_hyphens=False)
        yield "\n".join([*tags, "", *(line.replace("\xa0", " ") for line in lines), result_tag(record), "", ""])


def result_tag(record: GameRecord) -> str:
    """Return the result tag of a game: 1-0, 0-1 or 1/2-1/2 for two players, UNKNOWN for others."""
    if record.returns is None or len(record.returns) != 2:
        return UNKNOWN
    first, second = record.returns
    return "1/2-1/2" if first == second else "1-0" if first > second else "0-1"


def _tags(
    tournament: Tournament, game: Game, stored: StoredGame, game_ids: str, course: Course | None
) -> Iterator[tuple[str, str]]:
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
    yield "PlyCount", str(record.plies if course is None else len(course.moves))
    yield "Termination", _termination(record)
    for failure in record.failures:
        yield "Failure", f"{failure.whose(game.players, NOBODY_LABEL)}: {failure.kind}: {failure.message}"
    if course is not None:
        yield from _chess_tags(tournament, game, record, course.start)
    elif record.opening:
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


def _chess_tags(tournament: Tournament, game: Game, record: GameRecord, start: State) -> Iterator[tuple[str, str]]:
    controls = [tournament.limit_of(bot).time_control for bot in record.seats]
    names = ("WhiteTimeControl", "BlackTimeControl") if len({*controls}) > 1 else ("TimeControl",)
    yield from ((name, control) for name, control in zip(names, controls, strict=False) if control)
    if game.parameters["chess960"]:
        yield "Variant", "Chess960"
    if game.parameters["chess960"] or start != game.new_initial_state():
        yield "SetUp", "1"
        yield "FEN", start.to_text().replace("_", " ")


def _moves(tournament: Tournament, record: GameRecord, course: Course) -> Iterator[str]:
    """Yield numbers, moves and comments of a game of chess, each as a word."""
    start, opening = course.start.to_dict(), len(course.moves) - record.plies
    first = 2 * start["full_moves"] - (start["to_move"] == "white")
    clocks = [Clock(tournament.limit_of(bot)) for bot in record.seats]
    for ply, (state, turn) in enumerate(zip(course.states(), course.turns, strict=False)):
        (player,) = state.acting_players()
        if ply == 0 or player == 0:
            yield f"{(first + ply + 1) // 2}{'.' if player == 0 else '...'}"
        yield state.action_to_string(player, turn.joint[player], notation="san")
        if ply < opening:
            yield "{book}"
        elif record.decisions:
            yield _comment(clocks[player], *record.decisions[ply - opening])


def _comment(clock: Clock, seconds: float, value: float | None) -> str:
    """Return the comment of a decision, whose time the clock loses: for example `{+0.35/0 0.123s, tl=9.877s}`.

    The score is in pawns, for the player who moves. The depth is 0, as bots do not tell it.
    """
    remaining = clock.left_after(seconds)
    score = "" if value is None else f"{centipawns_of(2 * value - 100) / 100:+.2f}/0 "
    left = "" if remaining is None else f", tl={remaining:.3f}s"
    return f"{{{score}{seconds:.3f}s{left}}}".replace(" ", "\xa0")  # in one line


def _escaped(value: str) -> str:
    """Return the value of a tag: backslashes and quotes are escaped, control characters replaced by spaces."""
    return _CONTROL.sub(" ", value).replace("\\", "\\\\").replace('"', '\\"')
