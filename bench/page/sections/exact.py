"""Times of exact solutions."""

from ..format import case_of, code, table, time_of


def markdown(suite):
    rows = []
    for result in suite.group("exact"):
        counts = [f"{result.values[name]:,.0f}" for name in ("states", "canonical_states", "peak_mb")]
        rows.append([code(case_of(result)), *counts, time_of(1 / result.rate)])
    return table(["Game", "States", "Canonical states", "MB of the process", "Time"], rows)
