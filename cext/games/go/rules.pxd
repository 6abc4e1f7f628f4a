"""The rules of Go on a state: chains, captures, superko and area.

Actions count points row by row from the top left; the last action passes. A place is the number of a point on a board
with an edge around it, so that each point has four neighbours. The key of a board is the exclusive or of the keys of
its stones; that of the board without stones is 0.
"""
from libc.stdint cimport int16_t, int32_t, uint8_t, uint64_t
from libc.string cimport memmove, memset

from ...primitives.bits cimport mix64

cdef enum:
    BLACK = 0
    WHITE = 1
    BLANK_POINT = 2
    EDGE = 3
    LARGEST = 19                # rows of the largest board
    MOST_POINTS = LARGEST * LARGEST
    MOST_PLACES = 424           # (LARGEST + 1) * (LARGEST + 2) + 1, and unused ones: a multiple of 8

cdef struct go_t:
    int32_t size
    int32_t points              # also the action that passes
    int32_t most_moves          # of a game
    int32_t slots               # of a playout's table of boards: a power of two
    double komi
    int32_t first               # player to move in the beginning
    int32_t steps[4]            # from a place to its neighbours
    int32_t corners[4]          # and to those next to them diagonally
    int16_t place[MOST_POINTS]
    int16_t action[MOST_PLACES]
    uint8_t blank[MOST_PLACES]  # the board without stones
    uint8_t start[MOST_PLACES]  # the board in the beginning
    int16_t near[MOST_PLACES]   # neighbours without stones, as in playouts.pxd
    uint64_t keys[2][MOST_PLACES]
    uint8_t is_shape[1 << 16]   # code of the eight places around a blank one -> a stone there is often good

cdef struct state_t:
    uint64_t key                # of the board
    uint64_t boards_key         # of all boards so far, in any order
    int16_t moves               # played, passes too
    int16_t num_boards
    uint8_t mover
    uint8_t passes              # last moves that were passes, 0 to 2
    int16_t last                # place of the last stone; 0: the last move was a pass, or there was none
    uint8_t colors[MOST_PLACES]
    uint64_t boards[1]          # keys of all boards so far but that without stones, ascending; as many as needed

cdef struct move_t:             # a stone before it is played
    uint64_t key                # of the board after it
    int32_t captured
    int16_t taken[MOST_POINTS]  # places of the captured stones


cdef inline bint is_over(const go_t *go, const state_t *state) noexcept nogil:
    return state.passes == 2 or state.moves >= go.most_moves


cdef inline int32_t closed_chain(const go_t *go, const uint8_t *colors, int32_t place, int32_t filled,
                                 int16_t *chain) noexcept nogil:
    """Write the stones connected to a stone and return their number if they have no liberty but `filled`, else 0."""
    cdef uint8_t seen[MOST_PLACES]
    cdef int32_t count = 1, at = 0, side, near
    memset(seen, 0, MOST_PLACES)
    chain[0] = place
    seen[place] = 1
    while at < count:
        for side in range(4):
            near = chain[at] + go.steps[side]
            if colors[near] == BLANK_POINT:
                if near != filled:
                    return 0
            elif colors[near] == colors[place] and not seen[near]:
                seen[near] = 1
                chain[count] = near
                count += 1
        at += 1
    return count


cdef inline bint look(const go_t *go, const state_t *state, int32_t place, move_t *move) noexcept nogil:
    """Find what a stone of the player to move on a blank place captures. Return False if it would be suicide."""
    cdef const uint8_t *colors = state.colors
    cdef int32_t side, near, i, count, mover = state.mover
    cdef bint free = False, known
    cdef int16_t own[MOST_POINTS]
    move.captured = 0
    move.key = state.key ^ go.keys[mover][place]
    for side in range(4):
        near = place + go.steps[side]
        if colors[near] == BLANK_POINT:
            free = True
        elif colors[near] == 1 - mover:
            known = False
            for i in range(move.captured):
                known |= move.taken[i] == near
            if known:
                continue
            count = closed_chain(go, colors, near, place, move.taken + move.captured)
            for i in range(move.captured, move.captured + count):
                move.key ^= go.keys[1 - mover][move.taken[i]]
            move.captured += count
    for side in range(4):
        near = place + go.steps[side]
        if not free and move.captured == 0 and colors[near] == mover:
            free = closed_chain(go, colors, near, place, own) == 0
    return free or move.captured


