"""Points tic-tac-toe: marks cost points, every turn brings income, and a full board goes to the higher balance.

A player with a balance above zero marks a blank cell, if necessary on credit, or passes by choice. Any other player is
forced to pass. Two passes by choice in a row end the game. It is finite: a mark leaves a debt of at most 3, so one
forced pass leads to a balance above zero. The longest game has 21 turns; the game has 183,596 states.
"""
from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint32_t, uint64_t

from ..game.game cimport Game
from ..game.game_table cimport game_t, put_encoding, put_rules, put_symmetries
from ..primitives.bits cimport hash_combine, lowest64, popcount64, select64
from ..primitives.rng cimport rng_below, rng_t
from .common.cells cimport NOBODY, comparison_score, list_cells, put_score, single_cell, winner_score
from .common.encoding cimport put_cells, put_choice, put_number
from .common.lines cimport completing_line3, has_line3
from .common.symmetry cimport BoardSymmetries, image_pair, least_own, symmetries_t
from .lanes.points_ttt cimport play_lanes, setup_t

from ..errors import StateError
from ..game_info import GameInfo
from ..notation import ChoiceField, Notation, NumbersField
from .common.board_text import (
    BoardField, board_text, draw_board, mark_texts, read_board, read_choice, read_integers,
)
from .common.legality import find_winner
from .common.symmetry import board_symmetries

INFO = GameInfo(
    name="points_ttt",
    summary="tic-tac-toe in which marks cost points and a full board goes to the higher balance",
    players=("x", "o"),
    title="Points tic-tac-toe",
    size="3x3",
    example="x.o/o.x/.o._2,-1_x_0",
)

cdef enum:
    SIDE = 3
    CELLS = 9
    BOARD = 0x1FF               # all cells
    PASS = CELLS                # the action that passes; lower actions are marks
    FIRST_INCOME = 1            # income of the first turn
    INCOME = 2                  # income of every other turn
    MIN_BALANCE = -3            # a balance of 1 minus the most expensive cell
    MAX_BALANCE = 15            # greatest balance in any game

cdef struct state_t:
    uint32_t own[2]             # cells of x and of o, bit 3 * row + column
    int16_t balances[2]         # of x and of o, with the income of the player to move
    int8_t mover                # player to move; at the end of the game, player who moved last
    int8_t winner               # player with three in a row, or NOBODY
    uint8_t passes              # last turns that were passes by choice, 0 to 2; 2 end the game
    uint8_t unused              # always 0


cdef inline int32_t cost_of(int32_t action) noexcept nogil:
    """Return the cost of an action, from a table with four bits for each action in one word. A pass is free."""
    return (<uint64_t> 0x0323242323 >> (4 * action)) & 15


cdef void init(const game_t *game, void *data) noexcept nogil:
    cdef state_t *state = <state_t *> data
    state.own[0] = state.own[1] = 0
    state.balances[0] = FIRST_INCOME
    state.balances[1] = 0
    state.mover = 0
    state.winner = NOBODY
    state.passes = 0


cdef inline bint ended_by_mark(const state_t *state) noexcept nogil:
    return state.winner != NOBODY or (state.own[0] | state.own[1]) == BOARD


cdef inline bint is_over(const state_t *state) noexcept nogil:
    return ended_by_mark(state) or state.passes == 2


cdef uint32_t acting(const game_t *game, const void *data) noexcept nogil:
    cdef const state_t *state = <const state_t *> data
    return 0 if is_over(state) else 1u << state.mover


cdef int32_t legal_actions(const game_t *game, const void *data, int32_t player, int32_t *out) noexcept nogil:
    cdef const state_t *state = <const state_t *> data
    cdef int32_t count = 0
    if state.balances[player] > 0:
        count = list_cells(BOARD & ~(state.own[0] | state.own[1]), 0, out)
    out[count] = PASS
    return count + 1


cdef bint is_legal(const game_t *game, const void *data, int32_t player, const void *action) noexcept nogil:
    cdef const state_t *state = <const state_t *> data
    cdef int32_t number = (<const int32_t *> action)[0]
    if number == PASS:
        return True
    return 0 <= number < CELLS and state.balances[player] > 0 and not ((state.own[0] | state.own[1]) >> number) & 1


