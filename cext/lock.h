/* A lock for sections of a few hundred nanoseconds, and flags that one thread sets and another reads. */
#ifndef PLAYOUT_LOCK_H
#define PLAYOUT_LOCK_H

#if defined(__GNUC__) || defined(__clang__)
#include <sched.h>

#define PLAYOUT_PATIENCE 256 /* looks at a taken lock before the processor is offered to others */

static inline void playout_lock(int *lock)
{
    while (__atomic_exchange_n(lock, 1, __ATOMIC_ACQUIRE))
        for (int looks = 0; __atomic_load_n(lock, __ATOMIC_RELAXED); looks++)
            if (looks >= PLAYOUT_PATIENCE)
                sched_yield();
#if defined(__x86_64__)
            else
                __builtin_ia32_pause();
#endif
}

static inline void playout_unlock(int *lock) { __atomic_store_n(lock, 0, __ATOMIC_RELEASE); }
static inline int playout_read_flag(const int *flag) { return __atomic_load_n(flag, __ATOMIC_RELAXED); }
static inline void playout_write_flag(int *flag, int value) { __atomic_store_n(flag, value, __ATOMIC_RELAXED); }
#else
#error "Playout needs the atomic builtins of GCC or Clang"
#endif

#endif
