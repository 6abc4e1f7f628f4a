"""What the page shows beyond the standings, as numbers: head to head, ranks, seats, families of bots."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from mcts import PlayoutError, format_spec, parse_spec

from ....registry import load_bot
from ...ratings.blocks import DRAW, LOSS, WIN, BlockCounts, GameOutcome, WinDrawLoss, game_counts, result_of
from ...ratings.mean_returns import SeatReturns
from ...results.standings import PairingResult
from ...tournament.schedule import Tournament


@dataclass(frozen=True)
class Meeting:
    """One bot in games with another, its own side of it."""

    results: WinDrawLoss
    mean_return: float

    @property
    def score(self) -> float:
        """Share of points, draws half, 0 to 1."""
        return score_share(self.results)


@dataclass(frozen=True)
class Family:
    """Bots that differ only in how many simulations they make."""

    name: str
    members: tuple[tuple[int, int], ...]
    """Simulations and bot, ascending."""


def score_share(results: WinDrawLoss) -> float:
    """Share of points, draws half, 0 to 1; of games that were played."""
    return (results.wins + results.draws / 2) / results.games


def mean_ranks(games: Mapping[GameOutcome, int]) -> dict[int, float]:
    """Bot -> its mean rank: 1 for the highest return of a game; those who are equal share the mean of their ranks."""
    ranks: defaultdict[int, float] = defaultdict(float)
    times_of: Counter[int] = Counter()
    for played, times in sorted(games.items()):
        for bot, mine in zip(played.seats, played.returns, strict=True):
            higher = sum(value > mine for value in played.returns)
            ranks[bot] += times * (1 + higher + (played.returns.count(mine) - 1) / 2)
            times_of[bot] += times
    return {bot: ranks[bot] / times_of[bot] for bot in times_of}


def seat_returns(games: Mapping[GameOutcome, int], seat: int) -> SeatReturns:
    """How everybody together did in a seat."""
    results: Counter[float] = Counter()
    returns = 0.0
    for played, times in sorted(games.items()):
        results[result_of(played.returns, seat)] += times
        returns += times * played.returns[seat]
    count = results.total()
    return SeatReturns(WinDrawLoss(results[WIN], results[DRAW], results[LOSS]), returns / count if count else None)


def meetings(pairings: Iterable[PairingResult], blocks: BlockCounts) -> dict[tuple[int, int], Meeting]:
    """Every bot against every other that it met in whole blocks, both ways round.

    Args:
        pairings: how they did against each other in these blocks.
        blocks: the blocks, for the returns.
    """
    times_of: Counter[tuple[int, int]] = Counter()
    returns: defaultdict[tuple[int, int], float] = defaultdict(float)
    for played, times in sorted(game_counts(blocks).items()):
        for bot, mine in zip(played.seats, played.returns, strict=True):
            for other in set(played.seats) - {bot}:
                times_of[bot, other] += times
                returns[bot, other] += times * mine
    found = {}
    for pair in pairings:
        both_ways = (
            (pair.first, pair.second, WinDrawLoss(pair.wins, pair.draws, pair.losses)),
            (pair.second, pair.first, WinDrawLoss(pair.losses, pair.draws, pair.wins)),
        )
        for bot, other, results in both_ways:
            found[bot, other] = Meeting(results, returns[bot, other] / times_of[bot, other])
    return found


def families(tournament: Tournament, bots: Iterable[int]) -> list[Family]:
    """Families of two and more of these bots, each member with a number of simulations of its own."""
    found: dict[tuple[str, str], dict[int, int]] = defaultdict(dict)
    for bot in bots:
        kind = _kind(tournament, bot)
        if kind is not None:
            name, rest, simulations = kind
            found[name, rest].setdefault(simulations, bot)
    return [
        Family(f"{name}, {rest}" if rest else name, tuple(sorted(members.items())))
        for (name, rest), members in found.items()
        if len(members) > 1
    ]


def _kind(tournament: Tournament, bot: int) -> tuple[str, str, int] | None:
    """What a bot is but for its simulations, what else limits it, and its simulations; None without a number of them,
    or where time is what ends its searches."""
    spec = tournament.bots[bot]
    limit = tournament.limit_of(bot)
    try:
        loaded = load_bot(spec)
        name, parameters = loaded.name, dict(loaded.parameters)
        shown = parse_spec(loaded.spec)[1]
    except PlayoutError:
        return None
    own = parameters.pop("simulations", None)
    counts = [count for count in (own, limit.simulations) if count is not None]
    if not counts or parameters.get("seconds") or limit.seconds or limit.clock_seconds:
        return None
    shown.pop("simulations", None)
    rest = f"memory_mb={limit.memory_mb}" if limit.memory_mb else ""
    return format_spec(name, shown), rest, min(counts)
