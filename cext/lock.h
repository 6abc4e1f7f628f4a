/* A lock for sections of a few hundred nanoseconds, flags that one thread sets and another reads, counts of users. */
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

/*
 * Users of an object: how many read it now, or -1 while one changes it. Nobody waits: who cannot begin is told so, since
 * the other user may be further up in the same thread.
 */
static inline int playout_begin_reading(int *users)
{
    int seen = __atomic_load_n(users, __ATOMIC_RELAXED);
    while (seen >= 0)
        if (__atomic_compare_exchange_n(users, &seen, seen + 1, 1, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
            return 1;
    return 0;
}

static inline int playout_begin_change(int *users)
{
    int nobody = 0;
    return __atomic_compare_exchange_n(users, &nobody, -1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

static inline void playout_begin_change_late(int *users)
{
    while (!playout_begin_change(users))
        sched_yield();
}

static inline void playout_end_reading(int *users) { __atomic_fetch_sub(users, 1, __ATOMIC_RELEASE); }
static inline void playout_end_change(int *users) { __atomic_store_n(users, 0, __ATOMIC_RELEASE); }
#else
#error "Playout needs the atomic builtins of GCC or Clang"
#endif

#endif
