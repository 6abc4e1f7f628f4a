"""Bidding tic-tac-toe: both players bid coins simultaneously for the right to mark; the winner pays the loser.

The holder of the tiebreaker wins a tie if it added the tiebreaker to its bid; otherwise the other player wins. A winner
that bid the tiebreaker passes it on, in a tie or not. Bids are public after each auction, so nothing is hidden.

An action is a cell, 0 to 8, in the marking stage, or FIRST_BID + 2 * chips + (1 with the tiebreaker) in the bidding
stage.
"""
from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint32_t, uint64_t

from ..game.game cimport Game
from ..game.game_table cimport game_t, put_encoding, put_rules, put_symmetries
from ..primitives.bits cimport hash_combine, popcount64, select64
from ..primitives.rng cimport rng_below, rng_t
from .common.cells cimport NOBODY, list_cells, put_score, single_cell, winner_score
from .common.encoding cimport put_cells, put_choice, put_number
from .common.lines cimport completing_line3, has_line3
from .common.symmetry cimport BoardSymmetries, image_pair, least_own, symmetries_t
from .lanes.bidding_ttt cimport play_lanes, setup_t

from ..errors import StateError
from ..game_info import GameInfo
from ..notation import ChoiceField, Notation, NumbersField
from ..parameters import Choice, Integer
from .common.board_text import (
    BoardField, board_text, draw_board, mark_texts, read_board, read_choice, read_integers,
)
from .common.legality import find_winner
from .common.symmetry import board_symmetries

INFO = GameInfo(
    name="bidding_ttt",
    summary="tic-tac-toe in which sealed bids decide who marks, and the winner pays the loser",
    players=("x", "o"),
    parameters={
        "coins": Integer(3, 0, 100),
        "o_coins": Integer(None, 0, 100),           # None: as many as x
        "tiebreaker": Choice(None, ("x", "o")),     # first holder; None: x
    },
    title="Bidding tic-tac-toe",
    size="3x3",
    example="x.o/.x./..._4,2_o_-",
    amounts="bid coins",
    hint="Choose a bid and seal it. Bids are shown when both are sealed; the higher one marks a cell.",
    variants={"3 coins each": {"coins": 3}, "8 coins each": {"coins": 8}, "20 coins each": {"coins": 20}},
    phrases={"bid": "bids {sum}"},
)

cdef enum:
    SIDE = 3
    CELLS = 9
    BOARD = 0x1FF               # all cells
    FIRST_BID = CELLS           # the action that bids no coins; lower actions are marks

cdef struct state_t:
    uint32_t own[2]             # cells of x and of o, bit 3 * row + column
    uint8_t coins[2]            # coins of x and of o; their sum is constant
    int8_t tiebreaker           # its holder
    int8_t control              # player who marks now; NOBODY in the bidding stage
    int8_t winner               # player with three in a row, or NOBODY
    uint8_t unused[3]           # keeps the size a multiple of 8; always 0

cdef struct bidding_t:          # the parameters and what follows from them
    int32_t coins[2]            # of x and of o at the start
    int32_t holder              # first holder of the tiebreaker
    const symmetries_t *symmetries


cdef inline int32_t count_bids(int32_t coins, int32_t holds) noexcept nogil:
    """Return the number of legal bids. `holds` is 1 for the holder of the tiebreaker, else 0."""
    return (coins + 1) << holds


cdef inline int32_t auction_winner(int32_t bid_x, int32_t bid_o, int32_t holder, int32_t offered) noexcept nogil:
    """Return the winner of an auction. `offered` is 1 if the holder bid the tiebreaker too, else 0. No branches."""
    return (bid_o > bid_x) | ((bid_o == bid_x) & (holder ^ offered ^ 1))


cdef void init(const game_t *game, void *data) noexcept nogil:
    cdef state_t *state = <state_t *> data
    state.own[0] = state.own[1] = 0
    state.coins[0] = (<const bidding_t *> game.rules).coins[0]
    state.coins[1] = (<const bidding_t *> game.rules).coins[1]
    state.tiebreaker = (<const bidding_t *> game.rules).holder
    state.control = NOBODY
    state.winner = NOBODY


cdef uint32_t acting(const game_t *game, const void *data) noexcept nogil:
    cdef const state_t *state = <const state_t *> data
    if state.winner != NOBODY or (state.own[0] | state.own[1]) == BOARD:
        return 0
    return 3 if state.control == NOBODY else 1u << state.control


cdef int32_t legal_actions(const game_t *game, const void *data, int32_t player, int32_t *out) noexcept nogil:
    cdef const state_t *state = <const state_t *> data
    cdef int32_t count = 0, step
    if state.control == NOBODY:
        step = 1 if player == state.tiebreaker else 2
        for count in range(count_bids(state.coins[player], player == state.tiebreaker)):
            out[count] = FIRST_BID + step * count
        return count_bids(state.coins[player], player == state.tiebreaker)
    return list_cells(BOARD & ~(state.own[0] | state.own[1]), 0, out)


