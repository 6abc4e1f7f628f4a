"""Chess on sets of squares. `rules.pxd` has the rules, `position_text.py` the texts of positions; this fills the table.

The numbers of an encoded state: a 1 for each piece, by player, type and square (768); for each rook that may castle, by
its square on the first rank of white and of black (16); for the file of a capture en passant (8); for the player to
move (2); and the half moves without progress, as a share of 100, and how often the position occurred, as a share of 3.
"""
import re

cimport cython
from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int16_t, int32_t, int64_t, uint16_t, uint32_t, uint64_t

from ...game.game cimport Game
from ...game.game_table cimport game_t, put_encoding, put_rules
from ...primitives.bits cimport hash_combine, lowest64, mix64, popcount64
from ...primitives.rng cimport rng_below, rng_t
from ..common.cells cimport put_score
from ..common.encoding cimport put_cells, put_choice, put_number
from .evaluation cimport (
    DEEPEST, MATED, WORTH, can_take, fill_worths, least_of, score_of, share_of,
)
from .rules cimport (
    BLACK, CHECKMATE, GOES_ON, HALF_MOVES, KING, KNIGHT, KNIGHT_ATTACKS, MATERIAL, MOST_EARLIER,
    MOST_MOVES, OTHER_RANK, PAWN, PAWN_ATTACKS, PIECE_KEYS, QUEEN, REPETITION, STALEMATE, TYPES, WHITE,
    attackers, bishop_attacks, castled_king, count_moves, drawn_by, fill_attacks, list_moves, look, move_pieces,
    occurrences, passant_is_legal, play, position_key, position_t, promoting, put_piece, rook_attacks, sight_t,
    square_bit, state_t, stuck_by, targets, type_at,
)

from ...arguments import shown
from ...errors import StateError
from ...game_info import GameInfo
from ...parameters import Flag
from ..common.board_text import BLANK, read_board, read_choice, require
from .position_text import KEYS, NONE, PIECES, SQUARES, FenNotation, castling_text, read_castling

INFO = GameInfo(
    name="chess",
    summary="checkmate the other king",
    players=("white", "black"),
    parameters={"chess960": Flag(False)},
    title="Chess",
    size="8x8",
    example="r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR_w_KQkq_-_4_4",
    variants={"Chess": {"chess960": False}, "Chess960": {"chess960": True}},
)

START = "rnbqkbnrpppppppp" + 32 * BLANK + "PPPPPPPPRNBQKBNR"
LETTERS = PIECES[:TYPES]
UCI = re.compile("([a-h][1-8])([a-h][1-8])([nbrqNBRQ]?)")
SAN = re.compile("([NBRQK]?)([a-h]?)([1-8]?)[x:-]?([a-h][1-8])=?([NBRQnbrq]?)")

cdef enum:
    PLAIN = 1792                # pairs of squares that a queen or knight connects
    ACTIONS = PLAIN + 22 * 4    # and promotions: pairs of files, and types of pieces
    ENCODING = 2 * TYPES * 64 + 16 + 8 + 2 + 2
    CHECKED_DEPTH = 5           # plies that are left when a count checks for signals: a few times a second

cdef struct rules_t:
    bint chess960               # castling is written as the king's move to its rook
    state_t start

cdef int16_t NUMBERS[64][64]    # of the actions without promotion, or -1
cdef uint16_t MOVES[PLAIN]      # the same from number to move
cdef bint filled = False
FILLING = object()


cdef int fill_tables() except -1:
    """Fill the tables that all games share, once."""
    global filled
    cdef int32_t origin, target, kind, number = 0
    cdef uint64_t reach
    with cython.critical_section(FILLING):
        if filled:
            return 0
        fill_attacks()
        fill_worths()
        for origin in range(64):
            reach = KNIGHT_ATTACKS[origin] | rook_attacks(origin, 0) | bishop_attacks(origin, 0)
            for target in range(64):
                NUMBERS[origin][target] = -1
                if reach >> target & 1:
                    NUMBERS[origin][target] = number
                    MOVES[number] = origin | target << 6
                    number += 1
            for kind in range(TYPES):
                PIECE_KEYS[WHITE][kind][origin] = mix64(64 * kind + origin + 1)
                PIECE_KEYS[BLACK][kind][origin] = mix64(64 * (TYPES + kind) + origin + 1)
        filled = True
    return 0


