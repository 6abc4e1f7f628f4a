"""Rating a million games."""

from ..format import case_of, table, time_of


def markdown(suite):
    rows = [
        [case_of(result), f"{result.units:,.0f}", time_of(result.units / result.rate)]
        for result in suite.group("ratings")
    ]
    return table(["Model", "Games", "Time of a fit with errors"], rows)
