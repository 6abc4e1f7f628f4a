"""Numbers in words, as tables and pages show them."""

from __future__ import annotations

MINUS = "\N{MINUS SIGN}"
PLUS_MINUS = "\N{PLUS-MINUS SIGN}"


def percent(share: float) -> str:
    """A share as percent; never 0 or 100 for what is not quite."""
    value = 100 * share
    if 0 < value < 0.05 or 99.95 <= value < 100:
        return "< 0.1 %" if value < 50 else "> 99.9 %"
    return f"{value:.0f} %" if value in (0, 100) else f"{value:.1f} %"


def signed(value: float) -> str:
    """A whole number with its sign."""
    whole = round(value)
    return "0" if not whole else f"{'+' if whole > 0 else MINUS}{abs(whole):,}"


def duration(seconds: float) -> str:
    """A time in the unit that suits it."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("\N{MICRO SIGN}s", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"
