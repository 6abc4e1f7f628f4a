"""Random play of LANES games side by side: the random streams of the lanes, numbers and permutations drawn from them.

A vector has one byte for each of VECTOR_BYTES games. These are a block of the lanes, and all rounds of one block are
played before the next block. Nothing that one lane draws depends on another lane. So the width of vectors changes no
result.

The distributions are exact. A number below n is the upper half of the product of n and 16 random bits; the few products
whose lower half is below 2^16 modulo n are rejected and drawn again (Lemire 2019).
"""
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

from .bits cimport mix64, unlikely
from .rng cimport rng_seed, rng_t, seed_for
from .vectors cimport (
    VECTOR_BYTES, add64, any_set, below16, both, differ, down16, either, get64, high16, low16, more8, put64, splat16,
    splat8, sub8, turn64, up16, up64, vector_t,
)

cdef enum:
    LANES = 64
    HALF_STREAMS = 8            # generators of the even lanes, and of the odd ones; each draws for four of them
    MAX_ITEMS = 64              # of a permutation

cdef struct lanes_t:            # the random streams of one block
    vector_t even[4]            # xoshiro256++ as in rng.pxd: its four words, for several generators at once
    vector_t odd[4]
    uint64_t spare[LANES]       # states of splitmix64, one for each lane, for what is drawn again

cdef extern from *:
    """
    #include <stdint.h>

    /* The longest chains, from the bound 2 on, of which at most 64 of 2^16 draws are rejected. */
    typedef struct {
        uint8_t first, count;
        uint16_t least;
    } playout_chain_t;

    static const playout_chain_t playout_chains[] = {
        {2, 6, 16}, {8, 3, 16}, {11, 2, 64}, {13, 3, 16}, {16, 1, 0}, {17, 2, 52}, {19, 1, 5}, {20, 2, 16},
        {22, 1, 20}, {23, 1, 9}, {24, 1, 16}, {25, 1, 11}, {26, 1, 16}, {27, 1, 7}, {28, 1, 16}, {29, 1, 25},
        {30, 1, 16}, {31, 3, 64}, {34, 1, 18}, {35, 2, 16}, {37, 1, 9}, {38, 1, 24}, {39, 2, 16}, {41, 1, 18},
        {42, 1, 16}, {43, 1, 4}, {44, 1, 20}, {45, 1, 16}, {46, 1, 32}, {47, 1, 18}, {48, 1, 16}, {49, 1, 23},
        {50, 1, 36}, {51, 1, 1}, {52, 1, 16}, {53, 1, 28}, {54, 1, 34}, {55, 1, 31}, {56, 1, 16}, {57, 1, 43},
        {58, 1, 54}, {59, 1, 46}, {60, 1, 16}, {61, 1, 22}, {62, 1, 2}, {63, 1, 16}, {64, 1, 0}
    };
    """
    ctypedef struct chain_t "playout_chain_t":  # digits that are drawn from the same 16 bits, one product after another
        uint8_t first           # the digits are below first, first + 1, ...
        uint8_t count
        uint16_t least          # 2^16 modulo the product of these bounds: the least lower half that is accepted

    const chain_t playout_chains[]


