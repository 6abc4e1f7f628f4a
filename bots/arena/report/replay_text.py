"""A stored game as text: who played, every step with the state after it, and the result."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from mcts import load_game

from ..store.replay import positions
from ..store.store import StoredGame
from ..tournament.schedule import Tournament


def print_replay(tournament: Tournament, stored: StoredGame, console: Console) -> None:
    """Print who played, every step with the state after it, and how the game ended."""
    game = load_game(tournament.game)
    record = stored.record
    console.print(Text(f"{game.spec}, game {record.number}, seed {stored.scheduled.seed}", "bold"))
    for player, bot in zip(game.players, record.seats, strict=True):
        console.print(Text(f"{player}: {tournament.labels[bot]}"))
    if stored.scheduled.opening:
        console.print(Text(f"opening: {' '.join(stored.scheduled.opening)}"))
    last = None
    for ply, (step, state) in enumerate(positions(game, stored)):
        console.print(Text(f"\n{ply}. {step}" if step else "\nstart", "bold"))
        console.print(Text(str(state)))
        last = state
    for failure in record.failures:
        who = game.players[failure.seat] if failure.seat >= 0 else "nobody"
        console.print(Text(f"\n{who}: {failure.kind}, after {failure.ply} steps: {failure.message}", "red"))
    if record.returns is None:
        console.print("\nThe game counts for nobody.")
    else:
        results = ", ".join(f"{p} {value:g}" for p, value in zip(game.players, record.returns, strict=True))
        is_forfeited = not record.ending and (last is None or not last.is_terminal())
        console.print(f"\n{record.ending or ('forfeited' if is_forfeited else 'result')}: {results}")
