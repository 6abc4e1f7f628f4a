/* A monotonic clock that can be read without the GIL. */
#ifndef PLAYOUT_CLOCK_H
#define PLAYOUT_CLOCK_H

#include "compiler.h"

#ifdef _WIN32
static inline double playout_seconds(void)
{
    LARGE_INTEGER now, rate;
    QueryPerformanceCounter(&now);
    QueryPerformanceFrequency(&rate);
    return (double)now.QuadPart / (double)rate.QuadPart;
}
#else
#include <time.h>
static inline double playout_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
#endif

#endif
