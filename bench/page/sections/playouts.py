"""Random playouts of every game."""

from ..format import case_of, code, rate, table
from ..svg import bars

ALT = "Bars: random playouts a second of every game on one core"


def markdown(suite):
    found = sorted(suite.group("playouts"), key=lambda result: -result.rate)
    return table(["Game", "Playouts a second"], [[code(case_of(result)), rate(result.rate)] for result in found])


def plot(suite):
    return bars(
        {case_of(result): result.rate for result in suite.group("playouts")}, "million playouts a second, one core"
    )
