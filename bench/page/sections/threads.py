"""Searches by one and two threads."""

from ..format import case_of, code, paired_ratio, rate, table

ONE, TREES, SHARED = "one thread", "two threads, parallel=root", "two threads, parallel=tree"


def markdown(suite):
    games = list(dict.fromkeys(case_of(result).partition(", ")[0] for result in suite.group("threads")))
    rows = []
    for game in games:
        one, trees, shared = (suite.find(f"threads/{game}, {way}") for way in (ONE, TREES, SHARED))
        ratios = [f"{paired_ratio(two, one):.2f}" for two in (trees, shared)]
        rows.append([code(game), rate(one.rate), *ratios])
    return table(
        ["Game", "One thread, simulations a second", "Two threads with a tree each", "Two threads in one tree"], rows
    )
