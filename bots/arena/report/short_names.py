"""Names of bots folded or shortened to a width, so that different names stay different, and the width of tables."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rich.console import Console
from rich.measure import Measurement
from rich.table import Table

ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"


def folded(name: str, width: int) -> str:
    """Return specs in lines of at most `width` characters if possible.

    They are folded after `,`, and before `(` where that is not enough.
    """
    lines = [""]
    for parameter in re.split(r"(?<=,)", name):
        for part in [parameter] if len(parameter) < width else re.split(r"(?=\()", parameter):
            if lines[-1].strip() and len(lines[-1]) + len(part) > width:
                lines.append(f" {part.lstrip()}")
            else:
                lines[-1] += part
    return "\n".join(lines)


def short_names(names: Sequence[str], width: int) -> list[str]:
    """Return the names, each at most `width` long. Longer names lose their middle; different names stay different.

    Args:
        names: names of bots.
        width: most characters of a name; at least 2 more than the digits of the number of names.
    """
    different = len(set(names))
    best: list[str] = []
    for end in sorted(range(width), key=lambda size: abs(2 * size - width)):
        shortened = [_without_middle(name, width, end) for name in names]
        if len(set(shortened)) == different:
            return shortened
        if not best or len(set(shortened)) > len(set(best)):
            best = shortened
    numbers = {name: number for number, name in enumerate(dict.fromkeys(names), 1)}
    found = []
    for name, short in zip(names, best, strict=True):
        is_unique = best.count(short) == names.count(name)
        ending = f"{ELLIPSIS}{numbers[name]}"
        found.append(short if is_unique else name[: width - len(ending)] + ending)
    return found


def _without_middle(name: str, width: int, end: int) -> str:
    """Return a name of at most `width` characters, of which the last `end` are those of its end."""
    if len(name) <= width:
        return name
    return name[: width - 1 - end] + ELLIPSIS + (name[-end:] if end else "")


def table_width(table: Table, console: Console) -> int:
    """Return the width in characters of a table whose cells are not folded."""
    table_alone = console.options.update(max_width=10 * console.width)
    title, table.title = table.title, None  # titles may be folded
    try:
        return Measurement.get(console, table_alone, table).maximum
    finally:
        table.title = title
