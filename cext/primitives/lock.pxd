"""Locks for sections of a few hundred nanoseconds, and flags that one thread sets and another reads."""

cdef extern from "primitives/spin_lock.h" nogil:
    # for what the GIL guards where there is one; no code may run in between that could wait for another thread
    void lock_without_gil "playout_lock_without_gil"(int *lock) noexcept
    void unlock_without_gil "playout_unlock_without_gil"(int *lock) noexcept
    bint read_flag "playout_read_flag"(const int *flag) noexcept
    void write_flag "playout_write_flag"(int *flag, int value) noexcept
