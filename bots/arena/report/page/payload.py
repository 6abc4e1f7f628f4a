"""The games of a page as plain data."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ....system.untrusted import LINE_LENGTH, clean_line
from ...records import shown_number
from ...tournament.openings import opening_position, opening_steps
from .replays import Replay

MOST_CHARACTERS = 3_000_000
"""Most characters in the pictures of all games, with equal lines counted once."""


def chosen_replays(replays: Iterable[Replay], most_games: int) -> list[Replay]:
    """Return the first replays, at most `most_games`, whose pictures do not exceed MOST_CHARACTERS."""
    chosen: list[Replay] = []
    known: set[str] = set()
    characters = 0
    for found in replays:
        if len(chosen) == most_games:
            break
        lines = {line for picture in found.pictures for line in picture.split("\n")} - known
        characters += sum(map(len, lines))
        if chosen and characters > MOST_CHARACTERS:
            break
        known |= lines
        chosen.append(found)
    return chosen


def games_to_dict(replays: Iterable[Replay]) -> dict[str, Any]:
    """Return games as plain data.

    A picture is a list of indices of lines, since most lines of a picture equal those before the step.
    """
    lines: dict[str, int] = {}
    games = [
        _plain(found, [[lines.setdefault(line, len(lines)) for line in text.split("\n")] for text in found.pictures])
        for found in replays
    ]
    return {"lines": list(lines), "games": games}


def _plain(found: Replay, frames: list[list[int]]) -> dict[str, Any]:
    record = found.record
    return {
        "number": shown_number(record.number),
        "seats": record.seats,
        "returns": record.returns,
        "opening": [
            *["a position"] * len(opening_position(record.opening)),
            *(clean_line(step, LINE_LENGTH) for step in opening_steps(record.opening)),
        ],
        "plies": record.plies,
        "steps": found.steps,
        "deciders": found.deciders,
        "frames": frames,
        "failures": [
            {
                "player": failure.whose(range(len(record.seats)), None),
                "kind": failure.kind,
                "message": clean_line(failure.message),
                "ply": failure.ply,
            }
            for failure in record.failures
        ],
        "error": found.error,
    }
