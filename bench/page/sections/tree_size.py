"""Speed and memory of a search by the size of its tree."""

from ..format import case_of, rate, significant, table
from ..svg import new_figure

ALT = "Line: simulations a second from a thousand to ten million simulations"


def markdown(suite):
    return table(
        ["Simulations", "Simulations a second", "Bytes of tree a simulation"],
        [
            [f"{int(case_of(result)):,}", rate(result.rate), significant(result.values["tree_bytes_per_simulation"])]
            for result in suite.group("tree_size")
        ],
        0,
    )


def plot(suite):
    found = suite.group("tree_size")
    figure, axes = new_figure()
    sizes = [int(case_of(result)) for result in found]
    slowest, fastest = ([extreme(result.rounds) for result in found] for extreme in (max, min))
    axes.fill_between(
        sizes,
        [result.units / taken / 1e6 for result, taken in zip(found, slowest, strict=True)],
        [result.units / taken / 1e6 for result, taken in zip(found, fastest, strict=True)],
        alpha=0.2,
        label="all rounds",
    )
    axes.plot(sizes, [result.rate / 1e6 for result in found], "o-", label="median round")
    axes.set_xscale("log")
    axes.set_ylim(bottom=0)
    axes.set_xlabel("simulations of the search")
    axes.set_ylabel("million simulations a second")
    axes.grid(True, alpha=0.3)
    axes.legend(loc="lower left")
    return figure
