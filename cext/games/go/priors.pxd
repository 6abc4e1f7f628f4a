"""What a search expects of the moves of a state before it plays games with them, as numbers of games won and lost.

Tactics, shapes and distances as in the programs of Gelly and Silver (2007) and of Enzenberger, Mueller, Arneson and
Segal (2010). The numbers are chosen by matches.
"""
from libc.stdint cimport int32_t, uint32_t
from libc.stdlib cimport abs

from .playouts cimport around, board_t, has_two_liberties, lay_out, only_liberty
from .rules cimport BLANK_POINT, go_t, is_eye, state_t

cdef enum:                      # games with a move, won by it
    TAKES = 40                  # captures
    SAVES = 20                  # frees a chain with one liberty
    EACH_STONE = 10             # that is captured or saved, more
    SHAPE = 30                  # makes a shape
    CLOSE = 10                  # near the last stone: for each step less than STEPS
    STEPS = 5                   # of a distance: the steps along both axes, and the longer of them once more
    LOST_CHAIN = 60             # lost: self-atari of a chain
    OWN_EYE = 100               # fills an own eye
    BARE_EDGE = 30              # at the edge, with no stone around it
    PASS = 40                   # passes
    BARE = 0xAAAA               # bits of a code of eight places that all places without stones have


cdef inline int32_t distance(const go_t *go, int32_t place, int32_t other) noexcept nogil:
    """Return the distance of two places, 2 for neighbours."""
    cdef int32_t stride = go.size + 1
    cdef int32_t rows = abs(place // stride - other // stride), columns = abs(place % stride - other % stride)
    return rows + columns + max(rows, columns)


cdef inline void weigh_point(const board_t *board, const go_t *go, int32_t place, int32_t player, int32_t last,
                             float *wins, float *games) noexcept nogil:
    """Write the prior games of a stone on a blank place where there are none. last: place of the last stone, or 0."""
    cdef int32_t side, near, taken = 0, saved = 0, steps = distance(go, place, last) if last else STEPS
    cdef uint32_t code = around(board, go, place)
    if is_eye(go, board.colors, place, player):
        games[0] = OWN_EYE
        return
    for side in range(4):
        near = place + go.steps[side]
        if board.chain[near] and only_liberty(board, board.chain[near]):
            if board.colors[near] == player:
                saved += board.stones[board.chain[near]]
            else:
                taken += board.stones[board.chain[near]]
    if taken:
        wins[0] += TAKES + EACH_STONE * taken
    elif not has_two_liberties(board, go, place, player):
        games[0] = LOST_CHAIN
        return
    if saved:
        wins[0] += SAVES + EACH_STONE * saved
    if go.is_shape[code]:
        wins[0] += SHAPE
    if steps < STEPS:
        wins[0] += CLOSE * (STEPS - steps)
    games[0] = wins[0]
    if code & BARE == BARE and board.near[place] & 15:
        games[0] += BARE_EDGE


cdef inline void weigh_actions(const go_t *go, const state_t *state, float *wins, float *games) noexcept nogil:
    """Write the prior games of all actions of the player to move: those that won, and all."""
    cdef board_t board
    cdef int32_t action
    lay_out(&board, go, state)
    for action in range(go.points):
        wins[action] = games[action] = 0.0
        if state.colors[go.place[action]] == BLANK_POINT:
            weigh_point(&board, go, go.place[action], state.mover, state.last, wins + action, games + action)
    wins[go.points] = 0.0
    games[go.points] = PASS
