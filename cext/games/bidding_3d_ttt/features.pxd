"""The features of a position: the numbers that `State.encode` gives a value net. 214 numbers in blocks:

- Boards A to I, 20 numbers each: 10 for red, then 10 for blue. First: the player controls the board. Then, unless the
  board is controlled: its nearest line lacks one tile; two tiles; the share of its lines in which the opponent has a
  tile; tiles that complete a line at once, by 3; lines that lack two tiles, by 4; lines that lack three, by 8; tiles of
  lines that the player can still complete, by 9; the player owns the centre. Last, on every board: tiles owned, by 5.
- The layout, 24 numbers. For each of the 8 lines of boards, for red, then for blue: 1 / (1 + tiles that the player
  lacks to control its boards), 0 if it cannot. For red, then for blue, the greatest of these numbers. Who is nearer to
  a line: 1 red, -1 blue, 0 nobody. Boards controlled, by 9: red, blue. The lead of red in boards, by 3, and its sign.
  The lead of red in tiles, by 20.
- Chips, 10 numbers: the next round is 1; 2; 3. Chips of red, of blue, and their difference, as a share of those at the
  start. The share of red in all chips left, 0.5 if there are none. 1 / (1 + chips) of red, of blue. All chips left, as
  a share of those at the start.

A player can complete a line unless the opponent owns one of its tiles; with recapture it always can, and the tiles
of the opponent are among those that it lacks. The numbers are those of the true state: a net for a player needs a guess
of the opponent's chips.
"""
from libc.stdint cimport int8_t, int32_t, uint8_t, uint16_t
from libc.string cimport memset

from ...primitives.bits cimport popcount64
from .rules cimport BLUE_HOME, BOARDS, LINES, RED_HOME, ROUNDS, position_t, rules_t

cdef extern from *:
    """
    /* 1 / (1 + tiles that a player lacks to control three boards in a line), 0 if one of them is NEVER */
    static const float playout_nearness[49] = {
        1.0f, 1 / 2.0f, 1 / 3.0f, 1 / 4.0f, 1 / 5.0f, 1 / 6.0f, 1 / 7.0f, 1 / 8.0f, 1 / 9.0f, 1 / 10.0f};
    """
    const float nearness "playout_nearness"[49]

cdef enum:
    BOARD_NUMBERS = 20
    LAYOUT_NUMBERS = 24
    CHIPS_NUMBERS = 10
    LAYOUT_AT = BOARDS * BOARD_NUMBERS
    CHIPS_AT = LAYOUT_AT + LAYOUT_NUMBERS
    NUMBERS = CHIPS_AT + CHIPS_NUMBERS
    LAYOUT_BLOCK = BOARDS       # blocks of inputs; those of the boards come first
    CHIPS_BLOCK = BOARDS + 1
    BLOCKS = BOARDS + 2
    NEVER = 16                  # tiles that a player lacks to control a board that it cannot control
    CENTRE = 4

cdef struct board_t:            # facts of one board that the layout needs
    uint8_t lacking[2]          # tiles that each player lacks to control it; NEVER
    uint8_t control             # mask of the players who control it
    int8_t lead                 # tiles of red minus tiles of blue


cdef inline uint16_t control_of(const rules_t *rules, int32_t board, int32_t player, uint16_t own) noexcept nogil:
    """Return 1 if the player controls the board, else 0."""
    return rules.full[own] != 0 or board == (BLUE_HOME if player else RED_HOME)


