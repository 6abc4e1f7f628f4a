"""The rules of chess on plain structs: legal moves without playing them first, and the position after a move.

A move is `origin | target << 6 | promotion << 12`; promotion is a type of piece, or 0. Castling is the king's move to
the square of its own rook.
"""
from libc.stdint cimport int32_t, uint8_t, uint16_t, uint64_t
from libc.string cimport memset

from ...primitives.bits cimport hash_combine, lowest64, popcount64

cdef extern from "games/chess/attacks.h" nogil:
    uint64_t KNIGHT_ATTACKS "chess_knight"[64]
    uint64_t KING_ATTACKS "chess_king"[64]
    uint64_t PAWN_ATTACKS "chess_pawn"[2][64]
    uint64_t LINE "chess_line"[64][64]
    uint64_t BETWEEN "chess_between"[64][64]
    void fill_attacks "chess_fill_attacks"() noexcept
    uint64_t rook_attacks "chess_rook_attacks"(int square, uint64_t occupied) noexcept
    uint64_t bishop_attacks "chess_bishop_attacks"(int square, uint64_t occupied) noexcept

cdef enum:
    PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING

cdef enum:
    TYPES = 6
    WHITE = 0
    BLACK = 1
    MOST_MOVES = 416            # 15 queens and a king
    MOST_EARLIER = 100          # half moves without capture and move of a pawn that end the game
    OTHER_RANK = 8              # square ^ OTHER_RANK: behind a pawn that has moved two squares, and the pawn

cdef extern from *:
    """
    #define CHESS_LIGHT 0x55AA55AA55AA55AAu
    #define CHESS_FILE_A 0x0101010101010101u
    static uint64_t chess_keys[2][6][64];
    """
    const uint64_t LIGHT "CHESS_LIGHT"          # the light squares
    const uint64_t FILE_A "CHESS_FILE_A"
    uint64_t PIECE_KEYS "chess_keys"[2][TYPES][64]  # random numbers of the pieces of each player on each square

cdef enum:                      # how a game has ended
    GOES_ON, CHECKMATE, STALEMATE, REPETITION, HALF_MOVES, MATERIAL

cdef struct position_t:
    uint64_t types[TYPES]       # pieces of each type, of both players
    uint64_t sides[2]           # pieces of each player
    uint64_t castling           # rooks that may castle
    uint8_t mover
    uint8_t passant             # square behind a pawn that can be captured en passant, legally; else 0
    uint8_t ending              # GOES_ON, or how the game has ended
    uint8_t num_earlier
    uint16_t clock              # half moves since the last capture or move of a pawn
    uint16_t number             # of the full move, from 1

cdef struct state_t:
    position_t now
    uint64_t pieces_key         # of the pieces and their squares
    uint64_t earlier[MOST_EARLIER]  # keys of the positions since the last move that cannot be undone; 0 behind them

cdef struct sight_t:            # what the moves of a position depend on
    uint64_t own
    uint64_t other
    uint64_t occupied
    uint64_t checkers
    uint64_t pinned             # own pieces that may only move in line with the king
    uint64_t answers            # targets that answer a check; all squares without one, none after a double check
    int32_t king


cdef inline uint64_t square_bit(int32_t square) noexcept nogil:
    return <uint64_t> 1 << square


cdef inline int32_t type_at(const position_t *now, uint64_t bit) noexcept nogil:
    """Return the type of the piece on a square that has one."""
    return (((now.types[KNIGHT] & bit) != 0) + 2 * ((now.types[BISHOP] & bit) != 0) + 3 * ((now.types[ROOK] & bit) != 0)
            + 4 * ((now.types[QUEEN] & bit) != 0) + 5 * ((now.types[KING] & bit) != 0))


cdef inline uint64_t attackers(const position_t *now, int32_t square, int32_t side, uint64_t occupied) noexcept nogil:
    """Return the pieces of a player that attack a square. Pieces that are not in `occupied` are off the board."""
    return occupied & now.sides[side] & (
        KNIGHT_ATTACKS[square] & now.types[KNIGHT] | KING_ATTACKS[square] & now.types[KING]
        | PAWN_ATTACKS[1 - side][square] & now.types[PAWN]
        | bishop_attacks(square, occupied) & (now.types[BISHOP] | now.types[QUEEN])
        | rook_attacks(square, occupied) & (now.types[ROOK] | now.types[QUEEN]))


