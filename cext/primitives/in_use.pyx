"""The messages of the guards in `in_use.pxd`, and of objects that cannot be used at all."""
from ..errors import BusyError


cdef int raise_busy(str what) except -1:
    raise BusyError(f"{what} is in use by another thread, or by a call that has not returned; "
                    "give every thread its own, or put a lock around the shared one")


cdef int refuse_unmade(object what) except -1:
    """Raise TypeError for an object that was created by __new__ without data."""
    raise TypeError(f"this {type(what).__name__} was made by __new__ alone; states come from Game.new_initial_state() "
                    "or Game.state_from_dict(), views from State.view(player)")
