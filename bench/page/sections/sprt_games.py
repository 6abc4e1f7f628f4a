"""Simulated sequential tests: how many games they take, and what they accept."""

from matplotlib.ticker import FuncFormatter

from ..format import table
from ..svg import new_figure

FILES = ("sprt_games",)
COMMAND = "python -m bench.sprt_games"
ALT = "Mean number of games and share of accepted H1 against the true difference, for five tests"
SHOWN = (0.0, 0.5, 1.0, 2.0)
"""True differences in units of elo1 that the table has."""


def markdown(stored):
    head = ["`--sprt`", "True difference", "H1 accepted", "Mean games", "90 % quantile"]
    rows = []
    for row in (result.values for result in stored.group("sprt_games")):
        if row["true"] / row["elo1"] in SHOWN:
            games = [f"{row['mean_games']:,.0f}", f"{row['games_90']:,.0f}"]
            rows.append([f"`0,{row['elo1']:g}`", f"{row['true']:g}", f"{row['accepted_h1']:.1%}", *games])
    return table(head, rows)


def plot(stored):
    curves = {}
    for result in stored.group("sprt_games"):
        curves.setdefault(result.values["elo1"], []).append(result.values)
    figure, (left, right) = new_figure(3.6, columns=2)
    for width, rows in curves.items():
        units = [row["true"] / width for row in rows]
        left.plot(units, [row["mean_games"] for row in rows], "o-", markersize=4, label=f"0,{width:g}")
        right.plot(units, [100 * row["accepted_h1"] for row in rows], "o-", markersize=4)
    left.set_yscale("log")
    left.set_ylim(2, 200_000)
    left.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
    left.set_ylabel("mean number of games")
    left.legend(title="--sprt", ncols=3, fontsize=8, loc="lower center")
    right.set_ylabel("H1 accepted, %")
    for axes in (left, right):
        axes.set_xlabel("true difference / elo1")
        axes.grid(True, alpha=0.3)
    return figure
