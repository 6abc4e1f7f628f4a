"""Matches of one rulesheet between the same players, who change their roles, as a tournament of the arena."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing, nullcontext

from ..arena.records import GameRecord
from ..arena.store.store import Store
from ..arena.tournament.plan import Plan
from ..arena.tournament.schedule import Tournament
from ..game import Record
from .host import Host, Setup
from .wire import Address


def tournament_of(setup: Setup, addresses: Sequence[Address], games: int) -> Tournament:
    """Return the tournament in which each player plays each role; games are rounded up to whole rotations.

    The specs of its bots name the players, and load no bot: a tournament with players on the network is not repeated.
    """
    players = setup.game.num_players
    return Tournament(
        setup.game.spec,
        players,
        tuple(f'ggp(url="{address.url}")' for address in addresses),
        rounds=-(-games // players),
        seed=setup.seed,
        deadline_seconds=float(setup.play_clock),
        names=tuple(address.url for address in addresses),
    )


def play_series(
    setup: Setup,
    addresses: Sequence[Address],
    games: int,
    on_game: Callable[[int, Record, Host], object],
    on_ply: Callable[[int, str], object],
    database: str | None = None,
) -> None:
    """Play matches, one after the other.

    Args:
        setup: the rules, the clocks, and the seed of the series.
        addresses: the players; in the first match those of the roles in order.
        games: number of matches.
        on_game: called after each match with its number, its record and its host.
        on_ply: called after each step with its number and its text.
        database: file of the arena to which the matches are added; None: none.

    Raises:
        ParameterError: there is not one player for each role.
        BotError: a player cannot be reached.
        StoreError: the database cannot be written.
    """
    Host(setup, addresses)  # checks the players
    tournament = tournament_of(setup, addresses, games)
    plan = Plan(tournament, setup.game)
    with nullcontext() if database is None else closing(Store(database)) as store:
        key = None if store is None else store.open_tournament(tournament)
        for number in range(games):
            scheduled = plan.scheduled(number)
            own = Setup(setup.game, setup.rules, setup.start_clock, setup.play_clock, scheduled.seed)
            host = Host(own, [addresses[bot] for bot in scheduled.seats], on_ply)
            record = host.play()
            if store is not None and key is not None:
                moves, seconds = host.course.moves, tuple(seat.seconds or 0.0 for seat in record.seats)
                played = {"returns": record.returns, "plies": len(moves), "moves": " ".join(moves), "seconds": seconds}
                store.add(key, GameRecord.of(scheduled, **played))
                store.flush()
            on_game(number, record, host)
