"""Loss of bots against exact play, by simulations."""

from matplotlib.ticker import FuncFormatter

from ..format import significant, table
from ..svg import WIDTH, Figure

FILES = ("strength",)
COMMAND = "python -m bench.strength"
ALT = "Mean loss of a decision against simulations, with and without proofs, one plot for each game"
SHOWN = (10, 100, 1000, 10_000)
LINEAR_BELOW = 0.1


def markdown(stored):
    head = ["Game", "Bot", *(f"{number:,}" for number in SHOWN), "Optimal at 10,000"]
    rows = []
    for (game, bot), points in _curves(stored).items():
        losses = [significant(points[number]["loss"], 2) if number in points else "" for number in SHOWN]
        optimal = points.get(SHOWN[-1], {}).get("optimal")
        rows.append([f"`{game}`", f"`{bot}`", *losses, "" if optimal is None else f"{optimal:.1%}"])
    return table(head, rows, text_columns=2)


def plot(stored):
    curves = _curves(stored)
    games = list(dict.fromkeys(game for game, _ in curves))
    columns = 3
    lines = -(-len(games) // columns)
    figure = Figure(figsize=(WIDTH * 1.25, 2.3 * lines), layout="constrained")
    places = figure.subplots(lines, columns, sharex=True, sharey=True, squeeze=False).ravel()
    for axes, game in zip(places, games, strict=False):
        for (other, bot), points in curves.items():
            if other == game and "exploration" not in bot:  # the first defaults are in the table alone
                values = [points[number]["loss"] for number in sorted(points)]
                errors = [points[number].get("loss_error", 0.0) for number in sorted(points)]
                down = [min(value, error) for value, error in zip(values, errors, strict=True)]
                style = "C1s--" if "solver=false" in bot else "C0o-"
                axes.errorbar(
                    sorted(points), values, yerr=[down, errors], fmt=style, markersize=3.5, capsize=2, label=bot
                )
        axes.set_title(game, fontsize=8.5)
        axes.set_xscale("log")
        axes.set_yscale("symlog", linthresh=LINEAR_BELOW)
        axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        axes.set_ylim(-LINEAR_BELOW / 5, 60)
        axes.grid(True, alpha=0.3)
    figure.legend(*places[0].get_legend_handles_labels(), loc="outside upper center", ncols=2, frameon=False)
    for axes in places[len(games) :]:
        axes.set_visible(False)
    figure.supxlabel("simulations per decision", fontsize=10)
    figure.supylabel("points lost per decision", fontsize=10)
    return figure


def _curves(stored):
    """Return (game, bot) -> simulations -> values, in the order of the file."""
    found = {}
    for result in stored.group("strength"):
        points = found.setdefault((result.labels["game"], result.labels["bot"]), {})
        points[int(result.values["simulations"])] = result.values
    return found
