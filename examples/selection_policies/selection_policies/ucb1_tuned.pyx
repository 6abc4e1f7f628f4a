"""UCB1-tuned: UCB1 with the measured variance of each arm (Auer, Cesa-Bianchi and Fischer 2002)."""
from libc.math cimport log, sqrt
from libc.stdint cimport int32_t

from cext.search.policies.selection_table cimport NEEDS_SQUARES, arms_t, new_selection


cdef int32_t select(const arms_t *arms) noexcept nogil:
    """Return the arm of the highest bound.

    With merged transpositions, means and squares are of different simulations, and the measured variance may be
    negative.
    """
    cdef double highest = -1.0, score, mean, visits, variance, log_total = log(<double> arms.visits)
    cdef int32_t arm, best = 0
    for arm in range(arms.num_tried):
        if arms.mean[arm] < 0.0:
            continue
        mean = arms.mean[arm]
        visits = max(arms.arm_visits[arm], 1)
        variance = arms.square[arm] / visits - mean * mean + sqrt(2.0 * log_total / visits)
        score = mean + arms.exploration * sqrt(log_total / visits * max(0.0, min(0.25, variance)))
        if score > highest:
            highest = score
            best = arm
    return best


SELECTION = new_selection("ucb1_tuned", NEEDS_SQUARES, select)
