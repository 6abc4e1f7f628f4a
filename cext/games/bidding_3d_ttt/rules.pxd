"""The rules of bidding 3D tic-tac-toe on plain structs. Inline: shared by the game's table and its fused playout.

The tiles of a board and the nine boards are both 3x3, so the same tables of 9-bit masks serve both.
"""
from libc.stdint cimport int32_t, uint8_t, uint16_t, uint64_t
from libc.string cimport memcpy, memset

from ...primitives.bits cimport popcount64
from ..common.cells cimport comparison_score, put_score
from ..common.lines cimport line3

cdef extern from "primitives/compare_bytes.h" nogil:
    void playout_compare_bytes(const uint8_t *a, const uint8_t *b, uint64_t *more, uint64_t *less) noexcept

cdef enum:
    BOARDS = 9
    TILES = 81
    BID_BYTES = 96              # of chips of a bid: as many as compare_bytes.h compares
    MAX_CHIPS = 255
    ROUNDS = 3
    ALL = 511                   # every cell of a 3x3 board
    LINES = 8
    CONTENTS = 19683            # 3^9: contents of a board
    RED_HOME = 3                # D, controlled by red from the start
    BLUE_HOME = 5               # F, by blue
    CHIPS_RULE = 1              # rules that a bid can break: more chips than the player has
    CLOSED_RULE = 2             # a tile that is not open
    LINE_RULE = 3               # a line of three within a board in round 1
    BOARDS_RULE = 4             # more than two boards in round 2

cdef struct rules_t:
    uint8_t chips               # of each player at the start
    uint8_t recapture           # 1: owned tiles on uncontrolled boards stay open
    # tables by 3x3 masks; a set of lines is a mask of 8 bits
    uint16_t line_cells[LINES]
    uint16_t line_boards[LINES]  # the same as three numbers of 4 bits
    uint8_t full[512]           # lines inside the mask
    uint8_t pairs[512]          # lines with at least two cells in it
    uint8_t touched[512]        # lines with at least one
    uint16_t ternary[512]       # the mask as a number in base 3, with the digit 1 for each cell
    uint8_t through[BOARDS]     # lines through one cell

cdef struct position_t:         # the part of a state that later play depends on
    uint16_t own[2][BOARDS]     # tiles of each player, a mask for each board
    uint16_t control[2]         # boards of each player
    uint8_t chips[2]            # left
    uint8_t round               # 1 to 3; at the end of the game the last one played
    uint8_t over                # 1 when the game is over

cdef struct state_t:
    position_t now
    uint16_t tiles[ROUNDS][2][BOARDS]   # position_t.own after each finished round, 0 for rounds to come
    uint8_t bids[ROUNDS][2][TILES]      # of each finished round, 0 for rounds to come
    uint8_t hidden              # mask of players whose chips and bids are redacted to 0
    uint8_t unused              # makes the size even; always 0

cdef struct bid_t:
    uint8_t chips[BID_BYTES]    # by tile; 0 behind the last one
    int32_t total               # their sum


cdef inline int32_t content_of(const rules_t *rules, uint16_t own, uint16_t other) noexcept nogil:
    """Return the number in [0, CONTENTS) of a board with these tiles of a player and of the other."""
    return rules.ternary[own] + 2 * rules.ternary[other]


cdef inline void lay_out_lines(rules_t *rules) noexcept nogil:
    """Fill the tables of lines."""
    cdef int32_t line, mask, inside, cell, at
    memset(rules, 0, sizeof(rules_t))
    for mask in range(1, 512):
        rules.ternary[mask] = 3 * rules.ternary[mask >> 1] + (mask & 1)
    for line in range(LINES):
        rules.line_cells[line] = <uint16_t> line3(line)
        at = 0
        for cell in range(9):
            if (line3(line) >> cell) & 1:
                rules.line_boards[line] |= <uint16_t> (cell << at)
                at += 4
    for line in range(LINES):
        for mask in range(512):
            inside = popcount64(rules.line_cells[line] & mask)
            rules.full[mask] |= <uint8_t> ((inside == 3) << line)
            rules.pairs[mask] |= <uint8_t> ((inside >= 2) << line)
            rules.touched[mask] |= <uint8_t> ((inside >= 1) << line)
    for mask in range(BOARDS):
        rules.through[mask] = rules.touched[1 << mask]


cdef inline int32_t finished_rounds(const state_t *state) noexcept nogil:
    return state.now.round - 1 + state.now.over


cdef inline uint16_t open_tiles(const rules_t *rules, const position_t *now, int32_t board) noexcept nogil:
    if ((now.control[0] | now.control[1]) >> board) & 1:
        return 0
    if rules.recapture:
        return ALL
    return ALL & ~(now.own[0][board] | now.own[1][board])


