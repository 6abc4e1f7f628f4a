"""Description of a tournament as plain data, and the place of every game in its schedule.

A block is one selection of bots with one opening in every seat assignment. It is the unit of the statistics. Blocks are
played cycle by cycle, one block of each selection per cycle, so that all selections have played about equally often
when a tournament is stopped early. Every cycle has an opening of its own, which all selections share.
"""

from __future__ import annotations

import hashlib
import json
import math
from dataclasses import asdict, dataclass, field
from functools import cached_property
from itertools import permutations
from typing import Any, NamedTuple

from cext.arguments import counted, whole_number_in
from cext.game_info import RETURNS, SCORES, WINS
from mcts import PlayoutError
from mcts.seeds import seed_for

from ...errors import TournamentError
from ..ratings.sprt import Sprt
from .adjudication import NO_ADJUDICATION, Adjudication
from .failure_policy import DEFAULT_POLICIES, FailurePolicies, FailurePolicy
from .limits import NO_BOT_LIMIT, BotLimit
from .names import labels_of
from .openings import Openings
from .pairings import pairing_of
from .pairings.base import Entrants, Pairing

DEADLINE_SECONDS = 60.0
DEFAULT_PAIRING = "round_robin"

CYCLIC = "cyclic"
"""A block has every rotation of the seats."""
ALL = "all"
"""A block has every permutation of the seats."""
SEAT_ORDERS = (CYCLIC, ALL)

MOST_GAMES = 10**9
MOST_PLAYERS = 20
MOST_SELECTIONS = 1_000_000
"""Maximum number of selections; all of them are listed."""
SELECTION_STREAM = 2**42
"""Seed path of selections, larger than every game number."""


class Place(NamedTuple):
    """Place of a game in the schedule."""

    cycle: int
    """Index of the cycle, 0 and up. It determines the opening."""
    selection: int
    """Index of the selection in its cycle."""
    assignment: int
    """Index of the seat assignment in the block."""


