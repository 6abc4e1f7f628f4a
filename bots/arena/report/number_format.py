"""Numbers as tables and pages show them."""

from __future__ import annotations

MINUS = "\N{MINUS SIGN}"
PLUS_MINUS = "\N{PLUS-MINUS SIGN}"


def percent(share: float) -> str:
    """A share as percent; never 0 or 100 for what is not quite."""
    value = 100 * share
    if 0 < value < 0.05 or 99.95 <= value < 100:
        return "< 0.1 %" if value < 50 else "> 99.9 %"
    return f"{value:.0f} %" if value in (0, 100) else f"{value:.1f} %"


def likelihood(probability: float) -> str:
    """A probability as percent, never 0 or 100: nothing that is estimated is certain."""
    return percent(min(max(probability, 1e-9), 1 - 1e-9))


def signed(value: float) -> str:
    """A whole number with its sign."""
    whole = round(value)
    return "0" if not whole else f"{'+' if whole > 0 else MINUS}{abs(whole):,}"


def precision_text(error: float | None, lower: float | None, upper: float | None) -> str:
    """How well a number is known: `± 12`, `(> +180)`, `(< -180)`, `(-20 to +900)`, or nothing.

    Args:
        error: half the width of its interval, where that is symmetric.
        lower: lower end of the interval; None where there is none.
        upper: upper end of the interval; None where there is none.
    """
    if error is not None:
        return f"{PLUS_MINUS} {round(error):,}"
    if lower is not None and upper is not None:
        return f"({signed(lower)} to {signed(upper)})"
    if lower is not None:
        return f"(> {signed(lower)})"
    return "" if upper is None else f"(< {signed(upper)})"


def elo_text(elo: float, error: float | None, lower: float | None, upper: float | None) -> str:
    """A rating and how well it is known, such as `+412 (> +180)`; the arguments are as in `precision_text`."""
    return f"{signed(elo)} {precision_text(error, lower, upper)}".rstrip()


def plain_minus(text: str) -> str:
    """A text with hyphens for minus signs, as programs read and terminals without Unicode show them."""
    return text.replace(MINUS, "-")


def duration(seconds: float) -> str:
    """A time in the unit that suits it."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("\N{MICRO SIGN}s", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"
