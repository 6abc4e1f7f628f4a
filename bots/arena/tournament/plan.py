"""The schedule while a tournament is played: which games can be played by now, and what each of them is."""

from __future__ import annotations

from typing import Protocol

from mcts import Game

from ..records import ScheduledGame
from .openings import Book, make_book
from .pairings import SwissRounds
from .schedule import SWISS, Tournament


class Plan(Protocol):
    """Games by number. What a game is never changes; those of a round may wait for the rounds before."""

    book: Book

    @property
    def ready(self) -> int:
        """Games of smaller numbers can be asked for."""
        ...

    def scheduled(self, number: int) -> ScheduledGame:
        """The game of a number below `ready`. Raises IndexError for another."""
        ...

    def note(self, number: int, seats: tuple[int, ...], returns: tuple[float, ...] | None) -> None:
        """Take notice of a game that has been played, each once."""
        ...


def plan_for(tournament: Tournament, game: Game) -> Plan:
    """The plan of a tournament of which nothing has been played."""
    return _SwissPlan(tournament, game) if tournament.system == SWISS else _FixedPlan(tournament, game)


class _FixedPlan:
    """All games are known from the beginning."""

    def __init__(self, tournament: Tournament, game: Game) -> None:
        self.tournament = tournament
        self.book = make_book(game, tournament.openings, tournament.seed)

    @property
    def ready(self) -> int:
        return self.tournament.num_games

    def scheduled(self, number: int) -> ScheduledGame:
        of = self.tournament
        place = of.place(number)
        seats = of.seats(of.selections[place.pairing], place)
        seed = of.game_seed(number)
        return ScheduledGame(number, number // of.block_size, seats, seed, self.book.opening(place.cycle))

    def note(self, number: int, seats: tuple[int, ...], returns: tuple[float, ...] | None) -> None:
        pass


class _SwissPlan:
    """The games of a round are known when those of the rounds before have been played."""

    def __init__(self, tournament: Tournament, game: Game) -> None:
        self.tournament = tournament
        self.book = make_book(game, tournament.openings, tournament.seed)
        self._round_size = tournament.num_games // tournament.rounds
        self._rounds = SwissRounds(len(tournament.bots), self._round_size // tournament.pairings, tournament.seed)
        self._left = self._round_size

    @property
    def ready(self) -> int:
        return len(self._rounds.pairings) * self._round_size

    def scheduled(self, number: int) -> ScheduledGame:
        of = self.tournament
        place = of.place(number)
        if number >= self.ready:
            raise IndexError(f"game {number} is of a round that has not been paired yet; valid: 0 to {self.ready - 1}")
        pair = self._rounds.pairings[place.cycle // of.blocks][place.pairing]
        seats = of.seats(pair, place)
        seed = of.game_seed(number)
        return ScheduledGame(number, number // of.block_size, seats, seed, self.book.opening(place.cycle))

    def note(self, number: int, seats: tuple[int, ...], returns: tuple[float, ...] | None) -> None:
        self._rounds.score(seats, returns)
        self._left -= 1
        if self._left == 0 and len(self._rounds.pairings) < self.tournament.rounds:
            self._rounds.pair()
            self._left = self._round_size