cdef void apply(const game_t *game, void *data, const void *joint) noexcept nogil:
    cdef state_t *state = <state_t *> data
    cdef int32_t player = state.mover
    cdef int32_t action = (<const int32_t *> joint)[player]
    if action == PASS:
        state.passes = state.passes + 1 if state.balances[player] > 0 else 0
    else:
        state.passes = 0
        state.own[player] |= 1u << action
        state.balances[player] -= cost_of(action)
        if has_line3(state.own[player]):
            state.winner = player
    if not is_over(state):
        state.mover = 1 - player
        state.balances[1 - player] += INCOME


cdef inline double score_x(int32_t winner, int32_t balance_x, int32_t balance_o) noexcept nogil:
    """Return the score of x from the winner by three in a row, if any, and both balances."""
    return winner_score(winner) if winner != NOBODY else comparison_score(balance_x, balance_o)


cdef void returns(const game_t *game, const void *data, double *out) noexcept nogil:
    cdef const state_t *state = <const state_t *> data
    put_score(score_x(state.winner, state.balances[0], state.balances[1]), out)


cdef uint64_t hash(const game_t *game, const void *data) noexcept nogil:
    cdef const state_t *state = <const state_t *> data
    return hash_combine(0, state.own[0] | state.own[1] << 9 | <uint64_t> state.mover << 18
                        | <uint64_t> state.passes << 20 | <uint64_t> <uint8_t> state.balances[0] << 32
                        | <uint64_t> <uint8_t> state.balances[1] << 40)


cdef void encode(const game_t *game, const void *data, float *out) noexcept nogil:
    """Write the cells of x and o, the player to move, both balances times 0.1, the last passes by choice."""
    cdef const state_t *state = <const state_t *> data
    cdef int32_t at = put_cells(out, 0, state.own[0], CELLS)
    at = put_cells(out, at, state.own[1], CELLS)
    at = put_choice(out, at, state.mover, 2)
    at = put_number(out, at, 0.1 * state.balances[0])
    at = put_number(out, at, 0.1 * state.balances[1])
    put_number(out, at, state.passes)


cdef void transform(const game_t *game, void *data, int32_t symmetry) noexcept nogil:
    image_pair(<const symmetries_t *> game.rules, (<state_t *> data).own, symmetry)


cdef int32_t transform_action(const game_t *game, int32_t symmetry, int32_t player, int32_t action) noexcept nogil:
    return (<const symmetries_t *> game.rules).cell[symmetry][action] if action != PASS else PASS


cdef int32_t canonical(const game_t *game, void *data) noexcept nogil:
    return least_own(<const symmetries_t *> game.rules, (<state_t *> data).own)


cdef void playout(const game_t *game, void *data, rng_t *rng, uint64_t *played, double *out) noexcept nogil:
    """Draw passes as one more bit beside the blank cells; a player who is forced to pass has this bit only."""
    cdef state_t *state = <state_t *> data
    cdef rng_t local = rng[0]
    cdef int32_t player = state.mover, winner = state.winner, passes = state.passes
    cdef uint64_t mine = state.own[player], theirs = state.own[1 - player], swap, picked
    cdef uint64_t blank = BOARD & ~(mine | theirs)
    cdef int32_t balance = state.balances[player], other = state.balances[1 - player], other_before
    cdef uint32_t left = popcount64(blank)
    cdef int64_t free
    cdef int32_t passed
    if not is_over(state):
        while True:
            free = -<int64_t> (balance > 0)
            picked = select64((blank & free) | 1 << PASS, rng_below(&local, (left & <uint32_t> free) + 1))
            passed = picked >> PASS
            passes = (passes + passed) & -(passed & <int32_t> free)
            blank &= ~picked
            left -= 1 - passed
            mine |= picked & BOARD
            balance -= cost_of(lowest64(picked))
            if has_line3(<uint32_t> mine):
                winner = player
                break
            if left == 0 or passes == 2:
                break
            swap = mine
            mine = theirs
            theirs = swap
            other_before = other
            other = balance
            balance = other_before + INCOME
            player = 1 - player
    rng[0] = local
    put_score(score_x(winner, other if player else balance, balance if player else other), out)


