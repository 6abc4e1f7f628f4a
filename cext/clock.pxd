"""A monotonic clock that can be read without the GIL."""

cdef extern from "clock.h" nogil:
    double playout_seconds() noexcept
