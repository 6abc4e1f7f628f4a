"""Mixed strategies that replies are played against."""
from libc.stdint cimport int32_t
from libc.string cimport memcpy

from ....primitives.rng cimport rng_unit
from .replies cimport weigh_rest
from .round cimport round_t, target_t

cdef enum:
    LEAST_WEIGHT = 250          # 1 / weight below which a bid is left out where a reply is looked for
    SAMPLED = 6                 # bids and chips of the opponent by which moves are judged


cdef inline void begin_target(target_t *target, int32_t player, int32_t chips, int32_t types,
                              const int32_t *type_chips) noexcept nogil:
    """Begin a target without bids that a player replies to. types: of the opponent."""
    target.player = player
    target.chips = chips
    target.types = types
    memcpy(target.type_chips, type_chips, types * sizeof(int32_t))
    target.count = 0


cdef inline void aim_at_opponent(round_t *round, target_t *target) noexcept nogil:
    """Set the target to the opponent's average strategy, from the view of the player."""
    cdef int32_t i, kind
    cdef float most
    begin_target(target, round.player, round.chips, round.types, round.type_chips)
    for i in range(round.opponent_count):
        most = 0
        for kind in range(round.types):
            target.weights[target.count][kind] = round.opponent_average[kind][i] * round.type_weight[kind]
            if LEAST_WEIGHT * round.opponent_average[kind][i] < 1:
                target.weights[target.count][kind] = 0
            most = max(most, target.weights[target.count][kind])
        if most > 0:
            target.bids[target.count] = &round.opponent[i]
            target.count += 1
    weigh_rest(target)


cdef inline void aim_at_player(round_t *round, target_t *target, int32_t kind) noexcept nogil:
    """Set the target to the player's average strategy, from the view of a type of the opponent."""
    cdef int32_t i
    begin_target(target, 1 - round.player, round.type_chips[kind], 1, &round.chips)
    for i in range(round.own_count):
        if LEAST_WEIGHT * round.own_average[i] >= 1:
            target.weights[target.count][0] = round.own_average[i]
            target.bids[target.count] = &round.own[i]
            target.count += 1
    weigh_rest(target)


cdef inline void aim_at_first_bids(round_t *round, target_t *target, int32_t kind) noexcept nogil:
    """Set the target to the player's random bids of the first matrix, all equal, from the view of a type."""
    cdef int32_t i
    begin_target(target, 1 - round.player, round.type_chips[kind], 1, &round.chips)
    for i in range(round.own_first):
        target.weights[i][0] = <float> (1.0 / round.own_first)
        target.bids[i] = &round.own[i]
    target.count = round.own_first
    weigh_rest(target)


cdef inline void sample_target(round_t *round, const target_t *whole, target_t *few) noexcept nogil:
    """Write SAMPLED evenly spaced quantiles of the opponent's bids and chips, with equal weights."""
    cdef double step = whole.rest[0] / SAMPLED, point = rng_unit(&round.rng) * step
    cdef int32_t i, kind
    cdef bint drawn
    begin_target(few, whole.player, whole.chips, whole.types, whole.type_chips)
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
