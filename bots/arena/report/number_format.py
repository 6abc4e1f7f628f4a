"""Numbers as texts, for tables, lines and pages. Nothing else in the reports formats numbers of results."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

from cext.game_info import WINS

from ..ratings.blocks import WinDrawLoss
from ..ratings.ratings import Ratings
from ..results.standings import Standing

MINUS = "\N{MINUS SIGN}"
PLUS_MINUS = "\N{PLUS-MINUS SIGN}"
_MOST_DECIMALS = 6


def percent(share: float) -> str:
    """Return a share as percent. Only 0 and 1 become `0 %` and `100 %`; shares close to them have < or >."""
    value = 100 * share
    if 0 < value < 0.05 or 99.95 <= value < 100:
        return "< 0.1 %" if value < 50 else "> 99.9 %"
    return f"{value:.0f} %" if value in (0, 100) else f"{value:.1f} %"


def likelihood(probability: float) -> str:
    """Return an estimated probability as percent, never `0 %` or `100 %`."""
    return percent(min(max(probability, 1e-9), 1 - 1e-9))


def signed(value: float, decimals: int = 0) -> str:
    """Return a number rounded to a whole one, or to decimals, with its sign."""
    rounded = round(value, decimals)
    sign = "+" if rounded > 0 else MINUS if rounded < 0 else ""
    return f"{sign}{abs(rounded):,.{decimals}f}"


def precision_text(
    error: float | None, lower: float | None, upper: float | None, text: Callable[[float], str] = signed
) -> str:
    """Return the precision of a number: `± 12`, `(at least +180)`, `(at most -180)`, `(-20 to +900)`, or an empty text.

    Args:
        error: half the width of its interval; None where the interval is not symmetric.
        lower: lower end of the interval; None where the results set none.
        upper: upper end of the interval; None where the results set none.
        text: returns an end as a text.
    """
    if error is not None:
        return f"{PLUS_MINUS} {text(error).removeprefix('+')}"
    if lower is not None and upper is not None:
        return f"({text(lower)} to {text(upper)})"
    if lower is not None:
        return f"(at least {text(lower)})"
    return "" if upper is None else f"(at most {text(upper)})"


def rating_decimals(ratings: Ratings) -> int:
    """Return the decimals of ratings: none for Elo; for points, two digits of the least error."""
    errors = [error for error in ratings.errors if error]
    if ratings.score == WINS:
        return 0
    return min(max(1 - math.floor(math.log10(min(errors))), 0), _MOST_DECIMALS) if errors else 1


def return_decimals(ratings: Ratings) -> int:
    """Return the decimals of mean returns: one, or where returns count, those of the ratings."""
    return max(1, rating_decimals(ratings))


def signed_in(ratings: Ratings) -> Callable[[float], str]:
    """Return the function that makes texts of ratings, with their sign."""
    return partial(signed, decimals=rating_decimals(ratings))


def rating_text(ratings: Ratings, bot: int) -> str:
    """Return the rating of a bot with its precision, such as `+412 (at least +180)`; empty if it is not rated."""
    value, text = ratings.values[bot], signed_in(ratings)
    if value is None:
        return ""
    known = precision_text(ratings.errors[bot], ratings.lower[bot], ratings.upper[bot], text)
    return f"{text(value)} {known}".rstrip()


def rating_heading(ratings: Ratings) -> str:
    """Return the heading of a column of ratings."""
    return "Elo" if ratings.score == WINS else "difference"


def seat_text(ratings: Ratings, seat: int) -> str:
    """Return the effect of a seat with its error, such as `+12 ± 5`; empty if the results do not determine it."""
    if ratings.seats is None:
        return ""
    effect, text = ratings.seats[seat], signed_in(ratings)
    return f"{text(effect.value)} {precision_text(effect.error, None, None, text)}".rstrip()


def mean_text(
    mean: float | None,
    error: float | None = None,
    lower: float | None = None,
    upper: float | None = None,
    decimals: int = 1,
) -> str:
    """Return a mean return with its precision, such as `61.3 ± 2.0`; `-` without games."""
    if mean is None:
        return "-"

    def text(value: float) -> str:
        return signed(value, decimals).removeprefix("+")

    return f"{text(mean)} {precision_text(error, lower, upper, text)}".rstrip()


def return_text(standing: Standing, ratings: Ratings) -> str:
    """Return the mean return of a bot with its precision."""
    s = standing
    ends = s.mean_return_error, s.mean_return_lower, s.mean_return_upper
    return mean_text(s.mean_return, *ends, decimals=return_decimals(ratings))


def results_text(results: WinDrawLoss) -> str:
    """Return wins, draws and losses, such as `3/1/2`."""
    return "/".join(map(str, results))


def plain_minus(text: str) -> str:
    """Return a text with hyphens for minus signs, which programs can read and every terminal can show."""
    return text.replace(MINUS, "-")
