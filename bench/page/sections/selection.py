"""Searches by selection policy."""

from ..format import case_of, code, rate, table
from ..svg import bars

ALT = "Bars: simulations a second by selection policy"
WHERE = {
    "selection": "`mnk(m=5,n=5,k=4)`, one player decides",
    "joint_selection": "`bidding_ttt(coins=3)`, both decide at once",
}


def markdown(suite):
    rows = [
        [WHERE[group], code(case_of(result)), rate(result.rate)]
        for group in WHERE
        for result in sorted(suite.group(group), key=lambda result: -result.rate)
    ]
    return table(["Game", "Policy", "Simulations a second"], rows, 2)


def plot(suite):
    found = {
        f"{case_of(result)}, {WHERE[group].split('`')[1]}": result.rate
        for group in WHERE
        for result in suite.group(group)
    }
    return bars(found, "million simulations a second, one thread")
