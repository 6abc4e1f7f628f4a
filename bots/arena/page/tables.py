"""What the tables of a report say, as numbers: standings, who did how against whom, seats, families of bots."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from mcts import LimitError, PlayoutError, format_spec, parse_spec

from ...registry import load_bot
from ..blocks import DRAW, LOSS, WIN, Played, WinDrawLoss, result_of, win_draw_loss
from ..intervals import half_width
from ..match import NOBODY
from ..ratings import Ratings
from ..report import unique_labels
from ..schedule import Tournament
from .collect import ReportData


@dataclass(frozen=True)
class Mean:
    """A mean of what was got in games."""

    value: float
    error: float | None
    """Half the width of the 95 % interval, from the spread of whole blocks; None where there is too little to tell."""


@dataclass(frozen=True)
class SeatLine:
    """How a bot, or everybody, did in one seat."""

    results: WinDrawLoss
    """With three and more players, won means alone at the top, and drawn at the top with others."""
    mean_return: float | None


@dataclass(frozen=True)
class BotLine:
    """How a bot did."""

    bot: int
    total: WinDrawLoss
    mean_return: Mean | None
    mean_rank: float | None
    """1 for the highest return of a game; those who are equal share the mean of their ranks."""
    seats: tuple[SeatLine, ...]
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
    means = _block_means(data)
    lines = [_bot_line(data, bot, means[bot]) for bot in range(len(data.tournament.bots))]

    def order(line: BotLine) -> tuple[bool, float, float, int]:
        elo = ratings.elo[line.bot]
        level = ratings.bounds[line.bot] if elo is None else elo
        mean = -math.inf if line.mean_return is None else line.mean_return.value
        return level is None, -(level or 0.0), -mean, line.bot

    return sorted(lines, key=order)


def _bot_line(data: ReportData, bot: int, error: float | None) -> BotLine:
    seats = tuple(seat_line(data, seat, bot) for seat in range(data.game.num_players))
    returns = rank_sum = games = 0.0
    for played, times in data.results.items():
        for seat, seated in enumerate(played.seats):
            if seated == bot:
                games += times
                returns += times * played.returns[seat]
                rank_sum += times * _rank(played, seat)
    total = WinDrawLoss(*(sum(parts) for parts in zip(*(seat.results for seat in seats), strict=True)))
    failures = sum(group.count for group in data.failures if group.bot == bot)
    if not games:
        return BotLine(bot, total, None, None, seats, failures)
    return BotLine(bot, total, Mean(returns / games, error), rank_sum / games, seats, failures)


def _rank(played: Played, seat: int) -> float:
    mine = played.returns[seat]
    higher = sum(value > mine for value in played.returns)
    return 1 + higher + (played.returns.count(mine) - 1) / 2


def _block_means(data: ReportData) -> list[float | None]:
    """For each bot, half the 95 % interval of its mean return, from the spread of whole blocks."""
    sums: list[list[float]] = [[0.0, 0.0, 0.0] for _ in data.tournament.bots]
    for block, times in data.blocks.items():
        found: dict[int, list[float]] = defaultdict(list)
        for game in block:
            for seat, bot in enumerate(game.seats):
                found[bot].append(game.returns[seat])
        for bot, values in found.items():
            mean = sum(values) / len(values)
            for power in range(3):
                sums[bot][power] += times * mean**power
    return [_error_of(*of_bot) for of_bot in sums]


def _error_of(count: float, total: float, squares: float) -> float | None:
    width = half_width(int(count) - 1)
    if width is None:
        return None
    variance = max(0.0, squares / count - (total / count) ** 2)
    return width * math.sqrt(variance / count)


def seat_line(data: ReportData, seat: int, bot: int | None = None) -> SeatLine:
    """How a bot did in a seat, or, without one, everybody."""
    results: Counter[float] = Counter()
    returns = 0.0
    for played, times in data.results.items():
        if bot is None or played.seats[seat] == bot:
            results[result_of(played.returns, seat)] += times
            returns += times * played.returns[seat]
    games = results.total()
    return SeatLine(WinDrawLoss(results[WIN], results[DRAW], results[LOSS]), returns / games if games else None)


def meetings(data: ReportData) -> dict[tuple[int, int], Meeting]:
    """Every bot against every other that it met, both ways round."""
    single = Counter({(played,): times for played, times in data.results.items()})
    returns: dict[tuple[int, int], list[float]] = defaultdict(lambda: [0.0, 0.0])
    for played, times in data.results.items():
        for seat, bot in enumerate(played.seats):
            for other in set(played.seats) - {bot}:
                returns[bot, other][0] += times
                returns[bot, other][1] += times * played.returns[seat]
    return {
        (bot, other): Meeting(win_draw_loss(single, bot, other), total / seated)
        for (bot, other), (seated, total) in returns.items()
    }


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
