"""Who plays whom, in which seats, with which seed: all of it a function of the tournament and the game's number.

A block is one selection of bots in every rotation of the seats, and the unit of the statistics. Blocks are played round
by round, one of each selection, so that a tournament that is stopped early has played all selections alike.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, combinations_with_replacement

from ..seeds import seed_for
from .limits import NO_BOT_LIMIT, BotLimit
from .policies import DEFAULT_POLICIES, FailurePolicies

DEADLINE_SECONDS = 60.0


@dataclass(frozen=True)
class Scheduled:
    """One game before it is played."""

    number: int
    """0 and up, in the order of the schedule."""
    block: int
    """0 and up; the games of a block have consecutive numbers."""
    seats: tuple[int, ...]
    """For each player of the game, the index of the bot that plays it."""
    seed: int
    """Root of all that is drawn in this game, in [0, 2**64)."""


@dataclass(frozen=True)
class Tournament:
    """All that decides the results of a tournament.

    Args:
        game: spec of the game.
        num_players: how many play in one game.
        bots: specs of the bots, as `load_bot` reads them; one may stand more than once.
        rounds: how many blocks every selection of bots plays, 1 and up.
        seed: root of all seeds.
        limits: for each bot, what it may spend; one for all; or none.
        deadline_seconds: a decision that takes longer on the wall clock is a failure.
        policies: what is done about failures.
    """

    game: str
    num_players: int
    bots: tuple[str, ...]
    rounds: int
    seed: int = 0
    limits: tuple[BotLimit, ...] = ()
    deadline_seconds: float = DEADLINE_SECONDS
    policies: FailurePolicies = DEFAULT_POLICIES

    @cached_property
    def selections(self) -> tuple[tuple[int, ...], ...]:
        """Which bots meet: every selection of as many as play in a game.

        A bot meets itself only where there are fewer bots than players; then every game has two different bots in it,
        unless there is but one.
        """
        indices = range(len(self.bots))
        if len(self.bots) >= self.num_players:
            return tuple(combinations(indices, self.num_players))
        repeated = combinations_with_replacement(indices, self.num_players)
        return tuple(chosen for chosen in repeated if len(set(chosen)) > 1 or len(self.bots) == 1)

    def limit_of(self, bot: int) -> BotLimit:
        """What the bot of an index may spend."""
        if not self.limits:
            return NO_BOT_LIMIT
        return self.limits[bot] if len(self.limits) > 1 else self.limits[0]

    @property
    def block_size(self) -> int:
        """Games in a block: one for each rotation of the seats."""
        return self.num_players

    @property
    def num_games(self) -> int:
        """Games in the whole tournament."""
        return self.rounds * len(self.selections) * self.block_size

    def scheduled(self, number: int) -> Scheduled:
        """The game of a number.

        With three players and more the order round the table matters too: in every second round it is reversed.

        Args:
            number: 0 to num_games - 1.

        Raises:
            IndexError: no game has this number.
        """
        if not 0 <= number < self.num_games:
            raise IndexError(f"game {number} is not in the schedule; valid: 0 to {self.num_games - 1}")
        block, rotation = divmod(number, self.block_size)
        round_number, selection = divmod(block, len(self.selections))
        order = self.selections[selection]
        if round_number % 2 and self.num_players > 2:
            order = order[::-1]
        return Scheduled(number, block, order[rotation:] + order[:rotation], seed_for(self.seed, number))


def rounds_for(games: int, block_size: int) -> int:
    """How many whole blocks hold at least so many games."""
    return max(1, -(-games // block_size))
