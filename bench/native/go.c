/* Plays random games of Go: cc -O3 -march=native -o build/go bench/native/go.c && build/go 9 100000
   Prints games a second of processor time and moves a game.

   Chains with pseudo-liberties, a list of blank points, no own eye filled, simple ko, two passes end. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BLACK, WHITE, BLANK, EDGE, MOST = 441 };

static int size, stride, step[4], corner[4];
static uint8_t color[MOST], start[MOST];
static int16_t chain[MOST], next[MOST], liberties[MOST], stones[MOST], blank[MOST], place_in[MOST];
static int blanks, ko;
static uint64_t state = 88172645463325252ULL;

static uint32_t below(uint32_t n)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (state >> 32) * n >> 32;
}

static int is_eye(int at, int player)
{
    int others = 0, edge = 0;
    for (int i = 0; i < 4; i++)
        if (color[at + step[i]] != player && color[at + step[i]] != EDGE)
            return 0;
    for (int i = 0; i < 4; i++) {
        others += color[at + corner[i]] == 1 - player;
        edge |= color[at + corner[i]] == EDGE;
    }
    return others + edge < 2;
}

static void add_blank(int at)
{
    color[at] = BLANK;
    chain[at] = 0;
    place_in[at] = blanks;
    blank[blanks++] = at;
}

static int capture(int first)
{
    int at = first, count = 0;
    do {
        add_blank(at);
        for (int i = 0; i < 4; i++)
            liberties[chain[at + step[i]]]++;
        count++;
        at = next[at];
    } while (at != first);
    return count;
}

static void join(int one, int other)
{
    if (stones[one] < stones[other]) {
        int swap = one;
        one = other;
        other = swap;
    }
    int at = other;
    stones[one] += stones[other];
    liberties[one] += liberties[other];
    do {
        chain[at] = one;
        at = next[at];
    } while (at != other);
    int after = next[one];
    next[one] = next[other];
    next[other] = after;
}

static int play(int at, int player)
{
    int free = 0, alive = 0, captured = 0, last = 0;
    if (at == ko)
        return 0;
    for (int i = 0; i < 4; i++) {
        free += color[at + step[i]] == BLANK;
        liberties[chain[at + step[i]]]--;
    }
    for (int i = 0; i < 4; i++) {
        int near = at + step[i];
        alive |= chain[near] && (color[near] == player) == (liberties[chain[near]] > 0);
    }
    if (!free && !alive) {
        for (int i = 0; i < 4; i++)
            liberties[chain[at + step[i]]]++;
        return 0;
    }
    blanks--;
    blank[place_in[at]] = blank[blanks];
    place_in[blank[blanks]] = place_in[at];
    color[at] = player;
    chain[at] = next[at] = at;
    stones[at] = 1;
    liberties[at] = free;
    for (int i = 0; i < 4; i++)
        if (color[at + step[i]] == player && chain[at + step[i]] != chain[at])
            join(chain[at + step[i]], chain[at]);
    for (int i = 0; i < 4; i++) {
        int near = at + step[i];
        if (color[near] == 1 - player && liberties[chain[near]] == 0) {
            last = near;
            captured += capture(chain[near]);
        }
    }
    ko = captured == 1 && stones[chain[at]] == 1 && liberties[at] == 1 ? last : 0;
    return 1;
}

static long game(void)
{
    int player = BLACK, passes = 0;
    long moves = 0;
    memcpy(color, start, MOST);
    memset(chain, 0, sizeof chain);
    blanks = ko = 0;
    for (int at = 0; at < MOST; at++)
        if (color[at] == BLANK)
            add_blank(at);
    while (passes < 2 && moves < 3 * size * size) {
        int first = blanks ? below(blanks) : 0, i = 0, all = blanks;
        for (; i < all; i++) {
            int at = blank[(first + i) % all];
            if (!is_eye(at, player) && play(at, player))
                break;
        }
        passes = i < all ? 0 : passes + 1;
        moves++;
        player = 1 - player;
    }
    return moves;
}

int main(int count, char **words)
{
    size = count > 1 ? atoi(words[1]) : 9;
    long games = count > 2 ? atol(words[2]) : 100000, moves = 0;
    stride = size + 1;
    int steps[4] = {-1, -stride, 1, stride}, corners[4] = {-stride - 1, -stride + 1, stride - 1, stride + 1};
    memcpy(step, steps, sizeof step);
    memcpy(corner, corners, sizeof corner);
    memset(start, EDGE, MOST);
    for (int at = 0; at < size * size; at++)
        start[(at / size + 1) * stride + at % size + 1] = BLANK;
    clock_t begin = clock();
    for (long i = 0; i < games; i++)
        moves += game();
    double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    printf("%.0f games a second of %.1f moves\n", games / seconds, (double)moves / games);
}
