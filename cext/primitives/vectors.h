/* Vectors of bytes, words of 16 bits, words of 64 bits and floats: as wide as the registers of the machine code, with the
 * same result for every width. Modules built for AVX-512 define PLAYOUT_VECTOR_BYTES as 64. Like compiler.h, this file has names of compilers and processors; no other file has.
 *
 * There are two branches: GCC and Clang, whose vectors are types, and C11 alone, where loops take their place. */
#ifndef PLAYOUT_VECTORS_H
#define PLAYOUT_VECTORS_H

#include <string.h>

#include "compiler.h"

/* Clang has some operations on 32 bytes only in <immintrin.h>. GCC has them as builtins, and takes long to read the file:
 * see compiler.h. */
#if defined(PLAYOUT_GNU) && defined(PLAYOUT_AVX2) && defined(__clang__)
#include <immintrin.h>
#define PLAYOUT_MAX_32(a, b) _mm256_max_epu8((__m256i)(a), (__m256i)(b))
#define PLAYOUT_MIN_32(a, b) _mm256_min_epu8((__m256i)(a), (__m256i)(b))
#define PLAYOUT_HIGH_32(a, b) _mm256_mulhi_epu16((__m256i)(a), (__m256i)(b))
#define PLAYOUT_TOPS_32(a) _mm256_movemask_epi8((__m256i)(a))
#elif defined(PLAYOUT_GNU) && defined(PLAYOUT_AVX2)
typedef char playout_chars_32_t __attribute__((vector_size(32)));
typedef short playout_shorts_32_t __attribute__((vector_size(32)));
#define PLAYOUT_MAX_32(a, b) __builtin_ia32_pmaxub256((playout_chars_32_t)(a), (playout_chars_32_t)(b))
#define PLAYOUT_MIN_32(a, b) __builtin_ia32_pminub256((playout_chars_32_t)(a), (playout_chars_32_t)(b))
#define PLAYOUT_HIGH_32(a, b) __builtin_ia32_pmulhuw256((playout_shorts_32_t)(a), (playout_shorts_32_t)(b))
#define PLAYOUT_TOPS_32(a) __builtin_ia32_pmovmskb256((playout_chars_32_t)(a))
#endif

#ifdef PLAYOUT_VECTOR_BYTES
#elif defined(PLAYOUT_AVX2) && defined(PLAYOUT_GNU)
#define PLAYOUT_VECTOR_BYTES 32
#else
#define PLAYOUT_VECTOR_BYTES 16
#endif

/* PLAYOUT_VECTORS defines a function of two vectors; `of` is the type of the elements A and B of its expression. */
#if defined(PLAYOUT_GNU)

#define PLAYOUT_VECTOR_TYPE __attribute__((vector_size(PLAYOUT_VECTOR_BYTES)))
typedef uint64_t playout_vector_t PLAYOUT_VECTOR_TYPE;
typedef uint64_t playout_longs_t PLAYOUT_VECTOR_TYPE;
typedef uint16_t playout_words_t PLAYOUT_VECTOR_TYPE;
typedef int16_t playout_signed_words_t PLAYOUT_VECTOR_TYPE;
typedef uint8_t playout_bytes_t PLAYOUT_VECTOR_TYPE;
typedef int8_t playout_signed_bytes_t PLAYOUT_VECTOR_TYPE;
typedef float playout_floats_t PLAYOUT_VECTOR_TYPE;

#define PLAYOUT_LONG(vector, i) ((vector)[i])
#define PLAYOUT_MASK(comparison) (comparison)
#define PLAYOUT_VECTORS(name, of, expression)                                                                \
    static PLAYOUT_ALWAYS_INLINE playout_vector_t name(playout_vector_t a, playout_vector_t b)               \
    {                                                                                                        \
        const playout_##of##_t A = (playout_##of##_t)a, B = (playout_##of##_t)b;                             \
        (void)B;                                                                                             \
        return (playout_vector_t)(expression);                                                               \
    }
