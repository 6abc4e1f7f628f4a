"""A player's knowledge of the opponent's bids and chips: bounds, probabilities, and random bids within the bounds.

The model of chips: in each round the opponent has spent about as many chips as the player. The weight falls by a factor
of e for every tenth of the first chips between both numbers, and a share of it is even. It is multiplied by the
likelihood of what the player has seen on each tile, if the opponent spent that many. For the likelihood, an opponent
bids on a tile with a probability, and on a tile that it bids on it adds a chip to the first one with another
probability, and so on. Both are unknown and can have any value of a grid. So an opponent that bids on many tiles and
wins few of those that the player bids on has probably kept its chips.
"""
from libc.math cimport exp, fabs
from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t
from libc.string cimport memcpy, memset

from ...primitives.rng cimport rng_below, rng_t
from .bid_policy cimport spread
from .rules cimport (
    BLUE_HOME, BOARDS, MAX_CHIPS, RED_HOME, ROUNDS, TILES, finished_rounds, open_tiles, position_t, rules_t, state_t,
)

cdef extern from *:
    """
    /* probabilities of a bid on a tile, and of one more chip there */
    static const double playout_densities[6] = {0.04, 0.12, 0.25, 0.45, 0.65, 0.85};
    static const double playout_more_chips[7] = {0.03, 0.15, 0.3, 0.5, 0.7, 0.85, 0.95};
    """
    const double densities "playout_densities"[6]
    const double more_chips "playout_more_chips"[7]

cdef enum:
    DENSITIES = 6
    MORE_CHIPS = 7
    EVEN_PERCENT = 15           # of the weight of a round


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


cdef inline int32_t known_bid(const rules_t *rules, const state_t *state, int32_t r, int32_t player, uint8_t *low,
                              uint8_t *high) noexcept nogil:
    """Write the bounds of the opponent's bid on each tile in the r-th round, and return the total of the player's bid.

    On a tile that could not be bid on, the lower bound is above the upper one.
    """
    cdef position_t then
    cdef bint forced[BOARDS]
    cdef int32_t board, cell, tile, boards = 0, total = 0
    bid_bounds(rules, state, r, player, low, high)
    position_before(rules, state, r, &then)
    for board in range(BOARDS):
        forced[board] = False
        for cell in range(9):
            forced[board] |= low[9 * board + cell] != 0
            total += state.bids[r][player][9 * board + cell]
        boards += forced[board]
    for board in range(BOARDS):
        for cell in range(9):
            tile = 9 * board + cell
            if (not (open_tiles(rules, &then, board) >> cell) & 1
                    or (r == 1 and boards == 2 and not forced[board])):
                low[tile] = 1
                high[tile] = 0
    return total


cdef inline void add_tile(double *chances, int32_t first, double density, double more, int32_t low,
                          int32_t high) noexcept nogil:
    """Change the probabilities of the total of some tiles, [first + 1], to those with one more tile.

    low, high: bounds of the count on that tile; only the part of the probability within them is kept.
    """
    cdef double before[MAX_CHIPS + 1]
    cdef double none = 1.0 - density if low == 0 else 0.0, sum = 0.0, entering = density * (1.0 - more), leaving
    cdef int32_t total, _
    if high == 0:
        for total in range(first + 1):
            chances[total] *= none
        return
    low = max(low, 1)
    for _ in range(1, low):
        entering *= more
    leaving = entering
    for _ in range(low, high + 1):
        leaving *= more
    memcpy(before, chances, (first + 1) * sizeof(double))
    for total in range(first + 1):      # sum: of the products for low to high chips on the tile
        sum *= more
        if total >= low:
            sum += entering * before[total - low]
        if total > high:
            sum -= leaving * before[total - high - 1]
        chances[total] = none * before[total] + (sum if sum > 0.0 else 0.0)


cdef inline void weigh_totals(const uint8_t *low, const uint8_t *high, int32_t first, int32_t mine,
                              double *weights) noexcept nogil:
    """Write the weight of each total of the opponent's bid in a round: [first + 1].

    low, high: bounds of the count on each tile, low > high for those that could not be bid on; mine: total of the
    player's bid.
    """
    cdef double seen[MAX_CHIPS + 1]
    cdef double all[MAX_CHIPS + 1]
    cdef double likely[MAX_CHIPS + 1]
    cdef double usual[MAX_CHIPS + 1]
    cdef double scale = 0.1 * first + 0.5, sum = 0
    cdef int32_t i, j, tile, total
    memset(seen, 0, sizeof(seen))
    memset(all, 0, sizeof(all))
    for i in range(DENSITIES):
        for j in range(MORE_CHIPS):
            memset(likely, 0, sizeof(likely))
            memset(usual, 0, sizeof(usual))
            likely[0] = usual[0] = 1.0
            for tile in range(TILES):
                if low[tile] <= high[tile]:
                    add_tile(likely, first, densities[i], more_chips[j], low[tile], high[tile])
                    add_tile(usual, first, densities[i], more_chips[j], 0, MAX_CHIPS)
            for total in range(first + 1):
                seen[total] += likely[total]
                all[total] += usual[total]
    for total in range(first + 1):
        weights[total] = exp(-fabs(<double> (total - mine)) / scale)
        sum += weights[total]
    for total in range(first + 1):
        weights[total] = ((100 - EVEN_PERCENT) * weights[total] / sum + EVEN_PERCENT / (first + 1.0)) / 100.0
        weights[total] *= seen[total] / all[total] if all[total] > 0.0 else 0.0


cdef inline void weigh_chips(const rules_t *rules, const state_t *state, int32_t player,
                             double *weights) noexcept nogil:
    """Write the probability of each number of chips of the opponent: [MAX_CHIPS + 1]. state: as `player` sees it."""
    cdef uint8_t least[TILES]
    cdef uint8_t greatest[TILES]
    cdef double spent[MAX_CHIPS + 1]
    cdef double before[MAX_CHIPS + 1]
    cdef double sum
    cdef int32_t first = rules.chips, r, chips, total, mine
    memset(weights, 0, (MAX_CHIPS + 1) * sizeof(double))
    weights[first] = 1.0
    for r in range(finished_rounds(state)):
        mine = known_bid(rules, state, r, player, least, greatest)
        weigh_totals(least, greatest, first, mine, spent)
        memcpy(before, weights, sizeof(before))
        memset(weights, 0, (MAX_CHIPS + 1) * sizeof(double))
        sum = 0
        for chips in range(first + 1):
            for total in range(chips + 1):
                weights[chips - total] += before[chips] * spent[total]
                sum += before[chips] * spent[total]
        for chips in range(first + 1):      # products of many small numbers, which may all be 0
            weights[chips] = weights[chips] / sum if sum > 0.0 else 1.0 / (first + 1)


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
