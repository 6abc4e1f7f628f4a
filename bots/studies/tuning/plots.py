"""Plot of the convergence of a study, drawn with matplotlib (the extra `plot`)."""

from __future__ import annotations

from typing import BinaryIO

from matplotlib.figure import Figure

from .space import Range, Space, value_text
from .study import StudyResult

_WIDTH, _HEIGHT = 7.0, 2.2
"""Inches; the height is that of one parameter."""


def plot_study(result: StudyResult, space: Space, title: str, target: BinaryIO, format: str) -> None:
    """Draw each parameter against the iterations: the settings that met, and the best one as known then.

    Args:
        result: results of a study, with one iteration or more.
        space: the parameters.
        title: title of the plot.
        target: stream that receives it.
        format: svg, png or pdf.
    """
    parts = space.parts
    figure = Figure(figsize=(_WIDTH, _HEIGHT * len(parts) + 0.4), layout="constrained")
    numbers = [iteration.number + 1 for iteration in result.iterations]
    for axes, part in zip(figure.subplots(len(parts), 1, sharex=True, squeeze=False).ravel(), parts, strict=True):
        values = {
            label: [setting[part.name] for setting in settings]
            for label, settings in (
                ("first", [iteration.first for iteration in result.iterations]),
                ("second", [iteration.second for iteration in result.iterations]),
                ("best so far", [iteration.best for iteration in result.iterations]),
            )
        }
        if isinstance(part, Range):
            axes.set_ylim(part.low, part.high)
            if part.log:
                axes.set_yscale("log")
        else:
            values = {label: [part.values.index(value) for value in some] for label, some in values.items()}
            axes.set_yticks(range(len(part.values)), [value_text(value) for value in part.values])
            axes.set_ylim(-0.5, len(part.values) - 0.5)
        axes.plot(numbers, values["first"], ".", color="0.75", markersize=4)
        axes.plot(numbers, values["second"], ".", color="0.75", markersize=4)
        axes.plot(numbers, values["best so far"], "-", color="C0", linewidth=2)
        axes.set_ylabel(part.name)
        axes.grid(True, alpha=0.3)
    figure.axes[-1].set_xlabel("iteration")
    figure.suptitle(title, fontsize=10)
    figure.savefig(target, dpi=150, format=format)
