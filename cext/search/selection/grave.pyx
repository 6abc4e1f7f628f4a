"""GRAVE: highest mean, mixed with the mean of the arm's action wherever it was played (Cazenave 2015)."""
from libc.stdint cimport int32_t

from ..selection_table cimport CHOOSES_UNTRIED, NEEDS_AMAF, arms_t, new_selection
from ..tree cimport amaf_t
from ..values cimport VALUE_UNIT

cdef extern from *:
    """
    #define BIAS 1e-5
    """
    const double BIAS           # how fast a node's own mean outweighs its AMAF statistics


cdef int32_t select(const arms_t *arms) noexcept nogil:
    """Return the arm of the highest mixed mean. Actions without AMAF statistics come first."""
    cdef double highest = -1.0, score, played, weight
    cdef const amaf_t *known
    cdef int32_t arm, best = 0
    for arm in range(arms.num_choices):
        if arm < arms.num_tried and arms.mean[arm] < 0.0:
            continue
        known = &arms.amaf[arms.action[arm]]
        played = <double> known.visits
        score = <double> known.value * VALUE_UNIT / played if played > 0.0 else 2.0
        if arm < arms.num_tried:
            weight = played / (played + arms.arm_visits[arm] + BIAS * played * arms.arm_visits[arm])
            score = (1.0 - weight) * arms.mean[arm] + weight * score if played > 0.0 else arms.mean[arm]
        if score > highest:
            highest = score
            best = arm
    return best


SELECTION = new_selection("grave", NEEDS_AMAF | CHOOSES_UNTRIED, select)
