"""`playout replay`: one stored game."""

from __future__ import annotations

from typing import Annotated

import typer

from ..arena.report.replay_text import print_replay
from ..arena.results.queries import find_game
from ..arena.store.store import Store
from .common.consoles import stdout
from .common.options import DbArgument
from .common.stored import note_choice


def command(
    db: DbArgument,
    game_id: Annotated[
        str, typer.Argument(metavar="GAME_ID", help="Id of the game, as `playout records DB` lists it.")
    ],
) -> None:
    """Show a stored game step by step.

    A number without the id of a tournament is a game of the tournament that was played last.

    Examples:
        playout replay arena.db 17
        playout replay arena.db 1a2b3c4d-17
    """
    with Store(db, read_only=True) as store:
        stored, game = find_game(store, game_id)
        note_choice(store, stored, game_id if "-" in game_id else None)
        print_replay(stored.tournament, game, stdout())
