"""The message of the guards in `in_use.pxd`."""
from ..errors import BusyError


cdef int raise_busy(str what) except -1:
    raise BusyError(f"{what} is in use by another thread, or by a call that has not returned; "
                    "give every thread its own, or put a lock around the shared one")
