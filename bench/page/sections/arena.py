"""Games a second of the arena."""

from ..format import case_of, rate, significant, table


def markdown(suite):
    rows = []
    for result in suite.group("arena"):
        way = case_of(result).partition(", ")[2]
        rows.append([way, f"{result.units:,.0f}", rate(result.rate)])
    (long,) = (result for result in suite.group("arena") if "peak_mb" in result.values)
    tenth, peak = long.values["last_tenth_rate_over_second"], long.values["peak_mb"]
    return (
        f"{table(['Executor', 'Games', 'Stored games a second'], rows)}\n\n"
        f"In the long tournament, the last tenth of the games was played at {significant(tenth, 2)} times the rate of "
        f"the second tenth. The process of the arena, without its workers, needed {peak:,.0f} MB at most."
    )
