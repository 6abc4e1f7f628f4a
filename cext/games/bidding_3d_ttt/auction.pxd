"""The table of sealed bids, for solvers of single rounds, and a quick estimate of positions between rounds."""
from libc.math cimport exp, fabs, log
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
    rules_t, score_purses, settle_board, state_t,
)

cdef extern from "compare_bytes.h" nogil:
    void playout_compare_bytes(const uint8_t *a, const uint8_t *b, uint64_t *more, uint64_t *less) noexcept

cdef extern from "games/bidding_3d_ttt/bid_batch.h" nogil:
    ctypedef struct playout_batch_t:
        pass
    void playout_fill_batch(playout_batch_t *batch, const uint16_t (*own)[9], const uint16_t *control, int player,
                            int purse, const uint8_t *const *bids, const uint8_t *left, int count) noexcept
    double playout_begin_batch(playout_batch_t *batch, const uint8_t *bid, int total, double guidance) noexcept
    double playout_try_in_batch(playout_batch_t *batch, const uint8_t *bid, int total, double guidance) noexcept
    void playout_keep_in_batch(playout_batch_t *batch) noexcept

cdef enum:
    FEATURES = 5                # of the estimate

cdef extern from *:
    """
    /* weights of lines of boards, of boards and of tiles in the nearness to a win */
    static const double playout_near_lines = 1.0, playout_near_boards = 0.5, playout_near_tiles = 0.08;
    """
    const double NEAR_LINES "playout_near_lines"
    const double NEAR_BOARDS "playout_near_boards"
    const double NEAR_TILES "playout_near_tiles"

cdef struct auction_t:
    rules_t rules               # first, as `game.rules` points to it
    sealed_bids_t table
    int16_t lines[BOARDS * LINES][3]
    double weights[ROUNDS][FEATURES]    # of the estimate, by the rounds after the next one
    double logs[256]            # by a number of chips
    float promise[CONTENTS][2]  # by the content of a board: how near red and blue are to its control, in [0, 1]


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


cdef inline double strengths(const auction_t *auction, const position_t *now, double *players) noexcept nogil:
    """Write a number in (0, 1) for each player, for the lines of boards that it may complete.

    Return the sum of the promise of all boards to red, less that to blue.
    """
    cdef float promises[2][BOARDS]
    cdef const float *promise
    cdef const float *at
    cdef double none, lead = 0.0
    cdef int32_t board, line, player, cells
    cdef uint16_t red = now.control[0], blue = now.control[1]
    for board in range(BOARDS):
        promise = auction.promise[content_of(&auction.rules, now.own[0][board], now.own[1][board])]
        promises[0][board] = promise[0]
        promises[1][board] = promise[1]
        if ((red | blue) >> board) & 1:
            promises[0][board] = (red >> board) & 1
            promises[1][board] = (blue >> board) & 1
        lead += promises[0][board] - promises[1][board]
    for player in range(2):
        at = promises[player]
        none = 1.0
        for line in range(LINES):
            cells = auction.rules.line_boards[line]
            none *= 1.0 - <double> at[cells & 15] * at[(cells >> 4) & 15] * at[cells >> 8]
        players[player] = 1.0 - 0.999 * none
    return lead


cdef inline int32_t lead_in_tiles(const position_t *now) noexcept nogil:
    cdef int32_t board, lead = 0
    for board in range(BOARDS):
        lead += popcount64(now.own[0][board]) - popcount64(now.own[1][board])
    return lead


cdef inline void estimate_purses(void *context, void *data, int32_t player, const int32_t *purses, int32_t count,
                                 double *out) noexcept nogil:
    """Write the score, or a logistic function of a few features, each red's advantage.

    They are lines of boards, chips, boards, tiles and the promise of the boards.
    """
    cdef position_t *now = <position_t *> data
    cdef const auction_t *auction = <const auction_t *> context
    cdef const double *weights
    cdef double players[2]
    cdef double sum
    cdef int32_t i
    if now.over:
        score_purses(&auction.rules, now, player, purses, count, out)
        return
    weights = auction.weights[ROUNDS - now.round]
    sum = weights[4] * strengths(auction, now, players)
    sum += weights[0] * log(players[0] / players[1])
    sum += weights[2] * (popcount64(now.control[0]) - popcount64(now.control[1]))
    sum += weights[3] * lead_in_tiles(now)
    for i in range(count):
        now.chips[player] = <uint8_t> purses[i]
        out[i] = 1.0 / (1.0 + exp(-(sum + weights[1] * (auction.logs[now.chips[0]] - auction.logs[now.chips[1]]))))


cdef inline double nearness(const game_t *game, const void *data) noexcept nogil:
    """Return how near red came to a win in a position that is over, by lines, boards and tiles; else -1."""
    cdef const position_t *now = <const position_t *> data
    cdef double players[2]
    cdef double sum
    if not now.over:
        return -1.0
    strengths(<const auction_t *> game.rules, now, players)
    sum = NEAR_LINES * (players[0] - players[1]) / (players[0] + players[1])
    sum += NEAR_BOARDS * (popcount64(now.control[0]) - popcount64(now.control[1])) + NEAR_TILES * lead_in_tiles(now)
    return 0.5 + 0.5 * sum / (1.0 + fabs(sum))


cdef inline void fill_batch(const game_t *game, const void *data, int32_t player, int32_t purse,
                            const uint8_t *const *bids, const uint8_t *left, int32_t count, void *batch) noexcept nogil:
    cdef const position_t *now = <const position_t *> data
    playout_fill_batch(<playout_batch_t *> batch, now.own, now.control, player, purse, bids, left, count)


cdef inline double begin_bid(void *batch, const sealed_bid_t *bid, double guidance) noexcept nogil:
    return playout_begin_batch(<playout_batch_t *> batch, bid.counts, bid.total, guidance)


cdef inline double try_bid(void *batch, const sealed_bid_t *bid, double guidance) noexcept nogil:
    return playout_try_in_batch(<playout_batch_t *> batch, bid.counts, bid.total, guidance)


cdef inline void keep_bid(void *batch) noexcept nogil:
    playout_keep_in_batch(<playout_batch_t *> batch)


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
            auction.promise[content_of(rules, <uint16_t> mine, <uint16_t> theirs)][0] = <float> (1.0 - none)
            auction.promise[content_of(rules, <uint16_t> theirs, <uint16_t> mine)][1] = <float> (1.0 - none)
    for i in range(256):
        auction.logs[i] = log(i + 1.0 + rules.chips / 80.0)
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
    table.estimate = estimate_purses
    table.nearness = nearness
    table.sample = sample_counts
    table.exchange = exchange_players
    table.fits_net = fits_leaves
    table.open_leaves = open_leaves
    table.close_leaves = close_leaves
    table.net_leaf = leaf_purses
    table.batch_size = sizeof(playout_batch_t)
    table.fill_batch = fill_batch
    table.begin_bid = begin_bid
    table.try_bid = try_bid
    table.keep_bid = keep_bid
