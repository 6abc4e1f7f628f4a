/* Reads positions of connect four (7 columns, 6 rows) from standard input, one a line, as the columns that were played,
   1 to 7. Prints after each the value of every column for the player to move: + win, = draw, - loss, . full.

   Bitboards with an empty row on top, negamax with alpha and beta, a table of bounds, moves sorted by new threats. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 7, HEIGHT = 6, STEP = HEIGHT + 1, CELLS = WIDTH * HEIGHT };

typedef uint64_t Cells;

#define BOTTOM ((Cells)0x40810204081)
#define BOARD (BOTTOM * 63)
#define COLUMN(column) (((Cells)63) << ((column) * STEP))
#define TABLE_BITS 26

static Cells *keys;
static signed char *least, *most;
static const int ORDER[WIDTH] = {3, 2, 4, 1, 5, 0, 6};

/* Return the empty cells that complete a line of four. */
static Cells winning(Cells own, Cells all)
{
    Cells found = (own << 1) & (own << 2) & (own << 3);
    for (int step = STEP - 1; step <= STEP + 1; step++) {
        Cells up = (own << step) & (own << 2 * step), down = (own >> step) & (own >> 2 * step);
        found |= (up & (own << 3 * step)) | (up & (own >> step)) | (down & (own << step)) | (down & (own >> 3 * step));
    }
    return found & (BOARD ^ all);
}

/* Return the number of a position, the same for its mirror image. */
static Cells key_of(Cells own, Cells all)
{
    Cells key = own + all, image = 0;
    for (int column = 0; column < WIDTH; column++)
        image |= (key >> (column * STEP) & 127) << ((WIDTH - 1 - column) * STEP);
    return key < image ? key : image;
}

/* Return the value for the player to move, who has no winning cell, if it is between alpha and beta; else a bound. */
static int search(Cells own, Cells all, int alpha, int beta)
{
    if (__builtin_popcountll(all) == CELLS)
        return 0;
    Cells other = own ^ all, threats = winning(other, all);
    Cells moves = (all + BOTTOM) & BOARD, forced = moves & threats;
    if (forced & (forced - 1))
        return -1;
    if (forced)
        moves = forced;
    moves &= ~(threats >> 1);
    if (!moves)
        return -1;

    Cells key = key_of(own, all);
    size_t slot = key * 0x9E3779B97F4A7C15ULL >> (64 - TABLE_BITS);
    int known = keys[slot] == key, low = known ? least[slot] : -1, high = known ? most[slot] : 1;
    if (low >= beta || low == high)
        return low;
    if (high <= alpha)
        return high;
    alpha = low > alpha ? low : alpha;
    beta = high < beta ? high : beta;

    Cells sorted[WIDTH];
    int scores[WIDTH], count = 0;
    for (int number = 0; number < WIDTH; number++) {
        Cells move = moves & COLUMN(ORDER[number]);
        if (!move)
            continue;
        int score = __builtin_popcountll(winning(own | move, all)), place = count++;
        for (; place && scores[place - 1] < score; place--) {
            scores[place] = scores[place - 1];
            sorted[place] = sorted[place - 1];
        }
        scores[place] = score;
        sorted[place] = move;
    }
    int best = -1;
    for (int number = 0; number < count && best < beta; number++) {
        int value = -search(other, all | sorted[number], -beta, -(best > alpha ? best : alpha));
        best = value > best ? value : best;
    }
    keys[slot] = key;
    least[slot] = best > alpha ? best : low;
    most[slot] = best < beta ? best : high;
    return best;
}

static int value_of(Cells own, Cells all)
{
    return winning(own, all) & (all + BOTTOM) ? 1 : search(own, all, -1, 1);
}

int main(void)
{
    char line[256];
    size_t size = (size_t)1 << TABLE_BITS;
    keys = calloc(size, sizeof *keys);
    least = calloc(size, 1);
    most = calloc(size, 1);
    if (!keys || !least || !most)
        return 1;
    while (fgets(line, sizeof line, stdin)) {
        Cells own = 0, all = 0;
        line[strcspn(line, "\n")] = 0;
        for (const char *played = line; *played; played++) {
            Cells move = *played >= '1' && *played <= '7' ? (all + BOTTOM) & COLUMN(*played - '1') : 0;
            if (!move || winning(own, all) & move) {
                fprintf(stderr, "%s is not a position before the end of a game\n", line);
                return 2;
            }
            own ^= all;
            all |= move;
        }
        printf("%s ", line);
        for (int column = 0; column < WIDTH; column++) {
            Cells move = (all + BOTTOM) & COLUMN(column);
            putchar(move ? "-=+"[1 + (winning(own, all) & move ? 1 : -value_of(own ^ all, all | move))] : '.');
        }
        putchar('\n');
        fflush(stdout);
    }
    return 0;
}
