/* A lock for sections of a few hundred nanoseconds, flags that one thread sets and another reads, counts of users. */
#ifndef PLAYOUT_SPIN_LOCK_H
#define PLAYOUT_SPIN_LOCK_H

#include "compiler.h"

#define PLAYOUT_PATIENCE 256 /* looks at a taken lock before the processor is offered to others */

static inline void playout_lock(int *lock)
{
    while (playout_exchange_acquire(lock, 1))
        for (int looks = 0; playout_load(lock); looks++)
            if (looks >= PLAYOUT_PATIENCE)
                PLAYOUT_YIELD();
            else
                PLAYOUT_PAUSE();
}

static inline void playout_unlock(int *lock) { playout_store_release(lock, 0); }

/* A lock of what the GIL guards where there is one: nothing to do there. */
#ifdef Py_GIL_DISABLED
static inline void playout_lock_without_gil(int *lock) { playout_lock(lock); }
static inline void playout_unlock_without_gil(int *lock) { playout_unlock(lock); }
#else
static inline void playout_lock_without_gil(int *lock) { (void)lock; }
static inline void playout_unlock_without_gil(int *lock) { (void)lock; }
#endif

static inline int playout_read_flag(const int *flag) { return playout_load(flag); }
static inline void playout_write_flag(int *flag, int value) { playout_store(flag, value); }

/*
 * Users of an object: how many read it now, or -1 while one changes it. Nobody waits: who cannot begin is told so, since
 * the other user may be further up in the same thread.
 */
static inline int playout_begin_reading(int *users)
{
    int seen = playout_load(users);
    while (seen >= 0)
        if (playout_replace_acquire(users, &seen, seen + 1, 1))
            return 1;
    return 0;
}

static inline int playout_begin_change(int *users)
{
    int nobody = 0;
    return playout_replace_acquire(users, &nobody, -1, 0);
}

static inline void playout_begin_change_late(int *users)
{
    while (!playout_begin_change(users))
        PLAYOUT_YIELD();
}

static inline void playout_end_reading(int *users) { playout_decrement_release(users); }
static inline void playout_end_change(int *users) { playout_store_release(users, 0); }

#endif
