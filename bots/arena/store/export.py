"""Stored games as JSON lines, from which each can be replayed, and as a table for other programs."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ..tournament.schedule import Tournament
from .store import StoredGame


def game_to_dict(tournament: Tournament, stored: StoredGame) -> dict[str, Any]:
    """A game as plain data: whatever is needed to replay it is in there."""
    scheduled, record = stored.scheduled, stored.record
    return {
        "tournament": tournament.digest,
        "number": record.number,
        "block": record.block,
        "game": tournament.game,
        "seats": [tournament.bots[bot] for bot in record.seats],
        "bots": list(record.seats),
        "seed": scheduled.seed,
        "opening": list(scheduled.opening),
        "moves": record.moves.split(),
        "plies": record.plies,
        "returns": None if record.returns is None else list(record.returns),
        "failures": [asdict(failure) for failure in record.failures],
    }


def write_json_lines(tournament: Tournament, games: Iterable[StoredGame], target: Path) -> None:
    """Write games, a line of JSON for each."""
    with target.open("w", encoding="utf-8") as lines:
        for stored in games:
            lines.write(json.dumps(game_to_dict(tournament, stored)) + "\n")


def write_csv(tournament: Tournament, games: Iterable[StoredGame], target: Path) -> None:
    """Write games as comma-separated values, one column for the bot and one for the return of each seat."""
    players = range(1, tournament.num_players + 1)
    with target.open("w", encoding="utf-8", newline="") as table:
        writer = csv.writer(table)
        bots, returns = [f"bot_{p}" for p in players], [f"return_{p}" for p in players]
        writer.writerow(["number", "block", *bots, *returns, "plies", "failures", "opening", "moves"])
        for stored in games:
            record = stored.record
            writer.writerow(
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
