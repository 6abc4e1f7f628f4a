"""Plots of commands, which need matplotlib."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from mcts import ParameterError

PLOT_FORMATS = (".svg", ".png", ".pdf")
PLOT_HELP = "to FILE.svg, FILE.png or FILE.pdf; - writes SVG to stdout."
"""End of the help of an option for a plot."""


@contextmanager
def needs_matplotlib() -> Iterator[None]:
    """Raise ParameterError in place of the ImportError of code that imports matplotlib."""
    try:
        yield
    except ImportError:
        raise ParameterError(
            "--output needs matplotlib; valid: no --output, or --output after pip install 'playout[plot]'"
        ) from None