@dataclass(frozen=True)
class Tournament:
    """All data that determine the results of a tournament.

    Args:
        game: spec of the game.
        num_players: number of players in one game.
        bots: specs of the bots for `load_bot`; a spec may occur more than once.
        rounds: number of rounds, 1 and up; the maximum in a two-bot test.
        seed: root of all seeds, any integer, taken modulo 2**64.
        limits: a limit for each bot, one limit for all bots, or none.
        deadline_seconds: maximum wall-clock time of a decision; a longer one is a failure.
        policies: failure policies.
        system: name of the pairing system, one of `registered_pairings()`.
        challengers: in a gauntlet, number of first bots that meet all others.
        blocks: number of blocks that a selection plays in a round.
        seat_orders: CYCLIC or ALL; equal for two players.
        openings: positions in which games begin.
        sprt: sequential test that ends a two-bot test early.
        adjudication: rules that end a game early.
        names: a name for each bot, empty for a bot without one; or no names at all. Names are for display only. They do
            not affect the digest, the seeds or the results.
        score: `wins` if it counts who has the higher return, `returns` if it counts by how much.

    Raises:
        TournamentError: a value is out of range, or values do not fit together.
    """

    game: str
    num_players: int
    bots: tuple[str, ...]
    rounds: int
    seed: int = 0
    limits: tuple[BotLimit, ...] = ()
    deadline_seconds: float = DEADLINE_SECONDS
    policies: FailurePolicies = DEFAULT_POLICIES
    system: str = DEFAULT_PAIRING
    challengers: int = 1
    blocks: int = 1
    seat_orders: str = CYCLIC
    openings: Openings = field(default_factory=Openings)
    sprt: Sprt | None = None
    adjudication: Adjudication = NO_ADJUDICATION
    names: tuple[str, ...] = ()
    score: str = WINS

    def __post_init__(self) -> None:
        object.__setattr__(
            self, "num_players", whole_number_in("players", self.num_players, 1, MOST_PLAYERS, TournamentError)
        )
        _check_one_of("score", self.score, SCORES)
        pairing = pairing_of(self.system)
        _check_one_of("seat orders", self.seat_orders, SEAT_ORDERS)
        for name in ("rounds", "blocks", "challengers"):
            object.__setattr__(self, name, whole_number_in(name, getattr(self, name), 1, MOST_GAMES, TournamentError))
        object.__setattr__(self, "seed", whole_number_in("seed", self.seed, None, None, TournamentError) % 2**64)
        object.__setattr__(self, "names", tuple(self.names) if any(self.names) else ())
        labels_of(self.bots, self.names)
        if len(self.limits) not in (0, 1, len(self.bots)):
            raise TournamentError(
                f"{counted(len(self.limits), 'limit')} for {counted(len(self.bots), 'bot')}; "
                "valid: one for each, or one"
            )
        limits = tuple(self.limit_of(bot) for bot in range(len(self.bots)))
        # Equal tournaments have equal fields, and so equal digests.
        object.__setattr__(self, "limits", limits if any(limit != NO_BOT_LIMIT for limit in limits) else ())
        if not self.bots:
            raise TournamentError("a tournament needs a bot; valid: one or more")
        object.__setattr__(self, "challengers", pairing.check(self._entrants).challengers)
        if self.sprt is not None and not pairing.is_test:
            raise TournamentError(f"a sequential test is for the pairing system test, not {self.system}")
        if self.sprt is not None and self.sprt.model != "normalized" and self.score == RETURNS:
            raise TournamentError(
                f"a sequential test of returns is in normalized Elo, not model={self.sprt.model}; "
                "valid: model=normalized, or the score wins"
            )
        num_selections = pairing.num_selections(self._entrants)
        if num_selections > MOST_SELECTIONS:
            raise TournamentError(
                f"{num_selections:,} pairings of {len(self.bots):,} bots are too many; valid: up to {MOST_SELECTIONS:,}"
            )
        if self.num_games > MOST_GAMES:
            raise TournamentError(f"{self.num_games:,} games are too many; valid: up to {MOST_GAMES:,}")

    @cached_property
    def pairing(self) -> Pairing:
        """The pairing system."""
        return pairing_of(self.system)

    @property
    def _entrants(self) -> Entrants:
        return Entrants(self.game, self.num_players, self.bots, self.challengers)

    def limit_of(self, bot: int) -> BotLimit:
        """Return the limit of a bot, by its index."""
        if not self.limits:
            return NO_BOT_LIMIT
        return self.limits[bot] if len(self.limits) > 1 else self.limits[0]

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """Text for each bot in tables: its name or its spec, all different."""
        return labels_of(self.bots, self.names)

    @cached_property
    def selections(self) -> tuple[tuple[int, ...], ...]:
        """Selections of bots that meet in every cycle; empty if the results of earlier rounds determine them."""
        return self.pairing.selections(self._entrants)

    @cached_property
    def selections_per_cycle(self) -> int:
        """Number of selections that meet in a cycle."""
        return self.pairing.selections_per_cycle(self._entrants)

    @cached_property
    def block_size(self) -> int:
        """Number of games in a block, one for each seat assignment."""
        return math.factorial(self.num_players) if self.seat_orders == ALL else self.num_players

    @property
    def cycles(self) -> int:
        """Number of cycles, each with an opening of its own."""
        return self.rounds * self.blocks

    @cached_property
    def num_games(self) -> int:
        """Number of games in the tournament."""
        return self.cycles * self.selections_per_cycle * self.block_size

    def place(self, number: int) -> Place:
        """Return the place of a game in the schedule.

        Raises:
            IndexError: no game has this number.
        """
        if not 0 <= number < self.num_games:
            raise IndexError(f"game {number} is not in the schedule; valid: 0 to {self.num_games - 1}")
        block, assignment = divmod(number, self.block_size)
        return Place(*divmod(block, self.selections_per_cycle), assignment)

    def seats(self, selection: tuple[int, ...], place: Place) -> tuple[int, ...]:
        """Return the bot in each seat.

        With three players or more, the order around the table matters. Blocks of rotations therefore reverse the order
        in every second cycle.
        """
        if self.seat_orders == ALL:
            return tuple(selection[index] for index in self._permutations[place.assignment])
        order = selection[::-1] if place.cycle % 2 and self.num_players > 2 else selection
        return order[place.assignment :] + order[: place.assignment]

    def game_seed(self, number: int) -> int:
        """Return the seed of a game, in [0, 2**64).

        It is the same in a longer tournament, with more rounds or more bots. The first selection has the same seeds as
        in a tournament of its own.
        """
        if self.pairing.has_rounds:
            return seed_for(self.seed, number)
        place = self.place(number)
        game = place.cycle * self.block_size + place.assignment
        selection = self.selections[place.selection]
        if place.selection == 0:
            return seed_for(self.seed, game)
        return seed_for(self.seed, SELECTION_STREAM, *selection, game)

    @cached_property
    def _permutations(self) -> tuple[tuple[int, ...], ...]:
        return tuple(permutations(range(self.num_players)))

    def to_dict(self) -> dict[str, Any]:
        """Return the tournament as data for JSON."""
        data = asdict(self)
        changed = {
            "bots": list(self.bots),
            "limits": [limit.to_dict() for limit in self.limits],
            "policies": {cause: [policy["action"], policy["times"]] for cause, policy in data["policies"].items()},
            "openings": self.openings.to_dict(),
        }
        data = {**data, **changed}
        if not self.pairing.has_rounds and len(self.selections) > 1:
            data["seeding"] = "by_selection"  # a part of the digest: seeds depend on the selection, not on the number
        # Left out where unused: the digests of earlier versions, which had none of them.
        unused = (("adjudication", self.adjudication.to_dict()), ("names", list(self.names)), ("score", self.score))
        for name, value in unused:
            if getattr(self, name) == self.__dataclass_fields__[name].default:
                del data[name]
            else:
                data[name] = value
        return data

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Tournament:
        """Return the tournament of a dict made by `to_dict`.

        Raises:
            TournamentError: the dict does not describe a tournament.
        """
        try:
            changed = {
                "bots": _texts(data["bots"]),
                "limits": tuple(BotLimit(**limit) for limit in data["limits"]),
                "policies": FailurePolicies(**{cause: FailurePolicy(*of) for cause, of in data["policies"].items()}),
                "openings": Openings(**{**data["openings"], "given": _texts(data["openings"]["given"])}),
                "sprt": None if data["sprt"] is None else Sprt(**data["sprt"]),
                "adjudication": Adjudication(**data.get("adjudication", {})),
                "names": _texts(data.get("names", [])),
            }
            deadline = data["deadline_seconds"]
            if not isinstance(data["game"], str) or not isinstance(data["seed"], int) or not 0 < deadline < math.inf:
                raise TypeError("game, seed or deadline_seconds")
            return cls(**{name: value for name, value in {**data, **changed}.items() if name != "seeding"})
        except (KeyError, TypeError, AttributeError, ValueError, OverflowError) as error:
            if isinstance(error, PlayoutError):
                raise
            raise TournamentError(f"not the description of a tournament: {type(error).__name__} {error}") from error

    @cached_property
    def digest(self) -> str:
        """Identifier of the tournament and prefix of its game ids: 16 hexadecimal digits of its SHA-256."""
        plain = {name: value for name, value in self.to_dict().items() if name != "names"}
        text = json.dumps(plain, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def __getstate__(self) -> dict[str, Any]:
        """Return the fields, without cached properties."""
        return {name: value for name, value in self.__dict__.items() if name in self.__dataclass_fields__}


def rounds_for(games: int, block_size: int) -> int:
    """Return the least number of blocks that contain at least `games` games."""
    return max(1, -(-games // block_size))


def _texts(values: Any) -> tuple[str, ...]:
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise TypeError(f"{values!r:.100} is not a list of texts")
    return tuple(values)


def _check_one_of(name: str, value: Any, valid: tuple[str, ...]) -> None:
    if value not in valid:
        raise TournamentError(f"unknown {name} {value!r}; valid: {', '.join(valid)}")
