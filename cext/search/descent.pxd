"""The walk of a simulation through the tree: what its phases know of it, and where it ends."""
from libc.stdint cimport int32_t, uint32_t

from .search_state cimport search_t, set_exact_value
from .tree cimport PROVEN, node_at

cdef enum leaf_kind:            # where a walk through the tree ends
    LEAF_NEW = 1                # at a state that has no node
    LEAF_END                    # at the end of the game
    LEAF_PROVEN                 # at a proven node, whose value the simulation takes
    LEAF_REPEATED               # at a node that the simulation has passed already, or that has no memory for an arm
    LEAF_PENDING                # at a node that waits for its evaluation
    ROOT_PROVEN                 # at the root, which is proven

cdef struct descent_t:          # the walk of the running simulation
    int32_t depth               # steps on the path
    uint32_t acting             # mask of the players that decide at a new leaf
    uint32_t amaf_node          # nearest node on the path with AMAF statistics, or NO_NODE
    int32_t moved_depth         # steps above the deepest node whose bounds have moved during the walk
    bint proof                  # the leaf is proven, which its parent may not know
    bint unproven               # the joint action was selected because it is not proven


cdef inline bint take_proof(search_t *search, uint32_t index, descent_t *descent) noexcept nogil:
    """End the walk at a node if it is proven: the simulation takes its value."""
    if not node_at(search.tree, index).flags & PROVEN:
        return False
    set_exact_value(search, node_at(search.tree, index))
    descent.proof = True
    return True
