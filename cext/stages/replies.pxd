"""Best replies to a mixed strategy: local moves on a bid, judged by the exact mean over the strategy's bids."""
from libc.stdint cimport int32_t, int64_t, uint32_t
from libc.string cimport memcpy

from ..clock cimport playout_seconds
from ..rng cimport rng_below, rng_t
from ..sealed_bids cimport MAX_PURSE, MAX_UNITS, sealed_bid_t
from .stage cimport MAX_TYPES, stage_t, target_t, values_after

cdef enum:
    MOST_MOVED = 6              # chips that one move takes from a unit to another
    GUIDANCE = 50               # 1 / weight of the nearness to a win where moves are judged
    TRIES = 8                   # random choices of a unit with chips before a move is given up


cdef inline bint is_out_of_time(const stage_t *stage) noexcept nogil:
    return stage.leaves >= stage.most_leaves or (stage.deadline > 0 and playout_seconds() >= stage.deadline)


cdef inline void weigh_rest(target_t *target) noexcept nogil:
    """Fill in the sums of weights, which bound the value of a reply from above."""
    cdef int32_t i, kind
    target.rest[target.count] = 0
    for i in range(target.count - 1, -1, -1):
        target.rest[i] = target.rest[i + 1]
        for kind in range(target.types):
            target.rest[i] += target.weights[i][kind]


cdef inline double reply_value(stage_t *stage, const target_t *target, const sealed_bid_t *bid,
                               double enough) noexcept nogil:
    """Return the mean value of a bid against a strategy; less than `enough` if it is known to be less."""
    cdef int32_t purses[MAX_TYPES]
    cdef float weights[MAX_TYPES]
    cdef double out[MAX_TYPES]
    cdef double total = 0
    cdef int32_t i, kind, count
    for i in range(target.count):
        if total + target.rest[i] < enough:
            return total
        count = 0
        for kind in range(target.types):
            if target.weights[i][kind] > 0:
                purses[count] = target.type_purse[kind]
                weights[count] = target.weights[i][kind]
                count += 1
        values_after(stage, bid, target.bids[i], target.player, target.purse, purses, count, out)
        for kind in range(count):
            total += weights[kind] * out[kind]
    return total


cdef inline int32_t unit_with_chips(const stage_t *stage, const sealed_bid_t *bid, rng_t *rng) noexcept nogil:
    """Return a random unit that is bid on; -1 if none was met."""
    cdef int32_t unit, _
    for _ in range(TRIES):
        unit = stage.open[rng_below(rng, <uint32_t> stage.num_open)]
        if bid.counts[unit]:
            return unit
    for _ in range(stage.num_open):
        if bid.counts[stage.open[_]]:
            return stage.open[_]
    return -1


cdef inline bint make_room(const stage_t *stage, sealed_bid_t *bid, int32_t purse, int32_t wanted, int32_t first,
                           int32_t second, int32_t third, rng_t *rng) noexcept nogil:
    """Take chips from random units but three, until `wanted` more can be bid. Return False if that is impossible."""
    cdef int32_t unit, taken, tries = 0
    while purse - bid.total < wanted:
        unit = unit_with_chips(stage, bid, rng)
        tries += 1
        if unit < 0 or tries > 4 * TRIES:
            return False
        if unit == first or unit == second or unit == third:
            continue
        taken = min(<int32_t> bid.counts[unit], wanted - (purse - bid.total))
        bid.counts[unit] -= <unsigned char> taken
        bid.total -= taken
    return True


cdef inline bint put(const stage_t *stage, sealed_bid_t *bid, int32_t purse, int32_t unit, int32_t count,
                     rng_t *rng) noexcept nogil:
    """Set the count of one unit, with chips of random others where the purse is too small."""
    cdef int32_t more = count - bid.counts[unit]
    if count > MAX_PURSE or (more > 0 and not make_room(stage, bid, purse, more, unit, unit, unit, rng)):
        return False
    bid.counts[unit] = <unsigned char> count
    bid.total += more
    return True


cdef inline bint move_line(const stage_t *stage, const target_t *target, sealed_bid_t *bid, rng_t *rng) noexcept nogil:
    """Bid on all open units of a line: a few chips, or one more than a bid of the opponent."""
    cdef int32_t line, i, unit, least, count
    cdef const sealed_bid_t *other = NULL
    if stage.num_lines == 0:
        return False
    line = stage.lines[rng_below(rng, <uint32_t> stage.num_lines)]
    least = 1 + <int32_t> rng_below(rng, MOST_MOVED)
    if target.count and rng_below(rng, 2):
        other = target.bids[rng_below(rng, <uint32_t> target.count)]
        least = 1
    for i in range(3):
        unit = stage.bids.lines[3 * line + i]
        if not stage.is_open[unit]:
            continue
        count = least
        if other != NULL:
            count += other.counts[unit]
        if count > bid.counts[unit] and not put(stage, bid, target.purse, unit, count, rng):
            return False
    return True


