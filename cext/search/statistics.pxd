"""Reading a search: weights of mixed strategies, the principal variation, and the tree as Python data."""
from libc.stdint cimport int32_t, int64_t, uint32_t

from .search_state cimport search_t
from .tree cimport block_t, node_t

cdef struct line_t:             # steps from the root
    # [capacity, 2 + num_players]: a node, the joint action that was taken there, the outcome of chance or NO_ACTION
    int32_t *steps
    int32_t length
    int32_t capacity

cdef struct row_t:              # one action of one player
    int32_t action
    int32_t visits
    int64_t value               # sum of the player's values
    double weight               # share in the mixed strategy, not normalised
    int32_t lower               # proven bounds of the value to the player
    int32_t upper

cdef row_t row_of(search_t *search, node_t *node, uint32_t arm) noexcept nogil
cdef int copy_weights(search_t *search, node_t *node, block_t *block, int32_t number, double *weights) noexcept nogil
cdef int find_line(search_t *search, int32_t first, line_t *line) noexcept nogil
cdef list line_joints(const line_t *line, int32_t num_players)
cdef dict read_tree(search_t *search, int max_depth, int64_t max_nodes, path)
