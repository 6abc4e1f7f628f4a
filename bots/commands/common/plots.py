"""Plots of commands, which need matplotlib."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from mcts import ParameterError


@contextmanager
def needs_matplotlib() -> Iterator[None]:
    """Raise ParameterError in place of the ImportError of code that imports matplotlib."""
    try:
        yield
    except ImportError:
        raise ParameterError(
            "--plot needs matplotlib; valid: no --plot, or --plot after pip install 'playout[plot]'"
        ) from None
