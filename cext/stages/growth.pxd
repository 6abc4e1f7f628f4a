"""Growth of the matrix game of a stage by best replies of both sides: the double oracle."""
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t
from libc.string cimport memcmp, memcpy, memset

from ..rng cimport rng_below, rng_unit
from ..sealed_bids cimport MAX_POSITION, MAX_PURSE, MAX_UNITS, sealed_bid_t
from .batches cimport climb_in_batch, draw_batch, value_in_batch
from .regrets cimport row_values, solve_matrix
from .replies cimport climb, is_out_of_time, reply_value, weigh_rest
from .stage cimport MAX_OWN, MAX_RIVAL, fill_entry, stage_t, target_t

cdef enum:
    FIRST_BIDS = 8              # random bids of each side, and of each type, in the first matrix
    ITERATIONS = 20             # of regret matching between two replies
    PATIENCE = 20               # moves that fail in a row before a reply is final
    BATCH_PATIENCE = 30         # the same with a batch
    SAMPLED = 6                 # bids and purses of the opponent by which moves are judged
    MOST_FAILED = 400           # turns in a row without a better bid that end the search
    LEAST_GAIN = 10000          # 1 / gain of a reply that enters the matrix
    LEAST_WEIGHT = 250          # 1 / weight below which a bid is left out where a reply is looked for
    MOST_SPREAD = 3             # chips put on a unit at once where a bid is spread
    SAMPLES = 8                 # random bids of which the best is improved


cdef inline void draw_bid(stage_t *stage, int32_t player, int32_t purse, sealed_bid_t *bid) noexcept nogil:
    cdef char position[MAX_POSITION]
    cdef int32_t unit
    memcpy(position, stage.position, stage.bids.position_size)
    stage.bids.set_purse(position, player, purse)
    memset(bid, 0, sizeof(sealed_bid_t))
    stage.bids.sample(stage.game, position, player, &stage.rng, bid.counts)
    for unit in range(stage.bids.units):
        bid.total += bid.counts[unit]


cdef inline void spread_bid(stage_t *stage, sealed_bid_t *bid) noexcept nogil:
    """Spread the chips of a bid over a random number of random units, as far as the round allows."""
    cdef int32_t order[MAX_UNITS]
    cdef sealed_bid_t fresh
    cdef int32_t rest = bid.total, count, i, j, unit, chosen = 0, wanted
    if rest == 0 or stage.num_open == 0:
        return
    memset(&fresh, 0, sizeof(fresh))
    memcpy(order, stage.open, sizeof(order))
    wanted = 1 + <int32_t> rng_below(&stage.rng, <uint32_t> min(rest, stage.num_open))
    for i in range(stage.num_open):
        j = i + <int32_t> rng_below(&stage.rng, <uint32_t> (stage.num_open - i))
        unit = order[j]
        order[j] = order[i]
        fresh.counts[unit] = 1
        fresh.total += 1
        if stage.bids.allowed(stage.game, stage.position, &fresh):
            order[chosen] = unit
            chosen += 1
            if chosen == wanted:
                break
        else:
            fresh.counts[unit] = 0
            fresh.total -= 1
    while chosen and fresh.total < rest:
        unit = order[rng_below(&stage.rng, <uint32_t> chosen)]
        count = min(rest - fresh.total, MAX_PURSE - fresh.counts[unit])
        count = 1 + <int32_t> rng_below(&stage.rng, <uint32_t> min(count, MOST_SPREAD)) if count > 0 else 0
        if count == 0:
            break
        fresh.counts[unit] += <uint8_t> count
        fresh.total += count
    bid[0] = fresh


cdef inline int32_t least_used(const float *average, const float *regrets, int32_t count) noexcept nogil:
    """Return the bid with the least weight in the average strategy, ties by the least regret."""
    cdef int32_t i, found = 0
    for i in range(1, count):
        if average[i] < average[found] or (average[i] == average[found] and regrets[i] < regrets[found]):
            found = i
    return found


cdef inline bint add_own(stage_t *stage, const sealed_bid_t *bid) noexcept nogil:
    """Put a bid of the player into the matrix, in place of the least used one if it is full."""
    cdef int32_t i, place = stage.own_count
    for i in range(stage.own_count):
        if memcmp(stage.own[i].counts, bid.counts, MAX_UNITS) == 0:
            return False
    if place == MAX_OWN:
        place = least_used(stage.own_average, stage.own_regret, MAX_OWN)
    else:
        stage.own_count += 1
    stage.own[place] = bid[0]
    stage.own_regret[place] = stage.own_average[place] = 0
    for i in range(stage.rival_count):
        fill_entry(stage, place, i)
    return True


