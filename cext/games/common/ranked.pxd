"""Playouts in which players prefer some cells. Inline: shared by the kernels of several games."""
from libc.stdint cimport int32_t, uint32_t, uint64_t

from ...game.game_table cimport order_t
from ...primitives.bits cimport lowest64, select64
from ...primitives.rng cimport rng_below, rng_t, rng_unit


cdef inline uint64_t ranks_of(const order_t *order, uint64_t cells) noexcept nogil:
    """Return the ranks of a set of cells, as a set."""
    cdef uint64_t ranks = 0
    while cells:
        ranks |= <uint64_t> 1 << order.rank[lowest64(cells)]
        cells &= cells - 1
    return ranks


cdef inline uint64_t rank_of(const order_t *order, int32_t cell) noexcept nogil:
    """Return the rank of a cell, as a set."""
    return <uint64_t> 1 << order.rank[cell]


cdef inline int32_t choose_cell(const order_t *order, uint64_t ranks, uint64_t blank, uint32_t left, double share,
                                rng_t *rng) noexcept nogil:
    """Return a cell by the policy RANKED of playouts.

    ranks: of the blank cells; left: their number.
    """
    if rng_unit(rng) < share:
        return lowest64(select64(blank, rng_below(rng, left)))
    return order.action[lowest64(ranks)]
