/* A bid in the last round against many bids of the opponent at once: one bit for each of them.
 *
 * Bit j of a vector stands for the j-th bid of the opponent. For each tile and each count there is a vector of the bids
 * with fewer chips on that tile, so the tiles, boards and lines that a player wins follow by logic alone. Numbers, such as
 * of tiles, have one vector for each of their binary digits. A changed bid is valued again on the boards that changed. */
#ifndef PLAYOUT_BID_BATCH_H
#define PLAYOUT_BID_BATCH_H

#include <string.h>

#include "../../../primitives/compare_bytes.h"

#define PLAYOUT_BATCH 256                   /* bids of the opponent */
#define PLAYOUT_BATCH_VECTORS (PLAYOUT_BATCH / 8 / PLAYOUT_VECTOR_BYTES)
#define PLAYOUT_BATCH_ROWS (81 * 257)       /* counts of all tiles */

typedef struct {
    playout_vector_t part[PLAYOUT_BATCH_VECTORS];
} playout_flags_t;

typedef struct {                            /* of one board, with the present bid */
    playout_flags_t mine, theirs;           /* who controls it */
    playout_flags_t tiles[5];               /* tiles of the player and 9 less those of the opponent, in binary digits */
} playout_board_flags_t;

typedef struct {
    playout_flags_t fewer[PLAYOUT_BATCH_ROWS];  /* bids with fewer chips on a tile than a count; rows of tiles follow each
                                                 * other */
    playout_flags_t all;                    /* the bids there are */
    playout_board_flags_t boards[9], fresh[9];  /* with the bid that is kept; with the one tried last, where it differs */
    int32_t first[81];                      /* row of a tile with count 0 */
    int32_t most[81];                       /* greatest count that has a row of its own */
    uint8_t left[PLAYOUT_BATCH];            /* chips that the opponent has after its bid */
    uint8_t bid[96], tried[96];
    uint16_t own[2][9];                     /* tiles of the player and of the opponent before the round */
    uint16_t control[2];                    /* their boards */
    uint16_t changed;                       /* boards of `fresh` */
    int32_t count;
    int32_t chips;                          /* of the player before its bid */
} playout_batch_t;

#define PLAYOUT_EACH_PART for (int p = 0; p < PLAYOUT_BATCH_VECTORS; p++)
#define PLAYOUT_FLAGS(name, operation)                                                                       \
    static PLAYOUT_ALWAYS_INLINE playout_flags_t name(playout_flags_t a, playout_flags_t b)                  \
    {                                                                                                        \
        PLAYOUT_EACH_PART                                                                                    \
        a.part[p] = operation(a.part[p], b.part[p]);                                                         \
        return a;                                                                                            \
    }
PLAYOUT_FLAGS(playout_flags_and, playout_both)
PLAYOUT_FLAGS(playout_flags_or, playout_either)
PLAYOUT_FLAGS(playout_flags_xor, playout_differ)
PLAYOUT_FLAGS(playout_flags_without, playout_without)

static PLAYOUT_ALWAYS_INLINE int playout_flags_count(const playout_flags_t *flags)
{
    uint64_t words[PLAYOUT_BATCH / 64];
    int count = 0;
    memcpy(words, flags, sizeof words);
    for (int i = 0; i < PLAYOUT_BATCH / 64; i++)
        count += playout_popcount64(words[i]);
    return count;
}

/* Add three flags of one binary place: their sum in that place, and the carry. */
static PLAYOUT_ALWAYS_INLINE playout_flags_t playout_add_flags(playout_flags_t a, playout_flags_t b, playout_flags_t c,
                                                               playout_flags_t *carry)
{
    const playout_flags_t differ = playout_flags_xor(a, b);
    *carry = playout_flags_or(playout_flags_and(a, b), playout_flags_and(differ, c));
    return playout_flags_xor(differ, c);
}

/* Add nine flags, and nine that are not set in `without`: the five binary digits of the sum. */
static PLAYOUT_ALWAYS_INLINE void playout_sum_flags(const playout_flags_t *with, const playout_flags_t *without,
                                                    playout_flags_t all, playout_flags_t *digits)
{
    playout_flags_t ones[6], twos[9], fours[4], eights[2], none, ones_left[2], twos_left[3], four;
    none = playout_flags_without(all, all);
    for (int i = 0; i < 3; i++) {
        ones[i] = playout_add_flags(with[3 * i], with[3 * i + 1], with[3 * i + 2], &twos[i]);
        ones[3 + i] = playout_add_flags(playout_flags_without(all, without[3 * i]),
                                        playout_flags_without(all, without[3 * i + 1]),
                                        playout_flags_without(all, without[3 * i + 2]), &twos[3 + i]);
    }
    ones_left[0] = playout_add_flags(ones[0], ones[1], ones[2], &twos[6]);
    ones_left[1] = playout_add_flags(ones[3], ones[4], ones[5], &twos[7]);
    digits[0] = playout_add_flags(ones_left[0], ones_left[1], none, &twos[8]);
    for (int i = 0; i < 3; i++)
        twos_left[i] = playout_add_flags(twos[3 * i], twos[3 * i + 1], twos[3 * i + 2], &fours[i]);
    digits[1] = playout_add_flags(twos_left[0], twos_left[1], twos_left[2], &fours[3]);
    four = playout_add_flags(fours[0], fours[1], fours[2], &eights[0]);
    digits[2] = playout_add_flags(four, fours[3], none, &eights[1]);
    digits[3] = playout_flags_xor(eights[0], eights[1]);
    digits[4] = playout_flags_and(eights[0], eights[1]);
}

