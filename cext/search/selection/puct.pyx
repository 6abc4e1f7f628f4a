"""PUCT: highest mean + exploration * prior * sqrt(N) / (1 + n) (Rosin 2011, as in Silver et al. 2017)."""
from libc.math cimport sqrt
from libc.stdint cimport int32_t, int64_t

from ..policies.selection_table cimport CHOOSES_UNTRIED, NEEDS_PRIORS, NO_URGENCY, VALUES_UNTRIED, arms_t, new_selection
from ..tree cimport NO_NODE
from ..values cimport VALUE_UNIT


cdef int32_t select(const arms_t *arms) noexcept nogil:
    """Return the arm of the highest score.

    Simulations that wait for their value count as visits, but have no value yet. An arm without a value has the value
    of the node less `reduction` * sqrt(P), where P is the sum of the priors of the arms with visits, as in KataGo (Wu
    2019); or the value `urgency`. Untried arms are in falling order of their priors: only the first of them matters.
    """
    cdef double unknown = 0.5, total, highest = -1e18, score, known = 0.0
    cdef const float *prior = arms.prior        # read here once: the loops may branch
    cdef const int32_t *arm_visits = arms.arm_visits
    cdef const int32_t *waiting = arms.waiting
    cdef int64_t visits = 1
    cdef int32_t arm, best = 0
    if arms.visits:
        unknown = <double> arms.value_sum * VALUE_UNIT / arms.visits
    for arm in range(arms.num_tried):
        visits += arm_visits[arm] + waiting[arm]
    if arms.urgency != NO_URGENCY:
        unknown = arms.urgency
    elif arms.reduction > 0.0:
        for arm in range(arms.num_tried):
            known += prior[arm] if arm_visits[arm] else 0.0
        unknown -= arms.reduction * sqrt(known)
    total = arms.exploration * sqrt(<double> visits)
    for arm in range(arms.num_tried):
        score = arms.mean[arm] if arm_visits[arm] or arms.child[arm] != NO_NODE else unknown
        score += prior[arm] * total / <double> (1 + <int64_t> arm_visits[arm] + waiting[arm])
        # No branches: which arm is the highest cannot be predicted.
        score = highest if arms.mean[arm] < 0.0 else score
        best = arm if score > highest else best
        highest = score if score > highest else highest
    if arms.num_choices > arms.num_tried and unknown + prior[arms.num_tried] * total > highest:
        return arms.num_tried
    return best


SELECTION = new_selection("puct", NEEDS_PRIORS | CHOOSES_UNTRIED | VALUES_UNTRIED, select)
