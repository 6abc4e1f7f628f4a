"""Random games of Go: chains with numbers of liberties, which each stone changes, and a table of the boards so far.

A random player takes a uniformly random legal point that is not an own eye, and passes where there is none. Points are
drawn in the order of actions, so that the draw depends on the state alone: a word of random bits chooses one of the
blank points; if it may not be taken, it is removed, and the next word follows from the last.

A guided player mostly replies to the last stone (Gelly, Wang, Munos and Teytaud 2006): it takes that stone's chain or
saves an own one next to it; else it makes a shape around the stone; else it plays as a random player does. It never
leaves a chain of its own with one liberty, unless it takes something.
"""
from libc.stdint cimport int16_t, int32_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from ...primitives.bits cimport lowest64, popcount64, select64
from ...primitives.rng cimport rng_next, rng_seed, rng_t
from .rules cimport BLANK_POINT, MOST_PLACES, go_t, is_eye, lead, may_play, state_t

cdef enum:
    WORDS = 6                   # of a set of points
    MOST_SLOTS = 2048
    RESCUES = 230               # share of the moves of a guided player that take or save if they can, of 256
    SHAPES = 243                # and of those that make shapes
    PAIRS = 0xFFF               # of liberties: the number of pairs
    ALL_PLACES = 0xFFFFF        # and, 12 bits higher, the sum of their places; 32 bits higher is that of the squares

cdef struct board_t:
    uint64_t key
    int32_t blanks              # number of blank points
    int32_t words
    uint64_t blank[WORDS]       # set of them, by action
    int32_t lead                # black stones minus white ones
    uint8_t colors[MOST_PLACES]
    int16_t near[MOST_PLACES]   # neighbours: black ones and the edge, 16 times white ones and it, 256 times blanks
    int16_t chain[MOST_PLACES]  # number of the chain of a stone: the place of one of its stones; else 0
    int16_t next[MOST_PLACES]   # another stone of the chain, in a cycle
    uint64_t liberties[MOST_PLACES]  # of a chain: sum of pair_of(place) over pairs of a stone and a blank place
    int16_t stones[MOST_PLACES]     # of a chain
    uint64_t keys[MOST_PLACES]      # of a chain: exclusive or of those of its stones
    uint64_t boards[MOST_SLOTS]     # keys of the boards so far; 0: free


cdef inline uint64_t next_word(uint64_t word) noexcept nogil:
    """Return the word of random bits that follows another within one draw."""
    return word * <uint64_t> 6364136223846793005 + <uint64_t> 1442695040888963407


cdef inline int32_t draw_point(const uint64_t *left, int32_t words, int32_t count, uint64_t word) noexcept nogil:
    """Return the action of a random point of a set with `count` points."""
    cdef int32_t number = <int32_t> (((word >> 32) * <uint64_t> count) >> 32), at = 0, i, so_far = 0, before = 0
    for i in range(words - 1):      # without branches, which would not be foreseen
        so_far += popcount64(left[i])
        at += number >= so_far
        before = so_far if number >= so_far else before
    return 64 * at + lowest64(select64(left[at], number - before))


cdef inline int32_t draw_action(const go_t *go, const state_t *state, uint64_t word) noexcept nogil:
    """Return the action of a random player in a state, by the rules of the state alone."""
    cdef uint64_t left[WORDS]
    cdef int32_t action, count = 0
    memset(left, 0, sizeof(left))
    for action in range(go.points):
        if state.colors[go.place[action]] == BLANK_POINT:
            left[action >> 6] |= <uint64_t> 1 << (action & 63)
            count += 1
    while count:
        action = draw_point(left, WORDS, count, word)
        if (not is_eye(go, state.colors, go.place[action], state.mover)
                and may_play(go, state, go.place[action])):
            return action
        left[action >> 6] ^= <uint64_t> 1 << (action & 63)
        word = next_word(word)
        count -= 1
    return go.points


cdef inline uint64_t pair_of(int32_t place) noexcept nogil:
    """Return what a pair with a blank place adds to liberties: 1, its place and its square, in bits of their own."""
    return 1 | <uint64_t> place << 12 | <uint64_t> (place * place) << 32


cdef inline bint note_board(board_t *board, int32_t slots, uint64_t key, bint add) noexcept nogil:
    """Return True if a board has been there, else add it if asked to."""
    cdef uint64_t slot = key & (slots - 1)
    while board.boards[slot]:
        if board.boards[slot] == key:
            return True
        slot = (slot + 1) & (slots - 1)
    if add:
        board.boards[slot] = key
    return False


