"""The bids of both sides in the matrix game of a stage."""
from libc.stdint cimport int32_t
from libc.string cimport memcmp, memset

from ..sealed_bids cimport MAX_UNITS, sealed_bid_t
from .stage cimport MAX_OWN, MAX_RIVAL, fill_entry, stage_t


cdef inline int32_t find_bid(const sealed_bid_t *bids, int32_t count, const sealed_bid_t *bid) noexcept nogil:
    """Return the place of a bid; -1 if it is not there."""
    cdef int32_t i
    for i in range(count):
        if memcmp(bids[i].counts, bid.counts, MAX_UNITS) == 0:
            return i
    return -1


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
    if find_bid(stage.own, stage.own_count, bid) >= 0:
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
    if find_bid(stage.rival, stage.rival_count, bid) >= 0:
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
        stage.rival_regret[kind][place] = stage.rival_average[kind][place] = stage.naive[kind][place] = 0
        for i in range(MAX_OWN):    # where the type cannot pay, the entries are never read with a weight
            stage.value[kind][i][place] = stage.turned[kind][place][i] = 0
    for i in range(stage.own_count):
        fill_entry(stage, i, place)
    return True
