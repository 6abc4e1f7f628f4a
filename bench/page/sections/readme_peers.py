"""A sentence about OpenSpiel for the README."""

from statistics import median

from ..format import significant
from . import peers as table_of_peers

FILES = table_of_peers.FILES
COMMAND = table_of_peers.COMMAND
CASES = ("C++ rollouts, tic_tac_toe", "C++ search, tic_tac_toe")


def markdown(peers):
    found = {case: (theirs, median(ratios)) for case, theirs, _, ratios in table_of_peers.pairs(peers)}
    (theirs, playouts), (_, simulations) = (found[case] for case in CASES)
    package = theirs.labels["package"]
    return (
        f"On the same core, that is {significant(playouts, 2)} times as many playouts and "
        f"{significant(simulations, 2)} times as many simulations as the C++ of {package} on its `tic_tac_toe`, "
        "measured side by side."
    )
