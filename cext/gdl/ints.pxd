"""Arrays of whole numbers that grow."""
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libc.stdlib cimport free, realloc

cdef struct ints_t:
    int32_t *at
    int64_t size
    int64_t room


cdef inline bint reserve(ints_t *array, int64_t more) noexcept nogil:
    """Make room for more numbers; return False if there is no memory."""
    cdef int64_t room = array.room
    cdef int32_t *moved
    if array.size + more <= room:
        return True
    while room < array.size + more:
        room = 2 * room + 16
    moved = <int32_t *> realloc(array.at, 4 * <size_t> room)
    if moved == NULL:
        return False
    array.at = moved
    array.room = room
    return True


cdef inline bint push(ints_t *array, int32_t number) noexcept nogil:
    """Append a number; return False if there is no memory."""
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


cdef inline bint copy_in(ints_t *array, object numbers) except False:
    """Append numbers from Python."""
    cdef int32_t number
    for value in numbers:
        number = value
        if not push(array, number):
            raise MemoryError
    return True
