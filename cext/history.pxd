"""The joint actions that led to a state, as bytes in a buffer that copies of the state share.

A buffer only grows. Every state knows the length of its own part, which begins at 0. A state that cannot append behind
its part, because a copy has done so, gets a buffer of its own. Only threads that hold the GIL call these functions.
"""
from libc.stdint cimport int64_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcpy

cdef enum:
    FIRST_BYTES = 128

cdef struct history_t:
    int64_t owners              # states with this buffer
    int64_t used                # bytes; no part is longer
    int64_t capacity            # bytes


cdef inline char *history_bytes(history_t *history) noexcept:
    """Return the bytes of a buffer, which follow its head."""
    return <char *> history + sizeof(history_t)


cdef inline history_t *share_history(history_t *history, int64_t length) noexcept:
    """Return the buffer, or NULL for NULL, with one owner more. length: of the part of the present owner."""
    if history != NULL:
        if history.owners == 1:
            history.used = length       # the rest was of copies that are gone
        history.owners += 1
    return history


cdef inline void drop_history(history_t *history) noexcept:
    """Give up a buffer, or NULL. The last owner frees it."""
    if history != NULL:
        history.owners -= 1
        if history.owners == 0:
            free(history)


cdef inline char *append_history(history_t **history, int64_t length, int64_t size) noexcept:
    """Return the address of `size` bytes behind the first `length`; NULL without memory. It may replace the buffer."""
    cdef history_t *old = history[0]
    cdef history_t *grown = old
    cdef bint alone = old != NULL and old.owners == 1
    cdef int64_t capacity
    if old == NULL or length + size > old.capacity or (old.used != length and not alone):
        capacity = max(<int64_t> FIRST_BYTES, 2 * (length + size))
        if alone:
            grown = <history_t *> realloc(old, sizeof(history_t) + capacity)
        else:
            grown = <history_t *> malloc(sizeof(history_t) + capacity)
        if grown == NULL:
            return NULL
        if not alone:
            grown.owners = 1
            if old != NULL:
                memcpy(history_bytes(grown), history_bytes(old), length)
                drop_history(old)
        grown.capacity = capacity
        history[0] = grown
    grown.used = length + size
    return history_bytes(grown) + length