cdef inline void join(board_t *board, int32_t one, int32_t other) noexcept nogil:
    """Make one chain of two."""
    cdef int32_t swap, stone
    if board.stones[one] < board.stones[other]:
        swap = one
        one = other
        other = swap
    board.stones[one] += board.stones[other]
    board.liberties[one] += board.liberties[other]
    board.keys[one] ^= board.keys[other]
    stone = other
    while True:
        board.chain[stone] = one
        stone = board.next[stone]
        if stone == other:
            break
    swap = board.next[one]
    board.next[one] = board.next[other]
    board.next[other] = swap


cdef inline void put_stone(board_t *board, const go_t *go, int32_t place, int32_t player) noexcept nogil:
    """Put a stone on a place, and connect it. The liberties of other chains do not change."""
    cdef int32_t side, near, action = go.action[place]
    cdef uint64_t liberties = 0
    board.blank[action >> 6] ^= <uint64_t> 1 << (action & 63)
    board.blanks -= 1
    board.lead += 1 - 2 * player
    board.colors[place] = player
    board.chain[place] = board.next[place] = place
    board.stones[place] = 1
    board.keys[place] = go.keys[player][place]
    for side in range(4):
        near = place + go.steps[side]
        board.near[near] += (1 << 4 * player) - 256
        liberties += pair_of(near) * (board.colors[near] == BLANK_POINT)
    board.liberties[place] = liberties
    for side in range(4):
        near = place + go.steps[side]
        if board.colors[near] == player and board.chain[near] != board.chain[place]:
            join(board, board.chain[near], board.chain[place])


cdef inline void remove_chain(board_t *board, const go_t *go, int32_t chain, int32_t player) noexcept nogil:
    cdef int32_t stone = chain, side, near, action
    board.lead -= (1 - 2 * player) * board.stones[chain]
    while True:
        board.colors[stone] = BLANK_POINT
        board.chain[stone] = 0
        for side in range(4):
            near = stone + go.steps[side]
            board.near[near] -= (1 << 4 * player) - 256
            board.liberties[board.chain[near]] += pair_of(stone)
        action = go.action[stone]
        board.blank[action >> 6] |= <uint64_t> 1 << (action & 63)
        board.blanks += 1
        stone = board.next[stone]
        if stone == chain:
            break


cdef inline bint try_stone(board_t *board, const go_t *go, int32_t place, int32_t player) noexcept nogil:
    """Play a stone on a blank place if it is neither suicide nor repeats a board. Return True if it is played."""
    cdef int32_t side, near, captured = 0, chain, i
    cdef int32_t taken[4]
    cdef bint alive = board.near[place] >> 8
    cdef uint64_t key = board.key ^ go.keys[player][place]
    for side in range(4):
        board.liberties[board.chain[place + go.steps[side]]] -= pair_of(place)
    for side in range(4):
        near = place + go.steps[side]
        chain = board.chain[near]
        if board.colors[near] == player:
            alive |= board.liberties[chain] != 0
        elif chain and board.liberties[chain] == 0:
            for i in range(captured):
                if taken[i] == chain:
                    break
            else:
                key ^= board.keys[chain]
                taken[captured] = chain
                captured += 1
    if not (alive or captured) or note_board(board, go.slots, key, True):
        for side in range(4):
            board.liberties[board.chain[place + go.steps[side]]] += pair_of(place)
        return False
    put_stone(board, go, place, player)
    for i in range(captured):
        remove_chain(board, go, taken[i], 1 - player)
    board.key = key
    return True


