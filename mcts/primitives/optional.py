"""Packages that only some uses need."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def needed_by(user: str, package: str, *extras: str) -> Iterator[None]:
    """Within a `with` block that imports a package, say how it is installed if it is missing.

    Args:
        user: what needs the package, with its verb, such as `environments need`.
        package: the package.
        extras: the extras of this package that install it.
    """
    try:
        yield
    except ImportError as error:
        commands = " or ".join(f"'playout[{extra}]'" for extra in extras)
        raise ImportError(f"{user} {package}, which is not installed: pip install {commands}") from error
