"""View models of the page: plain data with finished texts, which the templates only insert."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ...ratings.blocks import WinDrawLoss

HEAT = 58
"""Percent of colour in the strongest cell of a table, with which the text stays readable."""


@dataclass(frozen=True)
class Note:
    """A sentence that a reader of the numbers must know."""

    text: str
    is_serious: bool = False
    """True if there are no ratings because of it."""


@dataclass(frozen=True)
class Fact:
    """A fact of the tournament."""

    name: str
    value: str


@dataclass(frozen=True)
class Cell:
    """A cell of a coloured table."""

    main: str
    detail: str = ""
    side: Literal["up", "down", "even"] = "even"
    heat: int = 0
    """Percent of colour."""


@dataclass(frozen=True)
class Share:
    """A part of a bar."""

    kind: Literal["win", "draw", "loss"]
    count: int
    percent: float


@dataclass(frozen=True)
class SeatView:
    """Results in a seat over all bots."""

    player: str
    shares: tuple[Share, ...]
    value: str
    fitted: str
    """Seat effect of the rating model."""


@dataclass(frozen=True)
class StandingView:
    """A row of the standings."""

    rank: int
    label: str
    rating: str
    score: str
    mean_return: str
    mean_rank: str
    results: WinDrawLoss
    failures: int


@dataclass(frozen=True)
class FailureView:
    """Failures of the same bot, kind and message."""

    bot: str
    kind: str
    message: str
    count: int
    numbers: tuple[tuple[int, bool], ...]
    """Number of a game, and True if the page contains the game."""
    log: str


@dataclass(frozen=True)
class GameView:
    """A row of the list of games."""

    number: int
    seats: tuple[str, ...]
    ranks: tuple[int, ...]
    """Rank of the bot in each seat."""
    result: str
    plies: int
    failed: bool
    moves: str


def shares(results: WinDrawLoss) -> tuple[Share, ...]:
    """Return the parts of a bar, without empty ones."""
    kinds: tuple[tuple[Literal["win", "draw", "loss"], int], ...] = (
        ("win", results.wins),
        ("draw", results.draws),
        ("loss", results.losses),
    )
    return tuple(Share(kind, count, round(100 * count / results.games, 3)) for kind, count in kinds if count)


def heat_cell(main: str, detail: str, share: float) -> Cell:
    """Return a cell coloured by a share from 0 to 1; 0.5 is neutral."""
    strength = min(1.0, abs(share - 0.5) * 2)
    side: Literal["up", "down", "even"] = "up" if share > 0.5 else "down" if share < 0.5 else "even"
    return Cell(main, detail, side, round(HEAT * strength))
