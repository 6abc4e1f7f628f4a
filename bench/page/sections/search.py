"""Searches of every game, with the memory of the tree."""

from ..format import case_of, code, rate, significant, table


def markdown(suite):
    rows = []
    for result in sorted(suite.group("search"), key=lambda result: -result.rate):
        game, _, searcher = case_of(result).partition(", ")
        size = result.values.get("tree_bytes_per_simulation")
        cells = [code(game), code(searcher or "mcts"), f"{result.units:,.0f}", rate(result.rate)]
        rows.append([*cells, "" if size is None else significant(size)])
    return table(["Game", "Searcher", "Simulations", "Simulations a second", "Bytes of tree a simulation"], rows, 2)
