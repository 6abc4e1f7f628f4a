"""Mixed strategies that replies are played against."""
from libc.stdint cimport int32_t
from libc.string cimport memcpy

from ..rng cimport rng_unit
from .replies cimport weigh_rest
from .stage cimport stage_t, target_t

cdef enum:
    LEAST_WEIGHT = 250          # 1 / weight below which a bid is left out where a reply is looked for
    SAMPLED = 6                 # bids and purses of the opponent by which moves are judged


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


cdef inline void aim_from_type(const stage_t *stage, target_t *target, int32_t kind) noexcept nogil:
    """Begin a target that a type of the rival replies to, without bids."""
    target.player = 1 - stage.player
    target.purse = stage.type_purse[kind]
    target.types = 1
    target.type_purse[0] = stage.purse
    target.count = 0


cdef inline void aim_at_player(const stage_t *stage, target_t *target, int32_t kind) noexcept nogil:
    """Set the target to the player's average strategy, from the view of a type of the rival."""
    cdef int32_t i
    aim_from_type(stage, target, kind)
    for i in range(stage.own_count):
        if LEAST_WEIGHT * stage.own_average[i] >= 1:
            target.weights[target.count][0] = stage.own_average[i]
            target.bids[target.count] = &stage.own[i]
            target.count += 1
    weigh_rest(target)


cdef inline void aim_at_first_bids(const stage_t *stage, target_t *target, int32_t kind) noexcept nogil:
    """Set the target to the player's random bids of the first matrix, all equal, from the view of a type."""
    cdef int32_t i
    aim_from_type(stage, target, kind)
    for i in range(stage.own_first):
        target.weights[i][0] = <float> (1.0 / stage.own_first)
        target.bids[i] = &stage.own[i]
    target.count = stage.own_first
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
