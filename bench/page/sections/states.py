"""Calls of methods of states and views from Python."""

from ..format import case_of, code, table, time_of


def markdown(suite):
    rows = []
    for result in suite.group("states"):
        method, _, game = case_of(result).partition(", ")
        rows.append([code(method), code(game), time_of(1 / result.rate)])
    return table(["Method", "Game", "Time of a call"], rows, 2)
