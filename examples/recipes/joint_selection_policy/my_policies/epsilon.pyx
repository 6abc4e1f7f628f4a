"""Epsilon-greedy: mostly the arm of the best mean; untried arms first, and now and then any arm."""
from libc.stdint cimport int32_t, uint32_t

from cext.primitives.rng cimport rng_below, rng_unit
from cext.search.policies.joint_selection_table cimport READS_EXPLORATION, joint_t, new_joint_selection
from cext.search.tree cimport block_t, joint_value, joint_visits


cdef int32_t select(const joint_t *joint, block_t *block) noexcept nogil:
    """Return any arm with probability `exploration`, else an untried arm, else the arm of the best mean."""
    cdef double mean, highest = -1.0
    cdef int32_t arm, best = 0
    if rng_unit(joint.rng) < joint.exploration:
        return <int32_t> rng_below(joint.rng, <uint32_t> block.count)
    for arm in range(block.count):
        if joint_visits(block)[arm] == 0:
            return arm
        mean = <double> joint_value(block)[arm] / joint_visits(block)[arm]
        if mean > highest:
            highest = mean
            best = arm
    return best


JOINT_SELECTION = new_joint_selection("epsilon", READS_EXPLORATION, select, NULL)
