"""Base class of pairing systems, which decide which bots meet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Protocol

from ....errors import TournamentError


@dataclass(frozen=True)
class Entrants:
    """Bots of a tournament and the seats to be filled."""

    game: str
    """Spec of the game."""
    num_players: int
    """Players in one game."""
    bots: tuple[str, ...]
    """Specs of the bots."""
    challengers: int = 1
    """Number of first bots with a special role, such as in a gauntlet."""

    @property
    def num_bots(self) -> int:
        """Number of bots."""
        return len(self.bots)


class Rounds(Protocol):
    """Pairings of a tournament whose next round depends on the results so far."""

    selections: list[list[tuple[int, ...]]]
    """Selections of each round that is paired. The first round is paired from the beginning."""

    def score(self, seats: tuple[int, ...], returns: tuple[float, ...] | None) -> None:
        """Count the result of a game."""
        ...

    def pair(self) -> None:
        """Pair the next round, after all games of the earlier rounds were counted."""
        ...


class Pairing:
    """A pairing system.

    A selection is a tuple of indices of bots, one for each seat. It plays one block in every cycle.
    """

    NAME: ClassVar[str]
    """Value of `Tournament.system` and of `--pairing`."""
    has_rounds: ClassVar[bool] = False
    """True if the selections of a round depend on the results of earlier rounds. `new_rounds` then replaces
    `selections`."""
    is_test: ClassVar[bool] = False
    """True if the tournament tests a hypothesis about two bots. Its blocks are counted in the order of the schedule,
    and it may have an SPRT."""

    @property
    def title(self) -> str:
        """The name in a sentence: `round robin` for round_robin."""
        return self.NAME.replace("_", " ")

    def check(self, entrants: Entrants) -> Entrants:
        """Return the entrants with values of plain types.

        Raises:
            TournamentError: the system does not fit the number of bots or players, or `challengers` is out of range.
        """
        return entrants

    def num_selections(self, entrants: Entrants) -> int:
        """Return an upper bound of the number of selections, without listing them."""
        raise NotImplementedError

    def selections(self, entrants: Entrants) -> tuple[tuple[int, ...], ...]:
        """Return the selections that play in every cycle."""
        raise NotImplementedError

    def selections_per_cycle(self, entrants: Entrants) -> int:
        """Return the number of selections in a cycle."""
        return len(self.selections(entrants))

    def default_rounds(self, num_bots: int) -> int:
        """Return the number of rounds of a tournament that does not specify it; for a system with rounds."""
        raise NotImplementedError

    def new_rounds(self, num_bots: int, games: int, seed: int) -> Rounds:
        """Return the rounds of a new tournament; for a system with rounds.

        Args:
            num_bots: number of bots.
            games: number of games of a selection in a round.
            seed: root of all random choices.
        """
        raise NotImplementedError


def check_two_players(name: str, entrants: Entrants) -> None:
    """Raise TournamentError unless the game has two players."""
    if entrants.num_players != 2:
        raise TournamentError(
            f"a {name} tournament is for games of two players; {entrants.game} has {entrants.num_players}; "
            "valid: round_robin, gauntlet"
        )