/* The flags of three cells in a line. */
static PLAYOUT_ALWAYS_INLINE playout_flags_t playout_line_flags(const playout_flags_t *cells)
{
    static const uint8_t lines[8][3] = {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}};
    playout_flags_t found = playout_flags_and(playout_flags_and(cells[0], cells[1]), cells[2]);
    for (int i = 1; i < 8; i++)
        found = playout_flags_or(found, playout_flags_and(playout_flags_and(cells[lines[i][0]], cells[lines[i][1]]),
                                                          cells[lines[i][2]]));
    return found;
}

/* Value a board with the counts of a bid. */
static inline void playout_batch_board(const playout_batch_t *batch, const uint8_t *bid, int board,
                                       playout_board_flags_t *out)
{
    playout_flags_t mine[9], theirs[9], none;
    const playout_flags_t all = batch->all;
    none = playout_flags_without(all, all);
    for (int cell = 0; cell < 9; cell++) {
        const int tile = 9 * board + cell, most = batch->most[tile], count = bid[tile];
        const playout_flags_t *rows = batch->fewer + batch->first[tile];
        const playout_flags_t won = rows[count < most ? count : most];
        const playout_flags_t lost = playout_flags_without(all, rows[count < most ? count + 1 : most]);
        mine[cell] = batch->own[0][board] >> cell & 1 ? playout_flags_without(all, lost) : won;
        theirs[cell] = batch->own[1][board] >> cell & 1 ? playout_flags_without(all, won) : lost;
    }
    playout_sum_flags(mine, theirs, all, out->tiles);
    if ((batch->control[0] | batch->control[1]) >> board & 1) {
        out->mine = batch->control[0] >> board & 1 ? all : none;
        out->theirs = batch->control[1] >> board & 1 ? all : none;
    } else {
        out->mine = playout_line_flags(mine);
        out->theirs = playout_line_flags(theirs);
    }
}

/* Bids whose number of `digits` binary digits is greater than `limit`; `same` receives those where it is equal. */
static PLAYOUT_ALWAYS_INLINE playout_flags_t playout_flags_above(const playout_flags_t *number, int digits, int limit,
                                                                 playout_flags_t all, playout_flags_t *same)
{
    playout_flags_t above = playout_flags_without(all, all), equal = all;
    for (int i = digits - 1; i >= 0; i--) {
        if (limit >> i & 1) {
            equal = playout_flags_and(equal, number[i]);
        } else {
            above = playout_flags_or(above, playout_flags_and(equal, number[i]));
            equal = playout_flags_without(equal, number[i]);
        }
    }
    *same = equal;
    return above;
}

/* The value of the player in [0, 1]: the mean score, and with the weight `guidance` how near it comes to a win, by boards
 * and tiles. */
static inline double playout_batch_value(const playout_batch_t *batch, int chips, double guidance)
{
    playout_flags_t mine[9], theirs[9], digits[5], tiles[8], wins, level, same, above;
    const playout_flags_t all = batch->all, none = playout_flags_without(all, all);
    int boards = 0, lead = 0;
    double score;
    for (int i = 0; i < 8; i++)
        tiles[i] = none;
    for (int board = 0; board < 9; board++) {
        const playout_board_flags_t *from = (batch->changed >> board & 1 ? batch->fresh : batch->boards) + board;
        playout_flags_t carry = none;
        mine[board] = from->mine;
        theirs[board] = from->theirs;
        for (int i = 0; i < 5; i++)
            tiles[i] = playout_add_flags(tiles[i], from->tiles[i], carry, &carry);
        for (int i = 5; i < 8; i++)
            tiles[i] = playout_add_flags(tiles[i], none, carry, &carry);
    }
    wins = playout_line_flags(mine);
    same = playout_line_flags(theirs);
    level = playout_flags_without(all, playout_flags_xor(wins, same));
    wins = playout_flags_without(wins, same);
    playout_sum_flags(mine, theirs, all, digits);
    above = playout_flags_above(digits, 5, 9, all, &same);
    wins = playout_flags_or(wins, playout_flags_and(level, above));
    level = playout_flags_and(level, same);
    above = playout_flags_above(tiles, 8, 81, all, &same);
    wins = playout_flags_or(wins, playout_flags_and(level, above));
    level = playout_flags_and(level, same);
    for (int i = 0; i < 5; i++)
        boards += playout_flags_count(&digits[i]) << i;
    for (int i = 0; i < 8; i++)
        lead += playout_flags_count(&tiles[i]) << i;
    score = playout_flags_count(&wins);
    if (playout_flags_count(&level)) {
        const uint8_t *bits = (const uint8_t *)&level;
        for (int i = 0; i < batch->count; i++)
            if (bits[i / 8] >> i % 8 & 1)
                score += chips > batch->left[i] ? 1.0 : chips == batch->left[i] ? 0.5 : 0.0;
    }
    score /= batch->count;
    boards -= 9 * batch->count;
    lead -= 81 * batch->count;
    return score + guidance * (0.5 + (boards * 0.05 + lead * 0.005) / batch->count - score);
}

