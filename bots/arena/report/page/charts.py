"""Positions in charts, in percent of the width, so that the page can draw them at any width."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from cext.arguments import counted

MOST_BARS = 40
"""Most bars of a histogram; with more different numbers, each bar counts several."""
_FEW_TICKS = 3
"""Least ticks of a logarithmic axis."""
_LEAST_DECADES = 0.5
"""Least length of a logarithmic axis, so that almost equal numbers look almost equal."""
PLOT_HEIGHT = 280
"""Height in pixels of a plot with two axes."""


@dataclass(frozen=True)
class Tick:
    """A mark on an axis."""

    at: float
    """Position in percent from the left, or in pixels from the top."""
    label: str


class Scale:
    """The range of numbers on an axis.

    Args:
        values: the numbers to show; at least one, all finite.
        is_log: True for a logarithmic axis. All values must then be above 0.
        margin: space beyond the outermost values, as a share of the range between them.
    """

    def __init__(self, values: Iterable[float], is_log: bool = False, margin: float = 0.04) -> None:
        self._is_log = is_log
        found = [self._position(value) for value in values]
        low, high = min(found), max(found)
        spread = (high - low) or max(abs(low) * 0.2, 1.0)
        if is_log and spread < _LEAST_DECADES:
            low, high = (low + high - _LEAST_DECADES) / 2, (low + high + _LEAST_DECADES) / 2
            spread = _LEAST_DECADES
        self.low = low - margin * spread
        self.high = high + margin * spread

    def _position(self, value: float) -> float:
        return math.log10(value) if self._is_log else value

    def percent(self, value: float) -> float:
        """Return the position of a number in percent, from 0 to 100; numbers beyond an end are put at the end."""
        share = (self._position(value) - self.low) / (self.high - self.low)
        return round(100 * min(1.0, max(0.0, share)), 3)

    def ticks(self, wanted: int = 6) -> list[float]:
        """Return round numbers within the range, about as many as wanted."""
        return self._log_ticks() if self._is_log else _round_numbers(self.low, self.high, wanted)

    def _log_ticks(self) -> list[float]:
        """Return powers of ten; if these are too few, multiples of them, or round numbers of a linear axis."""
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
    # The closest ratio of 1, 2, 5 and 10 times a power of ten.
    step = min((size * power for size in (1, 2, 5, 10)), key=lambda size: abs(math.log(size / rough)))
    return [number * step for number in range(math.ceil(low / step), math.floor(high / step) + 1)]


@dataclass(frozen=True)
class Row:
    """A row of a chart: a point with its interval."""

    name: str
    value: str
    """The number as a text."""
    at: float | None
    """Position of the point in percent; None if there is nothing to show."""
    low: float | None = None
    """Position of the lower end of the interval in percent."""
    high: float | None = None
    """Position of the upper end of the interval in percent."""
    arrow: str | None = None
    """`<` or `>` if the interval has no end on that side."""
    detail: str = ""


@dataclass(frozen=True)
class RowChart:
    """Rows of points on a common axis."""

    rows: tuple[Row, ...]
    ticks: tuple[Tick, ...]
    unit: str
    zero: float | None = None
    """Position of an emphasised line in percent."""


@dataclass(frozen=True)
class Bar:
    """A bar of a histogram."""

    left: float
    """Left end in percent of the width of the chart."""
    width: float
    """Width in percent of the width of the chart."""
    height: float
    """Height in percent of the highest bar."""
    label: str
    """Values and count as a text."""


@dataclass(frozen=True)
class Histogram:
    """Histogram of a discrete variable, one bar for each value or range of values."""

    bars: tuple[Bar, ...]
    ticks: tuple[Tick, ...]
    top: int
    """Count of the highest bar."""


def histogram(counts: Mapping[int, int], unit: str) -> Histogram:
    """Return the histogram of whole numbers.

    Args:
        counts: count of each number; at least one.
        unit: unit of the numbers.
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
        label = f"{name} {unit}: {counted(height, 'game')}"
        bars.append(Bar(round(index * width, 3), round(width, 3), round(100 * height / top, 2), label))
        if index % every == 0:
            ticks.append(Tick(round((index + 0.5) * width, 3), f"{first}" if first == last else f"{first}-{last}"))
    return Histogram(tuple(bars), tuple(ticks), top)


@dataclass(frozen=True)
class Dot:
    """A point of a plot with two axes."""

    x: float
    """Position in percent from the left."""
    y: float
    """Position in pixels from the top."""
    y_low: float | None
    """Lower end of the error bar, in pixels from the top."""
    y_high: float | None
    """Upper end of the error bar, in pixels from the top."""
    label: str


@dataclass(frozen=True)
class Series:
    """The points of one family of bots, from left to right."""

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
    """A measured number `y` at a number `x`."""

    x: float
    y: float
    error: float | None
    """Half the width of the error bar; None for no bar."""
    label: str


def xy_plot(series: Mapping[str, Sequence[Measured]], y_text: Callable[[float], str], *, is_log: bool = False) -> Plot:
    """Return a plot with error bars. The ticks of its horizontal axis are the numbers of the points if these are few.

    Args:
        series: points by the name of their series.
        y_text: returns the label of a tick of the vertical axis.
        is_log: True for a logarithmic horizontal axis.
    """
    points = [point for some in series.values() for point in some]
    x = Scale([point.x for point in points], is_log=is_log, margin=0.06)
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