cdef inline int32_t action_of(const rules_t *rules, const position_t *now, int32_t move) noexcept nogil:
    """Return the number of a move of an own piece."""
    cdef int32_t origin = move & 63, target = move >> 6 & 63
    if move >> 12:
        return PLAIN + 4 * (2 * (origin & 7) + (target & 7)) + (move >> 12) - KNIGHT
    if now.sides[now.mover] & square_bit(target) and not rules.chess960:
        target = castled_king(origin, target)
    return NUMBERS[origin][target]


cdef inline int32_t move_of(const rules_t *rules, const position_t *now, int32_t player, int32_t action) noexcept nogil:
    """Return the move of an action, legal or not."""
    cdef int32_t move, pair, file
    if action >= PLAIN:
        pair = (action - PLAIN) >> 2
        file = (pair + 1) // 3
        move = (file | 48) | (pair - 2 * file | 56) << 6
        return (move if player == WHITE else move ^ (56 | 56 << 6)) | ((action & 3) + KNIGHT) << 12
    move = MOVES[action]
    if not rules.chess960 and now.types[KING] & now.sides[player] & square_bit(move & 63):
        if (move >> 6) - (move & 63) == 2:
            return move + (1 << 6)
        if (move >> 6) - (move & 63) == -2:
            return move - (2 << 6)
    return move


cdef void init(const game_t *game, void *data) noexcept nogil:
    (<state_t *> data)[0] = (<const rules_t *> game.rules).start


cdef uint32_t acting(const game_t *game, const void *data) noexcept nogil:
    cdef const state_t *state = <const state_t *> data
    return 0 if state.now.ending != GOES_ON else 1u << state.now.mover


cdef int32_t legal_actions(const game_t *game, const void *data, int32_t player, int32_t *out) noexcept nogil:
    cdef const position_t *now = &(<const state_t *> data).now
    cdef uint16_t moves[MOST_MOVES]
    cdef int32_t i, count = list_moves(now, moves)
    for i in range(count):
        out[i] = action_of(<const rules_t *> game.rules, now, moves[i])
    return count


cdef bint is_legal(const game_t *game, const void *data, int32_t player, const void *action) noexcept nogil:
    cdef const position_t *now = &(<const state_t *> data).now
    cdef const rules_t *rules = <const rules_t *> game.rules
    cdef int32_t number = (<const int32_t *> action)[0], move
    cdef sight_t sight
    if not 0 <= number < ACTIONS:
        return False
    move = move_of(rules, now, player, number)
    if (not now.sides[player] >> (move & 63) & 1 or (promoting(now) >> (move & 63) & 1) != (number >= PLAIN)
            or action_of(rules, now, move) != number):
        return False
    look(now, &sight)
    return (sight.answers != 0 or sight.king == move & 63) and targets(now, &sight, move & 63) >> (move >> 6 & 63) & 1


cdef inline void judge(state_t *state) noexcept nogil:
    state.now.ending = stuck_by(&state.now) if count_moves(&state.now) == 0 else drawn_by(state)


cdef void apply(const game_t *game, void *data, const void *joint) noexcept nogil:
    cdef state_t *state = <state_t *> data
    cdef int32_t mover = state.now.mover
    play(state, move_of(<const rules_t *> game.rules, &state.now, mover, (<const int32_t *> joint)[mover]))
    judge(state)


cdef void returns(const game_t *game, const void *data, double *out) noexcept nogil:
    cdef const state_t *state = <const state_t *> data
    put_score(50.0 if state.now.ending != CHECKMATE else 100.0 * state.now.mover, out)


