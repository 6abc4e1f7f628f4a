"""The distribution of random bids of `sample_action` and of playouts. A bid is drawn in three parts:

- The number of chips: in round 3 all that are left (with probability 1/16 a uniform part of them). Before that a
  uniform part of twice the fair share for the remaining rounds (with probability 1/16 of all chips). A part may be
  zero.
- The tiles: several wishes. Each selects an open board, weighted by the lines of boards that the board can still
  complete for the player or the opponent; nearly complete lines weigh more. On that board it selects, with probability
  5/8, all missing tiles of a line that the player can still complete, preferably one with tiles of the player; with
  probability 2/8 one tile of such a line of the opponent; else any open tile. Tiles that the round forbids are omitted.
- The distribution: one chip on each selected tile. The other chips are spread over them with random weights, which are
  equal or very different.
"""
from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memset

from ...primitives.bits cimport lowest64, popcount64, select64
from ...primitives.rng cimport rng_below, rng_next, rng_t
from .rules cimport BOARDS, ROUNDS, TILES, bid_t, open_tiles, position_t, rules_t

cdef enum:
    MAX_WISHES = 8              # of one random bid
    FEW_CHIPS = 6               # chips for two lines


cdef inline int32_t draw_spending(const position_t *now, int32_t player, rng_t *rng) noexcept nogil:
    """Draw the number of chips of a random bid."""
    cdef uint32_t chips = now.chips[player], rounds_left = ROUNDS + 1 - now.round
    cdef uint64_t draw
    if chips == 0:
        return 0
    draw = rng_next(rng)
    if draw & 15:
        if rounds_left == 1:
            return chips
        chips = min(chips, (2 * chips + rounds_left - 1) // rounds_left)
    return <int32_t> (((draw >> 32) * (chips + 1)) >> 32)


cdef inline uint32_t weigh_boards(const rules_t *rules, const position_t *now, int32_t player,
                                  uint32_t *weights) noexcept nogil:
    """Write the weight of each board for a random bid, 0 if it has no open tile, and return their sum."""
    cdef uint16_t mine = now.control[player], theirs = now.control[1 - player]
    # lines of boards that a player can still complete: those without a board that only the other controls
    cdef uint8_t can = ~rules.touched[theirs & ~mine], must = ~rules.touched[mine & ~theirs]
    cdef uint8_t through
    cdef uint32_t sum = 0
    cdef int32_t board
    for board in range(BOARDS):
        weights[board] = 0
        if open_tiles(rules, now, board):
            through = rules.through[board]
            weights[board] = (1 + 2 * popcount64(can & through)
                              + 3 * popcount64(can & rules.touched[mine] & through)
                              + 12 * popcount64(can & rules.pairs[mine] & through)
                              + 2 * popcount64(must & rules.touched[theirs] & through)
                              + 8 * popcount64(must & rules.pairs[theirs] & through))
        sum += weights[board]
    return sum


cdef inline uint32_t below(uint64_t bits, uint32_t n) noexcept nogil:
    """Return a number in [0, n), n at most 256, from the lowest 16 random bits."""
    return <uint32_t> (((bits & 0xFFFF) * n) >> 16)


cdef inline uint16_t draw_wish(const rules_t *rules, const position_t *now, int32_t player, int32_t board,
                               uint64_t bits) noexcept nogil:
    """Draw tiles of a board that a random bid selects together; may be none. Uses 40 random bits."""
    cdef uint16_t mine = now.own[player][board], theirs = now.own[1 - player][board]
    cdef uint16_t free = open_tiles(rules, now, board), wish
    cdef uint8_t lines, begun
    cdef uint32_t kind = bits & 7, choosy = (bits >> 3) & 7
    bits >>= 8
    if kind < 7:
        if kind >= 5:
            mine, theirs = theirs, mine     # from the opponent's point of view
        lines = 255 if rules.recapture else ~rules.touched[theirs]
        begun = lines & rules.pairs[mine]
        if begun == 0 or choosy == 0:
            begun = lines & rules.touched[mine]
        if begun and choosy > 1:
            lines = begun
        if lines == 0:
            return 0
        wish = rules.line_cells[lowest64(select64(lines, below(bits, popcount64(lines))))] & ~mine & free
        if kind < 5 or wish == 0:
            return wish
        free = wish
    return <uint16_t> select64(free, below(bits >> 16, popcount64(free)))


cdef inline int32_t draw_capture(const rules_t *rules, const position_t *now, int32_t player, const uint32_t *weights,
                                 uint64_t bits, uint16_t *wish) noexcept nogil:
    """Draw an open tile of the opponent and return its board, or -1 if there is none. Uses 40 random bits."""
    cdef const uint16_t *theirs = now.own[1 - player]
    cdef uint32_t sum = 0, point
    cdef int32_t board
    for board in range(BOARDS):
        if theirs[board]:
            sum += weights[board]
    if sum == 0:
        return -1
    point = <uint32_t> (((bits >> 40) * sum) >> 24)
    for board in range(BOARDS):
        if theirs[board]:
            if point < weights[board]:
                break
            point -= weights[board]
    wish[0] = <uint16_t> select64(theirs[board], below(bits >> 8, popcount64(theirs[board])))
    return board


cdef inline void spread(uint8_t *chips, const uint16_t *masks, int32_t extra, rng_t *rng) noexcept nogil:
    """Add `extra` chips to the tiles of `masks`, if any, with random weights: equal, or up to 64 to 1."""
    cdef int32_t weights[TILES]
    cdef int32_t board, before = 0, now, sum = 0, count = 0
    cdef uint64_t tiles, scale, bits = rng_next(rng)
    cdef uint64_t apart = ((<uint64_t> 1) << (2 * (bits & 3))) - 1
    bits >>= 2
    for board in range(BOARDS):
        tiles = masks[board]
        while tiles:
            tiles &= tiles - 1
            if count % 10 == 9:
                bits = rng_next(rng)
            weights[count] = 1 + <int32_t> (bits & apart)
            bits >>= 6
            sum += weights[count]
            count += 1
    if count == 0:
        return
    scale = ((<uint64_t> extra << 32) + sum - 1) // sum    # rounded up, so that the last tile gets the rest
    sum = count = 0
    for board in range(BOARDS):
        tiles = masks[board]
        while tiles:
            sum += weights[count]
            count += 1
            now = <int32_t> ((sum * scale) >> 32)
            chips[9 * board + lowest64(tiles)] += <uint8_t> (now - before)
            before = now
            tiles &= tiles - 1


cdef inline void draw_bid(const rules_t *rules, const position_t *now, int32_t player, rng_t *rng,
                          bid_t *bid) noexcept nogil:
    """Draw a random legal bid from the distribution in the docstring of this file."""
    cdef uint32_t weights[BOARDS]
    cdef uint16_t tiles[BOARDS]
    cdef uint32_t sum, point
    cdef int32_t spending = draw_spending(now, player, rng), count = 0, boards = 0, board, other, wishes, fresh
    cdef bint capturing = rules.recapture and now.chips[player] < FEW_CHIPS
    cdef uint16_t wish = 0
    cdef uint64_t bits
    memset(bid, 0, sizeof(bid_t))
    memset(tiles, 0, sizeof(tiles))
    if spending == 0:
        return
    sum = weigh_boards(rules, now, player, weights)
    if sum == 0:
        return
    wishes = 1 + rng_below(rng, MAX_WISHES if now.round != 2 else MAX_WISHES // 2)
    while wishes:
        wishes -= 1
        bits = rng_next(rng)
        board = -1
        if capturing and (bits >> 6) & 1:
            board = draw_capture(rules, now, player, weights, bits, &wish)
        if board < 0:
            point = <uint32_t> (((bits >> 40) * sum) >> 24)
            board = 0
            while point >= weights[board]:
                point -= weights[board]
                board += 1
            wish = draw_wish(rules, now, player, board, bits)
        wish &= ~tiles[board]
        if now.round == 1 and rules.full[tiles[board] | wish]:
            wish &= ~<uint16_t> select64(wish, below(bits >> 24, popcount64(wish)))
            if rules.full[tiles[board] | wish]:
                continue
        fresh = popcount64(wish)
        if fresh == 0 or count + fresh > spending:
            continue
        boards += tiles[board] == 0
        tiles[board] |= wish
        count += fresh
        while wish:
            bid.chips[9 * board + lowest64(wish)] = 1
            wish &= wish - 1
        if now.round == 2 and boards == 2:
            for other in range(BOARDS):
                if tiles[other] == 0:
                    sum -= weights[other]
                    weights[other] = 0
    spread(bid.chips, tiles, spending - count, rng)
    bid.total = spending if count else 0
