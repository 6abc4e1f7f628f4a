"""Plots of commands, which need matplotlib."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from mcts import ParameterError

from .files import OutputFile

Draw = Callable[..., object]
"""Function of what it draws, a stream, and a format such as `svg`."""
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


def write_plot(target: OutputFile, draw: Draw, *drawn: object) -> None:
    """Draw a plot and write it to a file of one of PLOT_FORMATS."""
    stream = io.BytesIO()
    draw(*drawn, stream, target.format[1:])
    target.write_bytes(stream.getvalue())