cdef uint64_t ending_actions(const game_t *game, const void *data, int32_t player) noexcept nogil:
    cdef const state_t *state = <const state_t *> data
    cdef uint64_t blank = BOARD & ~(state.own[0] | state.own[1])
    if state.balances[player] <= 0:     # forced to pass
        return 0
    return completing_line3(state.own[player]) & blank | single_cell(blank) | (state.passes << PASS)


cdef void playout_lanes(const game_t *game, const void *data, uint64_t seed, int64_t count,
                        int64_t *sums) noexcept nogil:
    cdef const state_t *state = <const state_t *> data
    cdef setup_t setup
    cdef int32_t cell
    setup.own = state.own
    setup.balances = state.balances
    setup.mover, setup.passed, setup.income = state.mover, state.passes, INCOME
    for cell in range(CELLS):
        setup.costs[cell] = cost_of(cell)
    play_lanes(&setup, seed, count, sums)


cdef class PointsTtt(Game):
    cdef BoardSymmetries symmetries

    def __init__(self, **given):
        Game.__init__(self, INFO, given)
        self.table.state_size = sizeof(state_t)
        self.table.max_legal = self.table.num_actions = CELLS + 1
        self.symmetries = board_symmetries(SIDE, SIDE)
        self.table.rules = &self.symmetries.table
        put_rules(&self.table, init, acting, legal_actions, is_legal, apply, returns, hash)
        put_encoding(&self.table, 2 * CELLS + 5, encode)
        self.table.playout, self.table.playout_lanes = playout, playout_lanes
        self.table.ending_actions = ending_actions
        put_symmetries(&self.table, self.symmetries.table.count, transform, transform_action, canonical)
        self.seal()

    def notation(self):
        return Notation(BoardField("board", SIDE, SIDE, "xo"), NumbersField("balances", 2),
                        ChoiceField("to_move", self.players), ChoiceField("passes", (0, 1, 2)))

    cdef dict state_dict(self, const void *data):
        cdef const state_t *state = <const state_t *> data
        return {"board": board_text([state.own[0], state.own[1]], "xo", CELLS),
                "balances": [state.balances[0], state.balances[1]],
                "to_move": self.players[state.mover],
                "passes": state.passes}

    cdef int fill_state(self, void *data, dict given) except -1:
        """Write a state, by default without passes. The kernels rely on balances that play to the end keeps small."""
        cdef state_t *state = <state_t *> data
        init(&self.table, data)
        masks = read_board(given, "board", "xo", CELLS)
        state.own[0], state.own[1] = masks
        state.balances[0], state.balances[1] = read_integers(given, "balances", 2, MIN_BALANCE, MAX_BALANCE)
        state.mover = self.players.index(read_choice(given, "to_move", self.players))
        state.passes = read_choice(given, "passes", (0, 1, 2)) if "passes" in given else 0
        state.winner = find_winner([has_line3(mask) for mask in masks], self.players, "three in a row")
        if state.passes and ended_by_mark(state):
            raise StateError(f"'passes' is {state.passes}, but a mark ended the game; valid: 0")
        return 0

    cdef str draw_state(self, const void *data):
        cdef const state_t *state = <const state_t *> data
        cdef int32_t player
        lines = [draw_board(self.state_dict(data)["board"], SIDE),
                 *[f"{self.players[player]}: balance {state.balances[player]}" for player in range(2)]]
        if not is_over(state):
            may = "marks a cell or passes" if state.balances[state.mover] > 0 else "must pass"
            lines.append(f"{self.players[state.mover]} {may}"
                         + ("; a pass ends the game" if state.passes and state.balances[state.mover] > 0 else ""))
        elif state.winner != NOBODY:
            lines.append(f"{self.players[state.winner]} has three in a row and wins")
        else:
            score = score_x(NOBODY, state.balances[0], state.balances[1])
            lines.append(("both passed: " if state.passes == 2 else "the board is full: ")
                         + ("equal balances, a draw" if score == 50 else
                            f"{self.players[0 if score == 100 else 1]} wins by the higher balance"))
        return "\n".join(lines)

    cdef object words(self, int player):
        return (*mark_texts(SIDE, SIDE), "pass")


GAME = PointsTtt
