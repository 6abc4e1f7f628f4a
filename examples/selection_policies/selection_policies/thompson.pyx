"""Thompson sampling: the highest of one draw from the distribution of each arm's mean (Thompson 1933)."""
from libc.math cimport sqrt
from libc.stdint cimport int32_t

from cext.primitives.rng cimport rng_normal
from cext.search.policies.selection_table cimport arms_t, new_selection
from cext.search.values cimport VALUE_UNIT


cdef int32_t select(const arms_t *arms) noexcept nogil:
    """Return the arm of the highest draw.

    The distribution is Beta(1 + s, 1 + n - s) after n visits with sum s, approximated by the normal distribution of the
    same mean and variance.
    """
    cdef double highest = -1e18, score, mean
    cdef int32_t arm, best = 0
    for arm in range(arms.num_tried):
        if arms.mean[arm] < 0.0:
            continue
        mean = (1.0 + <double> arms.arm_value[arm] * VALUE_UNIT) / (2.0 + arms.arm_visits[arm])
        score = mean + sqrt(mean * (1.0 - mean) / (3.0 + arms.arm_visits[arm])) * rng_normal(arms.rng)
        if score > highest:
            highest = score
            best = arm
    return best


SELECTION = new_selection("thompson", 0, select)
