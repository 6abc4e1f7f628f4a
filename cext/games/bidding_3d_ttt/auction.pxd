"""The table of sealed bids, for solvers of single rounds, and a quick estimate of positions between rounds."""
from libc.math cimport exp, log
from libc.stdint cimport int16_t, int32_t, uint8_t, uint16_t, uint64_t
from libc.string cimport memcpy, memset

from ...bits cimport popcount64
from ...game_table cimport game_t
from ...rng cimport rng_below, rng_next, rng_t
from ...sealed_bids cimport sealed_bid_t, sealed_bids_t
from .belief cimport bid_bounds, position_before
from .bid_policy cimport draw_bid
from .net_leaves cimport close_leaves, fits_leaves, leaf_purses, open_leaves
from .rules cimport (
    ALL, BOARDS, CONTENTS, LINES, ROUNDS, TILES, bid_t, content_of, end_round, finished_rounds, open_tiles, position_t,
    rules_t, score, settle_board, state_t,
)

cdef extern from "compare_bytes.h" nogil:
    void playout_compare_bytes(const uint8_t *a, const uint8_t *b, uint64_t *more, uint64_t *less) noexcept

cdef enum:
    FEATURES = 5

cdef extern from *:
    """
    /* weights of lines of boards, of boards and of tiles in the nearness to a win */
    static const double playout_near_lines = 0.3, playout_near_boards = 0.5, playout_near_tiles = 0.08;
    """
    const double NEAR_LINES "playout_near_lines"
    const double NEAR_BOARDS "playout_near_boards"
    const double NEAR_TILES "playout_near_tiles"

cdef struct auction_t:
    rules_t rules               # first, as `game.rules` points to it
    sealed_bids_t table
    int16_t lines[BOARDS * LINES][3]
    double weights[ROUNDS][FEATURES]    # of the estimate, by the rounds after the next one
    float promise[CONTENTS]     # how near a player, digit 1, is to the control of a board, in [0, 1]


cdef inline void position_of(const game_t *game, const void *state, void *position) noexcept nogil:
    memcpy(position, &(<const state_t *> state).now, sizeof(position_t))


cdef inline int32_t purse_of(const void *position, int32_t player) noexcept nogil:
    return (<const position_t *> position).chips[player]


cdef inline void set_purse(void *position, int32_t player, int32_t purse) noexcept nogil:
    (<position_t *> position).chips[player] = <uint8_t> purse


cdef inline int32_t most_of_board(const rules_t *rules, const uint8_t *low, const uint8_t *high, bint lines,
                                  int32_t most) noexcept nogil:
    """Return the most chips of a bid on one board within bounds, at most `most`.

    lines: False if the round forbids a line of three tiles.
    """
    cdef int32_t best = 0, sum, mask, cell, forced = 0
    for cell in range(9):
        forced |= (low[cell] != 0) << cell
    for mask in range(512):
        if mask & forced != forced or (not lines and rules.full[mask]):
            continue
        sum = 0
        for cell in range(9):
            if (mask >> cell) & 1:
                sum += high[cell]
        best = max(best, sum)
    return min(best, most)


cdef inline int32_t most_of_round(const rules_t *rules, const state_t *state, int32_t r, int32_t player,
                                  int32_t *needed) noexcept nogil:
    """Return the most chips that the rival may have bid in the r-th round; `needed` receives the least.

    The rival's chips limit the number only roughly: it is at most those of the start.
    """
    cdef uint8_t low[TILES]
    cdef uint8_t high[TILES]
    cdef int32_t of_board[BOARDS]
    cdef bint forced[BOARDS]
    cdef int32_t board, cell, best, sum = 0, boards = 0, _
    needed[0] = bid_bounds(rules, state, r, player, low, high)
    for board in range(BOARDS):
        of_board[board] = most_of_board(rules, low + 9 * board, high + 9 * board, r != 0, rules.chips)
        forced[board] = False
        for cell in range(9):
            forced[board] |= low[9 * board + cell] != 0
        if r != 1:
            sum += of_board[board]
        elif forced[board]:
            sum += of_board[board]
            boards += 1
    if r == 1:
        for _ in range(boards, 2):       # the round allows two boards
            best = -1
            for board in range(BOARDS):
                if not forced[board] and (best < 0 or of_board[board] > of_board[best]):
                    best = board
            forced[best] = True
            sum += of_board[best]
    return min(sum, <int32_t> rules.chips)