cdef bint is_legal(const game_t *game, const void *data, int32_t player, const void *action) noexcept nogil:
    cdef const state_t *state = <const state_t *> data
    cdef int32_t number = (<const int32_t *> action)[0]
    if state.control != NOBODY:
        return 0 <= number < CELLS and not ((state.own[0] | state.own[1]) >> number) & 1
    if number < FIRST_BID or (number - FIRST_BID) >> 1 > state.coins[player]:
        return False
    return player == state.tiebreaker or not (number - FIRST_BID) & 1


cdef void settle(state_t *state, int32_t bid_x, int32_t bid_o, int32_t offered) noexcept nogil:
    """Apply the result of an auction. Arguments as of auction_winner."""
    cdef int32_t winner = auction_winner(bid_x, bid_o, state.tiebreaker, offered)
    cdef int32_t price = bid_o if winner else bid_x
    state.coins[winner] -= price
    state.coins[1 - winner] += price
    state.control = winner
    if offered and winner == state.tiebreaker:
        state.tiebreaker = 1 - winner


cdef void apply(const game_t *game, void *data, const void *joint) noexcept nogil:
    cdef state_t *state = <state_t *> data
    cdef const int32_t *actions = <const int32_t *> joint
    cdef int32_t player = state.control
    if player == NOBODY:
        settle(state, (actions[0] - FIRST_BID) >> 1, (actions[1] - FIRST_BID) >> 1,
               (actions[state.tiebreaker] - FIRST_BID) & 1)
        return
    state.own[player] |= 1u << actions[player]
    state.control = NOBODY
    if has_line3(state.own[player]):
        state.winner = player


cdef void returns(const game_t *game, const void *data, double *out) noexcept nogil:
    put_score(winner_score((<const state_t *> data).winner), out)


cdef uint64_t hash(const game_t *game, const void *data) noexcept nogil:
    cdef const state_t *state = <const state_t *> data
    return hash_combine(0, state.own[0] | state.own[1] << 9 | <uint64_t> state.coins[0] << 32
                        | <uint64_t> state.tiebreaker << 40 | <uint64_t> (state.control + 1) << 41)


cdef void encode(const game_t *game, const void *data, float *out) noexcept nogil:
    """Write the cells of x and o, the player who marks, if any, the tiebreaker's holder, both shares of the coins."""
    cdef const state_t *state = <const state_t *> data
    cdef double coins = max(1, state.coins[0] + state.coins[1])
    cdef int32_t at = put_cells(out, 0, state.own[0], CELLS)
    at = put_cells(out, at, state.own[1], CELLS)
    at = put_choice(out, at, state.control, 2)
    at = put_choice(out, at, state.tiebreaker, 2)
    at = put_number(out, at, state.coins[0] / coins)
    put_number(out, at, state.coins[1] / coins)


cdef void transform(const game_t *game, void *data, int32_t symmetry) noexcept nogil:
    image_pair((<const bidding_t *> game.rules).symmetries, (<state_t *> data).own, symmetry)


cdef int32_t transform_action(const game_t *game, int32_t symmetry, int32_t player, int32_t action) noexcept nogil:
    return (<const bidding_t *> game.rules).symmetries.cell[symmetry][action] if action < CELLS else action


cdef int32_t canonical(const game_t *game, void *data) noexcept nogil:
    return least_own((<const bidding_t *> game.rules).symmetries, (<state_t *> data).own)


cdef void playout(const game_t *game, void *data, rng_t *rng, uint64_t *played, double *out) noexcept nogil:
    """Keep both boards in one word, 16 bits apart: the winner of an auction selects one by a shift, not a branch."""
    cdef state_t *state = <state_t *> data
    cdef rng_t local = rng[0]
    cdef uint64_t boards = state.own[0] | state.own[1] << 16, blank = BOARD & ~(state.own[0] | state.own[1]), cell
    cdef int32_t coins = state.coins[0], total = state.coins[0] + state.coins[1], holder = state.tiebreaker
    cdef int32_t bid_x, bid_o, offered, control = state.control
    cdef bint bidding = control == NOBODY
    cdef uint32_t left
    if state.winner == NOBODY:
        for left in range(popcount64(blank), 0, -1):
            if bidding:
                bid_x = rng_below(&local, count_bids(coins, 1 - holder))
                bid_o = rng_below(&local, count_bids(total - coins, holder))
                offered = (bid_o if holder else bid_x) & 1
                bid_x >>= 1 - holder
                bid_o >>= holder
                control = auction_winner(bid_x, bid_o, holder, offered)
                coins += bid_o if control else -bid_x
                holder ^= offered & (holder == control)
            bidding = True
            cell = select64(blank, rng_below(&local, left))
            blank ^= cell
            boards |= cell << (16 * control)
            if has_line3((boards >> (16 * control)) & BOARD):
                state.winner = control
                break
    rng[0] = local
    returns(game, data, out)


