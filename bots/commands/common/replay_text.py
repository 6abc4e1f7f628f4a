"""A played game as text: who played, every step with the state after it, and the result."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from cext.arguments import counted
from mcts import Game, State

from ...game import FAILED, FINISHED, UNFINISHED, Record, replayed
from ...system.untrusted import clean_line, clean_text

NOBODY = "nobody"
"""Label of the player of a failure if that is not known."""


def print_record(record: Record, game: Game, console: Console) -> State:
    """Print a game and return its last state. The steps of an opening are in the first line only.

    Raises:
        RecordError: the record does not fit the rules. What comes before the wrong ply is printed.
    """
    facts = [game.spec, *([f"game {record.game_id}"] if record.game_id else [])]
    facts += [f"seed {record.seed}"] if record.seed is not None else []
    console.print(Text(", ".join(facts + ([record.date] if record.date else [])), "bold"))
    for seat in record.seats:
        console.print(Text(f"{seat.player}: {seat.name or seat.bot or 'person'}"))
    for number, course in enumerate(replayed(record, game)):
        if number == record.opening:
            opening = " ".join(map(clean_line, course.moves))
            if opening or record.start is not None:
                console.print(Text(f"opening: {opening or clean_line(record.start, 2000)}"))
            console.print(Text("\nstart", "bold"))
        elif number > record.opening:
            ply = record.plies[number - 1]
            notes = [f"{player} expects {value:g}" for player, value in ply.values.items()]
            said = f" ({', '.join(notes)})" if notes else ""
            console.print(Text(f"\n{number - record.opening}. {clean_line(course.moves[-1])}{said}", "bold"))
        if number >= record.opening:
            console.print(Text(clean_text(course.state)))
    _print_end(record, console)
    return course.state


def _print_end(record: Record, console: Console) -> None:
    for failure in record.failures:
        who, steps = failure.player or NOBODY, failure.ply - record.opening
        console.print(Text(f"\n{who}: {failure.kind}, after {counted(steps, 'step')}: {failure.message}", "red"))
    if record.ending == UNFINISHED:
        console.print("\nThe game is not finished.")
    elif record.returns is None:
        console.print("\nThe game counts for nobody." if record.game_id else "\nThe game is not finished.")
    else:
        results = ", ".join(f"{player} {value:g}" for player, value in zip(record.players, record.returns, strict=True))
        told = {FINISHED: "result", FAILED: "forfeited"}.get(record.ending, record.ending)
        console.print(Text(f"\n{told}: {results}"))
