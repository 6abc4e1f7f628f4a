"""The joint actions that led to a state, as bytes in a buffer that copies of the state share.

A buffer only grows. Every state knows the length of its own part, which begins at 0. A state that cannot append behind
its part, because a copy has done so, gets a buffer of its own.

Threads call these functions with the GIL. Where there is none, the lock of a buffer guards its head. Its bytes need no
guard: no state writes into the part of another one, and a buffer moves only while it has one owner.
"""
from libc.stdint cimport int64_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcpy

from .lock cimport lock_without_gil, unlock_without_gil

cdef enum:
    FIRST_BYTES = 128

cdef struct history_t:
    int lock                    # of the numbers below
    int64_t owners              # states with this buffer
    int64_t used                # bytes; no part is longer
    int64_t capacity            # bytes


cdef inline char *history_bytes(history_t *history) noexcept:
    """Return the bytes of a buffer, which follow its head."""
    return <char *> history + sizeof(history_t)


cdef inline history_t *share_history(history_t *history, int64_t length) noexcept:
    """Return the buffer, or NULL for NULL, with one owner more. length: of the part of the present owner."""
    if history != NULL:
        lock_without_gil(&history.lock)
        if history.owners == 1:
            history.used = length       # the rest was of copies that are gone
        history.owners += 1
        unlock_without_gil(&history.lock)
    return history


cdef inline void drop_history(history_t *history) noexcept:
    """Give up a buffer, or NULL. The last owner frees it."""
    cdef bint last
    if history != NULL:
        lock_without_gil(&history.lock)
        history.owners -= 1
        last = history.owners == 0
        unlock_without_gil(&history.lock)
        if last:
            free(history)


cdef inline bint claim_history(history_t *history, int64_t length, int64_t size, bint *alone) noexcept:
    """Reserve `size` bytes behind the first `length`. Return False if they do not fit or belong to a copy.

    alone: receives True if the buffer has one owner. It keeps the only one until that owner shares it.
    """
    cdef bint fits
    lock_without_gil(&history.lock)
    alone[0] = history.owners == 1
    fits = length + size <= history.capacity and (alone[0] or history.used == length)
    if fits:
        history.used = length + size
    unlock_without_gil(&history.lock)
    return fits


cdef inline char *append_history(history_t **history, int64_t length, int64_t size) noexcept:
    """Return the address of `size` bytes behind the first `length`; NULL without memory. It may replace the buffer."""
    cdef history_t *old = history[0]
    cdef history_t *grown
    cdef bint alone = False
    cdef int64_t capacity
    if old != NULL and claim_history(old, length, size, &alone):
        return history_bytes(old) + length
    capacity = max(<int64_t> FIRST_BYTES, 2 * (length + size))
    if alone:
        grown = <history_t *> realloc(old, sizeof(history_t) + capacity)
    else:
        grown = <history_t *> malloc(sizeof(history_t) + capacity)
    if grown == NULL:
        return NULL
    if not alone:
        grown.lock = 0
        grown.owners = 1
        if old != NULL:
            memcpy(history_bytes(grown), history_bytes(old), length)
            drop_history(old)
    grown.capacity = capacity
    grown.used = length + size
    history[0] = grown
    return history_bytes(grown) + length