/* Begin with bids of the opponent; `left` are its chips after each of them. */
static inline void playout_fill_batch(playout_batch_t *batch, const uint16_t (*own)[9], const uint16_t *control, int player,
                                      int chips, const uint8_t *const *bids, const uint8_t *left, int count)
{
    uint8_t all[PLAYOUT_BATCH / 8];
    uint8_t most[96];
    int row = 0;
    memset(all, 0, sizeof all);
    memset(most, 0, sizeof most);
    for (int i = 0; i < count; i++) {
        all[i / 8] |= (uint8_t)(1 << i % 8);
        for (int tile = 0; tile < 96; tile++)
            most[tile] = bids[i][tile] > most[tile] ? bids[i][tile] : most[tile];
    }
    memcpy(&batch->all, all, sizeof all);
    memcpy(batch->left, left, count);
    for (int side = 0; side < 2; side++) {
        memcpy(batch->own[side], own[side ? 1 - player : player], sizeof batch->own[side]);
        batch->control[side] = control[side ? 1 - player : player];
    }
    batch->count = count;
    batch->chips = chips;
    for (int tile = 0; tile < 81; tile++) {
        batch->first[tile] = row;
        batch->most[tile] = most[tile] + 1;
        row += most[tile] + 2;
    }
    memset(batch->fewer, 0, row * sizeof batch->fewer[0]);
    for (int i = 0; i < count; i++) {
        for (int tile = 0; tile < 81; tile++)
            if (bids[i][tile])      /* those with none fill the rest */
                ((uint8_t *)(batch->fewer + batch->first[tile] + bids[i][tile] + 1))[i / 8] |= (uint8_t)(1 << i % 8);
    }
    for (int tile = 0; tile < 81; tile++) {
        playout_flags_t *rows = batch->fewer + batch->first[tile];
        playout_flags_t some = rows[0];
        for (int count = 2; count <= batch->most[tile]; count++)
            some = playout_flags_or(some, rows[count]);
        rows[1] = playout_flags_without(batch->all, some);
        for (int count = 2; count <= batch->most[tile]; count++)
            rows[count] = playout_flags_or(rows[count], rows[count - 1]);
    }
}


/* Value a bid, and keep it. */
static inline double playout_begin_batch(playout_batch_t *batch, const uint8_t *bid, int total, double guidance)
{
    memcpy(batch->bid, bid, sizeof batch->bid);
    for (int board = 0; board < 9; board++)
        playout_batch_board(batch, bid, board, &batch->boards[board]);
    batch->changed = 0;
    return playout_batch_value(batch, batch->chips - total, guidance);
}

/* Value a bid that may be kept next. */
static inline double playout_try_in_batch(playout_batch_t *batch, const uint8_t *bid, int total, double guidance)
{
    uint64_t more[2], less[2];
    memcpy(batch->tried, bid, sizeof batch->tried);
    playout_compare_bytes(bid, batch->bid, more, less);
    more[0] |= less[0];
    more[1] |= less[1];
    batch->changed = 0;
    for (int board = 0; board < 9; board++) {
        const int begin = 9 * board;
        uint64_t bits = begin < 64 ? more[0] >> begin : more[1] >> (begin - 64);
        if (begin < 64 && begin + 9 > 64)
            bits |= more[1] << (64 - begin);
        if (bits & 511) {
            playout_batch_board(batch, bid, board, &batch->fresh[board]);
            batch->changed |= (uint16_t)(1 << board);
        }
    }
    return playout_batch_value(batch, batch->chips - total, guidance);
}

static inline void playout_keep_in_batch(playout_batch_t *batch)
{
    memcpy(batch->bid, batch->tried, sizeof batch->bid);
    for (int board = 0; board < 9; board++)
        if (batch->changed >> board & 1)
            batch->boards[board] = batch->fresh[board];
    batch->changed = 0;
}

#endif
