"""`playout replay`: one stored or recorded game."""

from __future__ import annotations

from itertools import islice
from typing import Annotated

import typer
from rich.console import Console

from mcts import Game, load_game

from ..arena.results.queries import find_game
from ..arena.store.export import record_of
from ..arena.store.store import Store
from ..errors import RecordError, StoreError
from ..game import Record, game_of, read_records
from .common.files import OutputFile, console_beside, output_file
from .common.options import flag, option, output_option
from .common.replay_text import print_record
from .common.stored import file_named, note_choice


def command(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="Database of stored games, or a file of records in JSON.")
    ],
    game_id: Annotated[
        str | None,
        typer.Argument(
            metavar="GAME_ID",
            help="Id of the game, as `playout records DB` lists it; a file of one game needs none.",
        ),
    ] = None,
    trust: Annotated[
        bool, flag("--trust", "Import the class that a record names as its game. It can run any program.")
    ] = False,
    game: Annotated[
        str | None, option("The game, such as the path of a rulesheet that is in another folder now.", "GAME")
    ] = None,
    output: Annotated[
        str | None, output_option("Write a picture of the last position to FILE.svg; - writes to stdout.")
    ] = None,
) -> None:
    """Show a stored game step by step.

    A number without the id of a tournament is a game of the tournament that was played last. Files of records are
    written by `playout records -o`, `playout play -o` and `Match.save`.

    Examples:
        playout replay arena.db 17
        playout replay arena.db 1a2b3c4d-17
        playout replay game.json -o end.svg
    """
    picture = output_file(output, (".svg",))
    console = console_beside(picture)
    if _is_json(file):
        record = _find_record(file, game_id)
        _show(record, game_of(record, game, trusted=trust), console, picture)
        return
    if game_id is None:
        raise StoreError("the id of a game is missing; valid: playout replay DB GAME_ID, or a file of records")
    with file_named(file), Store(file, read_only=True) as store:
        stored, found = find_game(store, game_id)
        note_choice(store, stored, game_id if "-" in game_id else None)
        loaded = load_game(game or stored.tournament.game)
        _show(record_of(stored.tournament, found, loaded), loaded, console, picture)


def _show(record: Record, game: Game, console: Console, picture: OutputFile | None) -> None:
    """Print a game, and write the picture of its last position."""
    last = print_record(record, game, console)
    if picture is not None:
        picture.write_text(last.to_svg())


def _is_json(path: str) -> bool:
    """Return True for a file that begins like JSON. Errors are left to those who read it."""
    try:
        with open(path, "rb") as stream:
            return stream.read(64).lstrip()[:1] == b"{"
    except (OSError, ValueError):
        return path.endswith((".json", ".jsonl"))


def _find_record(path: str, game_id: str | None) -> Record:
    """Return the record with an id, or with a number of its tournament; the only one for None."""
    every = read_records(path)
    if game_id is None:
        found = list(islice(every, 2))
        valid = "the id of one of them"
    else:
        found = [record for record in every if game_id in (record.game_id, record.game_id.rpartition("-")[2])]
        valid = "the id of one that it has, such as 1a2b3c4d-17, or its number"
    if len(found) != 1:
        many = "several games" if found else "no such game"
        raise RecordError(f"{path!r} has {many}; valid: {valid}")
    return found[0]
