"""UCB-V: UCB1 with an upper bound of the variance of each arm (Audibert, Munos and Szepesvari 2009)."""
from libc.math cimport log, sqrt
from libc.stdint cimport int32_t

from cext.search.policies.selection_table cimport NEEDS_SQUARES, arms_t, new_selection


cdef int32_t select(const arms_t *arms) noexcept nogil:
    """Return the arm of the highest bound."""
    cdef double highest = -1.0, score, mean, variance, visits, log_total = log(<double> arms.visits)
    cdef int32_t arm, best = 0
    for arm in range(arms.num_tried):
        if arms.mean[arm] < 0.0:                # proven not to matter
            continue
        visits = max(arms.arm_visits[arm], 1)
        mean = arms.mean[arm]
        variance = max(0.0, arms.square[arm] / visits - mean * mean)
        score = mean + arms.exploration * (sqrt(2.0 * variance * log_total / visits) + 3.0 * log_total / visits)
        if score > highest:
            highest = score
            best = arm
    return best


SELECTION = new_selection("ucb_v", NEEDS_SQUARES, select)
