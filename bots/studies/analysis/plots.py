"""Loss and exploitability against simulations, drawn with matplotlib (the extra `plot`)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, BinaryIO

from matplotlib.figure import Figure

from .regret import Regret, Spread

_WIDTH, _HEIGHT = 7.0, 4.2
"""Inches."""
_LINEAR_BELOW = 0.1
"""Points. The scale is logarithmic above and linear below, so that 0 can be drawn."""


def plot_regret(found: Sequence[Regret], title: str, target: Path | BinaryIO, format: str | None = None) -> None:
    """Draw the results of `measure`.

    Args:
        found: results at one or more budgets.
        title: title of the plot.
        target: path with the ending .svg, .png or .pdf, or a binary stream.
        format: svg, png or pdf; required for a stream.
    """
    figure = Figure(figsize=(_WIDTH, _HEIGHT), layout="constrained")
    axes = figure.add_subplot()
    draw_curves(axes, found, "")
    _label(axes, [point.simulations for point in found], title)
    figure.savefig(target, dpi=150, format=format)


def plot_bots(curves: dict[str, Sequence[Regret]], title: str, target: Path) -> None:
    """Draw the losses of several bots into one plot, like `plot_regret`."""
    figure = Figure(figsize=(_WIDTH, _HEIGHT), layout="constrained")
    axes = figure.add_subplot()
    for number, (name, found) in enumerate(curves.items()):
        _draw(axes, found, [point.loss for point in found], name, "osD^vP"[number % 6] + "-")
    _label(axes, [point.simulations for found in curves.values() for point in found], title)
    figure.savefig(target, dpi=150)


def draw_curves(axes: Any, found: Sequence[Regret], name: str) -> None:
    """Draw mean loss, and exploitability if all results have it."""
    _draw(axes, found, [point.loss for point in found], f"{name}mean loss of a decision", "o-")
    if all(point.exploitability is not None for point in found):
        _draw(axes, found, [point.exploitability for point in found], f"{name}exploitability", "s--")


def _draw(axes: Any, found: Sequence[Regret], spreads: Sequence[Spread | None], label: str, style: str) -> None:
    known = [(point.simulations or 1, spread) for point, spread in zip(found, spreads, strict=True) if spread]
    means = [spread.mean for _, spread in known]
    errors = [spread.error or 0.0 for _, spread in known]
    downwards = [min(error, mean) for mean, error in zip(means, errors, strict=True)]
    budgets = [budget for budget, _ in known]
    axes.errorbar(budgets, means, yerr=[downwards, errors], fmt=style, capsize=3, markersize=5, label=label)


def _label(axes: Any, budgets: Sequence[int | None], title: str) -> None:
    axes.set_title(title)
    axes.set_yscale("symlog", linthresh=_LINEAR_BELOW)
    axes.yaxis.set_major_formatter("{x:g}")
    axes.set_ylim(bottom=-_LINEAR_BELOW / 5)
    axes.set_ylabel("points lost")
    if any(budget is None for budget in budgets):
        axes.set_xticks([])
    else:
        axes.set_xscale("log")
        axes.set_xlabel("simulations per decision")
    axes.grid(True, which="major", alpha=0.3)
    axes.legend()
