/* Attacks of chess pieces as sets of squares. Bit 0 is a1, bit 7 h1, bit 63 h8.
 *
 * Attacks of rooks and bishops are looked up by the occupied squares that matter. The build for BMI2 finds their place in
 * the table by the instruction PEXT, the other one by a multiplication with a magic number. */
#ifndef PLAYOUT_CHESS_ATTACKS_H
#define PLAYOUT_CHESS_ATTACKS_H

#include "../../primitives/bits.h"

typedef struct {
    uint64_t mask;          /* squares whose pieces can stop the slider, without the last one in each direction */
    uint64_t magic;         /* unused with PEXT */
    const uint64_t *attacks;
    unsigned shift;         /* 64 minus the number of squares in mask */
} chess_slider_t;

static uint64_t chess_slides[102400 + 5248];    /* of all rooks and all bishops */
static chess_slider_t chess_rooks[64], chess_bishops[64];
static uint64_t chess_knight[64], chess_king[64];
static uint64_t chess_pawn[2][64];              /* squares that a pawn of white or black attacks */
static uint64_t chess_line[64][64];             /* the whole line through two squares, 0 if there is none */
static uint64_t chess_between[64][64];          /* the squares between two and the second one, which may be alone */

#ifndef PLAYOUT_BMI2
/* Found by trying sparse random numbers. */
static const uint64_t chess_magics[2][64] = {
    {
        0xB080004000208013, 0x0040002000401000, 0x020020800A001040, 0x2080068800100080, 0x8080080080040002,
        0x0100080400020100, 0xC680148001001200, 0x0100003100004082, 0x0332800160400080, 0x2600404010002000,
        0x8008801000200482, 0x4008800802100080, 0x1841000408010012, 0x8622001085080200, 0x0932000801540200,
        0x048200310080440A, 0x0080004000402001, 0x0890004020004010, 0x0080410010200100, 0x000292000A0040A1,
        0x0044008008000480, 0x1140080120100440, 0x0000040002080110, 0x0000020004008041, 0x901082218000400A,
        0x2111002100400080, 0x0480100080200080, 0x4000084200220010, 0x8004110100040800, 0x0200040080800200,
        0x8100500400080182, 0x0200030600105884, 0x4810400890800020, 0x2408400090802000, 0x0200801000802000,
        0x8028001000808008, 0x8048002004040040, 0x0C08400408012010, 0x0121000415000A00, 0x2802310082000044,
        0x1000208040108000, 0x8800A00050014000, 0x0C30002408002000, 0x8C80210010010008, 0x0181000408010010,
        0x0022001004020008, 0x0488410802A40010, 0x000010688C020001, 0x0401004080002100, 0x2100200040008080,
        0x0008200210008880, 0x2104100101220900, 0xA000880084008280, 0x000D000400020900, 0x0400106208811400,
        0x8000086400810600, 0x0001082080001045, 0x00090230C0048021, 0x84804080100A0022, 0x80810010010420F9,
        0x0001000210080005, 0x00A1000208040001, 0x0800412610081084, 0x00C8048408402D02,
    },
    {
        0x0012201404204440, 0x0008080104202010, 0x0110411A08280402, 0x10C4050600485180, 0x8002021000841000,
        0x2081010840100000, 0x0022020221040002, 0x8409010090A00800, 0x8000200202080530, 0x5402204121010100,
        0x1102040124010000, 0x080204040C840010, 0xC4000510C0184000, 0x0000060815045000, 0x000C0E0110080690,
        0x4092050100B00400, 0x0620801004109090, 0x005003141050D100, 0x2108001000504409, 0x100800208A014404,
        0x0030100202100001, 0x46060061004B4400, 0x0106300141042000, 0x0028400024240409, 0x8002203008202486,
        0x2410440208015404, 0x0002300008008120, 0x0010040110401120, 0x8001040012002100, 0x0190048102405024,
        0x0001063000480405, 0x0102428801421802, 0x0130080800210240, 0x0801100210910400, 0x2101208802100620,
        0x1024020080080080, 0x0040040410010100, 0x0012040300503000, 0x0412080204444201, 0x0004008200008078,
        0x0400B01008C01000, 0x0006008220402941, 0x000090C028005000, 0x0410002018010101, 0x0100400408200500,
        0x0404049802000442, 0x1008010104083200, 0x80120424008A0028, 0x2911080804060405, 0x2002A42104108186,
        0x000201008090008A, 0x8040300084040001, 0xC08000C008484000, 0x840C041002120405, 0x8020090108208220,
        0x00D02A08910A0000, 0x0080120513201020, 0x0000210100904400, 0x8101000024020804, 0x0401481000208800,
        0x06000B0088102400, 0x0000210408500108, 0x0400080808180050, 0x0840101400802240,
    },
};
#endif

