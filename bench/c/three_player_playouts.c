/* Random playouts of three_player_ttt on the flat board from its first state, in plain C, as a reference for the speed of
 * the game's own playout. Rules, generator and draws are the same, so the sums of returns are exactly the same.
 *
 * cc -O3 -march=x86-64-v3 three_player_playouts.c -o three_player_playouts
 * three_player_playouts COUNT SEED      prints seconds, and the sum of returns of x, of o and of z
 *
 * The program starts from the empty board, so all 25 picks are unrolled. It looks for lines of four on the full board
 * only; if there is one, it finds the ply of the first and takes back the draws made after it.
 */
#include <immintrin.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { CELLS = 25, PLAYERS = 3, FIRST_FOUR = 9, CHUNK = 16384 };
static const uint64_t GOLDEN = UINT64_C(0x9E3779B97F4A7C15);

/* xoshiro256++ (Blackman and Vigna 2021), seeded by splitmix64 */
typedef struct {
    uint64_t s0, s1, s2, s3;
} rng_t;

static uint64_t mix64(uint64_t x)
{
    x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
    return x ^ x >> 31;
}

static rng_t rng_of(uint64_t root, uint64_t number)
{
    uint64_t seed = mix64(mix64(root + GOLDEN) + (number + 1) * GOLDEN);
    return (rng_t){mix64(seed + GOLDEN), mix64(seed + 2 * GOLDEN), mix64(seed + 3 * GOLDEN), mix64(seed + 4 * GOLDEN)};
}

static inline uint64_t rng_next(rng_t *r)
{
    uint64_t sum = r->s0 + r->s3, result = (sum << 23 | sum >> 41) + r->s0, t = r->s1 << 17;
    r->s2 ^= r->s0;
    r->s3 ^= r->s1;
    r->s1 ^= r->s2;
    r->s0 ^= r->s3;
    r->s2 ^= t;
    r->s3 = r->s3 << 45 | r->s3 >> 19;
    return result;
}

static inline void rng_back(rng_t *r)
{
    uint64_t s3 = r->s3 >> 45 | r->s3 << 19, s1 = r->s1 ^ r->s2;
    r->s0 ^= s3;
    s1 ^= s1 << 17;
    s1 ^= s1 << 34;
    r->s2 = r->s1 ^ s1 ^ r->s0;
    r->s1 = s1;
    r->s3 = s3 ^ s1;
}

static inline uint32_t has_four(uint32_t own)
{
    uint32_t right = own & own >> 1, down = own & own >> 5, falling = own & own >> 6, rising = own & own >> 4;
    return (right & right >> 2 & 0x318C63) | (down & down >> 10 & 0x3FF) | (falling & falling >> 12 & 0x63)
           | (rising & rising >> 8 & 0x318);
}

static inline uint32_t has_three(uint32_t own)
{
    uint32_t right = own & own >> 1, down = own & own >> 5, falling = own & own >> 6, rising = own & own >> 4;
    return (right & right >> 1 & 0x739CE7) | (down & down >> 5 & 0x7FFF) | (falling & falling >> 6 & 0x1CE7)
           | (rising & rising >> 4 & 0x739C);
}

/* One playout; adds its returns to `sums`. */
static inline void play(rng_t *rng, int64_t *sums)
{
    static const int64_t without_four[2] = {33, 66}, beside_four[2] = {0, 66};
    uint32_t after[PLAYERS + CELLS] = {0}; /* [3 + ply]: the mover's cells after that ply */
    uint64_t blank = 0x1FFFFFF;
    uint32_t fours = 0;
    rng_t r = *rng;
    int ply;
#pragma GCC unroll 25
    for (ply = 0; ply < CELLS; ply++) {
        uint64_t cell = _pdep_u64(UINT64_C(1) << ((rng_next(&r) >> 32) * (CELLS - ply) >> 32), blank);
        blank ^= cell;
        after[ply + 3] = after[ply] | (uint32_t)cell;
    }
    if (!(has_four(after[25]) | has_four(after[26]) | has_four(after[27]))) {
        *rng = r;
        sums[0] += without_four[has_three(after[27]) != 0];
        sums[1] += without_four[has_three(after[25]) != 0];
        sums[2] += without_four[has_three(after[26]) != 0];
        return;
    }
    for (ply = FIRST_FOUR; ply < CELLS; ply++)
        fours |= (uint32_t)(has_four(after[ply + 3]) != 0) << ply;
    ply = __builtin_ctz(fours);
    for (int i = ply; i < CELLS - 1; i++)
        rng_back(&r);
    *rng = r;
    sums[ply % 3] += 100;
    sums[(ply + 2) % 3] += beside_four[has_three(after[ply + 2]) != 0];
    sums[(ply + 1) % 3] += beside_four[has_three(after[ply + 1]) != 0];
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: %s COUNT SEED\n", argv[0]);
        return 2;
    }
    uint64_t count = strtoull(argv[1], NULL, 10), seed = strtoull(argv[2], NULL, 10);
    int64_t sums[PLAYERS] = {0};
    struct timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    for (uint64_t chunk = 0; chunk * CHUNK < count; chunk++) {
        rng_t rng = rng_of(seed, chunk);
        uint64_t left = count - chunk * CHUNK;
        for (left = left < CHUNK ? left : CHUNK; left > 0; left--)
            play(&rng, sums);
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    printf("%.9f %lld %lld %lld\n", end.tv_sec - begin.tv_sec + 1e-9 * (end.tv_nsec - begin.tv_nsec),
           (long long)sums[0], (long long)sums[1], (long long)sums[2]);
    return 0;
}