cdef uint64_t ending_actions(const game_t *game, const void *data, int32_t player) noexcept nogil:
    cdef const state_t *state = <const state_t *> data
    cdef uint64_t blank = BOARD & ~(state.own[0] | state.own[1])
    if state.control == NOBODY:         # bids never end the game
        return 0
    return completing_line3(state.own[player]) & blank | single_cell(blank)


cdef void playout_lanes(const game_t *game, const void *data, uint64_t seed, int64_t count,
                        int64_t *sums) noexcept nogil:
    cdef const state_t *state = <const state_t *> data
    cdef setup_t setup
    setup.own = state.own
    setup.coins[0] = state.coins[0]
    setup.coins[1] = state.coins[1]
    setup.holder = state.tiebreaker
    setup.control = state.control
    play_lanes(&setup, seed, count, sums)


cdef class BiddingTtt(Game):
    cdef bidding_t bidding
    cdef BoardSymmetries symmetries
    cdef tuple texts            # of the actions

    def __init__(self, **given):
        Game.__init__(self, INFO, given)
        cdef int32_t total
        coins, o_coins = self.parameters["coins"], self.parameters["o_coins"]
        self.bidding.coins[0] = coins
        self.bidding.coins[1] = coins if o_coins is None else o_coins
        self.bidding.holder = self.parameters["tiebreaker"] == "o"
        total = self._total_coins()
        self.table.state_size = sizeof(state_t)
        self.texts = (*mark_texts(SIDE, SIDE),
                      *[f"bid({bid}{more})" for bid in range(total + 1) for more in ("", ",tiebreaker")])
        self.table.max_legal = max(CELLS, count_bids(total, 1))
        self.table.num_actions = FIRST_BID + count_bids(total, 1)
        self.symmetries = board_symmetries(SIDE, SIDE)
        self.bidding.symmetries = &self.symmetries.table
        self.table.rules = &self.bidding
        put_rules(&self.table, init, acting, legal_actions, is_legal, apply, returns, hash)
        put_encoding(&self.table, 2 * CELLS + 6, encode)
        self.table.playout, self.table.playout_lanes = playout, playout_lanes
        self.table.ending_actions = ending_actions
        put_symmetries(&self.table, self.symmetries.table.count, transform, transform_action, canonical)
        self.seal()

    cdef int32_t _total_coins(self):
        return self.bidding.coins[0] + self.bidding.coins[1]

    def notation(self):
        return Notation(BoardField("board", SIDE, SIDE, "xo"), NumbersField("coins", 2),
                        ChoiceField("tiebreaker", self.players), ChoiceField("control", (*self.players, None)),
                        derived={"stage": lambda given: "bidding" if given["control"] is None else "marking"})

    cdef dict state_dict(self, const void *data):
        cdef const state_t *state = <const state_t *> data
        return {"board": board_text([state.own[0], state.own[1]], "xo", CELLS),
                "coins": [state.coins[0], state.coins[1]],
                "tiebreaker": self.players[state.tiebreaker],
                "stage": "bidding" if state.control == NOBODY else "marking",
                "control": None if state.control == NOBODY else self.players[state.control]}

    cdef int fill_state(self, void *data, dict given) except -1:
        """Write a state. The kernels rely on the sum of coins, and on a blank cell where somebody marks."""
        cdef state_t *state = <state_t *> data
        cdef int32_t total = self._total_coins()
        init(&self.table, data)
        masks = read_board(given, "board", "xo", CELLS)
        state.own[0], state.own[1] = masks
        state.coins[0], state.coins[1] = read_integers(given, "coins", 2, 0, total)
        if state.coins[0] + state.coins[1] != total:
            raise StateError(f"'coins' {given['coins']} make {state.coins[0] + state.coins[1]}, but {self.spec} has "
                             f"{total} coins in all")
        state.tiebreaker = self.players.index(read_choice(given, "tiebreaker", self.players))
        control = read_choice(given, "control", (None, *self.players))
        state.winner = find_winner([has_line3(mask) for mask in masks], self.players, "three in a row")
        if control is not None:
            if acting(&self.table, data) == 0:
                raise StateError(f"the game is over on board {given['board']!r}: its stage is bidding, not marking")
            state.control = self.players.index(control)
        return 0

    cdef str draw_state(self, const void *data):
        cdef const state_t *state = <const state_t *> data
        cdef int32_t player
        lines = [draw_board(self.state_dict(data)["board"], SIDE)]
        for player in range(2):
            lines.append(f"{self.players[player]}: {state.coins[player]} coin{'' if state.coins[player] == 1 else 's'}"
                         + (" and the tiebreaker" if player == state.tiebreaker else ""))
        if state.winner != NOBODY:
            lines.append(f"{self.players[state.winner]} has three in a row and wins")
        elif acting(&self.table, data) == 0:
            lines.append("the board is full: a draw")
        else:
            lines.append("both bid" if state.control == NOBODY else f"{self.players[state.control]} marks a cell")
        return "\n".join(lines)

    cdef object words(self, int player):
        return self.texts


GAME = BiddingTtt