cdef inline int32_t first_not_below(const state_t *state, uint64_t key) noexcept nogil:
    """Return the index of the first of the boards so far whose key is not less."""
    cdef int32_t low = 0, high = state.num_boards, middle
    while low < high:
        middle = (low + high) >> 1
        if state.boards[middle] < key:
            low = middle + 1
        else:
            high = middle
    return low


cdef inline bint has_been(const state_t *state, uint64_t key) noexcept nogil:
    """Return True if a board has been there: positional superko."""
    cdef int32_t at = first_not_below(state, key)
    return at < state.num_boards and state.boards[at] == key


cdef inline void add_board(state_t *state, uint64_t key) noexcept nogil:
    """Add a board to those so far, unless it is without stones or among them."""
    cdef int32_t at = first_not_below(state, key)
    if key == 0 or (at < state.num_boards and state.boards[at] == key):
        return
    memmove(state.boards + at + 1, state.boards + at, (state.num_boards - at) * sizeof(uint64_t))
    state.boards[at] = key
    state.num_boards += 1
    state.boards_key += mix64(key)


cdef inline bint may_play(const go_t *go, const state_t *state, int32_t place) noexcept nogil:
    cdef move_t move
    return state.colors[place] == BLANK_POINT and look(go, state, place, &move) and not has_been(state, move.key)


cdef inline void play(const go_t *go, state_t *state, int32_t action) noexcept nogil:
    """Play a legal action of the player to move."""
    cdef move_t move
    cdef int32_t i, place
    state.last = 0
    if action == go.points:
        state.passes += 1
    else:
        place = go.place[action]
        look(go, state, place, &move)
        state.passes = 0
        state.last = place
        state.colors[place] = state.mover
        for i in range(move.captured):
            state.colors[move.taken[i]] = BLANK_POINT
        state.key = move.key
        add_board(state, move.key)
    state.moves += 1
    state.mover = 1 - state.mover


cdef inline bint is_eye(const go_t *go, const uint8_t *colors, int32_t place, int32_t player) noexcept nogil:
    """Return True if a blank place is an eye of a player, which playouts do not fill.

    Its neighbours are stones of the player, and the other player has at most one of the points next to it diagonally,
    none of them at the edge.
    """
    cdef int32_t side, others = 0, at_edge = 0, color
    for side in range(4):
        color = colors[place + go.steps[side]]
        if color != player and color != EDGE:
            return False
    for side in range(4):
        color = colors[place + go.corners[side]]
        others += color == 1 - player
        at_edge |= color == EDGE
    return others + at_edge < 2


cdef inline int32_t region_owner(const go_t *go, const uint8_t *colors, int32_t place, uint8_t *seen,
                                 int16_t *region, int32_t *count) noexcept nogil:
    """Write the blank region around a place, and return the only player next to it, or BLANK_POINT."""
    cdef int32_t at = 0, side, near, sides = 0
    count[0] = 1
    region[0] = place
    seen[place] = 1
    while at < count[0]:
        for side in range(4):
            near = region[at] + go.steps[side]
            if colors[near] < BLANK_POINT:
                sides |= 1 << colors[near]
            elif colors[near] == BLANK_POINT and not seen[near]:
                seen[near] = 1
                region[count[0]] = near
                count[0] += 1
        at += 1
    return sides - 1 if sides == 1 or sides == 2 else BLANK_POINT


cdef inline void fill_owners(const go_t *go, const uint8_t *colors, uint8_t *owners) noexcept nogil:
    """Write for each place whose area it is, or BLANK_POINT. The stones are taken as they stand."""
    cdef uint8_t seen[MOST_PLACES]
    cdef int16_t region[MOST_POINTS]
    cdef int32_t action, place, owner, count, i
    memset(seen, 0, MOST_PLACES)
    for action in range(go.points):
        place = go.place[action]
        if colors[place] != BLANK_POINT:
            owners[place] = colors[place]
        elif not seen[place]:
            owner = region_owner(go, colors, place, seen, region, &count)
            for i in range(count):
                owners[region[i]] = owner


cdef inline int32_t lead(const go_t *go, const uint8_t *colors) noexcept nogil:
    """Return the area of black minus that of white."""
    cdef uint8_t owners[MOST_PLACES]
    cdef int32_t action, found = 0, owner
    fill_owners(go, colors, owners)
    for action in range(go.points):
        owner = owners[go.place[action]]
        found += (owner == BLACK) - (owner == WHITE)
    return found