cdef inline bint add_rival(stage_t *stage, const sealed_bid_t *bid) noexcept nogil:
    cdef float average[MAX_RIVAL]
    cdef float regrets[MAX_RIVAL]
    cdef int32_t i, kind, place = stage.rival_count
    for i in range(stage.rival_count):
        if memcmp(stage.rival[i].counts, bid.counts, MAX_UNITS) == 0:
            return False
    if place == MAX_RIVAL:
        memset(average, 0, sizeof(average))
        memset(regrets, 0, sizeof(regrets))
        for kind in range(stage.types):
            for i in range(MAX_RIVAL):
                average[i] += stage.rival_average[kind][i]
                regrets[i] += stage.rival_regret[kind][i]
        average[0] = 2              # the empty bid stays: every type can pay for it
        place = least_used(average, regrets, MAX_RIVAL)
    else:
        stage.rival_count += 1
    stage.rival[place] = bid[0]
    for kind in range(stage.types):
        stage.pays[place][kind] = bid.total <= stage.type_purse[kind]
        stage.rival_regret[kind][place] = stage.rival_average[kind][place] = 0
        for i in range(MAX_OWN):    # where the type cannot pay, the entries are never read with a weight
            stage.value[kind][i][place] = stage.turned[kind][place][i] = 0
    for i in range(stage.own_count):
        fill_entry(stage, i, place)
    return True


cdef inline void begin(stage_t *stage) noexcept nogil:
    """Fill the first matrix: the empty bid and random bids."""
    cdef sealed_bid_t bid
    cdef int32_t kind, i
    memset(&bid, 0, sizeof(bid))
    add_own(stage, &bid)
    add_rival(stage, &bid)
    for i in range(FIRST_BIDS):
        draw_bid(stage, stage.player, stage.purse, &bid)
        if i & 1:
            spread_bid(stage, &bid)
        add_own(stage, &bid)
    for kind in range(stage.types):
        for i in range(FIRST_BIDS):
            draw_bid(stage, 1 - stage.player, stage.type_purse[kind], &bid)
            if i & 1:
                spread_bid(stage, &bid)
            add_rival(stage, &bid)


cdef inline void aim_at_rival(const stage_t *stage, target_t *target) noexcept nogil:
    """Set the target to the rival's average strategy, from the view of the player."""
    cdef int32_t i, kind
    cdef float most
    target.player = stage.player
    target.purse = stage.purse
    target.types = stage.types
    memcpy(target.type_purse, stage.type_purse, sizeof(target.type_purse))
    target.count = 0
    for i in range(stage.rival_count):
        most = 0
        for kind in range(stage.types):
            target.weights[target.count][kind] = stage.rival_average[kind][i] * stage.type_weight[kind]
            if LEAST_WEIGHT * stage.rival_average[kind][i] < 1:
                target.weights[target.count][kind] = 0
            most = max(most, target.weights[target.count][kind])
        if most > 0:
            target.bids[target.count] = &stage.rival[i]
            target.count += 1
    weigh_rest(target)


cdef inline void aim_at_player(const stage_t *stage, target_t *target, int32_t kind) noexcept nogil:
    """Set the target to the player's average strategy, from the view of a type of the rival."""
    cdef int32_t i
    target.player = 1 - stage.player
    target.purse = stage.type_purse[kind]
    target.types = 1
    target.type_purse[0] = stage.purse
    target.count = 0
    for i in range(stage.own_count):
        if LEAST_WEIGHT * stage.own_average[i] >= 1:
            target.weights[target.count][0] = stage.own_average[i]
            target.bids[target.count] = &stage.own[i]
            target.count += 1
    weigh_rest(target)


cdef inline void sample_target(stage_t *stage, const target_t *whole, target_t *few) noexcept nogil:
    """Write SAMPLED evenly spaced quantiles of the opponent's bids and purses, with equal weights."""
    cdef double step = whole.rest[0] / SAMPLED, point = rng_unit(&stage.rng) * step
    cdef int32_t i, kind
    cdef bint drawn
    few.player = whole.player
    few.purse = whole.purse
    few.types = whole.types
    memcpy(few.type_purse, whole.type_purse, sizeof(few.type_purse))
    few.count = 0
    for i in range(whole.count):
        drawn = False
        for kind in range(whole.types):
            few.weights[few.count][kind] = 0
            point -= whole.weights[i][kind]
            while point < 0:
                point += step
                few.weights[few.count][kind] += <float> step
                drawn = True
        if drawn:
            few.bids[few.count] = whole.bids[i]
            few.count += 1
    weigh_rest(few)


