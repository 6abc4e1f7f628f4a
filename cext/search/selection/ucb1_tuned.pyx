"""UCB1-tuned: UCB1 with the measured variance of each arm (Auer, Cesa-Bianchi and Fischer 2002)."""
from libc.math cimport log
from libc.stdint cimport int32_t

from ..select_single cimport tuned_bound
from ..selection_table cimport NEEDS_SQUARES, arms_t, new_selection


cdef int32_t select(const arms_t *arms) noexcept nogil:
    """Return the arm of the highest bound."""
    cdef double highest = -1.0, score, log_total = log(<double> arms.visits)
    cdef int32_t arm, best = 0
    for arm in range(arms.num_tried):
        if arms.mean[arm] < 0.0:
            continue
        score = tuned_bound(arms.mean[arm], arms.square[arm], max(arms.arm_visits[arm], 1), log_total,
                            arms.exploration)
        if score > highest:
            highest = score
            best = arm
    return best


SELECTION = new_selection("ucb1_tuned", NEEDS_SQUARES, select)