cdef inline void purse_bounds(const game_t *game, const void *data, int32_t player, int32_t *low,
                              int32_t *high) noexcept nogil:
    """Write the bounds of the rival's chips. Every number between them is possible: from a bid that lost, and from all
    but one chip of a bid that won, single chips can be taken away."""
    cdef const rules_t *rules = <const rules_t *> game.rules
    cdef const state_t *state = <const state_t *> data
    cdef int32_t r, needed, least = 0, most = 0
    for r in range(finished_rounds(state)):
        most += most_of_round(rules, state, r, player, &needed)
        least += needed
    high[0] = rules.chips - least
    low[0] = rules.chips - min(most, <int32_t> rules.chips)


cdef inline int32_t known_bid(const game_t *game, const void *data, int32_t finished, int32_t player, uint8_t *low,
                              uint8_t *high) noexcept nogil:
    """Write the bounds of the rival's bid on each tile, and return the total of the player's own bid."""
    cdef const rules_t *rules = <const rules_t *> game.rules
    cdef const state_t *state = <const state_t *> data
    cdef position_t then
    cdef bint forced[BOARDS]
    cdef int32_t board, cell, tile, boards = 0, total = 0
    if finished >= finished_rounds(state):
        return -1
    bid_bounds(rules, state, finished, player, low, high)
    position_before(rules, state, finished, &then)
    for board in range(BOARDS):
        forced[board] = False
        for cell in range(9):
            forced[board] |= low[9 * board + cell] != 0
            total += state.bids[finished][player][9 * board + cell]
        boards += forced[board]
    for board in range(BOARDS):
        for cell in range(9):
            tile = 9 * board + cell
            if (not (open_tiles(rules, &then, board) >> cell) & 1
                    or (finished == 1 and boards == 2 and not forced[board])):
                low[tile] = 1
                high[tile] = 0
    return total


cdef inline void open_units(const game_t *game, const void *position, uint8_t *out) noexcept nogil:
    cdef int32_t board, cell
    cdef uint16_t free
    for board in range(BOARDS):
        free = open_tiles(<const rules_t *> game.rules, <const position_t *> position, board)
        for cell in range(9):
            out[9 * board + cell] = (free >> cell) & 1


cdef inline uint16_t mask_of_board(const uint64_t *bits, int32_t board) noexcept nogil:
    """Return the nine bits of a board, of 81."""
    cdef int32_t first = 9 * board
    if first >= 64:
        return <uint16_t> ((bits[1] >> (first - 64)) & ALL)
    if first + 9 > 64:
        return <uint16_t> (((bits[0] >> first) | (bits[1] << (64 - first))) & ALL)
    return <uint16_t> ((bits[0] >> first) & ALL)


cdef inline bint is_allowed(const game_t *game, const void *data, const sealed_bid_t *bid) noexcept nogil:
    """Return True if the tiles of a bid are open and the round allows them together."""
    cdef const rules_t *rules = <const rules_t *> game.rules
    cdef const position_t *now = <const position_t *> data
    cdef sealed_bid_t nothing
    cdef uint64_t bits[2]
    cdef uint64_t none[2]
    cdef int32_t board, boards = 0
    cdef uint16_t tiles
    memset(&nothing, 0, sizeof(nothing))
    playout_compare_bytes(bid.counts, nothing.counts, bits, none)
    for board in range(BOARDS):
        tiles = mask_of_board(bits, board)
        if tiles & ~open_tiles(rules, now, board) or (now.round == 1 and rules.full[tiles]):
            return False
        boards += tiles != 0
    return now.round != 2 or boards <= 2


