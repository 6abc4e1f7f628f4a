/* Memory for a search tree: reserved in full, committed by the system as it is touched.
 *
 * A walk down a tree of many megabytes misses the processor's cache of page addresses at every step; on Linux the part
 * behind the first megabyte is therefore asked for in large pages. The first one is not: a short search would spend more
 * time on clearing a large page than on searching. */
#ifndef PLAYOUT_POOL_H
#define PLAYOUT_POOL_H

#include <stdint.h>
#include <stdlib.h>

#if defined(__linux__)
#include <sys/mman.h>
#endif

#define PLAYOUT_LARGE_PAGE ((uintptr_t)1 << 21)
#define PLAYOUT_SMALL_PAGES ((uintptr_t)1 << 20)

/* Uninitialised memory of so many bytes, to be freed by free; NULL without memory. */
static inline void *playout_new_pool(size_t bytes)
{
    void *pool = malloc(bytes);
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    if (pool != NULL) {
        uintptr_t begin = ((uintptr_t)pool + PLAYOUT_SMALL_PAGES + PLAYOUT_LARGE_PAGE - 1) & ~(PLAYOUT_LARGE_PAGE - 1);
        uintptr_t end = ((uintptr_t)pool + bytes) & ~(PLAYOUT_LARGE_PAGE - 1);
        if (begin < end)
            (void)madvise((void *)begin, end - begin, MADV_HUGEPAGE); /* a wish: nothing is lost if it is not granted */
    }
#endif
    return pool;
}

#endif
