"""Arrays of whole numbers that grow, and what hash tables of numbers share.

A table has a power of two of slots. A slot has 0 if it is empty; what its number means, the owner of the table knows.
"""
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free

from ..primitives.growing cimport resize

cdef struct ints_t:
    int32_t *at
    int64_t size
    int64_t room


cdef inline bint reserve(ints_t *array, int64_t more) noexcept nogil:
    """Reserve memory for more numbers; return False without memory."""
    cdef int64_t room = array.room
    if array.size + more <= room:
        return True
    while room < array.size + more:
        room = 2 * room + 16
    if not resize(&array.at, 4 * <size_t> room):
        return False
    array.room = room
    return True


cdef inline bint push(ints_t *array, int32_t number) noexcept nogil:
    """Append a number; return False without memory."""
    if not reserve(array, 1):
        return False
    array.at[array.size] = number
    array.size += 1
    return True


cdef inline void release(ints_t *array) noexcept nogil:
    free(array.at)
    array.at = NULL
    array.size = array.room = 0


cdef inline uint64_t mix(uint64_t sum, uint32_t number) noexcept nogil:
    """Return a hash of the numbers so far and one more."""
    sum = (sum ^ number) * <uint64_t> 0x9E3779B97F4A7C15
    return sum ^ (sum >> 29)


cdef inline uint64_t mix_all(uint64_t sum, const int32_t *numbers, int64_t count) noexcept nogil:
    """Return a hash of the numbers so far and some more."""
    cdef int64_t i
    for i in range(count):
        sum = mix(sum, <uint32_t> numbers[i])
    return sum


cdef inline int32_t *new_slots(int64_t count) noexcept nogil:
    """Return so many empty slots, or NULL if there is no memory."""
    return <int32_t *> calloc(<size_t> count, sizeof(int32_t))


cdef inline int64_t first_slot(uint64_t sum, int64_t count) noexcept nogil:
    """Return the slot of a hash, from which its place is looked for."""
    return <int64_t> (sum >> 8) & (count - 1)


cdef inline int64_t next_slot(int64_t slot, int64_t count) noexcept nogil:
    return (slot + 1) & (count - 1)


cdef inline void fill_slot(int32_t *slots, int64_t count, uint64_t sum, int32_t number) noexcept nogil:
    """Write a number, which the table does not have, into the first empty slot for its hash."""
    cdef int64_t slot = first_slot(sum, count)
    while slots[slot]:
        slot = next_slot(slot, count)
    slots[slot] = number


cdef inline bint copy_in(ints_t *array, object numbers) except False:
    """Append numbers from Python."""
    cdef int32_t number
    for value in numbers:
        number = value
        if not push(array, number):
            raise MemoryError
    return True
