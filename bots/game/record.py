"""`Record`: a played game as data. docs/records.md describes the format, `record.schema.json` beside this file too."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from datetime import datetime
from pathlib import Path
from typing import Any

from cext.arguments import seed_bits
from mcts.gdl.rulesheets import digest_of, is_digest
from mcts.primitives.failures import failures_named

from ..errors import KINDS, RecordError
from ..system.checked_json import is_number, is_plain, parse_json, read_file, shown
from .course import CHANCE_NAME
from .parts import (
    DRAW_AGREED,
    ENDINGS,
    FAILED,
    FINISHED,
    FORMAT,
    LONGEST_NAME,
    LONGEST_TEXT,
    MOST_PLAYERS,
    MOST_RESTARTS,
    RESIGNED,
    UNFINISHED,
    VERSION,
    RecordedFailure,
    RecordedPly,
    RecordedRules,
    RecordedSeat,
    RecordedView,
)
from .reading import MOST_BYTES, parts_of

_WITH_RETURNS = (FINISHED, RESIGNED, DRAW_AGREED)
_DATE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", re.ASCII)


@dataclass(frozen=True)
class Record:
    """A played game: who played what, and how it ended.

    A record is plain data, and reading one runs nothing: it loads no game and no bot. Its parts are checked when it is
    made. `bots.Match.load` continues a game.

    Attributes:
        game: spec of the game.
        seats: the players in the order of the game.
        plies: the plies from `start` on.
        ending: `finished`, `resigned`, `draw agreed`, `max plies`, `failed` or `unfinished`.
        returns: return of each player; None if the game continues or counts for nobody.
        resigned: names of the players who resigned.
        failures: the failures behind the ending `failed`.
        start: text of the first state; None: the initial state of the game.
        opening: number of plies at the beginning that the seats did not choose.
        seed: root of the random numbers of bots and chance; None if unknown.
        restarts: number of restarts of all bots, after an undo or a load.
        library: version of Playout that played the game; empty if unknown.
        date: begin of the game, UTC, as in `2026-11-22T14:50:00Z`; empty if unknown.
        game_id: id of the game in its tournament; empty without one.
        view: in a record of what one player knows, this player's view; None in a whole record.
        rules: the rulesheet of the game; None for other games.

    Raises:
        RecordError: a value is out of range, or parts do not fit together.
    """

    game: str
    seats: tuple[RecordedSeat, ...]
    plies: tuple[RecordedPly, ...] = ()
    ending: str = UNFINISHED
    returns: tuple[float, ...] | None = None
    resigned: tuple[str, ...] = ()
    failures: tuple[RecordedFailure, ...] = ()
    start: str | None = None
    opening: int = 0
    seed: int | None = None
    restarts: int = 0
    library: str = ""
    date: str = ""
    game_id: str = ""
    view: RecordedView | None = None
    rules: RecordedRules | None = None

    def __post_init__(self) -> None:
        # Values may be of any type: what is read from JSON is checked here alone.
        for name in ("game", "library", "game_id"):
            self._text(f"{name} of the record", getattr(self, name), LONGEST_NAME)
        if self.date != "" and not _is_date(self.date):
            raise RecordError(f"date is {shown(self.date)}; valid: a time such as 2026-11-22T14:50:00Z, or empty")
        if self.start is not None:
            self._text("start", self.start, LONGEST_TEXT)
        self._range("restarts of the record", self.restarts, MOST_RESTARTS)
        self._check_seats()
        for number, ply in enumerate(self.plies, 1):
            self._check_ply(f"ply {number}", ply)
        self._range("opening", self.opening, len(self.plies))
        self._check_view()
        self._check_rules()
        self._check_end()

    @property
    def players(self) -> tuple[str, ...]:
        """Names of the players."""
        return tuple(seat.player for seat in self.seats)

    def to_dict(self) -> dict[str, Any]:
        """Return the record as data for JSON. Whole numbers above 2**53 are texts, since not all readers keep them."""
        data: dict[str, Any] = {
            "format": FORMAT,
            "version": VERSION,
            "library": self.library,
            "date": self.date,
            "game_id": self.game_id,
            "game": self.game,
            "seed": None if self.seed is None else str(seed_bits(self.seed)),
            "restarts": self.restarts,
            "seats": [asdict(seat) for seat in self.seats],
            "ending": self.ending,
            "returns": None if self.returns is None else list(self.returns),
            "resigned": list(self.resigned),
            "failures": [asdict(failure) for failure in self.failures],
            "view": None if self.view is None else asdict(self.view),
            "start": self.start,
            "opening": self.opening,
            "plies": [{key: dict(found) for key, found in vars(ply).items() if found} for ply in self.plies],
        }
        if self.rules is not None:
            data["rules"] = {"sha256": self.rules.sha256}
            if self.rules.text is not None:
                data["rules"]["text"] = self.rules.text
        return data

    def to_line(self) -> str:
        """Return the record as one line of JSON with its end, for files of many records."""
        return json.dumps(self.to_dict(), allow_nan=False) + "\n"

    def to_json(self) -> str:
        """Return the record as JSON for a file of its own, with a line for each part, seat and ply."""
        lines = []
        for key, value in self.to_dict().items():
            if key in ("seats", "plies") and value:
                items = ",\n  ".join(json.dumps(item, allow_nan=False) for item in value)
                lines.append(f'"{key}": [\n  {items}\n ]')
            else:
                lines.append(f'"{key}": {json.dumps(value, allow_nan=False)}')
        return "{\n " + ",\n ".join(lines) + "\n}\n"

    def save(self, path: Path | str) -> None:
        """Write the record to a file. Raises RecordError if that is not possible."""
        # ValueError: a path with a null character
        with failures_named(f"cannot write {shown(str(path))}", RecordError, OSError, ValueError):
            Path(path).write_text(self.to_json(), encoding="utf-8")

    @classmethod
    def from_dict(cls, given: Any) -> Record:
        """Return the record of data that `to_dict` made, of this version or a former one.

        Raises:
            RecordError: the data is not a record, or is one of a later version.
        """
        return cls(**parts_of(given, [one.name for one in fields(cls)]))

    @classmethod
    def from_json(cls, content: str | bytes) -> Record:
        """Return the record in a JSON text. Raises RecordError."""
        return cls.from_dict(parse_json(content, RecordError))

    @classmethod
    def read(cls, path: Path | str) -> Record:
        """Read a file with one record.

        Raises:
            RecordError: the file cannot be read, or is not one record.
        """
        content = read_file(path, MOST_BYTES, "a file with one record", RecordError)
        with failures_named(f"{shown(str(path))} is not a record", RecordError, RecordError):
            return cls.from_json(content)

    def _check_rules(self) -> None:
        rules = self.rules
        if rules is None:
            return
        if not isinstance(rules.sha256, str) or not is_digest(rules.sha256):
            raise RecordError(f"sha256 of rules is {shown(rules.sha256)}; valid: 64 hexadecimal digits")
        if not isinstance(rules.text, str | None):
            raise RecordError(f"text of rules is {shown(rules.text)}; valid: the text of a rulesheet")
        if rules.text is not None and digest_of(rules.text) != rules.sha256:
            raise RecordError(f"the text of the rules has the SHA-256 {digest_of(rules.text)}, not {rules.sha256}")

    def _check_seats(self) -> None:
        for number, seat in enumerate(self.seats, 1):
            where = f"seat {number}"
            self._text(f"player of {where}", seat.player, LONGEST_NAME)
            if seat.bot is not None:
                self._text(f"bot of {where}", seat.bot, LONGEST_TEXT)
            self._text(f"name of {where}", seat.name, LONGEST_NAME)
            if seat.seconds is not None:
                self._seconds(f"seconds of {where}", seat.seconds)
        players = self.players
        if not 1 <= len(players) <= MOST_PLAYERS or len(set(players)) < len(players):
            raise RecordError(f"seats are {shown(list(players))}; valid: 1 to {MOST_PLAYERS} different players")

    def _check_ply(self, where: str, ply: RecordedPly) -> None:
        for name, part in vars(ply).items():
            if not isinstance(part, Mapping):
                raise RecordError(f"{name} of {where} is {shown(part)}; valid: an object")
        deciders = ply.actions.keys()
        if not deciders or not (deciders <= set(self.players) or deciders == {CHANCE_NAME}):
            valid = f"some of {', '.join(self.players)}, or chance alone"
            raise RecordError(f"{where} has actions of {shown(list(deciders))}; valid: {valid}")
        for player, text in ply.actions.items():
            if text is not None:
                self._text(f"the action of {player} in {where}", text, LONGEST_TEXT)
            elif self.view is None:
                raise RecordError(f"the action of {player} in {where} is null; valid: a text, unless view is given")
        for what, numbers in (("seconds", ply.seconds), ("values", ply.values)):
            if not numbers.keys() <= deciders - {CHANCE_NAME}:
                raise RecordError(f"{where} has {what} of {shown(list(numbers))}; valid: players who decided")
            for player, number in numbers.items():
                if what == "seconds":
                    self._seconds(f"the seconds of {player} in {where}", number)
                elif not is_number(number):
                    raise RecordError(f"the value of {player} in {where} is {shown(number)}; valid: a number")

    def _check_view(self) -> None:
        if self.view is not None:
            self._known("view", self.view.player)
            self._text("the text of the view", self.view.text, LONGEST_TEXT)

    def _check_end(self) -> None:
        if self.ending not in ENDINGS:
            raise RecordError(f"ending is {shown(self.ending)}; valid: {', '.join(ENDINGS)}")
        if self.returns is None:
            if self.ending in _WITH_RETURNS:
                raise RecordError(f"returns are null in a game with the ending {self.ending}; valid: a list")
        elif self.ending == UNFINISHED:
            raise RecordError("returns are given in an unfinished game; valid: null")
        elif len(self.returns) != len(self.seats) or not all(map(is_number, self.returns)):
            raise RecordError(f"returns are {shown(list(self.returns))}; valid: {len(self.seats)} numbers")
        for player in self.resigned:
            self._known("resigned", player)
        if bool(self.resigned) != (self.ending == RESIGNED) or len(set(self.resigned)) < len(self.resigned):
            raise RecordError(
                f"resigned is {shown(list(self.resigned))} in a game with the ending {self.ending}; "
                f"valid: different players if the ending is {RESIGNED}, else none"
            )
        if bool(self.failures) != (self.ending == FAILED):
            raise RecordError(
                f"{len(self.failures)} failures in a game with the ending {self.ending}; "
                f"valid: 1 and more if the ending is {FAILED}, else none"
            )
        for number, failure in enumerate(self.failures, 1):
            self._check_failure(f"failure {number}", failure)

    def _check_failure(self, where: str, failure: RecordedFailure) -> None:
        if failure.player is not None:
            self._known(f"player of {where}", failure.player)
        if failure.kind not in KINDS:
            raise RecordError(f"kind of {where} is {shown(failure.kind)}; valid: {', '.join(KINDS)}")
        self._text(f"message of {where}", failure.message, LONGEST_NAME)
        self._range(f"ply of {where}", failure.ply, len(self.plies))

    def _known(self, what: str, player: str) -> None:
        if player not in self.players:
            raise RecordError(f"{what} has {shown(player)}; valid: {', '.join(self.players)}")

    @staticmethod
    def _text(what: str, text: str, length: int) -> None:
        if not isinstance(text, str) or not is_plain(text, length):
            raise RecordError(f"{what} is {shown(text)}; valid: one line of plain text, at most {length:,} characters")

    @staticmethod
    def _range(what: str, number: int, most: int) -> None:
        if type(number) is not int or not 0 <= number <= most:
            raise RecordError(f"{what} is {shown(number)}; valid: 0 to {most}")

    @staticmethod
    def _seconds(what: str, number: float) -> None:
        if not is_number(number) or number < 0:
            raise RecordError(f"{what} is {shown(number)}; valid: a number, 0 and up")


def read_records(path: Path | str) -> Iterator[Record]:
    """Yield the records of a file: one in any layout, or many with a line for each.

    Raises:
        RecordError: the file cannot be read, or a line is not a record; the message names the line.
    """
    try:
        with open(path, "rb") as lines:
            first = lines.readline(MOST_BYTES)
            if not first.rstrip().endswith(b"}"):
                yield Record.read(path)
                return
            lines.seek(0)
            number = 0
            while line := lines.readline(MOST_BYTES):
                number += 1
                if line.strip():
                    with failures_named(f"{shown(str(path))}, line {number}", RecordError, RecordError):
                        yield Record.from_json(line)
    except (OSError, ValueError) as error:  # ValueError: a path with a null character
        if isinstance(error, RecordError):
            raise
        raise RecordError(f"cannot read {shown(str(path))}: {getattr(error, 'strerror', None) or error}") from None


def _is_date(text: Any) -> bool:
    """Return True for a date and time that exists, in the form of records."""
    try:
        return _DATE.fullmatch(text) is not None and datetime.fromisoformat(text) is not None
    except (ValueError, TypeError):
        return False
