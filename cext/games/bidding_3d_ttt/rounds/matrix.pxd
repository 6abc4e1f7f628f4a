"""The bids of both sides in the matrix game of a round."""
from libc.stdint cimport int32_t
from libc.string cimport memcmp, memset

from ..rules cimport TILES, bid_t
from .round cimport MAX_OWN, MAX_OPPONENT, fill_entry, round_t


cdef inline int32_t find_bid(const bid_t *bids, int32_t count, const bid_t *bid) noexcept nogil:
    """Return the place of a bid; -1 if it is not there."""
    cdef int32_t i
    for i in range(count):
        if memcmp(bids[i].chips, bid.chips, TILES) == 0:
            return i
    return -1


cdef inline int32_t least_used(const float *average, const float *regrets, int32_t count) noexcept nogil:
    """Return the bid with the least weight in the average strategy, ties by the least regret."""
    cdef int32_t i, found = 0
    for i in range(1, count):
        if average[i] < average[found] or (average[i] == average[found] and regrets[i] < regrets[found]):
            found = i
    return found


cdef inline bint add_own(round_t *round, const bid_t *bid) noexcept nogil:
    """Put a bid of the player into the matrix, in place of the least used one if it is full."""
    cdef int32_t i, place = round.own_count
    if find_bid(round.own, round.own_count, bid) >= 0:
        return False
    if place == MAX_OWN:
        place = least_used(round.own_average, round.own_regret, MAX_OWN)
    else:
        round.own_count += 1
    round.own[place] = bid[0]
    round.own_regret[place] = round.own_average[place] = 0
    for i in range(round.opponent_count):
        fill_entry(round, place, i)
    return True


cdef inline bint add_opponent(round_t *round, const bid_t *bid) noexcept nogil:
    cdef float average[MAX_OPPONENT]
    cdef float regrets[MAX_OPPONENT]
    cdef int32_t i, kind, place = round.opponent_count
    if find_bid(round.opponent, round.opponent_count, bid) >= 0:
        return False
    if place == MAX_OPPONENT:
        memset(average, 0, sizeof(average))
        memset(regrets, 0, sizeof(regrets))
        for kind in range(round.types):
            for i in range(MAX_OPPONENT):
                average[i] += round.opponent_average[kind][i]
                regrets[i] += round.opponent_regret[kind][i]
        average[0] = 2              # so does the empty bid: every type can pay for it
        place = least_used(average, regrets, MAX_OPPONENT)
    else:
        round.opponent_count += 1
    round.opponent[place] = bid[0]
    for kind in range(round.types):
        round.pays[place][kind] = bid.total <= round.type_chips[kind]
        round.opponent_regret[kind][place] = round.opponent_average[kind][place] = round.naive[kind][place] = 0
        for i in range(MAX_OWN):    # where the type cannot pay, the entries are never read with a weight
            round.value[kind][i][place] = round.turned[kind][place][i] = 0
    for i in range(round.own_count):
        fill_entry(round, i, place)
    return True
