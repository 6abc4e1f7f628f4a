"""Exceptions turned into errors that say what failed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def failures_named(what: str, error: type[Exception], *caught: type[Exception]) -> Iterator[None]:
    """Within a `with` block, turn exceptions into errors that say what failed and why.

    Args:
        what: what failed, such as `cannot write 'a.net'`; the reason follows it.
        error: the type of the errors.
        caught: the types of the exceptions; without any, OSError.
    """
    expected = caught or (OSError,)
    try:
        yield
    except expected as failure:
        raise error(f"{what}: {getattr(failure, 'strerror', None) or failure}") from None


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
