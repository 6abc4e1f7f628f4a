"""Random playouts of every game."""

from ..format import case_of, rate, table
from ..svg import new_figure

FILES = ("suite",)
COMMAND = "make bench RESULTS=bench/results/suite.json"
ALT = "Bars: random playouts a second of every game on one core"


def markdown(suite):
    found = sorted(suite.group("playouts"), key=lambda result: -result.rate)
    return table(["Game", "Playouts a second"], [[case_of(result), rate(result.rate)] for result in found])


def plot(suite):
    found = sorted(suite.group("playouts"), key=lambda result: result.rate)
    figure, axes = new_figure(0.9 + 0.28 * len(found))
    axes.barh([result.name.partition("/")[2] for result in found], [result.rate / 1e6 for result in found])
    axes.set_xlabel("million playouts a second, one core")
    axes.grid(True, axis="x", alpha=0.3)
    return figure
