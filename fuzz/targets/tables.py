"""The C tables of the games: every rule of `cext/game/game_table.pxd`, at every state of a play."""

from __future__ import annotations

import fuzz_tables

from fuzz.games import SPECS, chosen_game
from fuzz.reader import Reader

NEEDS = "fuzz_tables"
SEEDS = tuple(bytes([place, *range(1, 160)]) for place in range(len(SPECS)))


def target(data: bytes) -> None:
    """Play one game through its table."""
    reader = Reader(data)
    game = chosen_game(reader)
    fuzz_tables.Play(game, reader.rest()).run()
