"""Numbers as texts, for tables, lines and pages. Nothing else in the reports formats numbers of results."""

from __future__ import annotations

from ..ratings.blocks import WinDrawLoss
from ..ratings.ratings import Ratings

MINUS = "\N{MINUS SIGN}"
PLUS_MINUS = "\N{PLUS-MINUS SIGN}"


def percent(share: float) -> str:
    """Return a share as percent. Only 0 and 1 become `0 %` and `100 %`; shares close to them have < or >."""
    value = 100 * share
    if 0 < value < 0.05 or 99.95 <= value < 100:
        return "< 0.1 %" if value < 50 else "> 99.9 %"
    return f"{value:.0f} %" if value in (0, 100) else f"{value:.1f} %"


def likelihood(probability: float) -> str:
    """Return an estimated probability as percent, never `0 %` or `100 %`."""
    return percent(min(max(probability, 1e-9), 1 - 1e-9))


def signed(value: float) -> str:
    """Return a number rounded to a whole one, with its sign."""
    whole = round(value)
    return "0" if not whole else f"{'+' if whole > 0 else MINUS}{abs(whole):,}"


def precision_text(error: float | None, lower: float | None, upper: float | None) -> str:
    """Return the precision of a number: `± 12`, `(at least +180)`, `(at most -180)`, `(-20 to +900)`, or an empty text.

    Args:
        error: half the width of its interval; None where the interval is not symmetric.
        lower: lower end of the interval; None where the results set none.
        upper: upper end of the interval; None where the results set none.
    """
    if error is not None:
        return f"{PLUS_MINUS} {round(error):,}"
    if lower is not None and upper is not None:
        return f"({signed(lower)} to {signed(upper)})"
    if lower is not None:
        return f"(at least {signed(lower)})"
    return "" if upper is None else f"(at most {signed(upper)})"


def elo_text(elo: float, error: float | None, lower: float | None, upper: float | None) -> str:
    """Return an Elo with its precision, such as `+412 (at least +180)`. The arguments are as in `precision_text`."""
    return f"{signed(elo)} {precision_text(error, lower, upper)}".rstrip()


def rating_text(ratings: Ratings, bot: int) -> str:
    """Return the rating of a bot with its precision; empty for a bot that is not rated."""
    elo = ratings.elo[bot]
    return "" if elo is None else elo_text(elo, ratings.errors[bot], ratings.lower[bot], ratings.upper[bot])


def seat_text(ratings: Ratings, seat: int) -> str:
    """Return the effect of a seat with its error, such as `+12 ± 5`; empty if the results do not determine it."""
    if ratings.seats is None:
        return ""
    return elo_text(ratings.seats[seat].elo, ratings.seats[seat].error, None, None)


def mean_text(mean: float | None, error: float | None = None) -> str:
    """Return a mean return with its error, such as `61.3 ± 2.0`; `-` without games."""
    if mean is None:
        return "-"
    return f"{mean:.1f}" if error is None else f"{mean:.1f} {PLUS_MINUS} {error:.1f}"


def results_text(results: WinDrawLoss) -> str:
    """Return wins, draws and losses, such as `3/1/2`."""
    return "/".join(map(str, results))


def plain_minus(text: str) -> str:
    """Return a text with hyphens for minus signs, which programs can read and every terminal can show."""
    return text.replace(MINUS, "-")


def duration(seconds: float) -> str:
    """Return a time in s, ms, µs or ns."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("\N{MICRO SIGN}s", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"