cdef inline void read_counts(const uint8_t *chips, bid_t *bid) noexcept nogil:
    """Fill a bid from its chips by tile, [TILES]."""
    cdef int32_t tile
    memset(bid, 0, sizeof(bid_t))
    memcpy(bid.chips, chips, TILES)
    for tile in range(TILES):
        bid.total += chips[tile]


cdef inline uint16_t mask_of_board(const uint64_t *bits, int32_t board) noexcept nogil:
    """Return the nine bits of a board, of 81."""
    cdef int32_t first = 9 * board
    if first >= 64:
        return <uint16_t> ((bits[1] >> (first - 64)) & ALL)
    if first + 9 > 64:
        return <uint16_t> (((bits[0] >> first) | (bits[1] << (64 - first))) & ALL)
    return <uint16_t> ((bits[0] >> first) & ALL)


cdef inline int32_t broken_rule(const rules_t *rules, const position_t *now, int32_t chips,
                                const bid_t *bid) noexcept nogil:
    """Return the rule that a bid breaks, 0 if none. chips: those that the player has."""
    cdef uint8_t none[BID_BYTES]
    cdef uint64_t more[2]
    cdef uint64_t less[2]
    cdef int32_t board, boards = 0
    cdef uint16_t tiles
    cdef bint line = False
    memset(none, 0, sizeof(none))
    playout_compare_bytes(bid.chips, none, more, less)
    for board in range(BOARDS):
        tiles = mask_of_board(more, board)
        if tiles & ~open_tiles(rules, now, board):
            return CLOSED_RULE
        boards += tiles != 0
        if now.round == 1 and rules.full[tiles]:
            line = True
    if bid.total > chips:
        return CHIPS_RULE
    if line:
        return LINE_RULE
    if now.round == 2 and boards > 2:
        return BOARDS_RULE
    return 0


cdef inline void settle_board(const rules_t *rules, position_t *now, int32_t board, const uint16_t *won) noexcept nogil:
    """Give the tiles of a board to the higher bids: won[player] are those that changed hands or stay."""
    now.own[0][board] = (now.own[0][board] & ~won[1]) | won[0]
    now.own[1][board] = (now.own[1][board] & ~won[0]) | won[1]
    now.control[0] |= <uint16_t> ((rules.full[now.own[0][board]] != 0) << board)
    now.control[1] |= <uint16_t> ((rules.full[now.own[1][board]] != 0) << board)


cdef inline void end_round(const rules_t *rules, position_t *now, int32_t red, int32_t blue) noexcept nogil:
    """Spend the chips that both players bid, and end the round or the game."""
    now.chips[0] -= <uint8_t> red
    now.chips[1] -= <uint8_t> blue
    if now.round == ROUNDS or rules.full[now.control[0]] or rules.full[now.control[1]]:
        now.over = 1
    else:
        now.round += 1


cdef inline void settle(const rules_t *rules, position_t *now, const bid_t *red, const bid_t *blue) noexcept nogil:
    """Open both bids: tiles and boards change hands, chips are spent, the round or the game ends."""
    cdef uint64_t more[2]
    cdef uint64_t less[2]
    cdef uint16_t won[2]
    cdef int32_t board
    playout_compare_bytes(red.chips, blue.chips, more, less)
    for board in range(BOARDS):
        won[0] = mask_of_board(more, board)
        won[1] = mask_of_board(less, board)
        if won[0] | won[1]:
            settle_board(rules, now, board, won)
    end_round(rules, now, red.total, blue.total)


cdef inline int32_t lead_of(const rules_t *rules, const position_t *now) noexcept nogil:
    """Return a number above 0 if red wins, whatever chips are left, below 0 if blue does, else 0."""
    cdef int32_t board
    cdef int32_t lead = (rules.full[now.control[0]] != 0) - (rules.full[now.control[1]] != 0)
    if lead == 0:
        lead = popcount64(now.control[0]) - popcount64(now.control[1])
    if lead == 0:
        for board in range(BOARDS):
            lead += popcount64(now.own[0][board]) - popcount64(now.own[1][board])
    return lead


cdef inline void score(const rules_t *rules, const position_t *now, double *out) noexcept nogil:
    """Write the returns of a position at the end of the game."""
    cdef int32_t lead = lead_of(rules, now)
    if lead == 0:
        lead = now.chips[0] - now.chips[1]
    put_score(comparison_score(lead, 0), out)


cdef inline void score_values(const rules_t *rules, position_t *now, int32_t player, const int32_t *chips,
                              int32_t count, double *out) noexcept nogil:
    """Write the value of red in [0, 1] at the end of the game for each of `count` numbers of chips of a player.

    The chips of the position change.
    """
    cdef double result[2]
    cdef int32_t lead = lead_of(rules, now), i
    for i in range(count):
        now.chips[player] = <uint8_t> chips[i]
        put_score(comparison_score(lead if lead else now.chips[0] - now.chips[1], 0), result)
        out[i] = result[0] / 100.0
