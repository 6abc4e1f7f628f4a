"""Rotations and reflections of rectangular boards of up to 64 cells, for the symmetry functions of a game's table.

A board is a set of bits, row by row. The image of a board is the union of the images of its groups of eight cells. A
table has these images, those of all symmetries in adjacent entries, so that one pass over a board gives all its images.
"""
from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t

cdef extern from "games/common/least_image.h" nogil:
    int32_t least_pair_of "playout_least_pair"(const uint64_t *images, int32_t groups, uint64_t *first,
                                               uint64_t *second) noexcept

cdef enum:
    IMAGES = 8                  # symmetries in the table; a board with four symmetries has each of them twice
    GROUP = 8                   # cells in a group
    SUBSETS = 256               # sets of cells of a group
    MAX_CELLS = 64

cdef struct symmetries_t:
    int32_t count               # 8 for a square that may be rotated, else 4: identity and reflections
    int32_t cells
    int32_t groups              # groups of eight cells; the last one may be smaller
    uint8_t cell[IMAGES][MAX_CELLS]     # the image of a cell under each symmetry
    uint64_t *images            # [group][set of its cells][symmetry]: the image of that set


cdef inline void all_images(const symmetries_t *symmetries, uint64_t board, uint64_t *out) noexcept nogil:
    """Write the images of a board under all symmetries: out [IMAGES]."""
    cdef const uint64_t *part = symmetries.images + (board & (SUBSETS - 1)) * IMAGES
    cdef int32_t group, s
    for s in range(IMAGES):
        out[s] = part[s]
    for group in range(1, symmetries.groups):
        board >>= GROUP
        part = symmetries.images + (group * SUBSETS + (board & (SUBSETS - 1))) * IMAGES
        for s in range(IMAGES):
            out[s] |= part[s]


cdef inline uint64_t image(const symmetries_t *symmetries, uint64_t board, int32_t symmetry) noexcept nogil:
    """Return the image of a board under one symmetry."""
    cdef uint64_t found = 0
    cdef int32_t group
    for group in range(symmetries.groups):
        found |= symmetries.images[(group * SUBSETS + (board & (SUBSETS - 1))) * IMAGES + symmetry]
        board >>= GROUP
    return found


cdef inline int32_t least_pair(const symmetries_t *symmetries, uint64_t *first, uint64_t *second) noexcept nogil:
    """Replace two boards of up to 32 cells by their least images under one symmetry, and return that symmetry.

    Images are compared by the second board, then by the first. Of several symmetries it is the lowest.
    """
    return least_pair_of(symmetries.images, symmetries.groups, first, second)


cdef inline int32_t least_large_pair(const symmetries_t *symmetries, uint64_t *first, uint64_t *second) noexcept nogil:
    """Do the same as `least_pair` for boards of up to 64 cells."""
    cdef uint64_t firsts[IMAGES]
    cdef uint64_t seconds[IMAGES]
    cdef int32_t s, found = 0
    all_images(symmetries, first[0], firsts)
    all_images(symmetries, second[0], seconds)
    for s in range(1, IMAGES):
        if seconds[s] < seconds[found] or (seconds[s] == seconds[found] and firsts[s] < firsts[found]):
            found = s
    first[0] = firsts[found]
    second[0] = seconds[found]
    return found


cdef inline void image_pair(const symmetries_t *symmetries, uint32_t *own, int32_t symmetry) noexcept nogil:
    """Replace the boards of two players, of up to 32 cells, by their images."""
    own[0] = <uint32_t> image(symmetries, own[0], symmetry)
    own[1] = <uint32_t> image(symmetries, own[1], symmetry)


cdef inline int32_t least_own(const symmetries_t *symmetries, uint32_t *own) noexcept nogil:
    """Replace the boards of two players, of up to 32 cells, as `least_pair` does, and return the symmetry."""
    cdef uint64_t first = own[0], second = own[1]
    cdef int32_t symmetry = least_pair(symmetries, &first, &second)
    own[0] = <uint32_t> first
    own[1] = <uint32_t> second
    return symmetry


cdef class BoardSymmetries:
    cdef symmetries_t table
