"""Searches by one and two threads."""

from ..format import case_of, code, paired_ratio, rate, table

ONE, TWO = "one thread", "two threads"


def markdown(suite):
    games = list(dict.fromkeys(case_of(result).partition(", ")[0] for result in suite.group("threads")))
    rows = []
    for game in games:
        one, two = (suite.find(f"threads/{game}, {way}") for way in (ONE, TWO))
        rows.append([code(game), rate(one.rate), f"{paired_ratio(two, one):.2f}"])
    return table(["Game", "One thread, simulations a second", "Two threads"], rows)
