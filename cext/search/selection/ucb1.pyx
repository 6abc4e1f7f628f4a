"""UCB1: highest mean + exploration * sqrt(ln N / n) (Auer, Cesa-Bianchi and Fischer 2002).

The default. It is compiled into the simulation, as `select_ucb1` of `select_single.pxd`. The function here selects with
first-play urgency.
"""
from libc.math cimport log, sqrt, sqrtf
from libc.stdint cimport int32_t, uint32_t

from ...primitives.rng cimport rng_below
from ..policies.selection_table cimport CHOOSES_UNTRIED, PLAIN_UCB1, arms_t, new_selection


cdef int32_t select(const arms_t *arms) noexcept nogil:
    """Return the arm of the highest bound, or a random untried one once no bound reaches the urgency.

    See Gelly and Wang (2006). In float32, as the selection without urgency.
    """
    cdef float weight = <float> arms.exploration * <float> sqrt(log(<double> max(arms.visits, 1u)))
    cdef float bound, highest = -1.0
    cdef int32_t arm, best = 0
    for arm in range(arms.num_tried):
        bound = arms.mean[arm]
        if arms.arm_visits[arm] or arms.child[arm]:
            bound += weight * (<float> 1.0 / sqrtf(<float> max(arms.arm_visits[arm], 1)))
        if bound > highest:
            highest = bound
            best = arm
    if arms.num_choices > arms.num_tried and highest < <float> arms.urgency:
        return arms.num_tried + <int32_t> rng_below(arms.rng, <uint32_t> (arms.num_choices - arms.num_tried))
    return best


SELECTION = new_selection("ucb1", CHOOSES_UNTRIED | PLAIN_UCB1, select)
