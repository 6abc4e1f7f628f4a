/* Everything that C compilers name differently, but for vectors: see vectors.h. No other file uses names of one compiler.
 *
 * There are three branches: GCC and Clang (also clang-cl), Microsoft's compiler, and C11 alone. PLAYOUT_PORTABLE selects
 * the last one everywhere; PLAYOUT_MSVC the second one, in tests with another compiler for Windows. */
#ifndef PLAYOUT_COMPILER_H
#define PLAYOUT_COMPILER_H

#include <stdint.h>

#if defined(PLAYOUT_PORTABLE)
#define PLAYOUT_C11 1
#elif !defined(PLAYOUT_MSVC)
#if defined(__GNUC__) || defined(__clang__)
#define PLAYOUT_GNU 1
#elif defined(_MSC_VER)
#define PLAYOUT_MSVC 1
#else
#define PLAYOUT_C11 1
#endif
#endif

#ifdef _WIN32
#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <windows.h>
#define PLAYOUT_YIELD() SwitchToThread()
#else
#include <sched.h>
#define PLAYOUT_YIELD() sched_yield()
#endif

/* Instruction sets. Microsoft's compiler has one option for AVX2 and BMI2, and names only the first. */
#if !defined(PLAYOUT_C11) && defined(__AVX2__)
#define PLAYOUT_AVX2 1
#endif
#if !defined(PLAYOUT_C11) && (defined(__BMI2__) || (defined(PLAYOUT_MSVC) && defined(__AVX2__)))
#define PLAYOUT_BMI2 1
#endif
#if !defined(PLAYOUT_C11) && (defined(__SSE2__) || (defined(PLAYOUT_MSVC) && defined(_M_X64)))
#define PLAYOUT_SSE2 1
#endif
/* <immintrin.h> declares every instruction set, which takes GCC 0.25 seconds for each module. So only the files that
 * need vectors of 32 bytes include it. */
#if defined(PLAYOUT_MSVC) && (defined(PLAYOUT_AVX2) || defined(PLAYOUT_SSE2))
#include <immintrin.h>
#elif defined(PLAYOUT_AVX2)
#include <smmintrin.h>
#elif defined(PLAYOUT_SSE2)
#include <emmintrin.h>
#endif

/* The lowest bits of `bits`, in order, at the places of the bits of `mask`, and the opposite: the bits at these places as
 * the lowest ones. */
#if defined(PLAYOUT_BMI2) && defined(PLAYOUT_GNU)
static inline uint64_t playout_deposit64(uint64_t bits, uint64_t mask) { return __builtin_ia32_pdep_di(bits, mask); }
static inline uint64_t playout_extract64(uint64_t bits, uint64_t mask) { return __builtin_ia32_pext_di(bits, mask); }
#elif defined(PLAYOUT_BMI2)
static inline uint64_t playout_deposit64(uint64_t bits, uint64_t mask) { return _pdep_u64(bits, mask); }
static inline uint64_t playout_extract64(uint64_t bits, uint64_t mask) { return _pext_u64(bits, mask); }
#endif

/* The number of set bits, from their numbers in pairs, nibbles and bytes. */
static inline int playout_add_sideways(uint64_t x)
{
    x -= (x >> 1) & 0x5555555555555555u;
    x = (x & 0x3333333333333333u) + ((x >> 2) & 0x3333333333333333u);
    return (int)((((x + (x >> 4)) & 0x0F0F0F0F0F0F0F0Fu) * 0x0101010101010101u) >> 56);
}

#if defined(PLAYOUT_GNU)

#define PLAYOUT_LIKELY(x) __builtin_expect(!!(x), 1)
#define PLAYOUT_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define PLAYOUT_PREFETCH(address) __builtin_prefetch(address)
#define PLAYOUT_ALIGNED(bytes) __attribute__((aligned(bytes)))
#define PLAYOUT_THREAD_LOCAL _Thread_local
#define PLAYOUT_ALWAYS_INLINE inline __attribute__((always_inline))
#if defined(__x86_64__)
#define PLAYOUT_PAUSE() __builtin_ia32_pause()
#else
#define PLAYOUT_PAUSE() ((void)0)
#endif

static inline int playout_popcount64(uint64_t x) { return __builtin_popcountll(x); }
static inline int playout_lowest64(uint64_t x) { return __builtin_ctzll(x); }
static inline int playout_lowest32(uint32_t x) { return __builtin_ctz(x); }

