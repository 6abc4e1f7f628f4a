"""What a player knows about the opponent's bids: bounds, and random bids within them."""
from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t
from libc.string cimport memcpy, memset

from ...primitives.rng cimport rng_below, rng_t
from .bid_policy cimport spread
from .rules cimport (
    BLUE_HOME, BOARDS, MAX_CHIPS, RED_HOME, ROUNDS, TILES, finished_rounds, open_tiles, position_t, rules_t, state_t,
)

cdef inline void position_before(const rules_t *rules, const state_t *state, int32_t finished,
                                 position_t *then) noexcept nogil:
    """Write the owners of tiles and boards after `finished` rounds. Chips are not filled in."""
    cdef int32_t player, board
    memset(then, 0, sizeof(position_t))
    then.round = <uint8_t> (finished + 1)
    then.control[0] = 1 << RED_HOME
    then.control[1] = 1 << BLUE_HOME
    if finished:
        memcpy(then.own, state.tiles[finished - 1], sizeof(then.own))
    for player in range(2):
        for board in range(BOARDS):
            then.control[player] |= <uint16_t> ((rules.full[then.own[player][board]] != 0) << board)


cdef inline int32_t bid_bounds(const rules_t *rules, const state_t *state, int32_t r, int32_t player,
                               uint8_t *low, uint8_t *high) noexcept nogil:
    """Write lower and upper bounds of the opponent's bid on each tile in the r-th round, and return the sum of `low`.

    The bounds ignore the opponent's chips and the rules of the round. If a tile keeps its owner, an equal bid or no bid
    is possible too.
    """
    cdef position_t then
    cdef int32_t opponent = 1 - player, board, cell, tile, mine, sum = 0
    cdef uint16_t free
    cdef bint had, has
    position_before(rules, state, r, &then)
    memset(low, 0, TILES)
    memset(high, 0, TILES)
    for board in range(BOARDS):
        free = open_tiles(rules, &then, board)
        for cell in range(9):
            if not (free >> cell) & 1:
                continue
            tile = 9 * board + cell
            mine = state.bids[r][player][tile]
            if (state.tiles[r][opponent][board] >> cell) & 1:
                had = (then.own[opponent][board] >> cell) & 1
                low[tile] = <uint8_t> (mine + (not had))
                high[tile] = 255
            elif (state.tiles[r][player][board] >> cell) & 1:
                has = (then.own[player][board] >> cell) & 1
                high[tile] = <uint8_t> (mine - (not has))
            else:
                low[tile] = high[tile] = <uint8_t> mine
            sum += low[tile]
    return sum


cdef inline int32_t divide_chips(const double *weights, int32_t types, int32_t *means, float *shares) noexcept nogil:
    """Divide weighted numbers of chips into at most `types` quantiles of about equal weight. Return how many there are.

    means: receives the rounded mean of each quantile; shares: its probability.
    """
    cdef double share = 0, moment = 0, done = 0
    cdef int32_t chips, count = 0
    for chips in range(MAX_CHIPS + 1):
        share += weights[chips]
        moment += weights[chips] * chips
        if share > 0 and (chips == MAX_CHIPS or done + share >= (count + 1.0) / types - 1e-9):
            means[count] = <int32_t> (moment / share + 0.5)
            shares[count] = <float> share
            done += share
            count += 1
            share = moment = 0
            if count == types:
                shares[count - 1] += <float> (1.0 - done)
                break
    return count


cdef inline int32_t guess_bid(const rules_t *rules, state_t *state, int32_t r, int32_t player, int32_t left,
                              int32_t later, rng_t *rng) noexcept nogil:
    """Draw a bid of the opponent in the r-th round that is consistent with the view of `player`; return its chips.

    The least consistent bid is raised to a random total: a part in bids that lost or changed nothing, the rest on tiles
    that the opponent owns.

    Args:
        left: chips of the opponent before the round.
        later: lower bound of its chips in later rounds.
    """
    cdef uint8_t *chips = state.bids[r][1 - player]
    cdef uint8_t low[TILES]
    cdef uint8_t high[TILES]
    cdef uint16_t bid_on[BOARDS]
    cdef uint16_t raisable[BOARDS]
    cdef int32_t board, cell, tile, boards = 0, amount, total
    cdef int32_t spent = bid_bounds(rules, state, r, player, low, high)
    cdef int32_t usual = min(left - later, max(spent, 2 * left // (ROUNDS - r)))
    cdef int32_t most = left - later if rng_below(rng, 4) == 0 else usual
    total = spent + <int32_t> rng_below(rng, <uint32_t> (most - spent + 1))
    memcpy(chips, low, TILES)
    for board in range(BOARDS):
        bid_on[board] = raisable[board] = 0
        for cell in range(9):
            bid_on[board] |= <uint16_t> ((low[9 * board + cell] != 0) << cell)
        boards += bid_on[board] != 0
    for board in range(BOARDS):
        for cell in range(9):
            tile = 9 * board + cell
            if (low[tile] == 0 and high[tile] and spent < total and rng_below(rng, 4) == 0
                    and not (r == 0 and rules.full[bid_on[board] | (1 << cell)])
                    and not (r == 1 and boards == 2 and bid_on[board] == 0)):
                boards += bid_on[board] == 0
                bid_on[board] |= <uint16_t> (1 << cell)
                amount = 1
                if high[tile] < 255:
                    amount += <int32_t> rng_below(rng, <uint32_t> min(<int32_t> high[tile], total - spent))
                chips[tile] = <uint8_t> amount
                spent += amount
            if high[tile] == 255 and chips[tile]:
                raisable[board] |= <uint16_t> (1 << cell)
    spread(chips, raisable, total - spent, rng)
    spent = 0
    for tile in range(TILES):
        spent += chips[tile]
    return spent


cdef inline void guess_hidden(const rules_t *rules, state_t *state, int32_t player, rng_t *rng) noexcept nogil:
    """Fill in the hidden part of a redacted state; each round gets at least its lower bound."""
    cdef uint8_t low[TILES]
    cdef uint8_t high[TILES]
    cdef int32_t needed[ROUNDS]
    cdef int32_t r, left = rules.chips, later = 0, finished = finished_rounds(state)
    for r in range(finished):
        needed[r] = bid_bounds(rules, state, r, player, low, high)
        later += needed[r]
    for r in range(finished):
        later -= needed[r]
        left -= guess_bid(rules, state, r, player, left, later, rng)
    state.now.chips[1 - player] = <uint8_t> left
    state.hidden = 0
