"""What a tournament is: all that decides its results, as plain data, and where a game of a number stands in it.

A block is one selection of bots with one opening in every seat assignment, and the unit of the statistics. Blocks are
played cycle by cycle, one of each selection, so that a tournament that is stopped early has played all selections
alike. Every cycle has an opening of its own, the same for all selections.
"""

from __future__ import annotations

import hashlib
import json
import math
from dataclasses import asdict, dataclass, field
from functools import cached_property
from itertools import combinations, combinations_with_replacement, permutations
from typing import Any, NamedTuple

from mcts import PlayoutError

from ...errors import TournamentError
from ...seeds import seed_for
from ..ratings.sprt import Sprt
from .adjudication import NO_ADJUDICATION, Adjudication
from .failure_policy import DEFAULT_POLICIES, MOST_REPLAYS, FailurePolicies, FailurePolicy
from .limits import NO_BOT_LIMIT, BotLimit
from .names import labels_of
from .whole_numbers import whole_number

DEADLINE_SECONDS = 60.0

ROUND_ROBIN = "round_robin"
"""Every selection of bots meets."""
GAUNTLET = "gauntlet"
"""The first bots meet all others, which do not meet each other."""
SWISS = "swiss"
"""In every round, bots that have done equally well meet."""
TEST = "test"
"""Two bots meet until a question about them is answered."""
SYSTEMS = (ROUND_ROBIN, GAUNTLET, SWISS, TEST)

CYCLIC = "cyclic"
"""A block has every rotation of the seats."""
ALL = "all"
"""A block has every order of the seats."""
SEAT_ORDERS = (CYCLIC, ALL)

BY_SELECTION = "by_selection"
"""The seed of a game depends on who meets in it and how often they have met before, not on who else takes part."""
BY_NUMBER = "by_number"
"""The seed of a game depends on its number. Tournaments of several selections were played so up to version 2 of the
files of games; where there is but one selection, it is the same."""

MOST_GAMES = 10**9
MOST_PLAYERS = 20
MOST_SELECTIONS = 1_000_000
"""They are listed, all of them."""
SELECTION_STREAM = 2**42
"""Path of the seeds of selections: no game has such a number."""


@dataclass(frozen=True)
class Openings:
    """Where games begin: at the game's own start, unless one of these says otherwise.

    Args:
        plies: so many random steps from the start.
        given: each a state as JSON of its `to_dict`, or steps from the start separated by spaces.
    """

    plies: int = 0
    given: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "plies", whole_number("openings of random plies", self.plies, 0, 10_000))
        if self.plies and self.given:
            raise TournamentError("openings are random plies or of a file, not both")


class Place(NamedTuple):
    """Where a game stands in the schedule."""

    cycle: int
    """0 and up: which opening."""
    pairing: int
    """Which of those that meet in this cycle."""
    assignment: int
    """Which of the seat assignments of the block."""


