"""A stored game as text: bots, every step with the state after it, and the result."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from mcts import load_game

from ...errors import StoreError
from ..records import NO_SEAT, NOBODY_LABEL
from ..store.replay import ReplayError, positions
from ..store.store import StoredGame
from ..tournament.schedule import Tournament


def print_replay(tournament: Tournament, stored: StoredGame, console: Console) -> None:
    """Print the bots of a game, every step with the state after it, and the result.

    Raises:
        StoreError: the game cannot be replayed: what was stored is damaged, or the rules have changed.
    """
    game = load_game(tournament.game)
    record, opening = stored.record, stored.scheduled.opening
    console.print(Text(f"{game.spec}, game {record.number}, seed {stored.scheduled.seed}", "bold"))
    for player, bot in zip(game.players, record.seats, strict=True):
        console.print(Text(f"{player}: {tournament.labels[bot]}"))
    if opening:
        console.print(Text(f"opening: {' '.join(opening)}"))
    is_over = False
    try:
        for ply, position in enumerate(positions(game, opening, record.moves)):
            console.print(Text(f"\n{ply}. {position.step}" if position.step else "\nstart", "bold"))
            console.print(Text(str(position.state)))
            is_over = position.state.is_terminal()
    except ReplayError as error:
        raise StoreError(f"game {record.number} cannot be replayed: {error}") from None
    for failure in record.failures:
        who = NOBODY_LABEL if failure.seat == NO_SEAT else game.players[failure.seat]
        console.print(Text(f"\n{who}: {failure.kind}, after {failure.ply} steps: {failure.message}", "red"))
    if record.returns is None:
        console.print("\nThe game counts for nobody.")
    else:
        results = ", ".join(f"{p} {value:g}" for p, value in zip(game.players, record.returns, strict=True))
        console.print(f"\n{record.ending or ('result' if is_over else 'forfeited')}: {results}")