cdef inline void encode_board(const rules_t *rules, int32_t board, uint16_t red, uint16_t blue, board_t *facts,
                              float *out) noexcept nogil:
    """Write the numbers [BOARD_NUMBERS] and the facts of a board with these tiles of red and blue."""
    cdef uint16_t own, opponent, missing
    cdef uint8_t live
    cdef float *at
    cdef int32_t counts[4]
    cdef int32_t player, line, lacks, nearest, completing
    cdef uint16_t useful, last
    memset(out, 0, BOARD_NUMBERS * sizeof(float))
    facts.control = <uint8_t> (control_of(rules, board, 0, red) | control_of(rules, board, 1, blue) << 1)
    facts.lead = <int8_t> (popcount64(red) - popcount64(blue))
    for player in range(2):
        own, opponent = (blue, red) if player else (red, blue)
        at = out + player * (BOARD_NUMBERS // 2)
        at[9] = <float> popcount64(own) / <float> 5.0
        facts.lacking[player] = 0 if (facts.control >> player) & 1 else NEVER
        at[0] = <float> ((facts.control >> player) & 1)
        if facts.control:
            continue
        live = 255 if rules.recapture else <uint8_t> ~rules.touched[opponent]
        memset(counts, 0, sizeof(counts))
        useful = last = 0
        nearest = NEVER
        for line in range(LINES):
            if (live >> line) & 1:
                missing = rules.line_cells[line] & ~own
                lacks = popcount64(missing)
                counts[lacks] += 1
                useful |= missing
                if lacks == 1:
                    last |= missing
                nearest = min(nearest, lacks)
        facts.lacking[player] = <uint8_t> nearest
        completing = popcount64(last)
        at[1] = <float> (nearest == 1)
        at[2] = <float> (nearest == 2)
        at[3] = <float> popcount64(rules.touched[opponent]) / <float> 8.0
        at[4] = <float> completing / <float> 3.0
        at[5] = <float> counts[2] / <float> 4.0
        at[6] = <float> counts[3] / <float> 8.0
        at[7] = <float> popcount64(useful) / <float> 9.0
        at[8] = <float> ((own >> CENTRE) & 1)


cdef inline void encode_layout(const rules_t *rules, const board_t *boards, float *out) noexcept nogil:
    """Write the numbers [LAYOUT_NUMBERS] of the nine boards together."""
    cdef int32_t counts[2]
    cdef int32_t player, line, board, lead = 0, lacks, cells
    cdef float nearest[2]
    cdef float near
    counts[0] = counts[1] = 0
    nearest[0] = nearest[1] = 0.0
    for board in range(BOARDS):
        lead += boards[board].lead
        counts[0] += boards[board].control & 1
        counts[1] += boards[board].control >> 1
    for player in range(2):
        for line in range(LINES):
            cells = rules.line_boards[line]
            lacks = (boards[cells & 15].lacking[player] + boards[(cells >> 4) & 15].lacking[player]
                     + boards[cells >> 8].lacking[player])
            near = nearness[lacks]
            out[player * LINES + line] = near
            nearest[player] = max(nearest[player], near)
    out[16] = nearest[0]
    out[17] = nearest[1]
    out[18] = <float> ((nearest[0] > nearest[1]) - (nearest[0] < nearest[1]))
    out[19] = <float> counts[0] / <float> 9.0
    out[20] = <float> counts[1] / <float> 9.0
    out[21] = <float> (counts[0] - counts[1]) / <float> 3.0
    out[22] = <float> ((counts[0] > counts[1]) - (counts[0] < counts[1]))
    out[23] = <float> lead / <float> 20.0


cdef inline void encode_chips(const rules_t *rules, int32_t round, int32_t red, int32_t blue,
                              float *out) noexcept nogil:
    """Write the numbers [CHIPS_NUMBERS] of the next round and the chips that red and blue have left."""
    cdef float scale = <float> 1.0 / <float> max(1, <int32_t> rules.chips)
    cdef int32_t r
    for r in range(ROUNDS):
        out[r] = <float> (r + 1 == round)
    out[3] = <float> red * scale
    out[4] = <float> blue * scale
    out[5] = <float> (red - blue) * scale
    out[6] = <float> red / <float> (red + blue) if red + blue else <float> 0.5
    out[7] = <float> 1.0 / <float> (1 + red)
    out[8] = <float> 1.0 / <float> (1 + blue)
    out[9] = <float> (red + blue) * scale * <float> 0.5


cdef inline void encode_position(const rules_t *rules, const position_t *now, float *out) noexcept nogil:
    """Write all numbers [NUMBERS] of a position."""
    cdef board_t boards[BOARDS]
    cdef int32_t board
    for board in range(BOARDS):
        encode_board(rules, board, now.own[0][board], now.own[1][board], &boards[board], out + board * BOARD_NUMBERS)
    encode_layout(rules, boards, out + LAYOUT_AT)
    encode_chips(rules, now.round, now.chips[0], now.chips[1], out + CHIPS_AT)