cdef inline int32_t draw_index(stage_t *stage, const float *weights, int32_t count) noexcept nogil:
    cdef double point = rng_unit(&stage.rng)
    cdef int32_t i
    for i in range(count - 1):
        point -= weights[i]
        if point < 0:
            return i
    return count - 1


cdef inline void best_sample(stage_t *stage, const target_t *target, sealed_bid_t *bid) noexcept nogil:
    """Write the best of some random bids, by the batch of the stage if there is one."""
    cdef sealed_bid_t fresh
    cdef double best = -1, value
    cdef int32_t i
    for i in range(SAMPLES):
        draw_bid(stage, target.player, target.purse, &fresh)
        if i & 1:
            spread_bid(stage, &fresh)
        if stage.batch != NULL:
            value = value_in_batch(stage, &fresh)
        else:
            value = reply_value(stage, target, &fresh, best)
        if value > best:
            best = value
            bid[0] = fresh


cdef inline double improved(stage_t *stage, const target_t *target, bint afresh, sealed_bid_t *bid) noexcept nogil:
    """Improve a bid, or the best of some random bids, and return its value.

    Moves are judged by a sample of the target. Without batches it is small: many replies to samples approach an
    equilibrium with less work than a few exact ones, and they differ more.
    """
    cdef target_t few
    if stage.batch != NULL:
        draw_batch(stage, target)
        if afresh:
            best_sample(stage, target, bid)
        climb_in_batch(stage, target, bid, BATCH_PATIENCE)
        return reply_value(stage, target, bid, -1.0)
    sample_target(stage, target, &few)
    if afresh:
        best_sample(stage, &few, bid)
    climb(stage, &few, bid, PATIENCE)
    return reply_value(stage, target, bid, -1.0)


cdef inline bint reply_of_player(stage_t *stage, int32_t turn) noexcept nogil:
    """Look for a better bid of the player; return True if one was added."""
    cdef target_t target
    cdef sealed_bid_t bid
    cdef float rows[MAX_OWN]
    cdef int32_t kind, i, start = 0
    aim_at_rival(stage, &target)
    if turn == 1:
        start = draw_index(stage, stage.own_average, stage.own_count)
    elif turn != 3:
        memset(rows, 0, sizeof(rows))
        for kind in range(stage.types):
            row_values(stage, stage.rival_average[kind], kind, rows)
        for i in range(stage.own_count):
            if rows[i] > rows[start]:
                start = i
    bid = stage.own[start]
    return improved(stage, &target, turn == 3, &bid) > stage.outcome + 1.0 / LEAST_GAIN and add_own(stage, &bid)


cdef inline bint reply_of_rival(stage_t *stage, int32_t turn) noexcept nogil:
    cdef target_t target
    cdef sealed_bid_t bid
    cdef int32_t kind = draw_index(stage, stage.type_weight, stage.types), i, j, start = 0
    cdef double before = 2, value
    aim_at_player(stage, &target, kind)
    value = 0
    for i in range(stage.rival_count):      # value of the type's best bid so far
        if not stage.pays[i][kind]:
            continue
        value = 0
        for j in range(stage.own_count):
            value += stage.own_average[j] * stage.value[kind][j][i]
        if value < before:
            before = value
            start = i
    if turn == 1:
        start = draw_index(stage, stage.rival_average[kind], stage.rival_count)
    bid = stage.rival[start if stage.pays[start][kind] else 0]
    return improved(stage, &target, turn == 3, &bid) > 1 - before + 1.0 / LEAST_GAIN and add_rival(stage, &bid)


cdef struct progress_t:
    int64_t turns               # replies of both sides looked for
    int32_t failed              # turns in a row that added none


cdef inline void grow(stage_t *stage, progress_t *progress) noexcept nogil:
    """Add replies until the limit is reached."""
    cdef bint better
    while not is_out_of_time(stage) and progress.failed <= MOST_FAILED:
        solve_matrix(stage, ITERATIONS)
        better = reply_of_player(stage, <int32_t> (progress.turns & 3))
        if is_out_of_time(stage):
            break
        better |= reply_of_rival(stage, <int32_t> (progress.turns & 3))
        progress.turns += 1
        progress.failed = 0 if better else progress.failed + 1