cdef inline bint move_group(const stage_t *stage, sealed_bid_t *bid, rng_t *rng) noexcept nogil:
    """Exchange the chips of two groups."""
    cdef int32_t size = stage.bids.group_size, groups = stage.bids.units // size, i
    cdef int32_t one = unit_with_chips(stage, bid, rng), other = <int32_t> rng_below(rng, <uint32_t> groups)
    cdef unsigned char held
    if one < 0 or one // size == other:
        return False
    one = one // size * size
    other = other * size
    for i in range(size):
        held = bid.counts[one + i]
        if (held and not stage.is_open[other + i]) or (bid.counts[other + i] and not stage.is_open[one + i]):
            return False
        bid.counts[one + i] = bid.counts[other + i]
        bid.counts[other + i] = held
    return True


cdef inline bint move_wide(const stage_t *stage, sealed_bid_t *bid, int32_t purse, rng_t *rng) noexcept nogil:
    """Put single chips on some units that are not bid on, of random other units where the purse is too small."""
    cdef int32_t units = 1 + <int32_t> rng_below(rng, MOST_MOVED), unit, _
    for _ in range(units):
        unit = stage.open[rng_below(rng, <uint32_t> stage.num_open)]
        if bid.counts[unit] == 0 and not put(stage, bid, purse, unit, 1, rng):
            return False
    return True


cdef inline bint propose(const stage_t *stage, const target_t *target, sealed_bid_t *bid, rng_t *rng) noexcept nogil:
    """Change a bid by one random move. Return False if the move is impossible; the bid is then scratch."""
    cdef int32_t kind = <int32_t> rng_below(rng, 16), one, other, count, spare = target.purse - bid.total
    cdef unsigned char held
    cdef const sealed_bid_t *rival
    if kind == 0:
        return move_group(stage, bid, rng)
    if kind <= 2:
        return move_line(stage, target, bid, rng)
    if kind <= 6 and target.count:          # just above a bid of the opponent, also from further above
        rival = target.bids[rng_below(rng, <uint32_t> target.count)]
        one = unit_with_chips(stage, rival, rng)
        return one >= 0 and put(stage, bid, target.purse, one, rival.counts[one] + 1, rng)
    if kind == 15:
        return move_wide(stage, bid, target.purse, rng)
    other = stage.open[rng_below(rng, <uint32_t> stage.num_open)]
    if kind == 7 and spare > 0:             # more chips on a unit
        count = min(spare, 1 + <int32_t> rng_below(rng, MOST_MOVED))
        return put(stage, bid, target.purse, other, bid.counts[other] + count, rng)
    one = unit_with_chips(stage, bid, rng)
    if one < 0 or one == other:
        return False
    if kind == 8:                           # exchange two units
        held = bid.counts[one]
        bid.counts[one] = bid.counts[other]
        bid.counts[other] = held
        return True
    if kind == 9:                           # keep the chips of a unit
        return put(stage, bid, target.purse, one, 0, rng)
    if kind == 10:                          # keep some of them
        count = 1 + <int32_t> rng_below(rng, bid.counts[one])
        return put(stage, bid, target.purse, one, bid.counts[one] - count, rng)
    count = bid.counts[one]                 # move chips to another unit: all, or a few
    if kind > 11:
        count = min(count, 1 + <int32_t> rng_below(rng, MOST_MOVED))
    return (put(stage, bid, target.purse, one, bid.counts[one] - count, rng)
            and put(stage, bid, target.purse, other, bid.counts[other] + count, rng))


cdef inline bint propose_legal(stage_t *stage, const target_t *target, const sealed_bid_t *bid,
                               sealed_bid_t *fresh) noexcept nogil:
    """Write a local move of a bid to `fresh`. Return False if it changes nothing, or is not legal."""
    memcpy(fresh, bid, sizeof(sealed_bid_t))
    return (propose(stage, target, fresh, &stage.rng) and fresh.total <= target.purse
            and stage.bids.allowed(stage.game, stage.position, fresh))


cdef inline double climb(stage_t *stage, const target_t *target, sealed_bid_t *bid, int32_t patience) noexcept nogil:
    """Improve a bid until `patience` moves in a row have failed, or the time is over. Return its value.

    A small weight on the nearness to a win leads it where all near bids lose.
    """
    cdef sealed_bid_t fresh
    cdef double best, value
    cdef int32_t failed = 0
    stage.guidance = 1.0 / GUIDANCE
    best = reply_value(stage, target, bid, -1.0)
    while failed < patience and not is_out_of_time(stage):
        failed += 1
        if not propose_legal(stage, target, bid, &fresh):
            continue
        value = reply_value(stage, target, &fresh, best)
        if value >= best:
            if value > best + 1e-6:
                failed = 0
            best = value
            memcpy(bid, &fresh, sizeof(sealed_bid_t))
    stage.guidance = 0
    return reply_value(stage, target, bid, -1.0)
