"""Records of played games: reading, replaying, and continuing a match."""

from __future__ import annotations

import json
from typing import Any

import bots
from bots.game import game_of, replayed
from bots.game.course import CHANCE_NAME
from cext.spec import parse_spec
from fuzz.games import SPECS, loaded
from fuzz.reader import Reader
from mcts import Game, PlayoutError

PLIES = 6


def made(spec: str) -> str:
    """Return the record of a game that persons and bots have begun."""
    game = loaded(spec)
    with bots.Match(game, {0: "random"}, seed=1) as match:
        while not match.is_over and len(match.record().plies) < PLIES:
            for name in match.waits_for:
                match.play(match.view(name).sample_action(len(match.record().plies)), name, plies=1)
            if not match.is_over and not match.waits_for:
                match.go_on(1)
        return match.record().to_line()


RECORDS = tuple(json.loads(made(spec)) for spec in SPECS)
SEEDS = tuple(bytes([3]) + json.dumps(record).encode() for record in RECORDS[:6])
TOKENS = (
    '"format"', '"playout-game"', '"version"', '"plies"', '"actions"', '"seconds"', '"values"', '"chance"', '"seats"',
    '"ending"', '"finished"', '"resigned"', '"failed"', '"unfinished"', '"returns"', '"start"', '"opening"', "null",
)  # fmt: skip


def target(data: bytes) -> None:
    """Read a text of the input, or a record with changes."""
    reader = Reader(data)
    if reader.byte() % 4 == 3:
        text = reader.rest_text()
    else:
        given = reader.choice(RECORDS)
        for _ in range(1 + reader.byte() % 3):
            given = reader.changed(given, ["mark(1,1)", "x", "chance", None])
        try:
            text = json.dumps(given)
        except (TypeError, ValueError):
            return
    try:
        record = bots.Record.from_json(text)
    except bots.RecordError as error:
        check_message(error)
        return
    assert bots.Record.from_json(record.to_json()) == record, "a record that was read is written differently"
    assert bots.Record.from_json(record.to_line()) == record
    try:
        if record.game not in SPECS:  # others may be as large as their parameters say
            check_import(record)
            return
        game = game_of(record, loaded(record.game))
        states = states_of(record, game)
        with bots.Match.load(record, {}, game=game) as match:
            again = match.record()
    except PlayoutError as error:
        check_message(error)
        return
    number = len(record.plies)
    assert states_of(again, game)[: len(states)] == states, "a match continues from another position"
    # A match continues where chance decides, but asks nobody for an action.
    assert all(list(ply.actions) == [CHANCE_NAME] for ply in again.plies[number:])


def states_of(record: bots.Record, game: Game) -> list[dict[str, Any]]:
    """Return all states of a record."""
    return [course.state.to_dict() for course in replayed(record, game)]


def check_message(error: PlayoutError) -> None:
    """Check that a message can be shown."""
    assert str(error).isprintable(), error


def check_import(record: bots.Record) -> None:
    """Check that a path is refused before it is imported."""
    if "." in parse_spec(record.game)[0]:
        try:
            game_of(record)
        except bots.RecordError:
            return
        raise AssertionError(f"{record.game} was loaded")
