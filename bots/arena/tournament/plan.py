"""The schedule of a running tournament: which games are known so far, and what each of them is."""

from __future__ import annotations

from mcts import Game

from ..records import ScheduledGame
from .openings import make_book
from .schedule import Tournament


class Plan:
    """Games of a tournament by number.

    A game never changes. In a tournament with rounds, the games of a round are known once all games of the earlier
    rounds were counted.

    Args:
        tournament: nothing of it has been counted.
        game: its game.
    """

    def __init__(self, tournament: Tournament, game: Game) -> None:
        self._tournament = tournament
        self._book = make_book(game, tournament.openings, tournament.seed)
        self._round_size = tournament.num_games // tournament.rounds
        self._left_in_round = self._round_size
        games = self._round_size // tournament.selections_per_cycle
        rounds = tournament.pairing.has_rounds
        self._rounds = tournament.pairing.new_rounds(len(tournament.bots), games, tournament.seed) if rounds else None

    @property
    def ready(self) -> int:
        """Number of games that are known; their numbers are 0 to `ready` - 1."""
        if self._rounds is None:
            return self._tournament.num_games
        return len(self._rounds.selections) * self._round_size

    def scheduled(self, number: int) -> ScheduledGame:
        """Return the game of a number.

        Raises:
            IndexError: the number is not below `ready`.
        """
        of = self._tournament
        place = of.place(number)
        if number >= self.ready:
            raise IndexError(f"game {number} is in a round that is not paired yet; valid: 0 to {self.ready - 1}")
        if self._rounds is None:
            selection = of.selections[place.selection]
        else:
            selection = self._rounds.selections[place.cycle // of.blocks][place.selection]
        block = number // of.block_size
        opening = self._book.opening(place.cycle)
        deal = of.game_seed(block * of.block_size)
        return ScheduledGame(number, block, of.seats(selection, place), of.game_seed(number), opening, deal=deal)

    def count(self, seats: tuple[int, ...], returns: tuple[float, ...] | None) -> None:
        """Count the result of a game, once for each game. It may complete a round."""
        if self._rounds is None:
            return
        self._rounds.score(seats, returns)
        self._left_in_round -= 1
        if self._left_in_round == 0 and len(self._rounds.selections) < self._tournament.rounds:
            self._rounds.pair()
            self._left_in_round = self._round_size
