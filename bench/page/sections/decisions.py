"""Whole decisions from Python."""

from ..format import case_of, code, table, time_of


def markdown(suite):
    rows = []
    for result in suite.group("decisions"):
        what, _, simulations = case_of(result).partition(", simulations=")
        rows.append([code(what), f"{int(simulations):,}", time_of(1 / result.rate)])
    return table(["By", "Simulations", "Time of a decision"], rows)