cdef uint64_t hash(const game_t *game, const void *data) noexcept nogil:
    """Cover the clocks and the earlier positions too, so that equal hashes mean the same play to the end."""
    cdef const state_t *state = <const state_t *> data
    cdef uint64_t earlier = state.now.clock | <uint64_t> state.now.number << 16
    cdef int32_t i
    for i in range(state.now.num_earlier):
        earlier += state.earlier[i]
    return hash_combine(position_key(state), earlier)


cdef void playout(const game_t *game, void *data, rng_t *rng, uint64_t *played, double *out) noexcept nogil:
    cdef state_t *state = <state_t *> data
    cdef uint16_t moves[MOST_MOVES]
    cdef rng_t local = rng[0]
    cdef int32_t count
    while state.now.ending == GOES_ON:
        count = list_moves(&state.now, moves)
        state.now.ending = stuck_by(&state.now) if count == 0 else drawn_by(state)
        if state.now.ending == GOES_ON:
            play(state, moves[rng_below(&local, count)])
    rng[0] = local
    returns(game, data, out)


cdef int check_signals() except -1 nogil:
    with gil:
        PyErr_CheckSignals()
    return 0


cdef int64_t count_leaves(const position_t *now, int32_t depth) except -1 nogil:
    """Return the number of sequences of `depth` legal moves; only mate and stalemate end one early. Ctrl-C ends it."""
    cdef uint16_t moves[MOST_MOVES]
    cdef position_t after
    cdef int64_t total = 0
    cdef int32_t i, count
    if depth == 1:
        return count_moves(now)
    if depth == CHECKED_DEPTH:
        check_signals()
    count = list_moves(now, moves)
    for i in range(count):
        after = now[0]
        move_pieces(&after, moves[i], NULL)
        total += count_leaves(&after, depth - 1)
    return total


cdef int64_t perft(const game_t *game, const void *data, int32_t depth) except -1 nogil:
    return count_leaves(&(<const state_t *> data).now, depth) if depth > 0 else 1


cdef int32_t settle(const position_t *now, int32_t least, int32_t most, int32_t depth) noexcept nogil:
    """Return the value for the player to move after the captures that are best for both; answers to a check first.

    Exact between `least` and `most`; else a bound.
    """
    cdef uint16_t moves[MOST_MOVES]
    cdef position_t after
    cdef sight_t sight
    cdef uint64_t victims, takers, taker
    cdef int32_t best = -MATED, kind, target, i, move
    look(now, &sight)
    if sight.checkers and depth > DEEPEST - 3:
        for i in range(list_moves(now, moves)):
            after = now[0]
            move_pieces(&after, moves[i], NULL)
            best = max(best, -settle(&after, -most, -max(least, best), depth - 1))
            if best >= most:
                return best
        return best
    best = score_of(now)
    if depth == 0:
        return best
    for kind in range(QUEEN, PAWN - 1, -1):
        victims = now.types[kind] & sight.other
        while victims and best < most:
            target = lowest64(victims)
            victims &= victims - 1
            takers = attackers(now, target, now.mover, sight.occupied)
            while takers:
                taker = least_of(now, takers)
                takers ^= taker
                if (WORTH[type_at(now, taker)] > WORTH[kind] + 50
                        and attackers(now, target, 1 - now.mover, sight.occupied ^ taker)):
                    break
                if can_take(now, &sight, lowest64(taker), target):
                    move = lowest64(taker) | target << 6 | (QUEEN << 12 if promoting(now) & taker else 0)
                    after = now[0]
                    move_pieces(&after, move, NULL)
                    best = max(best, -settle(&after, -most, -max(least, best), depth - 1))
    return best


cdef void evaluate(const game_t *game, const void *data, double *out) noexcept nogil:
    cdef const state_t *state = <const state_t *> data
    cdef int32_t score = settle(&state.now, -2 * MATED, 2 * MATED, DEEPEST)
    put_score(share_of(score if state.now.mover == WHITE else -score), out)


