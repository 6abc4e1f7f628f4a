"""Values as the search counts them: whole numbers in units of 2^-30 of [0, 1]."""
from libc.stdint cimport int64_t

cdef enum:
    ONE = 1 << 30               # value 1

cdef extern from "search/values.h" nogil:
    const double VALUE_SCALE "PLAYOUT_VALUE_SCALE"     # ONE, as a double
    const double VALUE_UNIT "PLAYOUT_VALUE_UNIT"       # 1 / VALUE_SCALE
    int64_t load_alone "playout_load_alone"(const int64_t *at) noexcept
