"""A monotonic clock that can be read without the GIL."""

cdef extern from "primitives/clock.h" nogil:
    double playout_seconds() noexcept
