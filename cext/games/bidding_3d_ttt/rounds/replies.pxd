"""Best replies to a mixed strategy: local moves on a bid, judged by the exact mean over the strategy's bids."""
from libc.stdint cimport int32_t, int64_t, uint32_t
from libc.string cimport memcpy

from ....primitives.clock cimport playout_seconds
from ....primitives.rng cimport rng_below, rng_t
from ..rules cimport BOARDS, MAX_CHIPS, bid_t
from .round cimport MAX_TYPES, is_legal, round_t, target_t, tile_of_line, values_after

cdef enum:
    MOST_MOVED = 6              # chips that one move takes from a tile to another
    GUIDANCE = 50               # 1 / weight of the nearness to a win where moves are judged
    TRIES = 8                   # random choices of a tile with chips before a move is given up


cdef inline bint is_out_of_time(const round_t *round) noexcept nogil:
    return round.leaves >= round.most_leaves or (round.deadline > 0 and playout_seconds() >= round.deadline)


cdef inline void weigh_rest(target_t *target) noexcept nogil:
    """Fill in the sums of weights, which bound the value of a reply from above."""
    cdef int32_t i, kind
    target.rest[target.count] = 0
    for i in range(target.count - 1, -1, -1):
        target.rest[i] = target.rest[i + 1]
        for kind in range(target.types):
            target.rest[i] += target.weights[i][kind]


cdef inline double reply_value(round_t *round, const target_t *target, const bid_t *bid,
                               double enough) noexcept nogil:
    """Return the mean value of a bid against a strategy; less than `enough` if it is known to be less."""
    cdef int32_t chips[MAX_TYPES]
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
                chips[count] = target.type_chips[kind]
                weights[count] = target.weights[i][kind]
                count += 1
        values_after(round, bid, target.bids[i], target.player, target.chips, chips, count, out)
        for kind in range(count):
            total += weights[kind] * out[kind]
    return total


cdef inline int32_t tile_with_chips(const round_t *round, const bid_t *bid, rng_t *rng) noexcept nogil:
    """Return a random tile that is bid on; -1 if none was met."""
    cdef int32_t tile, _
    for _ in range(TRIES):
        tile = round.open[rng_below(rng, <uint32_t> round.num_open)]
        if bid.chips[tile]:
            return tile
    for _ in range(round.num_open):
        if bid.chips[round.open[_]]:
            return round.open[_]
    return -1


cdef inline bint make_room(const round_t *round, bid_t *bid, int32_t chips, int32_t wanted, int32_t first,
                           int32_t second, int32_t third, rng_t *rng) noexcept nogil:
    """Take chips from random tiles but three, until `wanted` more can be bid. Return False if that is impossible."""
    cdef int32_t tile, taken, tries = 0
    while chips - bid.total < wanted:
        tile = tile_with_chips(round, bid, rng)
        tries += 1
        if tile < 0 or tries > 4 * TRIES:
            return False
        if tile == first or tile == second or tile == third:
            continue
        taken = min(<int32_t> bid.chips[tile], wanted - (chips - bid.total))
        bid.chips[tile] -= <unsigned char> taken
        bid.total -= taken
    return True


cdef inline bint put(const round_t *round, bid_t *bid, int32_t chips, int32_t tile, int32_t count,
                     rng_t *rng) noexcept nogil:
    """Set the count of one tile, with chips of random others where the player has too few."""
    cdef int32_t more = count - bid.chips[tile]
    if count > MAX_CHIPS or (more > 0 and not make_room(round, bid, chips, more, tile, tile, tile, rng)):
        return False
    bid.chips[tile] = <unsigned char> count
    bid.total += more
    return True


cdef inline bint move_line(const round_t *round, const target_t *target, bid_t *bid, rng_t *rng) noexcept nogil:
    """Bid on all open tiles of a line: a few chips, or one more than a bid of the opponent."""
    cdef int32_t line, i, tile, least, count
    cdef const bid_t *other = NULL
    if round.num_lines == 0:
        return False
    line = round.lines[rng_below(rng, <uint32_t> round.num_lines)]
    least = 1 + <int32_t> rng_below(rng, MOST_MOVED)
    if target.count and rng_below(rng, 2):
        other = target.bids[rng_below(rng, <uint32_t> target.count)]
        least = 1
    for i in range(3):
        tile = tile_of_line(round, line, i)
        if not round.is_open[tile]:
            continue
        count = least
        if other != NULL:
            count += other.chips[tile]
        if count > bid.chips[tile] and not put(round, bid, target.chips, tile, count, rng):
            return False
    return True


