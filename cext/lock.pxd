"""A lock for sections of a few hundred nanoseconds, and flags that one thread sets and another reads."""

cdef extern from "lock.h" nogil:
    void lock "playout_lock"(int *lock) noexcept
    void unlock "playout_unlock"(int *lock) noexcept
    bint read_flag "playout_read_flag"(const int *flag) noexcept
    void write_flag "playout_write_flag"(int *flag, int value) noexcept
