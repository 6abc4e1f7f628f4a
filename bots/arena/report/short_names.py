"""Names of bots made to fit a width, and still different from each other."""

from __future__ import annotations

from collections.abc import Sequence

ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"


def short_names(names: Sequence[str], width: int) -> list[str]:
    """The names, each at most so long: longer ones lose their middle, and different names stay different.

    Args:
        names: of bots.
        width: characters; at least as many as the digits of the number of names, and 2 more.
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
    """A name of at most so many characters, the last ones from its end."""
    if len(name) <= width:
        return name
    return name[: width - 1 - end] + ELLIPSIS + (name[-end:] if end else "")
