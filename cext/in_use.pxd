"""Guards against two uses of one object at a time, by two threads or by a call from within a call.

An object whose memory one thread may change while another reads it has an `int users`, 0 at first. A use begins with
`begin_change` or `begin_reading`, which raise BusyError where it cannot, and ends with `end_change` or `end_reading`
in a `finally`. Any number may read at a time; who changes the object is alone. The counts are atomic, so that the
guards hold without the GIL.
"""
cdef extern from "lock.h" nogil:
    bint try_reading "playout_begin_reading"(int *users) noexcept
    bint try_change "playout_begin_change"(int *users) noexcept
    # for who has let readers in for a moment
    void wait_for_change "playout_begin_change_late"(int *users) noexcept
    void end_reading "playout_end_reading"(int *users) noexcept
    void end_change "playout_end_change"(int *users) noexcept

cdef int raise_busy(str what) except -1


cdef inline int begin_reading(int *users, str what) except -1:
    """Count one more reader. Raises BusyError while somebody changes the object."""
    return 0 if try_reading(users) else raise_busy(what)


cdef inline int begin_change(int *users, str what) except -1:
    """Keep everybody else out. Raises BusyError while anybody uses the object."""
    return 0 if try_change(users) else raise_busy(what)
