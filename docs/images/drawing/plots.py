"""The style of all plots, and a plot as SVG text that is the same in every run."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import matplotlib
from matplotlib.figure import Figure

from .svg import GRID, INK, MUTED

STYLE = {
    "svg.hashsalt": "playout",
    "font.size": 11.0,
    "axes.edgecolor": MUTED,
    "axes.labelcolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": GRID,
    "grid.alpha": 0.5,
    "text.color": INK,
    "xtick.color": MUTED,
    "ytick.color": MUTED,
    "figure.facecolor": "white",
    "legend.frameon": False,
}


def plot(draw: Callable[[Any], None], width: float = 7.2, height: float = 3.8, **subplots: Any) -> str:
    """Return a plot as SVG.

    Args:
        draw: function that draws into the axes, or into an array of axes.
        width, height: size in inches.
        subplots: arguments of `Figure.subplots`.
    """
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(width, height), layout="constrained")
        draw(figure.subplots(**subplots))
        target = io.StringIO()
        figure.savefig(target, format="svg", metadata={"Date": None})
    return "\n".join(line.rstrip() for line in target.getvalue().splitlines()) + "\n"
