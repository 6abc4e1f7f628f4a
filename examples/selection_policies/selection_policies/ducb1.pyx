"""Decoupled UCB1: where several players decide at once, each selects as if the others were chance."""
from libc.math cimport log, sqrt
from libc.stdint cimport int32_t, uint32_t

from cext.primitives.rng cimport rng_below
from cext.search.policies.joint_selection_table cimport READS_EXPLORATION, joint_t, new_joint_selection
from cext.search.tree cimport block_t, joint_value, joint_visits
from cext.search.values cimport VALUE_UNIT


cdef int32_t select(const joint_t *joint, block_t *block) noexcept nogil:
    """Return the arm of the highest bound; untried arms first, at random."""
    cdef int32_t *visits = joint_visits(block)
    cdef int32_t arm, best = 0, untried = 0
    cdef double score, mean, highest = -1.0, log_total
    for arm in range(block.count):
        untried += visits[arm] == 0
    if untried:
        untried = <int32_t> rng_below(joint.rng, <uint32_t> untried)
        for arm in range(block.count):
            if visits[arm] == 0:
                if untried == 0:
                    return arm
                untried -= 1
    log_total = log(<double> joint.node.visits)
    for arm in range(block.count):
        mean = <double> joint_value(block)[arm] * VALUE_UNIT / visits[arm]
        score = mean + joint.exploration * sqrt(log_total / visits[arm])
        if score > highest:
            highest = score
            best = arm
    return best


JOINT_SELECTION = new_joint_selection("ducb1", READS_EXPLORATION, select, NULL)
