"""Numbers of the page beyond the report: mean ranks, and families of bots."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from cext.spec import format_spec, parse_spec
from mcts import PlayoutError

from ....registry import canonical_spec, is_foreign, load_bot
from ...ratings.blocks import GameOutcome
from ...tournament.schedule import Tournament


@dataclass(frozen=True)
class Family:
    """Bots that differ only in their number of simulations."""

    name: str
    members: tuple[tuple[int, int], ...]
    """Number of simulations and index of the bot, ascending."""


def mean_ranks(games: Mapping[GameOutcome, int]) -> dict[int, float]:
    """Return the mean rank of each bot. The highest return of a game has rank 1; ties share their mean rank."""
    ranks: defaultdict[int, float] = defaultdict(float)
    times_of: Counter[int] = Counter()
    for game, times in sorted(games.items()):
        for bot, value in zip(game.seats, game.returns, strict=True):
            higher = sum(other > value for other in game.returns)
            ranks[bot] += times * (1 + higher + (game.returns.count(value) - 1) / 2)
            times_of[bot] += times
    return {bot: ranks[bot] / times_of[bot] for bot in times_of}


def families(tournament: Tournament, bots: Iterable[int]) -> list[Family]:
    """Return the families with at least two of these bots, each with a different number of simulations."""
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
    """Return the spec of a bot without its simulations, its other limits, and its simulations.

    None for a bot without a number of simulations, or with a limit of time.
    """
    spec = tournament.bots[bot]
    limit = tournament.limit_of(bot)
    try:
        name, shown = parse_spec(canonical_spec(spec))
        parameters: dict[str, Any] = shown if is_foreign(spec) else load_bot(spec).parameters
        own = None if (found := parameters.get("simulations")) is None else int(found)
    except (PlayoutError, ValueError):
        return None
    counts = [count for count in (own, limit.simulations) if count is not None]
    if not counts or parameters.get("seconds") or limit.seconds or limit.clock_seconds:
        return None
    shown.pop("simulations", None)
    rest = f"memory_mb={limit.memory_mb}" if limit.memory_mb else ""
    return format_spec(name, shown), rest, min(counts)
