"""Stored games as JSON lines, from which they can be replayed, and as CSV."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import Any

from ..tournament.schedule import Tournament
from .store import StoredGame


def game_to_dict(tournament: Tournament, stored: StoredGame) -> dict[str, Any]:
    """Return a game as plain data, with everything that a replay needs."""
    scheduled, record = stored.scheduled, stored.record
    return {
        "tournament": tournament.digest,
        "number": record.number,
        "block": record.block,
        "game": tournament.game,
        "seats": [tournament.bots[bot] for bot in record.seats],
        "bots": list(record.seats),
        "names": [tournament.labels[bot] for bot in record.seats],
        "seed": scheduled.seed,
        "opening": list(scheduled.opening),
        "moves": record.moves.split(),
        "plies": record.plies,
        "returns": None if record.returns is None else list(record.returns),
        "ending": record.ending,
        "failures": [asdict(failure) for failure in record.failures],
    }


def json_lines(tournament: Tournament, games: Iterable[StoredGame]) -> Iterator[str]:
    """Yield a line of JSON for each game."""
    for stored in games:
        yield json.dumps(game_to_dict(tournament, stored)) + "\n"


def csv_lines(tournament: Tournament, games: Iterable[StoredGame]) -> Iterator[str]:
    """Yield lines of comma-separated values: a header, then one line for each game.

    Each seat has a column for its bot and one for its return.
    """
    line = io.StringIO(newline="")
    writer = csv.writer(line)

    def written(row: Sequence[object]) -> str:
        line.seek(0)
        line.truncate()
        writer.writerow(row)
        return line.getvalue()

    players = range(1, tournament.num_players + 1)
    bots, returns = [f"bot_{p}" for p in players], [f"return_{p}" for p in players]
    yield written(["number", "block", *bots, *returns, "plies", "failures", "opening", "moves"])
    for stored in games:
        record = stored.record
        yield written(
            [
                record.number,
                record.block,
                *(tournament.bots[bot] for bot in record.seats),
                *(record.returns or [""] * tournament.num_players),
                record.plies,
                "; ".join(f"{failure.seat + 1}: {failure.kind}" for failure in record.failures),
                " ".join(stored.scheduled.opening),
                record.moves,
            ]
        )
