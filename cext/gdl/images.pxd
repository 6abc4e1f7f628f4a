"""Images of states of a network under its symmetries.

The image that represents all images of a state is that with the least sum of random keys, one for each fact. Sums of
all images are computed side by side, from one row of keys for each fact of the state.
"""
from libc.stdint cimport int32_t

from ..game.game_table cimport game_t
from .network cimport images_t, network_t


cdef void transform(const game_t *game, void *data, int32_t symmetry) noexcept nogil
cdef int32_t transform_action(const game_t *game, int32_t symmetry, int32_t player, int32_t action) noexcept nogil
cdef int32_t canonical(const game_t *game, void *data) noexcept nogil


cdef class Images:
    cdef images_t table
    cdef list owned             # memory of the table


cdef Images make_images(const network_t *net, object symmetries)
