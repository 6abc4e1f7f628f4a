"""Checks of a board from a dict: the counts of marks, and at most one player with a line.

They refuse what contradicts itself or what the functions of a game's table rely on. A position that passes them need
not be one that play leads to.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...errors import ParameterError, StateError

NOBODY = -1
"""The winner of a game without one, as in `cells.pxd`."""


def check_length(spec: str, columns: int, rows: int, k: int) -> None:
    """Check that a run of k fits on the board. Raises ParameterError."""
    if k > max(columns, rows):
        raise ParameterError(
            f"{spec} cannot be won: k={k} is longer than the board; valid: k up to {max(columns, rows)}"
        )


def check_turns(masks: Sequence[int], symbols: str, where: str = "") -> None:
    """Check the numbers of marks of players who mark in turns, in the order of `symbols`. Raises StateError.

    where: the board in the message, e.g. ` on the tic board`.
    """
    counts = [mask.bit_count() for mask in masks]
    plies = sum(counts)
    valid = [(plies + len(counts) - 1 - player) // len(counts) for player in range(len(counts))]
    if counts != valid:
        expected, found = (
            ", ".join(f"{count} of {symbol}" for count, symbol in zip(numbers, symbols, strict=True))
            for numbers in (valid, counts)
        )
        raise StateError(f"marks{where} alternate, {symbols[0]} moves first: {plies} marks are {expected}, not {found}")


def find_winner(has_line: Sequence[bool], players: Sequence[str], line: str) -> int:
    """Return the player who has a line, or NOBODY. Raises StateError for two: the first line ends play on a board.

    line: the line in the message, e.g. `three in a row`.
    """
    winners = [player for player, found in enumerate(has_line) if found]
    if len(winners) > 1:
        raise StateError(f"{players[winners[0]]} and {players[winners[1]]} both have {line}; the first one ends it")
    return winners[0] if winners else NOBODY