cdef inline int32_t only_place(uint64_t pairs) noexcept nogil:
    """Return the place of all pairs of liberties, or 0 if there are none or several places.

    It is one place if the squares of the places have the least sum for the sum of the places.
    """
    cdef uint64_t count = pairs & PAIRS, places = pairs >> 12 & ALL_PLACES, squares = pairs >> 32
    return <int32_t> (places // count) if count and count * squares == places * places else 0


cdef inline int32_t only_liberty(const board_t *board, int32_t chain) noexcept nogil:
    """Return the place of the only liberty of a chain, or 0 if it has more."""
    return only_place(board.liberties[chain])


cdef inline bint has_two_liberties(const board_t *board, const go_t *go, int32_t place, int32_t player) noexcept nogil:
    """Return True if a stone on a blank place that takes nothing would be in a chain with two liberties or more."""
    cdef uint64_t pairs = 0
    cdef int32_t chains[4]
    cdef int32_t side, near, i, joined = 0
    if board.near[place] >> 8 >= 2:
        return True
    for side in range(4):
        near = place + go.steps[side]
        if board.colors[near] == BLANK_POINT:
            pairs += pair_of(near)
        elif board.colors[near] == player:
            pairs -= pair_of(place)
            for i in range(joined):
                if chains[i] == board.chain[near]:
                    break
            else:
                chains[joined] = board.chain[near]
                joined += 1
                pairs += board.liberties[board.chain[near]]
    return pairs and not only_place(pairs)


cdef inline bint is_self_atari(const board_t *board, const go_t *go, int32_t place, int32_t player) noexcept nogil:
    """Return True if a stone on a blank place joins others to a chain with one liberty, and takes nothing."""
    cdef int32_t side, near
    cdef bint joins = False
    if has_two_liberties(board, go, place, player):
        return False
    for side in range(4):
        near = place + go.steps[side]
        joins |= board.colors[near] == player
        if board.colors[near] == 1 - player and only_liberty(board, board.chain[near]):
            return False
    return joins


cdef inline bint takes(board_t *board, const go_t *go, int32_t action, int32_t player, bint careful) noexcept nogil:
    """Play a stone on a blank point if it may be, is not an own eye and, with `careful`, no self-atari of a chain."""
    cdef int32_t place = go.place[action]
    if board.near[place] >> 4 * player & 15 == 4 and is_eye(go, board.colors, place, player):
        return False
    if careful and is_self_atari(board, go, place, player):
        return False
    return try_stone(board, go, place, player)


cdef inline int32_t play_one_of(board_t *board, const go_t *go, int32_t player, uint64_t word,
                                uint64_t *points, bint careful) noexcept nogil:
    """Play a random one of a set of blank points that may be taken, and return its action; else that of a pass."""
    cdef int32_t count = 0, action, i
    for i in range(board.words):
        count += popcount64(points[i])
    while count:
        action = draw_point(points, board.words, count, word)
        if takes(board, go, action, player, careful):
            return action
        points[action >> 6] ^= <uint64_t> 1 << (action & 63)
        word = next_word(word)
        count -= 1
    return go.points


cdef inline int32_t play_move(board_t *board, const go_t *go, int32_t player, uint64_t word,
                              bint careful) noexcept nogil:
    """Play the move of a random player, and return its action."""
    cdef uint64_t left[WORDS]
    cdef int32_t action, i
    if board.blanks == 0:
        return go.points
    action = draw_point(board.blank, board.words, board.blanks, word)
    if takes(board, go, action, player, careful):
        return action
    for i in range(board.words):
        left[i] = board.blank[i]
    left[action >> 6] ^= <uint64_t> 1 << (action & 63)
    return play_one_of(board, go, player, next_word(word), left, careful)


cdef inline uint32_t around(const board_t *board, const go_t *go, int32_t place) noexcept nogil:
    """Return the colors of the eight places around one, two bits each: its neighbours, then the corners."""
    cdef uint32_t code = 0
    cdef int32_t side
    for side in range(4):
        code |= <uint32_t> board.colors[place + go.steps[side]] << 2 * side
        code |= <uint32_t> board.colors[place + go.corners[side]] << (8 + 2 * side)
    return code


cdef inline void add_point(uint64_t *points, int32_t action) noexcept nogil:
    points[action >> 6] |= <uint64_t> 1 << (action & 63)


cdef inline void add_rescues(const board_t *board, const go_t *go, int32_t chain, uint64_t *points) noexcept nogil:
    """Add the points that free a chain with one liberty: the liberty, or where a chain beside it is taken."""
    cdef int32_t place = only_liberty(board, chain), stone = chain, side, near
    if place == 0:
        return
    if has_two_liberties(board, go, place, board.colors[chain]):
        add_point(points, go.action[place])
    while True:
        for side in range(4):
            near = stone + go.steps[side]
            if board.colors[near] == 1 - board.colors[chain]:
                place = only_liberty(board, board.chain[near])
                if place:
                    add_point(points, go.action[place])
        stone = board.next[stone]
        if stone == chain:
            return


cdef inline void add_captures(const board_t *board, const go_t *go, int32_t last, int32_t player,
                              uint64_t *points) noexcept nogil:
    """Add the points that take the chain of the last stone, or save a chain next to it."""
    cdef int32_t side, near, place = only_liberty(board, board.chain[last])
    if place:
        add_point(points, go.action[place])
    for side in range(4):
        near = last + go.steps[side]
        if board.colors[near] == player:
            add_rescues(board, go, board.chain[near], points)


cdef inline void add_shapes(const board_t *board, const go_t *go, int32_t last, uint64_t *points) noexcept nogil:
    """Add the blank points around the last stone where a stone makes a shape."""
    cdef int32_t i, near
    for i in range(8):
        near = last + (go.steps[i] if i < 4 else go.corners[i - 4])
        if board.colors[near] == BLANK_POINT and go.is_shape[around(board, go, near)]:
            add_point(points, go.action[near])


cdef inline int32_t play_guided(board_t *board, const go_t *go, int32_t player, int32_t last,
                                uint64_t word) noexcept nogil:
    """Play the move of a guided player after the last stone, 0 for none, and return its action."""
    cdef uint64_t points[WORDS]
    cdef int32_t action = go.points
    cdef uint64_t chances = next_word(word) >> 48
    if last and chances & 255 < RESCUES:
        memset(points, 0, sizeof(points))
        add_captures(board, go, last, player, points)
        action = play_one_of(board, go, player, word, points, True)
    if last and action == go.points and chances >> 8 < SHAPES:
        memset(points, 0, sizeof(points))
        add_shapes(board, go, last, points)
        action = play_one_of(board, go, player, word, points, True)
    return play_move(board, go, player, word, True) if action == go.points else action


cdef inline void lay_out(board_t *board, const go_t *go, const state_t *state) noexcept nogil:
    """Make the board of a state."""
    cdef int32_t action, place, side, i
    memcpy(board.colors, go.blank, MOST_PLACES)
    memcpy(board.near, go.near, sizeof(board.near))
    memset(board.chain, 0, sizeof(board.chain))
    memset(board.boards, 0, go.slots * sizeof(uint64_t))
    board.key = state.key
    board.words = (go.points + 63) >> 6
    board.blanks = go.points
    board.lead = 0
    for i in range(board.words):
        board.blank[i] = <uint64_t> -1 if go.points >= 64 * (i + 1) else (<uint64_t> 1 << (go.points & 63)) - 1
    if state.num_boards:
        for action in range(go.points):
            place = go.place[action]
            if state.colors[place] != BLANK_POINT:
                for side in range(4):
                    board.liberties[board.chain[place + go.steps[side]]] -= pair_of(place)
                put_stone(board, go, place, state.colors[place])
    for i in range(state.num_boards):
        note_board(board, go.slots, state.boards[i], True)


cdef inline int32_t count_area(const board_t *board, const go_t *go) noexcept nogil:
    """Return the area of black minus that of white. After most games each blank point is an eye."""
    cdef int32_t i, near, found = board.lead
    cdef uint64_t rest
    for i in range(board.words):
        rest = board.blank[i]
        while rest:
            near = board.near[go.place[64 * i + lowest64(rest)]]
            rest &= rest - 1
            if near >> 8 or (near & 15 != 4 and near >> 4 != 4):
                return lead(go, board.colors)
            found += 1 if near & 15 == 4 else -1
    return found


cdef inline int32_t draw_guided(const go_t *go, const state_t *state, uint64_t word) noexcept nogil:
    """Return the action of a guided player in a state."""
    cdef board_t board
    lay_out(&board, go, state)
    return play_guided(&board, go, state.mover, state.last, word)


cdef inline int32_t play_game(const go_t *go, const state_t *state, rng_t *rng, uint64_t *played,
                              bint guided) noexcept nogil:
    """Play a game to its end and return the lead of black.

    played: NULL, or a set of actions for each player: those that it has taken before the other player.
    """
    cdef board_t board
    cdef rng_t local = rng[0], draw
    cdef int32_t moves = state.moves, passes = state.passes, player = state.mover, last = state.last, action
    cdef int32_t stride = go.points // 64 + 1
    lay_out(&board, go, state)
    while passes < 2 and moves < go.most_moves:
        rng_seed(&draw, rng_next(&local))
        if guided:
            action = play_guided(&board, go, player, last, rng_next(&draw))
        else:
            action = play_move(&board, go, player, rng_next(&draw), False)
        last = 0 if action == go.points else go.place[action]
        passes = passes + 1 if action == go.points else 0
        if played != NULL and not played[(1 - player) * stride + (action >> 6)] >> (action & 63) & 1:
            played[player * stride + (action >> 6)] |= <uint64_t> 1 << (action & 63)
        moves += 1
        player = 1 - player
    rng[0] = local
    return count_area(&board, go)