#define PLAYOUT_SPLAT(name, of, type)                                                                        \
    static PLAYOUT_ALWAYS_INLINE playout_vector_t name(int x)                                                \
    {                                                                                                        \
        return (playout_vector_t)((playout_##of##_t){0} + (type)x);                                          \
    }
#define PLAYOUT_SHIFT(name, of, expression)                                                                  \
    static PLAYOUT_ALWAYS_INLINE playout_vector_t name(playout_vector_t a, int n)                            \
    {                                                                                                        \
        const playout_##of##_t A = (playout_##of##_t)a;                                                      \
        return (playout_vector_t)(expression);                                                               \
    }

#else

typedef union {
    uint64_t longs[PLAYOUT_VECTOR_BYTES / 8];
    uint16_t words[PLAYOUT_VECTOR_BYTES / 2];
    int16_t signed_words[PLAYOUT_VECTOR_BYTES / 2];
    uint8_t bytes[PLAYOUT_VECTOR_BYTES];
    int8_t signed_bytes[PLAYOUT_VECTOR_BYTES];
    float floats[PLAYOUT_VECTOR_BYTES / 4];
} playout_vector_t;
typedef uint64_t playout_longs_t;
typedef uint16_t playout_words_t;
typedef int16_t playout_signed_words_t;
typedef uint8_t playout_bytes_t;
typedef int8_t playout_signed_bytes_t;
typedef float playout_floats_t;

#define PLAYOUT_LONG(vector, i) ((vector).longs[i])
#define PLAYOUT_MASK(comparison) (-(comparison))
#define PLAYOUT_EACH(of) for (int i = 0; i < PLAYOUT_VECTOR_BYTES / (int)sizeof(playout_##of##_t); i++)
#define PLAYOUT_VECTORS(name, of, expression)                                                                \
    static inline playout_vector_t name(playout_vector_t a, playout_vector_t b)                              \
    {                                                                                                        \
        PLAYOUT_EACH(of)                                                                                     \
        {                                                                                                    \
            const playout_##of##_t A = a.of[i], B = b.of[i];                                                 \
            (void)B;                                                                                         \
            a.of[i] = (playout_##of##_t)(expression);                                                        \
        }                                                                                                    \
        return a;                                                                                            \
    }
#define PLAYOUT_SPLAT(name, of, type)                                                                        \
    static inline playout_vector_t name(int x)                                                               \
    {                                                                                                        \
        playout_vector_t a;                                                                                  \
        PLAYOUT_EACH(of)                                                                                     \
        a.of[i] = (type)x;                                                                                   \
        return a;                                                                                            \
    }
#define PLAYOUT_SHIFT(name, of, expression)                                                                  \
    static inline playout_vector_t name(playout_vector_t a, int n)                                           \
    {                                                                                                        \
        PLAYOUT_EACH(of)                                                                                     \
        {                                                                                                    \
            const playout_##of##_t A = a.of[i];                                                              \
            a.of[i] = (playout_##of##_t)(expression);                                                        \
        }                                                                                                    \
        return a;                                                                                            \
    }

#endif

PLAYOUT_SPLAT(playout_splat8, bytes, uint8_t)
PLAYOUT_SPLAT(playout_splat16, words, uint16_t)

PLAYOUT_VECTORS(playout_both, longs, A & B)
PLAYOUT_VECTORS(playout_either, longs, A | B)
PLAYOUT_VECTORS(playout_differ, longs, A ^ B)
PLAYOUT_VECTORS(playout_without, longs, A & ~B)

/* Comparisons set all bits of an element where they hold, else none; playout_more8 and playout_more16 compare signed. */
PLAYOUT_VECTORS(playout_add8, bytes, A + B)
PLAYOUT_VECTORS(playout_sub8, bytes, A - B)
PLAYOUT_VECTORS(playout_same8, bytes, PLAYOUT_MASK(A == B))
PLAYOUT_VECTORS(playout_more8, signed_bytes, PLAYOUT_MASK(A > B))

PLAYOUT_VECTORS(playout_add16, words, A + B)
PLAYOUT_VECTORS(playout_sub16, words, A - B)
PLAYOUT_VECTORS(playout_low16, words, A * B)
PLAYOUT_VECTORS(playout_same16, words, PLAYOUT_MASK(A == B))
PLAYOUT_VECTORS(playout_more16, signed_words, PLAYOUT_MASK(A > B))
PLAYOUT_VECTORS(playout_below16, words, PLAYOUT_MASK(A < B))        /* unsigned */
PLAYOUT_SHIFT(playout_up16, words, A << n)
PLAYOUT_SHIFT(playout_down16, words, A >> n)

PLAYOUT_VECTORS(playout_add64, longs, A + B)
PLAYOUT_SHIFT(playout_up64, longs, A << n)
PLAYOUT_SHIFT(playout_turn64, longs, A << n | A >> (64 - n))        /* n from 1 to 63 */

/* Functions of three vectors, bit by bit; AVX-512 has one instruction for each. Of a sum of three bits, `odd` is the lower
 * binary digit and `most` the upper one; `owed` is what a - b - c borrows; `join` is a | (b & c). */
#if defined(PLAYOUT_GNU) && PLAYOUT_VECTOR_BYTES == 64
typedef long long playout_ternary_t PLAYOUT_VECTOR_TYPE;
#define PLAYOUT_THREE(name, table, expression)                                                               \
    static PLAYOUT_ALWAYS_INLINE playout_vector_t name(playout_vector_t a, playout_vector_t b, playout_vector_t c) \
    {                                                                                                        \
        return (playout_vector_t)__builtin_ia32_pternlogq512_mask((playout_ternary_t)a, (playout_ternary_t)b, \
                                                                  (playout_ternary_t)c, table, 255);          \
    }
#else
#define PLAYOUT_THREE(name, table, expression)                                                               \
    static PLAYOUT_ALWAYS_INLINE playout_vector_t name(playout_vector_t a, playout_vector_t b, playout_vector_t c) \
    {                                                                                                        \
        const playout_vector_t x = playout_differ(a, b);                                                     \
        (void)x;                                                                                             \
        return expression;                                                                                   \
    }
#endif
/* The table has bit 4 * a + 2 * b + c of the result. */
PLAYOUT_THREE(playout_odd, 0x96, playout_differ(x, c))
PLAYOUT_THREE(playout_most, 0xE8, playout_either(playout_both(a, b), playout_both(x, c)))
PLAYOUT_THREE(playout_owed, 0x8E, playout_either(playout_without(b, a), playout_without(c, x)))
PLAYOUT_THREE(playout_join, 0xF8, playout_either(a, playout_both(b, c)))

/* The greater and the less of unsigned bytes, and the upper half of a product of unsigned words. */
#if defined(PLAYOUT_GNU) && PLAYOUT_VECTOR_BYTES == 32
PLAYOUT_VECTORS(playout_max8, bytes, PLAYOUT_MAX_32(A, B))
PLAYOUT_VECTORS(playout_min8, bytes, PLAYOUT_MIN_32(A, B))
PLAYOUT_VECTORS(playout_high16, words, PLAYOUT_HIGH_32(A, B))
#elif defined(PLAYOUT_GNU) && defined(__x86_64__) && PLAYOUT_VECTOR_BYTES == 16
PLAYOUT_VECTORS(playout_max8, bytes, _mm_max_epu8((__m128i)A, (__m128i)B))
PLAYOUT_VECTORS(playout_min8, bytes, _mm_min_epu8((__m128i)A, (__m128i)B))
PLAYOUT_VECTORS(playout_high16, words, _mm_mulhi_epu16((__m128i)A, (__m128i)B))
#elif defined(PLAYOUT_GNU)
typedef uint32_t playout_products_t __attribute__((vector_size(2 * PLAYOUT_VECTOR_BYTES)));
#define PLAYOUT_WIDE(words) __builtin_convertvector(words, playout_products_t)
PLAYOUT_VECTORS(playout_max8, bytes, (A & (playout_bytes_t)(A > B)) | (B & (playout_bytes_t)(A <= B)))
PLAYOUT_VECTORS(playout_min8, bytes, (A & (playout_bytes_t)(A < B)) | (B & (playout_bytes_t)(A >= B)))
PLAYOUT_VECTORS(playout_high16, words, __builtin_convertvector((PLAYOUT_WIDE(A) * PLAYOUT_WIDE(B)) >> 16, playout_words_t))
#else
PLAYOUT_VECTORS(playout_max8, bytes, A > B ? A : B)
PLAYOUT_VECTORS(playout_min8, bytes, A < B ? A : B)
PLAYOUT_VECTORS(playout_high16, words, ((uint32_t)A * B) >> 16)
#endif

/* The number of bytes of a mask that are set. */
static PLAYOUT_ALWAYS_INLINE int playout_count8(playout_vector_t mask)
{
#if defined(PLAYOUT_GNU) && PLAYOUT_VECTOR_BYTES == 32
    return playout_popcount64((uint32_t)PLAYOUT_TOPS_32(mask));
#elif defined(PLAYOUT_GNU) && defined(__x86_64__) && PLAYOUT_VECTOR_BYTES == 16
    return playout_popcount64((uint32_t)_mm_movemask_epi8((__m128i)mask));
#else
    int count = 0;
    for (int i = 0; i < PLAYOUT_VECTOR_BYTES / 8; i++)
        count += playout_popcount64(PLAYOUT_LONG(mask, i) & 0x0101010101010101u);
    return count;
#endif
}

/* One bit for each byte of a mask that is set, in the order of memory from the lowest bit. */
static PLAYOUT_ALWAYS_INLINE uint64_t playout_bits8(playout_vector_t mask)
{
#if defined(PLAYOUT_GNU) && PLAYOUT_VECTOR_BYTES == 32
    return (uint32_t)PLAYOUT_TOPS_32(mask);
#elif defined(PLAYOUT_GNU) && defined(__x86_64__) && PLAYOUT_VECTOR_BYTES == 16
    return (uint32_t)_mm_movemask_epi8((__m128i)mask);
#else
    uint8_t bytes[PLAYOUT_VECTOR_BYTES];
    uint64_t bits = 0;
    memcpy(bytes, &mask, sizeof bytes);
    for (int i = 0; i < PLAYOUT_VECTOR_BYTES; i++)
        bits |= (uint64_t)(bytes[i] & 1) << i;
    return bits;
#endif
}

/* 1 if any byte of a mask is set. */
static PLAYOUT_ALWAYS_INLINE int playout_any(playout_vector_t mask)
{
#if defined(PLAYOUT_GNU) && PLAYOUT_VECTOR_BYTES == 32
    return PLAYOUT_TOPS_32(mask) != 0;
#elif defined(PLAYOUT_GNU) && defined(__x86_64__) && PLAYOUT_VECTOR_BYTES == 16
    return _mm_movemask_epi8((__m128i)mask) != 0;
#else
    uint64_t all = 0;
    for (int i = 0; i < PLAYOUT_VECTOR_BYTES / 8; i++)
        all |= PLAYOUT_LONG(mask, i);
    return all != 0;
#endif
}

/* Floats are rounded as single operations round them. playout_positive_f32 replaces numbers below 0, and NaN, by 0. */
PLAYOUT_VECTORS(playout_add_f32, floats, A + B)
PLAYOUT_VECTORS(playout_mul_f32, floats, A * B)
#if defined(PLAYOUT_GNU)
static PLAYOUT_ALWAYS_INLINE playout_vector_t playout_positive_f32(playout_vector_t a)
{
    const playout_floats_t A = (playout_floats_t)a;
    return a & (playout_vector_t)(A > (playout_floats_t){0});
}
static PLAYOUT_ALWAYS_INLINE playout_vector_t playout_splat_f32(float x)
{
#if PLAYOUT_VECTOR_BYTES == 64
    return (playout_vector_t)(playout_floats_t){x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x};
#elif PLAYOUT_VECTOR_BYTES == 32
    return (playout_vector_t)(playout_floats_t){x, x, x, x, x, x, x, x};
#else
    return (playout_vector_t)(playout_floats_t){x, x, x, x};
#endif
}
#else
static inline playout_vector_t playout_positive_f32(playout_vector_t a)
{
    PLAYOUT_EACH(floats)
    a.floats[i] = a.floats[i] > 0 ? a.floats[i] : 0;
    return a;
}
static inline playout_vector_t playout_splat_f32(float x)
{
    playout_vector_t a;
    PLAYOUT_EACH(floats)
    a.floats[i] = x;
    return a;
}
#endif

/* One word of 64 bits. Bit 8 * j of it belongs to byte 8 * i + j of the vector, in whatever order memory has them. */
static inline uint64_t playout_get64(const playout_vector_t *vector, int i) { return PLAYOUT_LONG(*vector, i); }
static inline void playout_put64(playout_vector_t *vector, int i, uint64_t value) { PLAYOUT_LONG(*vector, i) = value; }

#endif
