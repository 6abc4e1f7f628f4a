"""A static evaluation of chess: material, squares, mobility, pawns and kings, after the captures that win something.

Each term has a value for the middlegame and one for the endgame, in hundredths of a pawn; the pieces on the board give
the weights of both. The values are rounded guesses of this project.
"""
from libc.math cimport exp
from libc.stdint cimport int16_t, int32_t, uint64_t

from ...primitives.bits cimport lowest64, popcount64
from .rules cimport (
    BISHOP, FILE_A, KING, KING_ATTACKS, KNIGHT, KNIGHT_ATTACKS, LINE, PAWN, QUEEN, ROOK, TYPES, WHITE,
    attackers, bishop_attacks, position_t, rook_attacks, sight_t, square_bit, type_at,
)

cdef extern from *:
    """
    static const int chess_worth[6] = {100, 320, 335, 500, 980, 20000};
    static const int chess_material[2][6] = {{85, 330, 345, 480, 1000, 0}, {110, 305, 330, 540, 980, 0}};
    static const int chess_mobility[2][6] = {{0, 4, 4, 3, 1, 0}, {0, 3, 4, 4, 3, 0}};
    static const int chess_usual[6] = {0, 4, 6, 7, 13, 0};
    static const int chess_phase[6] = {0, 1, 1, 2, 4, 0};
    static const int chess_passed[8] = {0, 5, 10, 20, 40, 70, 110, 0};
    static short chess_squares[2][6][64];
    """
    const int WORTH "chess_worth"[TYPES]            # for the order of captures
    const int MATERIAL_OF "chess_material"[2][TYPES]
    const int MOBILITY "chess_mobility"[2][TYPES]   # for each square that a piece attacks
    const int USUAL "chess_usual"[TYPES]            # squares that it usually attacks
    const int PHASE "chess_phase"[TYPES]
    const int PASSED "chess_passed"[8]  # of a pawn that no pawn stops, by rank; half as much in the middlegame
    int16_t SQUARES_OF "chess_squares"[2][TYPES][64]  # with the material; of white, black has them mirrored

cdef enum:
    FULL_PHASE = 24             # all pieces
    DEEPEST = 8                 # captures in a row that are looked at
    TEMPO = 14
    MATED = 5000
    PAIR = 35                   # both bishops
    ISOLATED = 12
    SHIELD = 9                  # an own pawn before the king
    NEAR_KING = 7               # a square beside the other king that a piece attacks


cdef inline void fill_worths() noexcept nogil:
    cdef int32_t square, file, rank, kind, middle
    for square in range(64):
        file = min(square & 7, 7 - (square & 7))
        rank = square >> 3
        middle = file + min(rank, 7 - rank)
        for kind in range(TYPES):
            SQUARES_OF[0][kind][square] = MATERIAL_OF[0][kind]
            SQUARES_OF[1][kind][square] = MATERIAL_OF[1][kind]
        SQUARES_OF[0][PAWN][square] += 3 * rank + (8 * (rank - 1) if file == 3 and rank < 5 else 0) - 8
        SQUARES_OF[1][PAWN][square] += 6 * rank - 12
        SQUARES_OF[0][KNIGHT][square] += 8 * middle - 26
        SQUARES_OF[1][KNIGHT][square] += 6 * middle - 18
        SQUARES_OF[0][BISHOP][square] += 4 * middle - 12 - (8 if rank == 0 else 0)
        SQUARES_OF[1][BISHOP][square] += 3 * middle - 9
        SQUARES_OF[0][ROOK][square] += 4 * file + (14 if rank == 6 else 0) - 6
        SQUARES_OF[1][ROOK][square] += 8 if rank == 6 else 0
        SQUARES_OF[0][QUEEN][square] += middle - 3
        SQUARES_OF[1][QUEEN][square] += 5 * middle - 15
        SQUARES_OF[0][KING][square] -= 9 * file + 16 * min(rank, 4) + (6 if file == 2 else 0)
        SQUARES_OF[1][KING][square] += 9 * middle - 27


cdef inline uint64_t fill_up(uint64_t squares) noexcept nogil:
    """Return the squares and all above them."""
    squares |= squares << 8
    squares |= squares << 16
    return squares | squares << 32


