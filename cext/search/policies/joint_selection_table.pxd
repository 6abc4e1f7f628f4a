"""The table of a selection policy where several players decide at once, and how a policy is made known.

A policy is a C function that selects an arm of one player, a function that learns from the value of a simulation, or
NULL, a name, and a mask of what it needs. A policy file looks like `cext/search/joint_selection/exp3.pyx`:

    from cext.search.policies.joint_selection_table cimport joint_t, new_joint_selection
    from cext.search.tree cimport block_t, joint_regret

    cdef int32_t select(const joint_t *joint, block_t *block) noexcept nogil:
        ...

    JOINT_SELECTION = new_joint_selection("name", needs, select, update)

Each player who decides at a node has a block of arms, from `first_block` by `next_block` of `tree.pxd`, which also has
the statistics of a block: `joint_visits` and `joint_value`, the simulations that chose an arm and the sum of their
values in units of 2^-30, and for the policy's own use `joint_regret` and `joint_strategy`, which begin with 0. A player
with one arm is not asked.
"""
from libc.stdint cimport int32_t, int64_t, uint32_t

from ...primitives.rng cimport rng_t
from .policy cimport Policy
from ..tree cimport block_t, cell_t, node_t, tree_t

cdef extern from "search/values.h" nogil:
    const double PRIOR_REGRET "PLAYOUT_PRIOR_REGRET"            # of all arms together in a new node with priors

cdef enum:
    JOINT_SELECTION_VERSION = 1     # raise it when a flag or a struct below or one of tree.pxd or rng_t changes

cdef enum:                      # what a policy needs and does, a bit mask
    READS_EXPLORATION = 1       # the parameter `exploration`
    HAS_STRATEGY = 2            # `joint_strategy` has the weights of the mixed strategy; else they are visits
    LEARNS_FROM_ANY = 4         # also from joint actions that it did not select: it passes over proven ones
    TAKES_PRIORS = 8            # `joint_regret` begins with PRIOR_REGRET times the policy of a net that has one each

cdef struct joint_t:            # what a policy reads: a node and the simulation
    const tree_t *tree
    node_t *node                # `visits`: simulations through it; `blocks`: the players who decide
    rng_t *rng                  # for cext/primitives/rng.pxd
    double exploration          # with READS_EXPLORATION
    bint has_priors             # with TAKES_PRIORS: new nodes begin with those of a net
    double *weights             # scratch, as many as there are arms of all players at any node; also for `select`
    double *expected            # the same
    int32_t *numbers            # the same
    # For `update`, whose simulation has been added to the statistics
    const int32_t *chosen       # [blocks] the arm of each player
    const int64_t *value        # [players of the game] value of the simulation, in units of 2^-30

ctypedef int32_t (*select_joint_t)(const joint_t *joint, block_t *block) noexcept nogil
ctypedef void (*update_joint_t)(const joint_t *joint) noexcept nogil

cdef struct joint_selection_t:
    int32_t version             # JOINT_SELECTION_VERSION of the file that the policy was compiled against
    int32_t struct_size         # size of this struct, those of tree.pxd, joint_t and rng_t together at that time
    uint32_t needs
    select_joint_t select
    update_joint_t update       # NULL: the statistics of the search are enough


cdef inline int32_t struct_size() noexcept:
    return <int32_t> (sizeof(joint_selection_t) + sizeof(joint_t) + sizeof(rng_t) + sizeof(tree_t) + sizeof(node_t)
                      + sizeof(block_t) + sizeof(cell_t))


cdef class JointSelection(Policy):
    cdef joint_selection_t table


cdef inline JointSelection new_joint_selection(str name, uint32_t needs, select_joint_t select, update_joint_t update):
    """Return a policy. Inline, so that version and size are those of the file that the policy is compiled against."""
    cdef JointSelection made = JointSelection.__new__(JointSelection)
    made.name = name
    made.table.version = JOINT_SELECTION_VERSION
    made.table.struct_size = struct_size()
    made.table.needs = needs
    made.table.select = select
    made.table.update = update
    return made
