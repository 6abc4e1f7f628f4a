"""The phase of a simulation that gives it its value at a leaf, and the leaf a node where that is due."""
from libc.stdint cimport int32_t, uint32_t

from ..game.game_table cimport has_failed
from .descent cimport LEAF_END, LEAF_NEW, LEAF_PENDING, LEAF_REPEATED, ROOT_PROVEN, descent_t
from .search_state cimport COLLIDED, GAME_FAILED, GUIDED, LEAF, NOTHING_LEFT, SOLVER, TRANSPOSITIONS, WIDE, search_t
from .tree cimport node_t, tree_t

cdef uint32_t expand(search_t *search, uint32_t acting) noexcept nogil
cdef void sort_untried(tree_t *tree, node_t *node) noexcept nogil
cdef void share_priors(tree_t *tree, node_t *node) noexcept nogil
cdef void judge(search_t *search, node_t *node) noexcept nogil
cdef void evaluate(search_t *search, bint over) noexcept nogil
cdef void add_end(search_t *search, int32_t depth) noexcept nogil
cdef bint add_node(search_t *search, int32_t depth, uint32_t acting) noexcept nogil
cdef void add_guided_node(search_t *search, descent_t *descent) noexcept nogil
cdef bint pass_first(search_t *search, uint32_t index, descent_t *descent) noexcept nogil
cdef void count_ahead(search_t *search, int32_t depth, int32_t change) noexcept nogil
cdef void pass_waiting(search_t *search, int32_t depth) noexcept nogil
cdef int defer(search_t *search, descent_t *descent) noexcept nogil


cdef inline int settle_leaf(search_t *search, uint32_t features, int kind, descent_t *descent) noexcept nogil:
    """Evaluate the leaf and, if necessary, expand it: step 4 of docs/architecture.md.

    Returns 0, or DEFERRED, COLLIDED, NOTHING_LEFT or an error, which end the simulation.
    """
    cdef int result
    # Step 4a. The end of the game: its returns.
    if kind == LEAF_END:
        evaluate(search, True)
        if features & (SOLVER | TRANSPOSITIONS):
            descent.proof = True
            if not has_failed(search.game):
                add_end(search, descent.depth)
    # Step 4b. A new state: an evaluation later, a net, a node of the graph, or a playout.
    elif kind == LEAF_NEW:
        if features & LEAF >= WIDE:
            result = defer(search, descent)
            if result != 0:
                return result
        elif features & LEAF == GUIDED:
            add_guided_node(search, descent)
        elif features & TRANSPOSITIONS:
            descent.proof = add_node(search, descent.depth, descent.acting)
        else:
            evaluate(search, False)
    # Step 4c. A state that the walk has passed: a playout.
    elif kind == LEAF_REPEATED:
        evaluate(search, search.game.acting(search.game, search.state) == 0)
    # Step 4d. A node that waits for its evaluation.
    elif kind == LEAF_PENDING:
        if features & LEAF == WIDE:
            pass_waiting(search, descent.depth)
        return COLLIDED
    elif kind == ROOT_PROVEN:
        return NOTHING_LEFT
    return GAME_FAILED if has_failed(search.game) else 0
