"""The phase of a simulation that gives it its value at a leaf, and the leaf a node where that is due."""
from libc.stdint cimport int32_t, uint32_t

from ..game_table cimport has_failed
from .descent cimport LEAF_END, LEAF_NEW, LEAF_PENDING, LEAF_REPEATED, ROOT_PROVEN, descent_t
from .search_state cimport (COLLIDED, EVALUATOR, GAME_FAILED, NOTHING_LEFT, SOLVER, TRANSPOSITIONS, WIDE, search_t)

cdef uint32_t expand(search_t *search, uint32_t acting) noexcept nogil
cdef void evaluate(search_t *search, bint over) noexcept nogil
cdef void add_end(search_t *search, int32_t depth) noexcept nogil
cdef bint add_node(search_t *search, int32_t depth, uint32_t acting) noexcept nogil
cdef void count_ahead(search_t *search, int32_t depth, int32_t change) noexcept nogil
cdef int defer(search_t *search, descent_t *descent) noexcept nogil


cdef inline int settle_leaf(search_t *search, uint32_t features, int kind, descent_t *descent) noexcept nogil:
    """Give the simulation its value at a leaf, and the leaf a node where that is due.

    Returns 0, or DEFERRED, COLLIDED, NOTHING_LEFT or an error, which end the simulation.
    """
    cdef int result
    if kind == LEAF_END:
        evaluate(search, True)
        if features & (SOLVER | TRANSPOSITIONS):
            descent.proof = True
            if not has_failed(search.game):
                add_end(search, descent.depth)
    elif kind == LEAF_NEW:
        if features & (EVALUATOR | WIDE):
            result = defer(search, descent)
            if result != 0:
                return result
        elif features & TRANSPOSITIONS:
            descent.proof = add_node(search, descent.depth, descent.acting)
        else:
            evaluate(search, False)
    elif kind == LEAF_REPEATED:
        evaluate(search, search.game.acting(search.game, search.state) == 0)
    elif kind == LEAF_PENDING:
        return COLLIDED
    elif kind == ROOT_PROVEN:
        return NOTHING_LEFT
    return GAME_FAILED if has_failed(search.game) else 0
