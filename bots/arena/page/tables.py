"""What the tables of a report say, as numbers: standings, who did how against whom, seats, families of bots."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from mcts import LimitError, PlayoutError, format_spec, parse_spec

from ...registry import load_bot
from ..blocks import DRAW, LOSS, WIN, BlockCounts, WinDrawLoss, game_counts, pairings, result_of
from ..match import NOBODY
from ..ratings import Ratings
from ..report import unique_labels
from ..returns import BotReturns, SeatReturns, mean_returns
from ..schedule import Tournament
from .collector import ReportData


@dataclass(frozen=True)
class BotLine:
    """How a bot did."""

    bot: int
    returns: BotReturns
    mean_rank: float | None
    """1 for the highest return of a game; those who are equal share the mean of their ranks."""
    failures: int


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


def labels_of(tournament: Tournament) -> list[str]:
    """Names of the bots as they are shown, all different."""
    return unique_labels([_canonical(spec) for spec in tournament.bots])


def _canonical(spec: str) -> str:
    """The canonical spec; of a bot that cannot be loaded here, its own text."""
    try:
        return load_bot(spec).spec
    except PlayoutError:
        return spec


def standings(data: ReportData, ratings: Ratings) -> list[BotLine]:
    """Every bot, the best first: by rating, those that have but a bound among them, then by mean return."""
    num_bots = len(data.tournament.bots)
    partial: BlockCounts = Counter()
    for played, times in (data.results - game_counts(data.blocks)).items():
        partial[(played,)] = times
    returns = mean_returns(num_bots, data.game.num_players, data.blocks, partial)
    ranks = _mean_ranks(data)
    failures: Counter[int] = Counter()
    for group in data.failures:
        failures[group.bot] += group.count
    lines = [BotLine(bot, returns[bot], ranks.get(bot), failures[bot]) for bot in range(num_bots)]

    def order(line: BotLine) -> tuple[bool, float, float, int]:
        elo = ratings.elo[line.bot]
        level = ratings.bounds[line.bot] if elo is None else elo
        mean = -math.inf if line.returns.mean_return is None else line.returns.mean_return
        return level is None, -(level or 0.0), -mean, line.bot

    return sorted(lines, key=order)


def _mean_ranks(data: ReportData) -> dict[int, float]:
    ranks: defaultdict[int, float] = defaultdict(float)
    games: Counter[int] = Counter()
    for played, times in data.results.items():
        for bot, mine in zip(played.seats, played.returns, strict=True):
            higher = sum(value > mine for value in played.returns)
            ranks[bot] += times * (1 + higher + (played.returns.count(mine) - 1) / 2)
            games[bot] += times
    return {bot: ranks[bot] / games[bot] for bot in games}


def seat_returns(data: ReportData, seat: int) -> SeatReturns:
    """How everybody together did in a seat."""
    results: Counter[float] = Counter()
    returns = 0.0
    for played, times in data.results.items():
        results[result_of(played.returns, seat)] += times
        returns += times * played.returns[seat]
    games = results.total()
    return SeatReturns(WinDrawLoss(results[WIN], results[DRAW], results[LOSS]), returns / games if games else None)


def meetings(data: ReportData) -> dict[tuple[int, int], Meeting]:
    """Every bot against every other that it met, both ways round."""
    games: Counter[tuple[int, int]] = Counter()
    returns: defaultdict[tuple[int, int], float] = defaultdict(float)
    for played, times in data.results.items():
        for bot, mine in zip(played.seats, played.returns, strict=True):
            for other in set(played.seats) - {bot}:
                games[bot, other] += times
                returns[bot, other] += times * mine
    found = {}
    single: BlockCounts = Counter()
    for played, times in data.results.items():
        single[(played,)] = times
    for pair in pairings(single):
        for bot, other, results in (
            (pair.first, pair.second, pair.games),
            (pair.second, pair.first, WinDrawLoss(*pair.games[::-1])),
        ):
            found[bot, other] = Meeting(results, returns[bot, other] / games[bot, other])
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
        shown = parse_spec(loaded.spec.rpartition(".")[2])[1]
    except (PlayoutError, LimitError):
        return None
    own = parameters.pop("simulations", None)
    counts = [count for count in (own, limit.simulations) if count is not None]
    if not counts or parameters.get("seconds") or limit.seconds or limit.clock_seconds:
        return None
    shown.pop("simulations", None)
    rest = f"memory_mb={limit.memory_mb}" if limit.memory_mb else ""
    return format_spec(name, shown), rest, min(counts)


def who_failed(labels: Sequence[str], bot: int) -> str:
    """The name of a bot that failed."""
    return "nobody in particular" if bot == NOBODY else labels[bot]