cdef inline void look(const position_t *now, sight_t *sight) noexcept nogil:
    """Find the checks and pins of the player to move."""
    cdef uint64_t own = now.sides[now.mover], other = now.sides[1 - now.mover], occupied = own | other
    cdef uint64_t snipers, blockers
    cdef int32_t king = lowest64(now.types[KING] & own), sniper
    cdef uint64_t checkers = other & (KNIGHT_ATTACKS[king] & now.types[KNIGHT]
                                      | PAWN_ATTACKS[now.mover][king] & now.types[PAWN])
    sight.own, sight.other, sight.occupied, sight.king, sight.pinned = own, other, occupied, king, 0
    # an own piece and one more of the other player may stand between, so the other player's pieces stop the lines
    snipers = other & (rook_attacks(king, other) & (now.types[ROOK] | now.types[QUEEN])
                       | bishop_attacks(king, other) & (now.types[BISHOP] | now.types[QUEEN]))
    while snipers:
        sniper = lowest64(snipers)
        snipers &= snipers - 1
        blockers = BETWEEN[king][sniper] & own
        if blockers == 0:
            checkers |= square_bit(sniper)
        elif blockers & (blockers - 1) == 0:
            sight.pinned |= blockers
    sight.checkers = checkers
    sight.answers = (<uint64_t> -1 if checkers == 0 else 0 if checkers & (checkers - 1)
                     else BETWEEN[king][lowest64(checkers)])


cdef inline bint passant_is_legal(const position_t *now, int32_t mover, int32_t origin) noexcept nogil:
    """Return True if the capture of the pawn behind `now.passant` by one on `origin` leaves no check."""
    cdef uint64_t occupied = (now.sides[0] | now.sides[1]) ^ square_bit(origin) ^ square_bit(now.passant) ^ (
        square_bit(now.passant ^ OTHER_RANK))
    return attackers(now, lowest64(now.types[KING] & now.sides[mover]), 1 - mover, occupied) == 0


cdef inline uint64_t king_targets(const position_t *now, const sight_t *sight) noexcept nogil:
    """Return the squares to which the king can move, without castling."""
    cdef uint64_t left = KING_ATTACKS[sight.king] & ~sight.own, found = 0
    while left:
        if attackers(now, lowest64(left), 1 - now.mover, sight.occupied ^ square_bit(sight.king)) == 0:
            found |= left & (0 - left)
        left &= left - 1
    return found


cdef inline int32_t castled_king(int32_t king, int32_t rook) noexcept nogil:
    """Return the square of the king after castling. The rook is beside it, nearer to the middle."""
    return (king & 56) + (6 if rook > king else 2)


cdef inline int32_t castled_rook(int32_t king, int32_t rook) noexcept nogil:
    return (king & 56) + (5 if rook > king else 3)


cdef inline uint64_t castling_rooks(const position_t *now, const sight_t *sight) noexcept nogil:
    """Return the rooks with which the player to move can castle now."""
    cdef uint64_t left = now.castling & sight.own, found = 0, path, without, bit
    cdef int32_t king = sight.king, rook, target
    cdef bint safe
    if sight.checkers:
        return 0
    while left:
        rook = lowest64(left)
        bit = left & (0 - left)
        left ^= bit
        target = castled_king(king, rook)
        path = BETWEEN[king][target] | BETWEEN[rook][castled_rook(king, rook)]
        without = sight.occupied ^ square_bit(king) ^ bit
        if path & without:
            continue
        safe = attackers(now, target, 1 - now.mover, without | square_bit(castled_rook(king, rook))) == 0
        path = BETWEEN[king][target] & ~square_bit(target)
        while path and safe:
            safe = attackers(now, lowest64(path), 1 - now.mover, without | bit) == 0
            path &= path - 1
        if safe:
            found |= bit
    return found


cdef inline uint64_t pawn_pushes(uint64_t pawns, uint64_t blank, int32_t side) noexcept nogil:
    """Return the squares to which pawns move without a capture."""
    cdef uint64_t once
    if side == WHITE:
        once = pawns << 8 & blank
        return once | ((once & <uint64_t> 0xFF0000) << 8 & blank)
    once = pawns >> 8 & blank
    return once | ((once & <uint64_t> 0xFF0000000000) >> 8 & blank)


cdef inline uint64_t pawn_targets(const position_t *now, const sight_t *sight, int32_t origin,
                                  uint64_t allowed) noexcept nogil:
    """Return the squares to which a pawn can move. allowed: those that pins and checks leave."""
    cdef uint64_t reach = PAWN_ATTACKS[now.mover][origin]
    cdef uint64_t found = allowed & (reach & sight.other
                                     | pawn_pushes(square_bit(origin), ~sight.occupied, now.mover))
    if now.passant and reach & square_bit(now.passant) and passant_is_legal(now, now.mover, origin):
        found |= square_bit(now.passant)
    return found


