"""Loss and exploitability against simulations, drawn with matplotlib (the extra `plot`)."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO

from matplotlib.figure import Figure

from .regret import HiddenRegret, Regret, Spread

_WIDTH, _HEIGHT = 7.0, 4.2
"""Inches."""
_LINEAR_BELOW = 0.1
"""Points. The scale is logarithmic above and linear below, so that 0 can be drawn."""
_HIDDEN_LINEAR_BELOW = 1e-5
"""The same with hidden information, where regret minimisation comes close to 0."""


def plot_regret(
    curves: Mapping[str, Sequence[Regret | HiddenRegret]],
    title: str,
    target: Path | BinaryIO,
    format: str | None = None,
) -> None:
    """Draw the results of `measure` or of `measure_hidden`.

    Of one bot, loss and exploitability are drawn; of several, the exploitability where something is hidden, else the
    loss.

    Args:
        curves: name of a bot -> results at one or more budgets.
        title: title of the plot.
        target: path with the ending .svg, .png or .pdf, or a binary stream.
        format: svg, png or pdf; required for a stream.
    """
    figure = Figure(figsize=(_WIDTH, _HEIGHT), layout="constrained")
    axes = figure.add_subplot()
    hidden = any(isinstance(point, HiddenRegret) for found in curves.values() for point in found)
    for (name, found), style in zip(curves.items(), itertools.cycle("osD^vP")):
        if len(curves) == 1:
            _draw(axes, found, _loss, "mean loss of a decision", "o-")
            _draw(axes, found, _exploitability, "exploitability", "s--")
        else:
            _draw(axes, found, _exploitability if hidden else _loss, name, f"{style}-")
    axes.set_ylabel("exploitability in points" if hidden and len(curves) > 1 else "points lost")
    _label(axes, [point.simulations for found in curves.values() for point in found], title, hidden)
    figure.savefig(target, dpi=150, format=format)


_Bar = tuple[float, float, float]
"""A value, and how far its interval reaches below and above it."""


def _loss(point: Regret | HiddenRegret) -> _Bar | None:
    return (point.loss, 0.0, 0.0) if isinstance(point, HiddenRegret) else _bar(point.loss)


def _exploitability(point: Regret | HiddenRegret) -> _Bar | None:
    if isinstance(point, HiddenRegret):
        return point.exploitability, point.bias or 0.0, 0.0
    return None if point.exploitability is None else _bar(point.exploitability)


def _bar(spread: Spread) -> _Bar:
    error = spread.error or 0.0
    return spread.mean, min(error, spread.mean), error


def _draw(
    axes: Any,
    found: Sequence[Regret | HiddenRegret],
    value: Callable[[Regret | HiddenRegret], _Bar | None],
    label: str,
    style: str,
) -> None:
    """Draw a curve, unless it lacks a value."""
    known = [bar for bar in map(value, found) if bar is not None]
    if len(known) == len(found):
        means, below, above = zip(*known, strict=True)
        budgets = [point.simulations or 1 for point in found]
        axes.errorbar(budgets, means, yerr=[below, above], fmt=style, capsize=3, markersize=5, label=label)


def _label(axes: Any, budgets: Sequence[int | None], title: str, hidden: bool) -> None:
    linear_below = _HIDDEN_LINEAR_BELOW if hidden else _LINEAR_BELOW
    axes.set_title(title)
    axes.set_yscale("symlog", linthresh=linear_below)
    axes.yaxis.set_major_formatter("{x:g}")
    axes.set_ylim(bottom=-linear_below / 5)
    if any(budget is None for budget in budgets):
        axes.set_xticks([])
    else:
        axes.set_xscale("log")
        axes.set_xlabel("simulations per decision")
    axes.grid(True, which="major", alpha=0.3)
    axes.legend()
