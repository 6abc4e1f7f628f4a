"""Positions in charts, in percent of the width: the page draws them at any width."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

MOST_BARS = 40
"""Bars of a histogram; where there are more lengths, bars are of several."""
_FEW_TICKS = 3
_LEAST_DECADES = 0.5
"""Of a logarithmic axis: numbers that are almost equal shall look so."""
PLOT_HEIGHT = 280
"""Pixels of a plot with two axes."""


@dataclass(frozen=True)
class Tick:
    """A mark on an axis."""

    at: float
    """Percent from the left, or pixels from the top."""
    label: str


class Scale:
    """A stretch of numbers on an axis.

    Args:
        values: what has to find room; at least one finite number.
        is_log: True for a logarithmic axis; all values are then above 0.
        margin: room beyond the outermost values, as a part of the stretch between them.
    """

    def __init__(self, values: Iterable[float], is_log: bool = False, margin: float = 0.04) -> None:
        self._is_log = is_log
        found = [self._place(value) for value in values]
        low, high = min(found), max(found)
        spread = (high - low) or max(abs(low) * 0.2, 1.0)
        if is_log and spread < _LEAST_DECADES:
            low, high = (low + high - _LEAST_DECADES) / 2, (low + high + _LEAST_DECADES) / 2
            spread = _LEAST_DECADES
        self.low = low - margin * spread
        self.high = high + margin * spread

    def _place(self, value: float) -> float:
        return math.log10(value) if self._is_log else value

    def percent(self, value: float) -> float:
        """Where a number stands, 0 at the low end, 100 at the high one; numbers beyond stand at the ends."""
        part = (self._place(value) - self.low) / (self.high - self.low)
        return round(100 * min(1.0, max(0.0, part)), 3)

    def ticks(self, wanted: int = 6) -> list[float]:
        """Round numbers within the stretch, about as many as wanted."""
        return self._log_ticks() if self._is_log else _round_numbers(self.low, self.high, wanted)

    def _log_ticks(self) -> list[float]:
        """Powers of ten; where the stretch has few, their round multiples, or round numbers of a linear axis."""
        decades = range(math.floor(self.low), math.ceil(self.high) + 1)
        for steps in ((1,), (1, 2, 5)):
            every = [step * 10.0**decade for decade in decades for step in steps]
            found = [value for value in every if self.low <= math.log10(value) <= self.high]
            if len(found) >= _FEW_TICKS:
                return found
        return _round_numbers(10**self.low, 10**self.high, 2 * _FEW_TICKS)


def _round_numbers(low: float, high: float, wanted: int) -> list[float]:
    rough = (high - low) / wanted
    power = 10.0 ** math.floor(math.log10(rough))
    # The nearest in proportion, of steps that people count in.
    step = min((size * power for size in (1, 2, 5, 10)), key=lambda size: abs(math.log(size / rough)))
    return [number * step for number in range(math.ceil(low / step), math.floor(high / step) + 1)]


@dataclass(frozen=True)
class Row:
    """A line of a chart: a point, with the interval it may be in."""

    name: str
    value: str
    """In words."""
    at: float | None
    """Percent; None where there is nothing to show."""
    low: float | None = None
    high: float | None = None
    arrow: str | None = None
    """`<` or `>` where the interval has no end on that side."""
    detail: str = ""


@dataclass(frozen=True)
class RowChart:
    """Points one below the other on a common axis."""

    rows: tuple[Row, ...]
    ticks: tuple[Tick, ...]
    unit: str
    zero: float | None = None
    """Percent of a line that stands out."""


@dataclass(frozen=True)
class Bar:
    """A column of a histogram."""

    left: float
    """Percent of the width."""
    width: float
    height: float
    """Percent of the highest."""
    label: str
    """In words."""


@dataclass(frozen=True)
class Histogram:
    """How often what was."""

    bars: tuple[Bar, ...]
    ticks: tuple[Tick, ...]
    top: int
    """What the highest column counts."""


def histogram(counts: Mapping[int, int], unit: str) -> Histogram:
    """A histogram of whole numbers.

    Args:
        counts: number -> how often, at least one.
        unit: of the numbers.
    """
    low, high = min(counts), max(counts)
    step = -(-(high - low + 1) // MOST_BARS)
    number = -(-(high - low + 1) // step)
    heights = [0] * number
    for value, times in counts.items():
        heights[(value - low) // step] += times
    top = max(heights)
    width = 100 / number
    bars = []
    ticks = []
    every = max(1, -(-number // 10))
    for index, height in enumerate(heights):
        first, last = low + index * step, low + (index + 1) * step - 1
        name = f"{first}" if first == last else f"{first} to {last}"
        label = f"{name} {unit}: {height:,} game{'' if height == 1 else 's'}"
        bars.append(Bar(round(index * width, 3), round(width, 3), round(100 * height / top, 2), label))
        if index % every == 0:
            ticks.append(Tick(round((index + 0.5) * width, 3), f"{first}" if first == last else f"{first}-{last}"))
    return Histogram(tuple(bars), tuple(ticks), top)


@dataclass(frozen=True)
class Dot:
    """A point of a plot with two axes."""

    x: float
    """Percent."""
    y: float
    """Pixels from the top."""
    y_low: float | None
    y_high: float | None
    label: str


@dataclass(frozen=True)
class Series:
    """Points that belong together, from left to right."""

    name: str
    dots: tuple[Dot, ...]


@dataclass(frozen=True)
class Plot:
    """A plot with two axes."""

    series: tuple[Series, ...]
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]
    height: int


@dataclass(frozen=True)
class Measured:
    """A number that was measured at another one."""

    x: float
    y: float
    error: float | None
    label: str


def log_plot(series: Mapping[str, Sequence[Measured]], y_text: Callable[[float], str]) -> Plot:
    """Points with errors over a logarithmic axis, which is marked where points are if these are few.

    Args:
        series: points by the name of what they belong to.
        y_text: what to write at a number of the other axis.
    """
    points = [point for some in series.values() for point in some]
    x = Scale([point.x for point in points], is_log=True, margin=0.06)
    y = Scale([point.y + side * (point.error or 0.0) for point in points for side in (-1, 1)], margin=0.08)

    def height(value: float) -> float:
        return round(PLOT_HEIGHT * (1 - y.percent(value) / 100), 2)

    def dot(point: Measured) -> Dot:
        low, high = (None, None) if point.error is None else (point.y - point.error, point.y + point.error)
        return Dot(
            x.percent(point.x),
            height(point.y),
            None if low is None else height(low),
            None if high is None else height(high),
            point.label,
        )

    drawn = tuple(
        Series(name, tuple(dot(point) for point in sorted(some, key=lambda p: p.x))) for name, some in series.items()
    )
    x_values = sorted({point.x for point in points})
    chosen = x_values if len(x_values) <= 8 else x.ticks()
    return Plot(
        drawn,
        tuple(Tick(x.percent(value), f"{value:,.0f}") for value in chosen),
        tuple(Tick(height(value), y_text(value)) for value in y.ticks()),
        PLOT_HEIGHT,
    )
