"""Random playouts of one game beside a plain C program."""

from ..format import paired_ratio, rate


def markdown(suite):
    ours, plain = suite.group("plain_c")
    return (
        f"`three_player_ttt`, one game after the other, plays {rate(ours.rate)} games a second, "
        f"{paired_ratio(ours, plain):.0%} of the {rate(plain.rate)} of a plain C program that plays the same games "
        "with the same random numbers (`bench/c/three_player_playouts.c`). The ratio is the median over passes in "
        "which both alternate."
    )