cdef void encode(const game_t *game, const void *data, float *out) noexcept nogil:
    cdef const state_t *state = <const state_t *> data
    cdef int32_t at = 0, side, kind
    for side in range(2):
        for kind in range(TYPES):
            at = put_cells(out, at, state.now.sides[side] & state.now.types[kind], 64)
    at = put_cells(out, at, state.now.castling, 8)
    at = put_cells(out, at, state.now.castling >> 56, 8)
    at = put_choice(out, at, state.now.passant & 7 if state.now.passant else -1, 8)
    at = put_choice(out, at, state.now.mover, 2)
    at = put_number(out, at, state.now.clock / 100.0)
    put_number(out, at, occurrences(state) / 3.0)


cdef class Chess(Game):
    cdef rules_t rules

    def __init__(self, **given):
        Game.__init__(self, INFO, given)
        fill_tables()
        self.rules.chess960 = self.parameters["chess960"]
        self.table.state_size = sizeof(state_t)
        self.table.num_actions, self.table.max_legal = ACTIONS, MOST_MOVES
        self.table.rules = &self.rules
        put_rules(&self.table, init, acting, legal_actions, is_legal, apply, returns, hash)
        put_encoding(&self.table, ENCODING, encode)
        self.table.playout, self.table.perft = playout, perft
        self.table.evaluate = evaluate
        self.seal()
        self.fill_state(&self.rules.start, {"board": START, "to_move": "white", "castling": "KQkq"})

    def notation(self):
        return FenNotation()

    cdef dict state_dict(self, const void *data):
        cdef const state_t *state = <const state_t *> data
        cdef int32_t side, square
        board = [BLANK] * 64
        for square in range(64):
            for side in range(2):
                if state.now.sides[side] >> square & 1:
                    board[square ^ 56] = PIECES[TYPES * side + type_at(&state.now, square_bit(square))]
        text = "".join(board)
        return dict(zip(KEYS, (
            text, self.players[state.now.mover], castling_text(text, state.now.castling),
            SQUARES[state.now.passant] if state.now.passant else NONE, state.now.clock, state.now.number,
            [f"{state.earlier[i]:016x}" for i in range(state.now.num_earlier)])))

    cdef int fill_state(self, void *data, dict given) except -1:
        """Write a state. The kernels rely on one king each, out of the other's reach, and on pawns that can move."""
        cdef state_t *state = <state_t *> data
        cdef position_t *now = &state.now
        cdef int32_t at
        for key in given:
            if key not in KEYS:
                raise StateError(f"unknown key {shown(key)} in state; valid: {', '.join(KEYS)}")
        read_board(given, "board", PIECES, 64)
        for at in range(64):
            letter = given["board"][at ^ 56]
            if letter != BLANK:
                put_piece(now, PIECES.index(letter) // TYPES, PIECES.index(letter) % TYPES, at, &state.pieces_key)
        now.mover = read_choice(given, "to_move", self.players) == self.players[BLACK]
        self.check_pieces(now)
        now.castling = read_castling(given["board"], require(given, "castling"), self.rules.chess960)
        for key in ("half_moves", "full_moves"):
            value = given.get(key, 1)
            if type(value) is not int or not 0 <= value <= 9999:
                raise StateError(f"{key!r} is {shown(value)}; valid: 0 to 9999")
        now.clock, now.number = given.get("half_moves", 0), max(1, given.get("full_moves", 1))
        passant = given.get("en_passant", NONE)
        if passant != NONE and passant not in SQUARES:
            raise StateError(f"'en_passant' is {shown(passant)}; valid: a square, or {NONE}")
        if passant != NONE:
            self.put_passant(now, SQUARES.index(passant))
        earlier = given.get("earlier", [])
        if not isinstance(earlier, (list, tuple)) or len(earlier) > min(now.clock, MOST_EARLIER) or not all(
                isinstance(key, str) and re.fullmatch("[0-9a-f]{16}", key) for key in earlier):
            raise StateError(f"'earlier' is {shown(earlier)}; valid: the keys of the positions since the last capture, "
                             f"move of a pawn or loss of a right, 16 hexadecimal digits each, at most 'half_moves'")
        now.num_earlier = len(earlier)
        for at in range(now.num_earlier):
            state.earlier[at] = int(earlier[at], 16)
        judge(state)
        return 0

    cdef int check_pieces(self, const position_t *now) except -1:
        """Raise StateError for pieces that no game has."""
        cdef int32_t side
        cdef uint64_t pieces
        for side in range(2):
            pieces, who = now.sides[side], self.players[side]
            kings, pawns = popcount64(pieces & now.types[KING]), popcount64(pieces & now.types[PAWN])
            if kings != 1:
                raise StateError(f"{who} has {kings} kings; valid: 1")
            if popcount64(pieces) > 16 or pawns > 8:
                raise StateError(f"{who} has {popcount64(pieces)} pieces, {pawns} of them pawns; valid: up to 16, and "
                                 "up to 8 pawns")
        if now.types[PAWN] & <uint64_t> 0xFF000000000000FF:
            raise StateError("a pawn stands on the first or last rank; valid: ranks 2 to 7")
        side = 1 - now.mover
        if attackers(now, lowest64(now.types[KING] & now.sides[side]), now.mover, now.sides[0] | now.sides[1]):
            raise StateError(f"{self.players[side]} is in check, but {self.players[now.mover]} is to move; valid: only "
                             "the player to move may be in check")
        return 0

    cdef int put_passant(self, position_t *now, int32_t square) except -1:
        """Set the square behind a pawn that can be captured en passant. Any other square is dropped."""
        cdef uint64_t blank = ~(now.sides[0] | now.sides[1])
        cdef uint64_t pawns = now.types[PAWN] & PAWN_ATTACKS[1 - now.mover][square] & now.sides[now.mover]
        if square >> 3 != (5 if now.mover == WHITE else 2) or (
                not now.types[PAWN] & now.sides[1 - now.mover] & square_bit(square ^ OTHER_RANK)
                or not blank & square_bit(square) or not blank & square_bit(square ^ 24)):
            return 0
        now.passant = square
        while pawns and not passant_is_legal(now, now.mover, lowest64(pawns)):
            pawns &= pawns - 1
        if pawns == 0:
            now.passant = 0
        return 0

    cdef str draw_state(self, const void *data):
        cdef const state_t *state = <const state_t *> data
        board = self.state_dict(data)["board"]
        lines = [f"{8 - row} {' '.join(board[8 * row:8 * row + 8])}" for row in range(8)]
        told = {GOES_ON: f"{self.players[state.now.mover]} to move", CHECKMATE: "checkmate", STALEMATE: "stalemate",
                REPETITION: "a draw: third repetition", HALF_MOVES: "a draw: 100 half moves without progress",
                MATERIAL: "a draw: too few pieces for a mate"}
        return "\n".join([*lines, "  a b c d e f g h", told[state.now.ending]])

    cdef str action_text(self, const void *data, int player, const void *action):
        cdef int32_t number = (<const int32_t *> action)[0], move = MOVES[number] if number < PLAIN else move_of(
            &self.rules, &(<const state_t *> data).now, player, number)
        return f"{SQUARES[move & 63]}{SQUARES[move >> 6 & 63]}{LETTERS[move >> 12].lower() if move >> 12 else ''}"

    cdef str action_text_in(self, str notation, const void *data, int player, const void *action):
        cdef const position_t *now = &(<const state_t *> data).now
        if notation not in ("uci", "san"):
            raise ValueError(f"notation={notation!r}; valid: uci, san")
        if notation == "uci" or not is_legal(&self.table, data, player, action) or player != now.mover:
            return self.action_text(data, player, action)
        return self.san(now, move_of(&self.rules, now, player, (<const int32_t *> action)[0]))

    cdef str san(self, const position_t *now, int32_t move):
        """Return a legal move in the notation of scoresheets."""
        cdef uint16_t moves[MOST_MOVES]
        cdef int32_t origin = move & 63, target = move >> 6 & 63, kind = type_at(now, square_bit(origin)), i
        cdef position_t after = now[0]
        cdef sight_t sight
        captures = "x" if move_pieces(&after, move, NULL) and (kind != PAWN or (origin ^ target) & 7) else ""
        if now.sides[now.mover] & square_bit(target):
            text = "O-O" if target > origin else "O-O-O"
        elif kind == PAWN:
            text = (SQUARES[origin][0] + "x" if captures else "") + SQUARES[target]
            text += f"={LETTERS[move >> 12]}" if move >> 12 else ""
        else:
            others = [moves[i] & 63 for i in range(list_moves(now, moves)) if moves[i] >> 6 == target
                      and moves[i] & 63 != origin and type_at(now, square_bit(moves[i] & 63)) == kind]
            file = others and (all([(origin ^ other) & 7 for other in others])
                               or not all([(origin ^ other) >> 3 for other in others]))
            rank = not all([(origin ^ other) & 7 for other in others])
            text = (LETTERS[kind] + (SQUARES[origin][0] if file else "") + (SQUARES[origin][1] if rank else "")
                    + captures + SQUARES[target])
        look(&after, &sight)
        return text + ("" if sight.checkers == 0 else "#" if count_moves(&after) == 0 else "+")

    cdef int parse_action(self, const void *data, int player, str text, void *action) except -1:
        """Read a move of UCI, or one of a scoresheet, which must be legal."""
        cdef int32_t *number = <int32_t *> action
        cdef int32_t origin, target
        found = UCI.fullmatch(text)
        if found is None:
            number[0] = self.read_san(data, player, text)
            return 0
        origin, target = SQUARES.index(found[1]), SQUARES.index(found[2])
        number[0] = NUMBERS[origin][target]
        if found[3]:
            last = 6 if player == WHITE else 1
            if origin >> 3 != last or abs((origin & 7) - (target & 7)) > 1 or target >> 3 not in (0, 7) or (
                    abs((origin >> 3) - (target >> 3)) != 1):
                number[0] = -1
            else:
                number[0] = PLAIN + 4 * (2 * (origin & 7) + (target & 7)) + LETTERS.index(found[3].upper()) - KNIGHT
        if number[0] < 0:
            self.refuse_text(text, "two squares that a piece connects, and the piece of a promotion: e2e4, a7a8q")
        return 0

    cdef int32_t read_san(self, const void *data, int player, str text) except -1:
        """Return the legal action of a move such as Nbxd7+, with or without the signs that are not needed."""
        cdef const position_t *now = &(<const state_t *> data).now
        cdef uint16_t moves[MOST_MOVES]
        cdef int32_t i, count = list_moves(now, moves) if acting(&self.table, data) == 1u << player else 0
        plain = re.sub("[+#!?]*$", "", text).replace("0", "O")
        parts = SAN.fullmatch(plain)
        fitting = []
        for i in range(count):
            origin, target, kind = moves[i] & 63, moves[i] >> 6 & 63, type_at(now, square_bit(moves[i] & 63))
            if now.sides[player] & square_bit(target):
                fits = plain == ("O-O" if target > origin else "O-O-O")
            else:
                fits = parts and parts[4] == SQUARES[target] and parts[1] == (LETTERS[kind] if kind else "") and (
                    parts[2] in SQUARES[origin] and parts[3] in SQUARES[origin]
                    and parts[5].upper() == (LETTERS[moves[i] >> 12] if moves[i] >> 12 else ""))
            if fits:
                fitting.append(moves[i])
        if len(fitting) != 1:
            legal = ", ".join([self.san(now, moves[i]) for i in range(count)]) or "none, it is not the player's turn"
            self.refuse_text(text, f"moves as e2e4, or one of {legal}" + ("; it fits several" if fitting else ""))
        return action_of(&self.rules, now, fitting[0])


GAME = Chess
