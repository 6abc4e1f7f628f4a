"""The pieces that the template of the page puts in its places: all texts ready, nothing to work out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ...ratings.blocks import WinDrawLoss

HEAT = 58
"""Percent of colour in the strongest cell of a table: the text on it has to stay readable."""


@dataclass(frozen=True)
class Warning:
    """What a reader of the numbers must know."""

    text: str
    is_serious: bool = False


@dataclass(frozen=True)
class Fact:
    """A fact of the tournament."""

    name: str
    value: str


@dataclass(frozen=True)
class Cell:
    """A cell of a table with colours."""

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
    """What a seat is worth."""

    player: str
    shares: tuple[Share, ...]
    value: str
    fitted: str


@dataclass(frozen=True)
class StandingView:
    """A line of the standings."""

    place: int
    label: str
    elo: str
    score: str
    mean_return: str
    mean_rank: str
    results: WinDrawLoss
    failures: int


@dataclass(frozen=True)
class FailureView:
    """Failures that are alike."""

    who: str
    kind: str
    message: str
    count: int
    numbers: tuple[tuple[int, bool], ...]
    """Games, and whether the page carries them."""
    log: str


@dataclass(frozen=True)
class GameView:
    """A line of the list of games."""

    number: int
    seats: tuple[str, ...]
    places: tuple[int, ...]
    """Of the bots in the standings, by seats."""
    result: str
    plies: int
    failed: bool
    moves: str


def shares(results: WinDrawLoss) -> tuple[Share, ...]:
    """The parts of a bar; those of nothing are left out."""
    kinds: tuple[tuple[Literal["win", "draw", "loss"], int], ...] = (
        ("win", results.wins),
        ("draw", results.draws),
        ("loss", results.losses),
    )
    return tuple(Share(kind, count, round(100 * count / results.games, 3)) for kind, count in kinds if count)


def heat_cell(main: str, detail: str, share: float) -> Cell:
    """A cell coloured by a share from 0 to 1, of which a half is neutral."""
    strength = min(1.0, abs(share - 0.5) * 2)
    side: Literal["up", "down", "even"] = "up" if share > 0.5 else "down" if share < 0.5 else "even"
    return Cell(main, detail, side, round(HEAT * strength))
