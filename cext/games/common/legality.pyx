"""Checks of a board from a dict: can players in turns have made these marks, and a last mark this line?"""
from libc.stdint cimport int32_t, uint64_t

from .cells cimport NOBODY

from ...errors import ParameterError, StateError


cdef int check_length(str spec, int columns, int rows, int k) except -1:
    """Check that a run of k fits on the board. Raises ParameterError."""
    if k > max(columns, rows):
        raise ParameterError(f"{spec} cannot be won: k={k} is longer than the board; valid: k up to "
                             f"{max(columns, rows)}")
    return 0


cdef int check_turns(list counts, str symbols, str where="") except -1:
    """Check that players who mark in turns, in the order of `symbols`, can have made so many marks. Raises StateError.

    where: the board in the message, e.g. ` on the tic board`.
    """
    plies = sum(counts)
    valid = [(plies + len(counts) - 1 - player) // len(counts) for player in range(len(counts))]
    if counts != valid:
        raise StateError(f"marks{where} alternate, {symbols[0]} moves first: {plies} marks are "
                         f"{_counts_text(valid, symbols)}, not {_counts_text(counts, symbols)}")
    return 0


def _counts_text(counts, symbols):
    return ", ".join([f"{count} of {symbol}" for count, symbol in zip(counts, symbols)])


cdef int32_t find_winner(const game_t *game, list masks, line_test_t has_line, int32_t last, tuple players, str line,
                         str where="") except -2:
    """Return the player who has a line, or NOBODY. The first line ends play on a board. Raises StateError.

    Args:
        masks: the cells of each player.
        last: the player who moved last; NOBODY if it is unknown.
        players: their names, for messages.
        line: the line in messages, e.g. `three in a row`.
        where: the board in messages, e.g. ` on the tic board`.
    """
    cdef uint64_t own
    cdef int32_t player, winner = NOBODY
    for player in range(len(masks)):
        own = masks[player]
        if not has_line(game, own):
            continue
        if winner != NOBODY:
            raise StateError(f"{players[winner]} and {players[player]} both have {line}{where}; the first one ends it")
        winner = player
    if winner != NOBODY:
        if last != NOBODY and winner != last:
            raise StateError(f"{players[winner]} has {line}{where}, but did not move last")
        own = masks[winner]
        if not possible_last_marks(game, own, has_line):
            raise StateError(f"{players[winner]} has lines{where} that no single last mark can have completed")
    return winner
