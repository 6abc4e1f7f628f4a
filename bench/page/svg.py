"""Plots as SVG files that do not change unless their data does."""

import hashlib
import io

import matplotlib
from matplotlib.figure import Figure

WIDTH = 7.0
"""Inches."""
ABOUT = "results: sha256 "
"""Precedes the digest of the results in the description of the file."""


def new_figure(height=3.6, columns=1):
    """Return a figure and its axes."""
    figure = Figure(figsize=(WIDTH, height), layout="constrained")
    return figure, figure.subplots(1, columns)


def bars(rates, label):
    """Return a figure with one bar for each rate, the longest on top.

    Args:
        rates: name -> units per second.
        label: of the axis, whose unit is a million.
    """
    figure, axes = new_figure(0.9 + 0.28 * len(rates))
    names = sorted(rates, key=rates.__getitem__)
    axes.barh(names, [rates[name] / 1e6 for name in names])
    axes.set_xlabel(label)
    axes.grid(True, axis="x", alpha=0.3)
    return figure


def digest_of(results):
    """Return the digest of files of results."""
    return hashlib.sha256("".join(result.to_json() for result in results).encode()).hexdigest()


def svg_of(figure, name, results):
    """Return the SVG of a figure. The same matplotlib gives the same bytes."""
    stream = io.BytesIO()
    with matplotlib.rc_context({"svg.hashsalt": name, "svg.fonttype": "path"}):
        figure.savefig(stream, format="svg", metadata={"Date": None, "Description": ABOUT + digest_of(results)})
    return stream.getvalue()