cdef inline uint64_t fill_down(uint64_t squares) noexcept nogil:
    squares |= squares >> 8
    squares |= squares >> 16
    return squares | squares >> 32


cdef inline uint64_t beside(uint64_t squares) noexcept nogil:
    """Return the squares to the left and right."""
    return (squares & ~FILE_A) >> 1 | (squares & ~(FILE_A << 7)) << 1


cdef inline int32_t score_of(const position_t *now) noexcept nogil:
    """Return the value of a position for the player to move, without a look at moves."""
    cdef int32_t middle = 0, end = 0, phase = 0, side, kind, square, king, count, sign, flip
    cdef uint64_t own, other, left, reach, occupied = now.sides[0] | now.sides[1], pawns, theirs, ahead, zone, guarded
    for side in range(2):
        sign = 1 if side == now.mover else -1
        flip = 0 if side == WHITE else 56
        own, other = now.sides[side], now.sides[1 - side]
        pawns, theirs = own & now.types[PAWN], other & now.types[PAWN]
        zone = KING_ATTACKS[lowest64(other & now.types[KING])]
        guarded = beside(theirs >> 8 if side == WHITE else theirs << 8)     # where pawns take
        king = lowest64(own & now.types[KING])
        middle += sign * SQUARES_OF[0][KING][king ^ flip]
        end += sign * SQUARES_OF[1][KING][king ^ flip]
        ahead = KING_ATTACKS[king] & ~(<uint64_t> 0xFF << (king & 56))
        middle += sign * SHIELD * popcount64((ahead | (ahead << 8 if side == WHITE else ahead >> 8)) & pawns)
        left = own & ~now.types[KING]
        while left:
            square = lowest64(left)
            kind = type_at(now, left & (0 - left))
            left &= left - 1
            middle += sign * SQUARES_OF[0][kind][square ^ flip]
            end += sign * SQUARES_OF[1][kind][square ^ flip]
            if kind == PAWN:
                ahead = square_bit(square)
                if beside(fill_up(fill_down(ahead))) & pawns == 0:
                    middle -= sign * ISOLATED
                    end -= sign * ISOLATED
                ahead = fill_up(ahead << 8) if side == WHITE else fill_down(ahead >> 8)
                if (ahead | beside(ahead)) & theirs == 0 and ahead & pawns == 0:
                    middle += sign * PASSED[(square ^ flip) >> 3] // 2
                    end += sign * PASSED[(square ^ flip) >> 3]
                continue
            phase += PHASE[kind]
            if kind == KNIGHT:
                reach = KNIGHT_ATTACKS[square]
            else:
                reach = 0
                if kind != ROOK:
                    reach |= bishop_attacks(square, occupied)
                if kind != BISHOP:
                    reach |= rook_attacks(square, occupied)
            count = popcount64(reach & ~own & ~guarded) - USUAL[kind]
            middle += sign * (MOBILITY[0][kind] * count + NEAR_KING * popcount64(reach & zone))
            end += sign * MOBILITY[1][kind] * count
        if popcount64(own & now.types[BISHOP]) > 1:
            middle += sign * PAIR
            end += sign * PAIR
    phase = min(phase, <int32_t> FULL_PHASE)
    return (middle * phase + end * (FULL_PHASE - phase)) // FULL_PHASE + TEMPO


cdef inline bint can_take(const position_t *now, const sight_t *sight, int32_t origin, int32_t target) noexcept nogil:
    """Return True if the capture by a piece that attacks the target is legal."""
    if origin == sight.king:
        return attackers(now, target, 1 - now.mover, sight.occupied ^ square_bit(origin)) == 0
    return sight.answers >> target & 1 and (not sight.pinned >> origin & 1 or LINE[sight.king][origin] >> target & 1)


cdef inline uint64_t least_of(const position_t *now, uint64_t pieces) noexcept nogil:
    """Return the piece of the lowest type among some."""
    cdef int32_t kind = PAWN
    while pieces & now.types[kind] == 0:
        kind += 1
    pieces &= now.types[kind]
    return pieces & (0 - pieces)


cdef inline double share_of(int32_t score) noexcept nogil:
    """Return the share of 100 points that a score stands for."""
    return 100.0 / (1.0 + exp(-score * 0.0057564627))  # 10 to the power of score / 400