static inline uint64_t chess_place(const chess_slider_t *slider, uint64_t occupied)
{
#ifdef PLAYOUT_BMI2
    return playout_extract64(occupied, slider->mask);
#else
    return ((occupied & slider->mask) * slider->magic) >> slider->shift;
#endif
}

static inline uint64_t chess_rook_attacks(int square, uint64_t occupied)
{
    return chess_rooks[square].attacks[chess_place(&chess_rooks[square], occupied)];
}

static inline uint64_t chess_bishop_attacks(int square, uint64_t occupied)
{
    return chess_bishops[square].attacks[chess_place(&chess_bishops[square], occupied)];
}

/* The squares on the lines of up to eight steps (file, rank) from a square, each as far as the first occupied one. */
static uint64_t chess_walk(int square, uint64_t occupied, const signed char (*steps)[2], int count, int farthest)
{
    uint64_t found = 0;
    int i, far;
    for (i = 0; i < count; i++) {
        int file = square & 7, rank = square >> 3;
        for (far = 0; far < farthest; far++) {
            file += steps[i][0];
            rank += steps[i][1];
            if ((file | rank) & ~7)
                break;
            found |= (uint64_t)1 << (8 * rank + file);
            if (occupied >> (8 * rank + file) & 1)
                break;
        }
    }
    return found;
}

/* Fill all tables. */
static void chess_fill_attacks(void)
{
    static const signed char straight[8][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {-1, 1}, {1, -1}, {-1, -1}};
    static const signed char jumps[8][2] = {{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}};
    static const signed char lines[8][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {-1, -1}, {1, -1}, {-1, 1}};
    const uint64_t rank = 0xFF, file = 0x0101010101010101u;
    uint64_t *next = chess_slides;
    int square, other, kind;
    for (square = 0; square < 64; square++) {
        const uint64_t edges = ((rank | rank << 56) & ~(rank << (square & 56)))
                             | ((file | file << 7) & ~(file << (square & 7)));
        chess_knight[square] = chess_walk(square, 0, jumps, 8, 1);
        chess_king[square] = chess_walk(square, 0, straight, 8, 1);
        chess_pawn[0][square] = chess_walk(square, 0, straight + 4, 2, 1);
        chess_pawn[1][square] = chess_walk(square, 0, straight + 6, 2, 1);
        for (kind = 0; kind < 2; kind++) {
            chess_slider_t *slider = kind ? &chess_bishops[square] : &chess_rooks[square];
            const uint64_t mask = chess_walk(square, 0, straight + 4 * kind, 4, 7) & ~edges;
            uint64_t occupied = 0;
            slider->mask = mask;
            slider->attacks = next;
            slider->shift = 64 - (unsigned)playout_popcount64(mask);
#ifndef PLAYOUT_BMI2
            slider->magic = chess_magics[kind][square];
#endif
            do {    /* all subsets of mask */
                next[chess_place(slider, occupied)] = chess_walk(square, occupied, straight + 4 * kind, 4, 7);
                occupied = (occupied - mask) & mask;
            } while (occupied);
            next += (uint64_t)1 << (64 - slider->shift);
        }
        for (other = 0; other < 64; other++)
            for (kind = 0; kind < 4; kind++) {      /* the directions there and back are 2 * kind and the next one */
                const signed char (*steps)[2] = lines + 2 * kind;
                const uint64_t there = (uint64_t)1 << other, both = chess_walk(square, 0, steps, 2, 7);
                if (both & there) {
                    chess_line[square][other] = both | (uint64_t)1 << square;
                    chess_between[square][other] = both & chess_walk(square, there, steps, 2, 7)
                                                 & (chess_walk(other, (uint64_t)1 << square, steps, 2, 7) | there);
                }
            }
        for (other = 0; other < 64; other++)
            chess_between[square][other] |= (uint64_t)1 << other;
    }
}

#endif
