"""Values of positions by a net, with the sums of its first layer kept for each content of a board.

The sums are kept in a table of limited size, which is emptied when it is full. One thread uses a table at a time.
"""
from libc.stdint cimport int32_t, uint8_t, uint16_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

from ...nets.inference cimport MAX_WIDTH, net_add, net_finish, net_sum_block, net_t
from .features cimport (
    BLOCKS, BOARD_NUMBERS, CHIPS_BLOCK, CHIPS_NUMBERS, LAYOUT_BLOCK, LAYOUT_NUMBERS, NUMBERS, board_t, encode_board,
    encode_chips, encode_layout,
)
from .rules cimport BOARDS, CONTENTS, content_of, position_t, rules_t, score, score_values

cdef enum:
    KEPT_FLOATS = 1 << 18       # of kept sums: 1 MB

cdef struct leaves_t:
    const rules_t *rules
    const net_t *net
    uint16_t *slots             # [BOARDS, CONTENTS] slot of a content and 1, or 0
    board_t *facts              # [capacity]
    float *sums                 # [capacity, stride of the first layer]
    int32_t capacity            # at least BOARDS
    int32_t used


cdef inline bint fits_leaves(const net_t *net) noexcept nogil:
    """Return True for a net with the blocks of this game and one output, the value of red."""
    cdef int32_t board
    if net.num_blocks != BLOCKS or net.num_inputs != NUMBERS or net.num_outputs != 1:
        return False
    for board in range(BOARDS):
        if net.block_begin[board + 1] != (board + 1) * BOARD_NUMBERS:
            return False
    return net.block_begin[CHIPS_BLOCK] - net.block_begin[LAYOUT_BLOCK] == LAYOUT_NUMBERS


cdef inline void leaves_free(leaves_t *leaves) noexcept nogil:
    free(leaves.slots)
    free(leaves.facts)
    free(leaves.sums)
    memset(leaves, 0, sizeof(leaves_t))


cdef inline int leaves_init(leaves_t *leaves, const rules_t *rules, const net_t *net) noexcept nogil:
    """Allocate an empty table for a net that `fits_leaves`. Returns -1 without memory; 0 otherwise."""
    memset(leaves, 0, sizeof(leaves_t))
    leaves.rules = rules
    leaves.net = net
    leaves.capacity = max(<int32_t> BOARDS, min(<int32_t> 65535, <int32_t> KEPT_FLOATS // net.stride[0]))
    leaves.slots = <uint16_t *> calloc(BOARDS * CONTENTS, sizeof(uint16_t))
    leaves.facts = <board_t *> malloc(leaves.capacity * sizeof(board_t))
    leaves.sums = <float *> malloc(sizeof(float) * leaves.capacity * net.stride[0])
    if leaves.slots == NULL or leaves.facts == NULL or leaves.sums == NULL:
        leaves_free(leaves)
        return -1
    return 0


cdef inline int32_t keep_board(leaves_t *leaves, int32_t board, uint16_t red, uint16_t blue) noexcept nogil:
    """Return the slot with the sum and the facts of a board, which is computed if need be; -1 if the table is full."""
    cdef uint16_t *slot = &leaves.slots[board * CONTENTS + content_of(leaves.rules, red, blue)]
    cdef float numbers[BOARD_NUMBERS]
    cdef int32_t index
    if slot[0]:
        return slot[0] - 1
    if leaves.used == leaves.capacity:
        return -1
    index = leaves.used
    leaves.used += 1
    slot[0] = <uint16_t> leaves.used
    encode_board(leaves.rules, board, red, blue, &leaves.facts[index], numbers)
    net_sum_block(leaves.net, board, numbers, leaves.sums + <size_t> index * leaves.net.stride[0])
    return index


cdef inline void keep_boards(leaves_t *leaves, const position_t *now, int32_t *slots) noexcept nogil:
    """Write the slot of each board [BOARDS]."""
    cdef int32_t board = 0
    while board < BOARDS:
        slots[board] = keep_board(leaves, board, now.own[0][board], now.own[1][board])
        board += 1
        if slots[board - 1] < 0:    # begin again with an empty table, which can hold all boards
            memset(leaves.slots, 0, BOARDS * CONTENTS * sizeof(uint16_t))
            leaves.used = 0
            board = 0


cdef inline void leaf_boards(leaves_t *leaves, const position_t *now, float *total) noexcept nogil:
    """Write the total of the first layer [MAX_WIDTH] without chips, for `leaf_chips`. The position is not over."""
    cdef int32_t slots[BOARDS]
    cdef board_t facts[BOARDS]
    cdef float numbers[LAYOUT_NUMBERS]
    cdef float layout[MAX_WIDTH]
    cdef const float *sums[BOARDS + 1]
    cdef int32_t board
    keep_boards(leaves, now, slots)
    for board in range(BOARDS):
        facts[board] = leaves.facts[slots[board]]
        sums[board] = leaves.sums + <size_t> slots[board] * leaves.net.stride[0]
    encode_layout(leaves.rules, facts, numbers)
    net_sum_block(leaves.net, LAYOUT_BLOCK, numbers, layout)
    sums[BOARDS] = layout
    net_add(leaves.net, leaves.net.bias[0], sums, BOARDS + 1, total)


cdef inline float leaf_chips(const leaves_t *leaves, const float *total, int32_t round, int32_t red,
                             int32_t blue) noexcept nogil:
    """Return the value of red in [0, 1] where red and blue have these chips before a round; total: of `leaf_boards`."""
    cdef float numbers[CHIPS_NUMBERS]
    cdef float chips[MAX_WIDTH]
    cdef float whole[MAX_WIDTH]
    cdef float value[1]
    cdef const float *sum = chips
    encode_chips(leaves.rules, round, red, blue, numbers)
    net_sum_block(leaves.net, CHIPS_BLOCK, numbers, chips)
    net_add(leaves.net, total, &sum, 1, whole)
    net_finish(leaves.net, whole, value)
    return value[0]


cdef inline float leaf_value(leaves_t *leaves, const position_t *now) noexcept nogil:
    """Return the value of red in [0, 1]: the result if the position is over, else that of the net."""
    cdef double result[2]
    cdef float total[MAX_WIDTH]
    if now.over:
        score(leaves.rules, now, result)
        return <float> (result[0] / 100.0)
    leaf_boards(leaves, now, total)
    return leaf_chips(leaves, total, now.round, now.chips[0], now.chips[1])


cdef inline void leaf_values(leaves_t *leaves, position_t *now, int32_t player, const int32_t *chips, int32_t count,
                             double *out) noexcept nogil:
    """Write the value of red in [0, 1] for each of `count` numbers of chips of a player; the position's may change."""
    cdef float total[MAX_WIDTH]
    cdef int32_t i
    if now.over:
        score_values(leaves.rules, now, player, chips, count, out)
        return
    leaf_boards(leaves, now, total)
    for i in range(count):
        now.chips[player] = <uint8_t> chips[i]
        out[i] = leaf_chips(leaves, total, now.round, now.chips[0], now.chips[1])