cdef inline void settle_bids(const game_t *game, void *data, const sealed_bid_t *first,
                             const sealed_bid_t *second) noexcept nogil:
    cdef const rules_t *rules = <const rules_t *> game.rules
    cdef position_t *now = <position_t *> data
    cdef uint64_t more[2]
    cdef uint64_t less[2]
    cdef uint16_t won[2]
    cdef int32_t board
    playout_compare_bytes(first.counts, second.counts, more, less)
    for board in range(BOARDS):
        won[0] = mask_of_board(more, board)
        won[1] = mask_of_board(less, board)
        if won[0] | won[1]:
            settle_board(rules, now, board, won)
    end_round(rules, now, first.total, second.total)


cdef inline void sample_counts(const game_t *game, const void *position, int32_t player, rng_t *rng,
                               uint8_t *counts) noexcept nogil:
    cdef bid_t bid
    draw_bid(<const rules_t *> game.rules, <const position_t *> position, player, rng, &bid)
    memcpy(counts, bid.chips, TILES)


cdef inline void exchange_players(const game_t *game, const sealed_bid_t *bid, rng_t *rng,
                                  sealed_bid_t *image) noexcept nogil:
    """Write the image of a bid in round 1 for the other player.

    The boards are mirrored left to right, and at random top to bottom; each board is turned and mirrored at random.
    """
    cdef uint64_t bits = rng_next(rng)
    cdef bint upside = bits & 1
    cdef int32_t board, to, cell, x, y, held, turn
    memset(image, 0, sizeof(sealed_bid_t))
    image.total = bid.total
    bits >>= 1
    for board in range(BOARDS):
        to = 3 * (2 - board // 3 if upside else board // 3) + 2 - board % 3
        turn = bits & 7
        bits >>= 3
        for cell in range(9):
            x = cell % 3
            y = cell // 3
            if turn & 1:
                x = 2 - x
            if turn & 2:
                y = 2 - y
            if turn & 4:
                held = x
                x = y
                y = held
            image.counts[9 * to + 3 * y + x] = bid.counts[9 * board + cell]


cdef inline double strength(const auction_t *auction, const position_t *now, int32_t player,
                            double *boards) noexcept nogil:
    """Return a number in (0, 1) for the lines of boards that a player may complete, by the promise of their boards.

    boards: receives the sum of the promise of all boards.
    """
    cdef float of_board[BOARDS]
    cdef double none = 1.0
    cdef int32_t board, line
    cdef const int16_t *cells
    for board in range(BOARDS):
        if (now.control[player] >> board) & 1:
            of_board[board] = 1.0
        elif (now.control[1 - player] >> board) & 1:
            of_board[board] = 0.0
        else:
            of_board[board] = auction.promise[content_of(&auction.rules, now.own[player][board],
                                                         now.own[1 - player][board])]
        boards[0] += of_board[board]
    for line in range(LINES):
        cells = auction.lines[line]     # of board A, whose tiles have the numbers of boards
        none *= 1.0 - of_board[cells[0]] * of_board[cells[1]] * of_board[cells[2]]
    return 1.0 - 0.999 * none


cdef inline void weigh_features(const game_t *game, const position_t *now, double *out) noexcept nogil:
    """Write what the estimate is linear in, each as red's advantage.

    They are lines of boards, chips, boards, tiles and the promise of the boards.
    """
    cdef const auction_t *auction = <const auction_t *> game.rules
    cdef double few = 1.0 + (<const rules_t *> game.rules).chips / 80.0
    cdef double red = 0.0, blue = 0.0
    cdef int32_t board
    out[0] = log(strength(auction, now, 0, &red) / strength(auction, now, 1, &blue))
    out[1] = log((now.chips[0] + few) / (now.chips[1] + few))
    out[2] = popcount64(now.control[0]) - popcount64(now.control[1])
    out[3] = 0.0
    for board in range(BOARDS):
        out[3] += popcount64(now.own[0][board]) - popcount64(now.own[1][board])
    out[4] = red - blue


cdef inline double estimate(const game_t *game, const void *data) noexcept nogil:
    cdef const position_t *now = <const position_t *> data
    cdef const auction_t *auction = <const auction_t *> game.rules
    cdef const double *weights = auction.weights[ROUNDS - now.round]
    cdef double features[FEATURES]
    cdef double out[2]
    cdef double sum = 0.0
    cdef int32_t i
    if now.over:
        score(<const rules_t *> game.rules, now, out)
        return out[0] / 100.0
    weigh_features(game, now, features)
    for i in range(FEATURES):
        sum += weights[i] * features[i]
    return 1.0 / (1.0 + exp(-sum))


cdef inline double nearness(const game_t *game, const void *data) noexcept nogil:
    """Return how near red came to a win in a position that is over, by lines, boards and tiles; else -1."""
    cdef const position_t *now = <const position_t *> data
    cdef double features[FEATURES]
    if not now.over:
        return -1.0
    weigh_features(game, now, features)
    return 1.0 / (1.0 + exp(-(NEAR_LINES * features[0] + NEAR_BOARDS * features[2] + NEAR_TILES * features[3])))


cdef inline void lay_out_auction(auction_t *auction, const game_t *game) noexcept nogil:
    """Fill in the table, from the rules."""
    cdef const rules_t *rules = &auction.rules
    cdef sealed_bids_t *table = &auction.table
    cdef int32_t board, line, cell, mine, theirs, missing, i
    cdef double none
    cdef double *chance = [1.0, 0.4, 0.15, 0.05]    # of a line to be completed, by the number of missing tiles
    for board in range(BOARDS):
        for line in range(LINES):
            i = 0
            for cell in range(9):
                if (rules.line_cells[line] >> cell) & 1:
                    auction.lines[LINES * board + line][i] = <int16_t> (9 * board + cell)
                    i += 1
    for mine in range(512):
        for theirs in range(512):
            if mine & theirs:
                continue
            none = 1.0
            for line in range(LINES):
                if rules.recapture or rules.line_cells[line] & theirs == 0:
                    missing = 3 - popcount64(rules.line_cells[line] & mine)
                    none *= 1.0 - chance[missing]
            auction.promise[content_of(rules, <uint16_t> mine, <uint16_t> theirs)] = <float> (1.0 - none)
    # fitted to solutions of positions, first before round 3, with these before round 2
    if rules.recapture:
        auction.weights[0][:] = [0.16, 2.28, 0.65, 0.03, -0.11]
        auction.weights[1][:] = [0.0, 1.88, 0.65, 0.03, 0.09]
    else:
        auction.weights[0][:] = [0.19, 3.11, 0.37, 0.06, 0.94]
        auction.weights[1][:] = [0.18, 1.90, 0.37, 0.02, 0.47]
    table.game = game
    table.units = TILES
    table.group_size = 9
    table.num_lines = BOARDS * LINES
    table.lines = &auction.lines[0][0]
    table.position_size = sizeof(position_t)
    table.position = position_of
    table.purse = purse_of
    table.set_purse = set_purse
    table.purse_bounds = purse_bounds
    table.known_bid = known_bid
    table.open_units = open_units
    table.allowed = is_allowed
    table.settle = settle_bids
    table.estimate = estimate
    table.nearness = nearness
    table.sample = sample_counts
    table.exchange = exchange_players
    table.fits_net = fits_leaves
    table.open_leaves = open_leaves
    table.close_leaves = close_leaves
    table.net_leaf = leaf_purses
