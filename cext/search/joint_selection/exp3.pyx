"""Exp3: exponential weights of estimated gains (Auer, Cesa-Bianchi, Freund and Schapire 2002)."""
from libc.math cimport exp, log, sqrt
from libc.stdint cimport int32_t

from ...primitives.rng cimport rng_unit
from ..policies.joint_selection_table cimport HAS_STRATEGY, joint_t, new_joint_selection
from ..tree cimport block_t, first_block, joint_regret, joint_strategy, next_block
from ..values cimport VALUE_UNIT


cdef inline double exp3_weights(block_t *block, double t, double *weights) noexcept nogil:
    """Write exponential weights [count] of the estimated gains, adding up to one. Return the share of uniform play.

    The share falls as if t were the horizon.
    """
    cdef double *gain = joint_regret(block)
    cdef double arms = block.count, share, total = 0.0, highest = gain[0]
    cdef int32_t arm
    share = min(1.0, sqrt(arms * log(arms) / (1.718281828459045 * t)))
    for arm in range(1, block.count):
        highest = max(highest, gain[arm])
    for arm in range(block.count):
        weights[arm] = exp(share / arms * (gain[arm] - highest))
        total += weights[arm]
    for arm in range(block.count):
        weights[arm] /= total
    return share


cdef int32_t select(const joint_t *joint, block_t *block) noexcept nogil:
    """Return an arm, drawn by its probability."""
    cdef double share = exp3_weights(block, <double> joint.node.visits + 1.0, joint.weights)
    cdef double draw = rng_unit(joint.rng)
    cdef int32_t arm
    for arm in range(block.count - 1):
        draw -= (1.0 - share) * joint.weights[arm] + share / block.count
        if draw < 0.0:
            return arm
    return block.count - 1


cdef void update(const joint_t *joint) noexcept nogil:
    """Estimate the gains of the chosen arms by importance, and add the strategies without their uniform share."""
    cdef block_t *block = first_block(joint.tree, joint.node)
    cdef double share, probability
    cdef int32_t i, arm
    for i in range(joint.node.blocks):
        if block.count == 1:
            joint_strategy(block)[0] += 1.0
        else:
            arm = joint.chosen[i]
            share = exp3_weights(block, <double> joint.node.visits, joint.weights)
            probability = (1.0 - share) * joint.weights[arm] + share / block.count
            joint_regret(block)[arm] += <double> joint.value[block.player] * VALUE_UNIT / probability
            for arm in range(block.count):
                joint_strategy(block)[arm] += joint.weights[arm]
        block = next_block(block)


JOINT_SELECTION = new_joint_selection("exp3", HAS_STRATEGY, select, update)
