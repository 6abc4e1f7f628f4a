"""Guards against conflicting uses of one object, by two threads or by a call from within another call.

An object that one thread may change while another reads it has an `int users`, 0 at first. A use begins with
`begin_change` or `begin_reading`, which raise BusyError if a conflicting use has not ended. It ends with `end_change`
or `end_reading` in a `finally`. An object has any number of readers or one writer. The counts are atomic, so the guards
also work without the GIL.
"""
from libc.stdint cimport int64_t

cdef extern from "primitives/spin_lock.h" nogil:
    bint try_reading "playout_begin_reading"(int *users) noexcept
    bint try_change "playout_begin_change"(int *users) noexcept
    # waits until the caller is alone: for a caller that let readers in for a short time
    void wait_for_change "playout_begin_change_late"(int *users) noexcept
    void end_reading "playout_end_reading"(int *users) noexcept
    void end_change "playout_end_change"(int *users) noexcept

cdef int raise_busy(str what) except -1
cdef int refuse_unmade(object what) except -1


cdef inline int begin_reading(int *users, str what) except -1:
    """Count one more reader. Raises BusyError while another use changes the object."""
    return 0 if try_reading(users) else raise_busy(what)


cdef inline int begin_change(int *users, str what) except -1:
    """Keep every other use out. Raises BusyError while the object has any other use."""
    return 0 if try_change(users) else raise_busy(what)


cdef inline int64_t read_number(int *users, str what, const int64_t *number) except? -1:
    """Return a number of an object. Raises BusyError while another use changes the object."""
    cdef int64_t value
    begin_reading(users, what)
    value = number[0]
    end_reading(users)
    return value