cdef inline uint64_t targets(const position_t *now, const sight_t *sight, int32_t origin) noexcept nogil:
    """Return the squares to which an own piece can move. The king's include the rooks with which it castles."""
    cdef uint64_t bit = square_bit(origin), allowed = ~sight.own & sight.answers
    cdef int32_t kind = type_at(now, bit)
    if kind == KING:
        return king_targets(now, sight) | castling_rooks(now, sight)
    if sight.pinned & bit:
        allowed &= LINE[sight.king][origin]
    if kind == PAWN:
        return pawn_targets(now, sight, origin, allowed)
    if kind == KNIGHT:
        return KNIGHT_ATTACKS[origin] & allowed
    if kind == BISHOP:
        return bishop_attacks(origin, sight.occupied) & allowed
    if kind == ROOK:
        return rook_attacks(origin, sight.occupied) & allowed
    return (bishop_attacks(origin, sight.occupied) | rook_attacks(origin, sight.occupied)) & allowed


cdef inline uint64_t promoting(const position_t *now) noexcept nogil:
    """Return the pawns of the player to move that promote with their next move."""
    return now.types[PAWN] & now.sides[now.mover] & (<uint64_t> 0xFF << (48 if now.mover == WHITE else 8))


cdef inline int32_t list_moves(const position_t *now, uint16_t *moves) noexcept nogil:
    """Write the legal moves and return their number: by origin and target, and then the promotions likewise."""
    cdef sight_t sight
    cdef uint64_t left, found, last = promoting(now)
    cdef int32_t count = 0, origin, target, kind
    look(now, &sight)
    left = sight.own & ~last
    if sight.answers == 0:
        left = square_bit(sight.king)
    while left:
        origin = lowest64(left)
        left &= left - 1
        found = targets(now, &sight, origin)
        while found:
            moves[count] = origin | lowest64(found) << 6
            count += 1
            found &= found - 1
    while last:
        origin = lowest64(last)
        last &= last - 1
        found = targets(now, &sight, origin)
        while found:
            target = lowest64(found)
            found &= found - 1
            for kind in range(KNIGHT, KING):
                moves[count] = origin | target << 6 | kind << 12
                count += 1
    return count


cdef inline int32_t count_moves(const position_t *now) noexcept nogil:
    """Return the number of legal moves."""
    cdef sight_t sight
    cdef uint64_t left, allowed, pawns, last, found
    cdef int32_t count, origin
    look(now, &sight)
    count = popcount64(king_targets(now, &sight))
    if sight.answers == 0:
        return count
    if now.castling & sight.own:
        count += popcount64(castling_rooks(now, &sight))
    allowed = ~sight.own & sight.answers
    left = now.types[KNIGHT] & sight.own & ~sight.pinned
    while left:
        count += popcount64(KNIGHT_ATTACKS[lowest64(left)] & allowed)
        left &= left - 1
    left = (now.types[BISHOP] | now.types[QUEEN]) & sight.own
    while left:
        origin = lowest64(left)
        found = bishop_attacks(origin, sight.occupied) & allowed
        if sight.pinned & left & (0 - left):
            found &= LINE[sight.king][origin]
        count += popcount64(found)
        left &= left - 1
    left = (now.types[ROOK] | now.types[QUEEN]) & sight.own
    while left:
        origin = lowest64(left)
        found = rook_attacks(origin, sight.occupied) & allowed
        if sight.pinned & left & (0 - left):
            found &= LINE[sight.king][origin]
        count += popcount64(found)
        left &= left - 1
    last = promoting(now)
    pawns = now.types[PAWN] & sight.own & ~last
    left = pawns & sight.pinned | last      # one by one, and those that may capture en passant
    if now.passant:
        left |= pawns & PAWN_ATTACKS[1 - now.mover][now.passant]
    pawns &= ~left
    while left:
        origin = lowest64(left)
        found = targets(now, &sight, origin)
        count += popcount64(found) * (4 if last & left & (0 - left) else 1)
        left &= left - 1
    count += popcount64(pawn_pushes(pawns, ~sight.occupied, now.mover) & sight.answers)
    allowed &= sight.other
    left, found = pawns & ~FILE_A, pawns & ~(FILE_A << 7)       # those that may take to the left, and to the right
    if now.mover == WHITE:
        return count + popcount64(left << 7 & allowed) + popcount64(found << 9 & allowed)
    return count + popcount64(left >> 9 & allowed) + popcount64(found >> 7 & allowed)


