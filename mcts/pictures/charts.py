"""Charts of rows: bars, or dots with intervals, with a label on the left and numbers on the right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .canvas import Canvas, check_look, fitting, width_of

_WIDTH, _MARGIN, _ROW = 520.0, 20.0, 30.0
_GAP = 14.0
_LEAST_TRACK = 90.0


@dataclass(frozen=True)
class Bar:
    """A row of a chart. Places are shares of the axis, from 0 to 1."""

    label: str
    """The text on the left."""
    share: float
    """Length of the bar, or place of the dot."""
    numbers: tuple[str, ...] = ()
    """The texts on the right, one for each column."""
    interval: tuple[float, float] | None = None
    """Ends of an interval around a dot; None draws a bar."""
    is_best: bool = False
    """True to emphasise the row."""
    tip: str = ""
    """A tooltip."""


@dataclass(frozen=True)
class Group:
    """Rows below a heading."""

    title: str
    """The heading."""
    bars: tuple[Bar, ...]
    """The rows."""
    columns: tuple[str, ...] = ()
    """Names of the columns of numbers."""
    note: str = ""
    """A muted line below the rows."""
    zero: float | None = None
    """Place of a line on the axis, such as that of the value 0."""


def bars_to_svg(
    groups: Sequence[Group], *, title: str, description: str = "", size: float | None = 520, theme: str = "auto"
) -> str:
    """Return a chart of rows as SVG.

    Args:
        groups: the rows.
        title: name of the chart for screen readers.
        description: its content in words.
        size: the width in pixels, 16 to 10,000; None: the chart fills the element that contains it.
        theme: `auto`, `light` or `dark`, as in `State.to_svg`.

    Raises:
        ValueError, TypeError: the size or the theme is not valid.
    """
    check_look(size, theme)
    canvas = Canvas(title, description, theme)
    y = _MARGIN
    for place, group in enumerate(groups):
        y = _draw_group(canvas, group, y + (18 if place else 0))
    high = y + _MARGIN - 6
    return canvas.to_text(_WIDTH, high, None if size is None else size * max(1.0, high / _WIDTH))


def _draw_group(canvas: Canvas, group: Group, y: float) -> float:
    right = _WIDTH - _MARGIN
    count = max((len(bar.numbers) for bar in group.bars), default=0)
    texts = [[name, *(bar.numbers[at] for bar in group.bars if at < len(bar.numbers))] for at, name in
             zip(range(count), [*group.columns, *[""] * count], strict=False)]  # fmt: skip
    widths = [max(width_of(text, 13) for text in column) for column in texts]
    numbers = sum(widths) + _GAP * len(widths)
    label = max((width_of(bar.label, 14) for bar in group.bars), default=0.0)
    label = min(label, right - _MARGIN - numbers - _LEAST_TRACK - _GAP)
    left, end = _MARGIN + label + _GAP, right - numbers
    canvas.text("ink", _MARGIN, y + 16, fitting(group.title, end - _MARGIN, 16), 16, bold=True)
    at = right
    for name, width in reversed(list(zip(group.columns, widths, strict=False))):
        canvas.text("muted", at, y + 16, name, 12.5, anchor="end")
        at -= width + _GAP
    y += 26
    if group.zero is not None and group.bars:
        place = left + group.zero * (end - left)
        canvas.path("axis", f"M{place:.1f} {y:.1f}V{y + _ROW * len(group.bars):.1f}", line=1)
    for bar in group.bars:
        with canvas.group(tip=bar.tip, bar=bar.label):
            _draw_bar(canvas, bar, y, label, left, end, right, widths)
        y += _ROW
    if group.note:
        canvas.text("muted", _MARGIN, y + 16, fitting(group.note, right - _MARGIN, 12.5), 12.5)
        y += 22
    return y


def _draw_bar(
    canvas: Canvas, bar: Bar, y: float, label: float, left: float, end: float, right: float, widths: Sequence[float]
) -> None:
    middle, base = y + _ROW / 2, y + _ROW / 2 + 5
    canvas.text("ink", _MARGIN, base, fitting(bar.label, label + 4, 14), 14, bold=bar.is_best)
    wide = end - left
    if bar.interval is None:
        canvas.rect("track", left, middle - 8, wide, 16, corner=4)
        length = max(min(bar.share, 1.0), 0.0) * wide
        if length >= 0.5:
            canvas.rect("strong" if bar.is_best else "heat", left, middle - 8, length, 16, corner=min(4, length / 2))
    else:
        low, high = (left + min(max(share, 0.0), 1.0) * wide for share in bar.interval)
        canvas.rect("heat", low, middle - 3, max(high - low, 1), 6, corner=3)
        canvas.circle("strong", left + min(max(bar.share, 0.0), 1.0) * wide, middle, 5.5)
    for at, text in enumerate(bar.numbers):
        place = right - sum(widths[at + 1 :]) - _GAP * (len(widths) - at - 1)
        canvas.text("ink" if at == 0 else "muted", place, base, text, 13, anchor="end", bold=bar.is_best and at == 0)