cdef inline void seed_half(vector_t *words, uint64_t seed, uint64_t first) noexcept nogil:
    """Seed the generators of one vector. `first` is the number of the first stream."""
    cdef rng_t rng
    cdef int32_t i
    for i in range(VECTOR_BYTES // 8):
        rng_seed(&rng, seed_for(seed, first + <uint64_t> i))
        put64(&words[0], i, rng.s0)
        put64(&words[1], i, rng.s1)
        put64(&words[2], i, rng.s2)
        put64(&words[3], i, rng.s3)


cdef inline void seed_lanes(lanes_t *lanes, uint64_t seed, int32_t block) noexcept nogil:
    """Set the streams of a block: lanes block * VECTOR_BYTES and following."""
    cdef uint64_t first = <uint64_t> (block * (VECTOR_BYTES // 8))
    cdef int32_t lane
    seed_half(lanes.even, seed, first)
    seed_half(lanes.odd, seed, first + HALF_STREAMS)
    for lane in range(VECTOR_BYTES):
        lanes.spare[lane] = seed_for(seed, <uint64_t> (2 * HALF_STREAMS + block * VECTOR_BYTES + lane))


cdef inline vector_t draw_half(vector_t *words) noexcept nogil:
    """Return 16 random bits for each lane of one half."""
    cdef vector_t s0 = words[0], s1 = words[1], s2 = words[2], s3 = words[3]
    cdef vector_t result = add64(turn64(add64(s0, s3), 23), s0)
    s2 = differ(s2, s0)
    s3 = differ(s3, s1)
    words[1] = differ(s1, s2)
    words[0] = differ(s0, s3)
    words[2] = differ(s2, up64(s1, 17))
    words[3] = turn64(s3, 45)
    return result


cdef inline uint32_t draw_again(lanes_t *lanes, int32_t lane) noexcept nogil:
    """Return 16 more random bits for one lane."""
    lanes.spare[lane] += <uint64_t> 0x9E3779B97F4A7C15
    return <uint32_t> (mix64(lanes.spare[lane]) >> 48)


cdef inline uint32_t word_of(const vector_t *even, const vector_t *odd, int32_t lane) noexcept nogil:
    """Return the word of a lane in a pair of vectors: one of even lanes, one of odd lanes."""
    return <uint32_t> (get64(odd if lane & 1 else even, lane >> 3) >> (8 * (lane & 6))) & 0xFFFF


cdef inline void put_byte(vector_t *vector, int32_t lane, uint32_t value) noexcept nogil:
    cdef int32_t shift = 8 * (lane & 7)
    cdef uint64_t word = get64(vector, lane >> 3) & ~(<uint64_t> 0xFF << shift)
    put64(vector, lane >> 3, word | <uint64_t> value << shift)


cdef inline vector_t join_lanes(vector_t even, vector_t odd) noexcept nogil:
    """Return the bytes of all lanes from two vectors of words below 256."""
    return either(even, up16(odd, 8))


cdef inline void put_word(vector_t *even, vector_t *odd, int32_t lane, uint32_t value) noexcept nogil:
    put_byte(odd if lane & 1 else even, lane & ~1, value & 0xFF)
    put_byte(odd if lane & 1 else even, lane | 1, value >> 8)


cdef inline vector_t even_lanes(vector_t numbers) noexcept nogil:
    """Return the bytes of the even lanes as words."""
    return both(numbers, splat16(0xFF))


cdef inline vector_t odd_lanes(vector_t numbers) noexcept nogil:
    return down16(numbers, 8)


cdef inline void repeat_below(lanes_t *lanes, const vector_t *even_bound, const vector_t *odd_bound,
                              const vector_t *even_lower, const vector_t *odd_lower,
                              vector_t *even, vector_t *odd) noexcept nogil:
    """Draw numbers below the bounds again in the lanes whose lower halves are rejected."""
    cdef uint32_t bound, product
    cdef int32_t lane
    for lane in range(VECTOR_BYTES):
        bound = word_of(even_bound, odd_bound, lane)
        product = word_of(even_lower, odd_lower, lane)
        if product < bound and product < 65536 % bound:
            while product & 0xFFFF < 65536 % bound:
                product = draw_again(lanes, lane) * bound
            put_word(even, odd, lane, product >> 16)


cdef inline void draw_below(lanes_t *lanes, vector_t *even, vector_t *odd) noexcept nogil:
    """Replace each word by a random number below it. The words are 1 or more."""
    cdef vector_t even_bound = even[0], odd_bound = odd[0]
    cdef vector_t even_bits = draw_half(lanes.even), odd_bits = draw_half(lanes.odd)
    cdef vector_t even_lower = low16(even_bits, even_bound), odd_lower = low16(odd_bits, odd_bound)
    even[0] = high16(even_bits, even_bound)
    odd[0] = high16(odd_bits, odd_bound)
    if unlikely(any_set(either(below16(even_lower, even_bound), below16(odd_lower, odd_bound)))):
        repeat_below(lanes, &even_bound, &odd_bound, &even_lower, &odd_lower, even, odd)


cdef inline void skip_draws(lanes_t *lanes, int32_t count) noexcept nogil:
    """Leave out draws, so that the next round begins at the same place in the streams of all blocks."""
    cdef int32_t _
    for _ in range(count):
        draw_half(lanes.even)
        draw_half(lanes.odd)


cdef inline void repeat_chain(lanes_t *lanes, const chain_t *chain, const vector_t *even, const vector_t *odd,
                              vector_t *digits) noexcept nogil:
    """Draw a chain again in the lanes whose lower halves were rejected."""
    cdef uint32_t word
    cdef int32_t lane, i
    for lane in range(VECTOR_BYTES):
        word = word_of(even, odd, lane)
        while word < chain.least:
            word = draw_again(lanes, lane)
            for i in range(chain.count):
                word *= chain.first + i
                put_byte(&digits[chain.first + i - 1], lane, word >> 16)
                word &= 0xFFFF


cdef inline void draw_digits(lanes_t *lanes, int32_t items, vector_t *digits) noexcept nogil:
    """Write random bytes: digits[i] in [0, i], for i below `items`. Uses all MAX_ITEMS entries of `digits`."""
    cdef const chain_t *chain = playout_chains
    cdef vector_t even, odd, bound, least
    cdef int32_t i
    digits[0] = splat8(0)
    while chain.first <= items:
        even = draw_half(lanes.even)
        odd = draw_half(lanes.odd)
        for i in range(chain.first, chain.first + chain.count):
            bound = splat16(i)
            digits[i - 1] = join_lanes(high16(even, bound), high16(odd, bound))
            even = low16(even, bound)
            odd = low16(odd, bound)
        least = splat16(chain.least)
        if unlikely(any_set(either(below16(even, least), below16(odd, least)))):
            repeat_chain(lanes, chain, &even, &odd, digits)
        if chain.first + chain.count > MAX_ITEMS:
            break
        chain += 1


cdef inline vector_t make_room(vector_t rank, vector_t below) noexcept nogil:
    """Return ranks, one higher where they are above `below`: a new item takes the rank below + 1."""
    return sub8(rank, more8(rank, below))


cdef inline void permute(lanes_t *lanes, int32_t items, vector_t *ranks) noexcept nogil:
    """Write a random permutation of 0 to items - 1 for each lane. `ranks` has MAX_ITEMS entries.

    Item i takes a random rank among the first i + 1 items, and the items at and above it move up. So each permutation
    belongs to one sequence of digits. Four items are inserted in one pass over those before.
    """
    cdef vector_t digits[MAX_ITEMS]
    cdef vector_t a, b, c, d, one = splat8(1)
    cdef int32_t i = 0, j
    draw_digits(lanes, items, digits)
    while i + 4 <= items:
        a = sub8(digits[i], one)
        b = sub8(digits[i + 1], one)
        c = sub8(digits[i + 2], one)
        d = sub8(digits[i + 3], one)
        for j in range(i):
            ranks[j] = make_room(make_room(make_room(make_room(ranks[j], a), b), c), d)
        ranks[i] = make_room(make_room(make_room(digits[i], b), c), d)
        ranks[i + 1] = make_room(make_room(digits[i + 1], c), d)
        ranks[i + 2] = make_room(digits[i + 2], d)
        ranks[i + 3] = digits[i + 3]
        i += 4
    while i < items:
        a = sub8(digits[i], one)
        for j in range(i):
            ranks[j] = make_room(ranks[j], a)
        ranks[i] = digits[i]
        i += 1


cdef inline vector_t first_lanes(int64_t count) noexcept nogil:
    """Return the mask of the first `count` lanes of a block; all of them if it has no more."""
    cdef vector_t mask
    cdef int64_t i
    for i in range(VECTOR_BYTES // 8):
        put64(&mask, <int> i, <uint64_t> -1 if count >= 8 * i + 8 else
              0 if count <= 8 * i else ((<uint64_t> 1) << (8 * (count - 8 * i))) - 1)
    return mask


# Play one game in each lane of a block to its end, and add the returns of the lanes in `counted` to `sums`.
ctypedef void (*round_t)(const void *setup, lanes_t *lanes, vector_t counted, int64_t *sums) noexcept nogil


cdef inline void play_rounds(round_t play, const void *setup, uint64_t seed, int64_t count,
                             int64_t *sums) noexcept nogil:
    """Play `count` games, the first LANES of them in the first round of all blocks."""
    cdef lanes_t lanes
    cdef int64_t left
    cdef int32_t block
    for block in range(LANES // VECTOR_BYTES):
        left = count - block * VECTOR_BYTES
        if left > 0:
            seed_lanes(&lanes, seed, block)
        while left > 0:
            play(setup, &lanes, first_lanes(left), sums)
            left -= LANES