cdef inline void put_piece(position_t *now, int32_t side, int32_t kind, int32_t square, uint64_t *key) noexcept nogil:
    """Put a piece on a blank square, or take it away. key: of the pieces, or NULL."""
    cdef uint64_t bit = square_bit(square)
    now.types[kind] ^= bit
    now.sides[side] ^= bit
    if key != NULL:
        key[0] ^= PIECE_KEYS[side][kind][square]


cdef inline bint move_pieces(position_t *now, int32_t move, uint64_t *key) noexcept nogil:
    """Make a legal move. Return True for captures and moves of pawns.

    key: of the pieces, which follows; NULL if nobody needs it.
    """
    cdef int32_t origin = move & 63, target = move >> 6 & 63, promotion = move >> 12
    cdef int32_t mover = now.mover, other = 1 - mover, passant = now.passant
    cdef uint64_t bit = square_bit(target), left
    cdef int32_t kind = type_at(now, square_bit(origin))
    cdef bint captures = now.sides[other] & bit != 0
    now.passant = 0
    now.mover = other
    if kind == KING:
        now.castling &= ~now.sides[mover]
        if now.sides[mover] & bit:
            put_piece(now, mover, KING, origin, key)
            put_piece(now, mover, ROOK, target, key)
            put_piece(now, mover, KING, castled_king(origin, target), key)
            put_piece(now, mover, ROOK, castled_rook(origin, target), key)
            return False
    now.castling &= ~(square_bit(origin) | bit)
    put_piece(now, mover, kind, origin, key)
    if captures:
        put_piece(now, other, type_at(now, bit), target, key)
    put_piece(now, mover, promotion if promotion else kind, target, key)
    if kind != PAWN:
        return captures
    if target == passant and passant:
        put_piece(now, other, PAWN, target ^ OTHER_RANK, key)
    elif (origin ^ target) == 16:
        now.passant = target ^ OTHER_RANK
        left = PAWN_ATTACKS[mover][now.passant] & now.types[PAWN] & now.sides[other]
        while left and not passant_is_legal(now, other, lowest64(left)):
            left &= left - 1
        if left == 0:
            now.passant = 0
    return True


cdef inline uint64_t position_key(const state_t *state) noexcept nogil:
    """Return a number that is equal for positions with the same moves; repetition and clock do not count."""
    return hash_combine(state.pieces_key, state.now.castling | <uint64_t> state.now.passant << 16
                        | <uint64_t> state.now.mover << 24)


cdef inline void play(state_t *state, int32_t move) noexcept nogil:
    """Make a legal move, without a look at the end of the game."""
    cdef uint64_t key = position_key(state), castling = state.now.castling
    state.now.number += state.now.mover
    state.now.clock += 1
    if move_pieces(&state.now, move, &state.pieces_key):
        state.now.clock = 0
    if state.now.clock == 0 or state.now.castling != castling:
        memset(state.earlier, 0, state.now.num_earlier * sizeof(uint64_t))
        state.now.num_earlier = 0
    else:
        state.earlier[state.now.num_earlier] = key
        state.now.num_earlier += 1


cdef inline int32_t occurrences(const state_t *state) noexcept nogil:
    """Return how often the position has been on the board, with this time."""
    cdef uint64_t key = position_key(state)
    cdef int32_t at, count = 1
    for at in range(state.now.num_earlier - 4, -1, -2):
        count += state.earlier[at] == key
    return count


cdef inline bint lacks_material(const position_t *now) noexcept nogil:
    """Return True if no sequence of moves leads to a mate."""
    cdef uint64_t bishops = now.types[BISHOP], knights = now.types[KNIGHT]
    if now.types[PAWN] | now.types[ROOK] | now.types[QUEEN]:
        return False
    if knights:
        return bishops == 0 and knights & (knights - 1) == 0
    return bishops & LIGHT == 0 or bishops & ~LIGHT == 0


cdef inline int32_t drawn_by(const state_t *state) noexcept nogil:
    """Return the rule by which a position with legal moves is a draw, or GOES_ON."""
    if state.now.clock >= MOST_EARLIER:
        return HALF_MOVES
    if lacks_material(&state.now):
        return MATERIAL
    if state.now.num_earlier >= 8 and occurrences(state) >= 3:
        return REPETITION
    return GOES_ON


cdef inline int32_t stuck_by(const position_t *now) noexcept nogil:
    """Return how the game has ended in a position without legal moves."""
    cdef int32_t king = lowest64(now.types[KING] & now.sides[now.mover])
    if attackers(now, king, 1 - now.mover, now.sides[0] | now.sides[1]):
        return CHECKMATE
    return STALEMATE