static inline int playout_load(const int *at) { return __atomic_load_n(at, __ATOMIC_RELAXED); }
static inline void playout_store(int *at, int value) { __atomic_store_n(at, value, __ATOMIC_RELAXED); }
static inline void playout_store_release(int *at, int value) { __atomic_store_n(at, value, __ATOMIC_RELEASE); }
static inline int playout_exchange_acquire(int *at, int value) { return __atomic_exchange_n(at, value, __ATOMIC_ACQUIRE); }
static inline void playout_decrement_release(int *at) { __atomic_fetch_sub(at, 1, __ATOMIC_RELEASE); }
static inline int playout_replace_acquire(int *at, int *expected, int value, int weak)
{
    return weak ? __atomic_compare_exchange_n(at, expected, value, 1, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)
                : __atomic_compare_exchange_n(at, expected, value, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

#elif defined(PLAYOUT_MSVC)

#include <intrin.h>

#define PLAYOUT_LIKELY(x) (x)
#define PLAYOUT_UNLIKELY(x) (x)
#define PLAYOUT_ALIGNED(bytes) __declspec(align(bytes))
#define PLAYOUT_THREAD_LOCAL __declspec(thread)
#define PLAYOUT_ALWAYS_INLINE __forceinline
#if defined(_M_X64)
#define PLAYOUT_PREFETCH(address) _mm_prefetch((const char *)(address), _MM_HINT_T0)
#define PLAYOUT_PAUSE() _mm_pause()
#else
#define PLAYOUT_PREFETCH(address) ((void)(address))
#define PLAYOUT_PAUSE() ((void)0)
#endif

/* Without the option for AVX2, the processor may lack POPCNT. */
#if defined(PLAYOUT_BMI2)
static inline int playout_popcount64(uint64_t x) { return (int)__popcnt64(x); }
#else
static inline int playout_popcount64(uint64_t x) { return playout_add_sideways(x); }
#endif

static inline int playout_lowest64(uint64_t x)
{
    unsigned long index;
    _BitScanForward64(&index, x);
    return (int)index;
}

static inline int playout_lowest32(uint32_t x)
{
    unsigned long index;
    _BitScanForward(&index, x);
    return (int)index;
}

/* The interlocked functions are full barriers. A volatile access of an aligned int is one access of the processor. */
static inline int playout_load(const int *at) { return *(const volatile int *)at; }
static inline void playout_store(int *at, int value) { *(volatile int *)at = value; }
static inline void playout_store_release(int *at, int value) { _InterlockedExchange((volatile long *)at, value); }
static inline int playout_exchange_acquire(int *at, int value) { return _InterlockedExchange((volatile long *)at, value); }
static inline void playout_decrement_release(int *at) { _InterlockedDecrement((volatile long *)at); }
static inline int playout_replace_acquire(int *at, int *expected, int value, int weak)
{
    int found = _InterlockedCompareExchange((volatile long *)at, value, *expected);
    int replaced = found == *expected;
    (void)weak;
    *expected = found;
    return replaced;
}

#else

#include <stdatomic.h>

#define PLAYOUT_LIKELY(x) (x)
#define PLAYOUT_UNLIKELY(x) (x)
#define PLAYOUT_PREFETCH(address) ((void)(address))
#define PLAYOUT_ALIGNED(bytes) _Alignas(bytes)
#define PLAYOUT_THREAD_LOCAL _Thread_local
#define PLAYOUT_ALWAYS_INLINE inline
#define PLAYOUT_PAUSE() ((void)0)

static inline int playout_popcount64(uint64_t x) { return playout_add_sideways(x); }

/* The bits below the lowest one. */
static inline int playout_lowest64(uint64_t x) { return playout_popcount64((x & (0 - x)) - 1); }
static inline int playout_lowest32(uint32_t x) { return playout_lowest64(x); }

/* An atomic int must be a plain int in memory. */
_Static_assert(sizeof(atomic_int) == sizeof(int), "this compiler has atomic ints of another size");
#define PLAYOUT_ATOMIC(at) ((atomic_int *)(at))

static inline int playout_load(const int *at)
{
    return atomic_load_explicit((const atomic_int *)at, memory_order_relaxed);
}

static inline void playout_store(int *at, int value)
{
    atomic_store_explicit(PLAYOUT_ATOMIC(at), value, memory_order_relaxed);
}

static inline void playout_store_release(int *at, int value)
{
    atomic_store_explicit(PLAYOUT_ATOMIC(at), value, memory_order_release);
}

static inline int playout_exchange_acquire(int *at, int value)
{
    return atomic_exchange_explicit(PLAYOUT_ATOMIC(at), value, memory_order_acquire);
}

static inline void playout_decrement_release(int *at)
{
    atomic_fetch_sub_explicit(PLAYOUT_ATOMIC(at), 1, memory_order_release);
}

static inline int playout_replace_acquire(int *at, int *expected, int value, int weak)
{
    if (weak)
        return atomic_compare_exchange_weak_explicit(PLAYOUT_ATOMIC(at), expected, value, memory_order_acquire,
                                                     memory_order_relaxed);
    return atomic_compare_exchange_strong_explicit(PLAYOUT_ATOMIC(at), expected, value, memory_order_acquire,
                                                   memory_order_relaxed);
}

#endif

/* 1 if the processor and the system have what the builds x86_64_v3 and x86_64_v4 need: AVX2, BMI, BMI2, FMA and POPCNT,
 * and AVX-512 in the second. */
#if defined(PLAYOUT_GNU) && defined(__x86_64__)
static inline int playout_has_v3(void)
{
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2")
        && __builtin_cpu_supports("fma") && __builtin_cpu_supports("popcnt");
}
static inline int playout_has_v4(void)
{
    return playout_has_v3() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")
        && __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
}
#else
static inline int playout_has_v3(void) { return 0; }
static inline int playout_has_v4(void) { return 0; }
#endif

#endif