cdef inline bint move_board(const round_t *round, bid_t *bid, rng_t *rng) noexcept nogil:
    """Exchange the chips of two boards."""
    cdef int32_t i
    cdef int32_t one = tile_with_chips(round, bid, rng), other = <int32_t> rng_below(rng, BOARDS)
    cdef unsigned char held
    if one < 0 or one // 9 == other:
        return False
    one = one // 9 * 9
    other = other * 9
    for i in range(9):
        held = bid.chips[one + i]
        if (held and not round.is_open[other + i]) or (bid.chips[other + i] and not round.is_open[one + i]):
            return False
        bid.chips[one + i] = bid.chips[other + i]
        bid.chips[other + i] = held
    return True


cdef inline bint move_wide(const round_t *round, bid_t *bid, int32_t chips, rng_t *rng) noexcept nogil:
    """Put single chips on some tiles that are not bid on, of random other tiles where the player has too few."""
    cdef int32_t tiles = 1 + <int32_t> rng_below(rng, MOST_MOVED), tile, _
    for _ in range(tiles):
        tile = round.open[rng_below(rng, <uint32_t> round.num_open)]
        if bid.chips[tile] == 0 and not put(round, bid, chips, tile, 1, rng):
            return False
    return True


cdef inline bint propose(const round_t *round, const target_t *target, bid_t *bid, rng_t *rng) noexcept nogil:
    """Change a bid by one random move. Return False if the move is impossible; the bid is then scratch."""
    cdef int32_t kind = <int32_t> rng_below(rng, 16), one, other, count, spare = target.chips - bid.total
    cdef unsigned char held
    cdef const bid_t *opponent
    if kind == 0:
        return move_board(round, bid, rng)
    if kind <= 2:
        return move_line(round, target, bid, rng)
    if kind <= 6 and target.count:          # just above a bid of the opponent, also from further above
        opponent = target.bids[rng_below(rng, <uint32_t> target.count)]
        one = tile_with_chips(round, opponent, rng)
        return one >= 0 and put(round, bid, target.chips, one, opponent.chips[one] + 1, rng)
    if kind == 15:
        return move_wide(round, bid, target.chips, rng)
    other = round.open[rng_below(rng, <uint32_t> round.num_open)]
    if kind == 7 and spare > 0:             # more chips on a tile
        count = min(spare, 1 + <int32_t> rng_below(rng, MOST_MOVED))
        return put(round, bid, target.chips, other, bid.chips[other] + count, rng)
    one = tile_with_chips(round, bid, rng)
    if one < 0 or one == other:
        return False
    if kind == 8:                           # exchange two tiles
        held = bid.chips[one]
        bid.chips[one] = bid.chips[other]
        bid.chips[other] = held
        return True
    if kind == 9:                           # keep the chips of a tile
        return put(round, bid, target.chips, one, 0, rng)
    if kind == 10:                          # keep some of them
        count = 1 + <int32_t> rng_below(rng, bid.chips[one])
        return put(round, bid, target.chips, one, bid.chips[one] - count, rng)
    count = bid.chips[one]                 # move chips to another tile: all, or a few
    if kind > 11:
        count = min(count, 1 + <int32_t> rng_below(rng, MOST_MOVED))
    return (put(round, bid, target.chips, one, bid.chips[one] - count, rng)
            and put(round, bid, target.chips, other, bid.chips[other] + count, rng))


cdef inline bint propose_legal(round_t *round, const target_t *target, const bid_t *bid,
                               bid_t *fresh) noexcept nogil:
    """Write a local move of a bid to `fresh`. Return False if it changes nothing, or is not legal."""
    memcpy(fresh, bid, sizeof(bid_t))
    return propose(round, target, fresh, &round.rng) and is_legal(round, target.chips, fresh)


cdef inline double climb(round_t *round, const target_t *target, bid_t *bid, int32_t patience) noexcept nogil:
    """Improve a bid until `patience` moves in a row have failed, or the time is over. Return its value.

    A small weight on the nearness to a win leads it where all near bids lose.
    """
    cdef bid_t fresh
    cdef double best, value
    cdef int32_t failed = 0
    round.guidance = 1.0 / GUIDANCE
    best = reply_value(round, target, bid, -1.0)
    while failed < patience and not is_out_of_time(round):
        failed += 1
        if not propose_legal(round, target, bid, &fresh):
            continue
        value = reply_value(round, target, &fresh, best)
        if value >= best:
            if value > best + 1e-6:
                failed = 0
            best = value
            memcpy(bid, &fresh, sizeof(bid_t))
    round.guidance = 0
    return reply_value(round, target, bid, -1.0)
