"""Random games side by side, in a module of their own: it is also built for AVX-512."""
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t

from ..game.game_table cimport lanes_t
from .network cimport network_t

cdef size_t wide_bytes(const network_t *net) noexcept nogil

cdef bint play_wide(const network_t *net, const uint64_t *facts, uint32_t ply, uint64_t seed, int64_t count,
                    int64_t *sums) noexcept nogil

cdef bint play_leaves(const network_t *net, const char *states, size_t state_size, int32_t count, int32_t each,
                      uint64_t seed, void *memory, double deadline, const int *stop, lanes_t *out) noexcept nogil
