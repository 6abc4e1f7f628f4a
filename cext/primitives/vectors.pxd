"""Vectors of bytes and words, as wide as the registers of the machine code. All names are defined in vectors.h.

A mask has all bits of an element set where something holds, and none elsewhere.
"""
from libc.stdint cimport uint64_t

cdef extern from "primitives/vectors.h" nogil:
    enum:
        VECTOR_BYTES "PLAYOUT_VECTOR_BYTES"

    ctypedef struct vector_t "playout_vector_t":
        pass

    vector_t splat8 "playout_splat8"(int x) noexcept
    vector_t splat16 "playout_splat16"(int x) noexcept
    vector_t both "playout_both"(vector_t a, vector_t b) noexcept
    vector_t either "playout_either"(vector_t a, vector_t b) noexcept
    vector_t differ "playout_differ"(vector_t a, vector_t b) noexcept
    vector_t without "playout_without"(vector_t a, vector_t b) noexcept     # the bits of a that b does not have

    vector_t add8 "playout_add8"(vector_t a, vector_t b) noexcept
    vector_t sub8 "playout_sub8"(vector_t a, vector_t b) noexcept
    vector_t same8 "playout_same8"(vector_t a, vector_t b) noexcept         # mask: a == b
    vector_t more8 "playout_more8"(vector_t a, vector_t b) noexcept         # mask: a > b, signed
    vector_t max8 "playout_max8"(vector_t a, vector_t b) noexcept           # unsigned
    vector_t min8 "playout_min8"(vector_t a, vector_t b) noexcept           # unsigned

    vector_t add16 "playout_add16"(vector_t a, vector_t b) noexcept
    vector_t sub16 "playout_sub16"(vector_t a, vector_t b) noexcept
    vector_t low16 "playout_low16"(vector_t a, vector_t b) noexcept         # lower half of the product
    vector_t high16 "playout_high16"(vector_t a, vector_t b) noexcept       # upper half of the product, unsigned
    vector_t same16 "playout_same16"(vector_t a, vector_t b) noexcept
    vector_t more16 "playout_more16"(vector_t a, vector_t b) noexcept       # mask: a > b, signed
    vector_t below16 "playout_below16"(vector_t a, vector_t b) noexcept     # mask: a < b, unsigned
    vector_t up16 "playout_up16"(vector_t a, int n) noexcept                # shifted to the left
    vector_t down16 "playout_down16"(vector_t a, int n) noexcept

    vector_t add64 "playout_add64"(vector_t a, vector_t b) noexcept
    vector_t up64 "playout_up64"(vector_t a, int n) noexcept
    vector_t turn64 "playout_turn64"(vector_t a, int n) noexcept            # rotated to the left by 1 to 63

    # bit by bit: the lower and the upper digit of a + b + c, what a - b - c borrows, and a | (b & c)
    vector_t odd "playout_odd"(vector_t a, vector_t b, vector_t c) noexcept
    vector_t most "playout_most"(vector_t a, vector_t b, vector_t c) noexcept
    vector_t owed "playout_owed"(vector_t a, vector_t b, vector_t c) noexcept
    vector_t join "playout_join"(vector_t a, vector_t b, vector_t c) noexcept

    int count8 "playout_count8"(vector_t mask) noexcept                     # number of bytes that are set
    bint any_set "playout_any"(vector_t mask) noexcept
    # one word of 64 bits; bit 8 * j of it belongs to byte 8 * i + j
    uint64_t get64 "playout_get64"(const vector_t *vector, int i) noexcept
    void put64 "playout_put64"(vector_t *vector, int i, uint64_t value) noexcept
