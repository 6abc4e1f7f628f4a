/* The memory of a search tree: one block, whose pages the system provides when they are first used.
 *
 * A walk through a big tree looks for the address of a new page at almost every node. On Linux, big pools therefore ask
 * for huge pages. Elsewhere, or where the system has none to give, they have ordinary ones. */
#ifndef PLAYOUT_POOL_H
#define PLAYOUT_POOL_H

#include <stdint.h>
#include <stdlib.h>

#ifdef __linux__
#include <sys/mman.h>

#define PLAYOUT_PAGES ((uintptr_t)1 << 16)      /* a multiple of the page size of any Linux system */

/* Give the memory of the bytes [begin, end) of a pool back until they are used again. They become 0 or stay. */
static inline void playout_give_back(void *pool, uint64_t begin, uint64_t end)
{
    uintptr_t first = ((uintptr_t)pool + begin + PLAYOUT_PAGES - 1) / PLAYOUT_PAGES * PLAYOUT_PAGES;
    uintptr_t last = ((uintptr_t)pool + end) / PLAYOUT_PAGES * PLAYOUT_PAGES;
    if (first < last)
        madvise((void *)first, last - first, MADV_DONTNEED);
}

#else

static inline void playout_give_back(void *pool, uint64_t begin, uint64_t end)
{
    (void)pool; (void)begin; (void)end;
}

#endif

#if defined(__linux__) && defined(MADV_HUGEPAGE)

#define PLAYOUT_HUGE_PAGE ((uint64_t)1 << 21)
#define PLAYOUT_BIG_POOL (4 * PLAYOUT_HUGE_PAGE)    /* bytes from which a pool may have huge pages */

/* Bytes of the huge pages that so many bytes need. */
static inline uint64_t playout_mapped_bytes(uint64_t bytes)
{
    return (bytes + PLAYOUT_HUGE_PAGE - 1) / PLAYOUT_HUGE_PAGE * PLAYOUT_HUGE_PAGE;
}

#define PLAYOUT_LINE 64         /* bytes of a cache line */

/* Return a pool of so many bytes that begins at a cache line; NULL without memory. */
static inline void *playout_new_pool(uint64_t bytes)
{
    uint64_t mapped = playout_mapped_bytes(bytes), before;
    char *block;
    if (bytes < PLAYOUT_BIG_POOL)
        return aligned_alloc(PLAYOUT_LINE, (bytes + PLAYOUT_LINE - 1) / PLAYOUT_LINE * PLAYOUT_LINE);
    /* Map a huge page more than that, and give back what lies before the first boundary and behind the end. */
    block = mmap(NULL, mapped + PLAYOUT_HUGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED)
        return NULL;
    before = (0 - (uint64_t)(uintptr_t)block) % PLAYOUT_HUGE_PAGE;
    if (before > 0)
        munmap(block, before);
    munmap(block + before + mapped, PLAYOUT_HUGE_PAGE - before);
    return block + before;
}

static inline void playout_free_pool(void *pool, uint64_t bytes)
{
    if (bytes < PLAYOUT_BIG_POOL)
        free(pool);
    else if (pool != NULL)
        munmap(pool, playout_mapped_bytes(bytes));
}

/* Ask for huge pages from an offset on, for what is not in use yet. */
static inline void playout_use_huge_pages(void *pool, uint64_t bytes, uint64_t from)
{
    uint64_t begin = playout_mapped_bytes(from), end = bytes / PLAYOUT_HUGE_PAGE * PLAYOUT_HUGE_PAGE;
    if (bytes >= PLAYOUT_BIG_POOL && begin < end)
        madvise((char *)pool + begin, end - begin, MADV_HUGEPAGE);
}

#else

static inline uint64_t playout_mapped_bytes(uint64_t bytes) { return bytes; }
static inline void *playout_new_pool(uint64_t bytes) { return malloc(bytes); }
static inline void playout_free_pool(void *pool, uint64_t bytes) { (void)bytes; free(pool); }
static inline void playout_use_huge_pages(void *pool, uint64_t bytes, uint64_t from)
{
    (void)pool; (void)bytes; (void)from;
}

#endif

#endif