@dataclass(frozen=True)
class Tournament:
    """All that decides the results of a tournament.

    Args:
        game: spec of the game.
        num_players: how many play in one game.
        bots: specs of the bots, as `load_bot` reads them; one may stand more than once.
        rounds: how many rounds there are, 1 and up; a two-bot test ends after so many at the latest.
        seed: root of all seeds, any whole number, taken modulo 2**64.
        limits: for each bot, what it may spend; one for all; or none.
        deadline_seconds: a decision that takes longer on the wall clock is a failure.
        policies: what is done about failures.
        system: who meets whom, one of SYSTEMS.
        challengers: in a gauntlet, how many of the first bots meet all others.
        blocks: how many blocks those who meet in a round play in it.
        seat_orders: CYCLIC or ALL; for two players they are the same.
        openings: where games begin.
        sprt: ends a test as soon as it is decided.
        adjudication: rules that end a game early.
        names: a name for each bot, empty for none; or none at all. They change what is shown and nothing else: they
            have no part in the digest, the seeds or the results.
        seeding: BY_SELECTION or BY_NUMBER.

    Raises:
        TournamentError: these do not fit together.
    """

    game: str
    num_players: int
    bots: tuple[str, ...]
    rounds: int
    seed: int = 0
    limits: tuple[BotLimit, ...] = ()
    deadline_seconds: float = DEADLINE_SECONDS
    policies: FailurePolicies = DEFAULT_POLICIES
    system: str = ROUND_ROBIN
    challengers: int = 1
    blocks: int = 1
    seat_orders: str = CYCLIC
    openings: Openings = field(default_factory=Openings)
    sprt: Sprt | None = None
    adjudication: Adjudication = NO_ADJUDICATION
    names: tuple[str, ...] = ()
    seeding: str = BY_SELECTION

    def __post_init__(self) -> None:
        object.__setattr__(self, "num_players", whole_number("players", self.num_players, 1, MOST_PLAYERS))
        _check_one_of("seeding", self.seeding, (BY_SELECTION, BY_NUMBER))
        _check_one_of("pairing system", self.system, SYSTEMS)
        _check_one_of("seat orders", self.seat_orders, SEAT_ORDERS)
        for name, low, high in (("rounds", 1, MOST_GAMES), ("blocks", 1, MOST_GAMES)):
            object.__setattr__(self, name, whole_number(name, getattr(self, name), low, high))
        object.__setattr__(self, "seed", whole_number("seed", self.seed) % 2**64)
        object.__setattr__(self, "names", tuple(self.names) if any(self.names) else ())
        labels_of(self.bots, self.names)
        if len(self.limits) not in (0, 1, len(self.bots)):
            raise TournamentError(f"{len(self.limits)} limits for {len(self.bots)} bots; valid: one for each, or one")
        limits = tuple(self.limit_of(bot) for bot in range(len(self.bots)))
        # One form of what means the same: it is the same tournament.
        object.__setattr__(self, "limits", limits if any(limit != NO_BOT_LIMIT for limit in limits) else ())
        if not self.bots:
            raise TournamentError("a tournament needs a bot; valid: one and more")
        if self.system == GAUNTLET:
            if len(self.bots) < self.num_players:
                raise TournamentError(f"a gauntlet of {self.num_players} players needs as many bots, not {self.bots}")
            most = len(self.bots) - self.num_players + 1
            object.__setattr__(self, "challengers", whole_number("challengers", self.challengers, 1, most))
        if self.system in (SWISS, TEST) and self.num_players != 2:
            raise TournamentError(
                f"a {self.system} tournament is for games of two players; {self.game} has {self.num_players}; "
                f"valid: {ROUND_ROBIN}, {GAUNTLET}"
            )
        if self.system == SWISS and len(self.bots) < 3:
            raise TournamentError(f"a Swiss tournament needs three bots and more, not {len(self.bots)}")
        if self.system == TEST and len(self.bots) != 2:
            raise TournamentError(f"a test is between two bots, not {len(self.bots)}")
        if self.sprt is not None and self.system != TEST:
            raise TournamentError(f"a sequential test is for the pairing system {TEST}, not {self.system}")
        if self._num_selections() > MOST_SELECTIONS:
            raise TournamentError(
                f"{self._num_selections():,} pairings of {len(self.bots):,} bots are too many; "
                f"valid: up to {MOST_SELECTIONS:,}"
            )
        if self.system == SWISS or len(self.selections) == 1:
            object.__setattr__(self, "seeding", BY_SELECTION)  # it makes no difference
        if self.num_games > MOST_GAMES:
            raise TournamentError(f"{self.num_games:,} games are too many; valid: up to {MOST_GAMES:,}")

    def limit_of(self, bot: int) -> BotLimit:
        """What the bot of an index may spend."""
        if not self.limits:
            return NO_BOT_LIMIT
        return self.limits[bot] if len(self.limits) > 1 else self.limits[0]

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """For each bot, what it is shown as: its name or its spec, all different."""
        return labels_of(self.bots, self.names)

    @cached_property
    def selections(self) -> tuple[tuple[int, ...], ...]:
        """Which bots meet in every cycle; empty for a Swiss tournament, where that is decided round by round.

        A bot meets itself only where there are fewer bots than players; then every game has two different bots in it,
        unless there is but one.
        """
        indices = range(len(self.bots))
        if self.system == SWISS:
            return ()
        if self.system == GAUNTLET:
            others = combinations(indices[self.challengers :], self.num_players - 1)
            return tuple((first, *rest) for rest in others for first in indices[: self.challengers])
        if len(self.bots) >= self.num_players:
            return tuple(combinations(indices, self.num_players))
        repeated = combinations_with_replacement(indices, self.num_players)
        return tuple(chosen for chosen in repeated if len(set(chosen)) > 1 or len(self.bots) == 1)

    def _num_selections(self) -> int:
        """How many `selections` has, or a few more."""
        bots = len(self.bots)
        if self.system == SWISS:
            return 0
        if self.system == GAUNTLET:
            return self.challengers * math.comb(bots - self.challengers, self.num_players - 1)
        return math.comb(bots if bots >= self.num_players else bots + self.num_players - 1, self.num_players)

    @cached_property
    def pairings(self) -> int:
        """How many selections meet in a cycle."""
        return len(self.bots) // 2 if self.system == SWISS else len(self.selections)

    @cached_property
    def block_size(self) -> int:
        """Games in a block: one for each seat assignment."""
        return math.factorial(self.num_players) if self.seat_orders == ALL else self.num_players

    @property
    def cycles(self) -> int:
        """How many openings are played."""
        return self.rounds * self.blocks

    @cached_property
    def num_games(self) -> int:
        """Games in the whole tournament."""
        return self.cycles * self.pairings * self.block_size

    def place(self, number: int) -> Place:
        """Where the game of a number stands.

        Raises:
            IndexError: no game has this number.
        """
        if not 0 <= number < self.num_games:
            raise IndexError(f"game {number} is not in the schedule; valid: 0 to {self.num_games - 1}")
        block, assignment = divmod(number, self.block_size)
        return Place(*divmod(block, self.pairings), assignment)

    def seats(self, selection: tuple[int, ...], place: Place) -> tuple[int, ...]:
        """Who sits where.

        With three players and more, the order round the table matters too: where a block has but the rotations of one
        order, it is reversed in every second cycle.
        """
        if self.seat_orders == ALL:
            return tuple(selection[index] for index in self._orders[place.assignment])
        order = selection[::-1] if place.cycle % 2 and self.num_players > 2 else selection
        return order[place.assignment :] + order[: place.assignment]

    def game_seed(self, number: int) -> int:
        """The seed of the game of a number, in [0, 2**64).

        It is the same in a longer tournament, with more rounds or further bots. The first selection has the seeds that
        it has in a tournament of its own.
        """
        if self.system == SWISS or self.seeding == BY_NUMBER:
            return seed_for(self.seed, number)
        place = self.place(number)
        game = place.cycle * self.block_size + place.assignment
        selection = self.selections[place.pairing]
        if place.pairing == 0:
            return seed_for(self.seed, game)
        return seed_for(self.seed, SELECTION_STREAM, *selection, game)

    @cached_property
    def _orders(self) -> tuple[tuple[int, ...], ...]:
        return tuple(permutations(range(self.num_players)))

    def to_dict(self) -> dict[str, Any]:
        """This tournament as plain data that JSON can hold."""
        data = asdict(self)
        changed = {
            "bots": list(self.bots),
            "limits": [limit.to_dict() for limit in self.limits],
            "policies": {cause: [policy["action"], policy["times"]] for cause, policy in data["policies"].items()},
            "openings": {"plies": self.openings.plies, "given": list(self.openings.given)},
        }
        data = {**data, **changed}
        if self.system == SWISS or len(self.selections) == 1 or self.seeding == BY_NUMBER:
            del data["seeding"]  # digests are as they were before there was a choice
        # Only where they are used: other tournaments keep the digest they had before there were such rules.
        for name, value in (("adjudication", self.adjudication.to_dict()), ("names", list(self.names))):
            if getattr(self, name) == self.__dataclass_fields__[name].default:
                del data[name]
            else:
                data[name] = value
        return data

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Tournament:
        """The tournament that `to_dict` describes.

        Raises:
            TournamentError: it does not describe one.
        """
        try:
            changed = {
                "bots": _texts(data["bots"]),
                "limits": tuple(BotLimit(**limit) for limit in data["limits"]),
                "policies": FailurePolicies(**{cause: FailurePolicy(*of) for cause, of in data["policies"].items()}),
                "openings": Openings(data["openings"]["plies"], _texts(data["openings"]["given"])),
                "sprt": None if data["sprt"] is None else Sprt(**data["sprt"]),
                "adjudication": Adjudication(**data.get("adjudication", {})),
                "names": _texts(data.get("names", [])),
            }
            deadline = data["deadline_seconds"]
            if not isinstance(data["game"], str) or not isinstance(data["seed"], int) or not 0 < deadline < math.inf:
                raise TypeError("game, seed or deadline_seconds")
            if any(not 0 <= of.times <= MOST_REPLAYS for of in vars(changed["policies"]).values()):
                raise TypeError("policies")
            return cls(**{"seeding": BY_NUMBER, **data, **changed})
        except (KeyError, TypeError, AttributeError, ValueError, OverflowError) as error:
            if isinstance(error, PlayoutError):
                raise
            raise TournamentError(f"this describes no tournament: {type(error).__name__} {error}") from error

    @cached_property
    def digest(self) -> str:
        """What identifies this tournament, and begins the ids of its games: 16 hexadecimal digits of its SHA-256."""
        plain = {name: value for name, value in self.to_dict().items() if name != "names"}
        text = json.dumps(plain, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def __getstate__(self) -> dict[str, Any]:
        """Without what is worked out again at need."""
        return {name: value for name, value in self.__dict__.items() if name in self.__dataclass_fields__}


def rounds_for(games: int, block_size: int) -> int:
    """How many whole blocks hold at least so many games."""
    return max(1, -(-games // block_size))


def _texts(values: Any) -> tuple[str, ...]:
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise TypeError(f"{values!r:.100} is not a list of texts")
    return tuple(values)


def _check_one_of(name: str, value: Any, valid: tuple[str, ...]) -> None:
    if value not in valid:
        raise TournamentError(f"no {name} {value!r}; valid: {', '.join(valid)}")
