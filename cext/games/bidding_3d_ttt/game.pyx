"""Bidding 3D tic-tac-toe: nine boards, sealed bids of chips for their tiles, three rounds; three boards in a line win.

`rules.pxd` has the rules, `bid_policy.pxd` the distribution of random bids, `belief.pxd` what is known of the other
player's bids, `bid_text.py` the texts. This module fills the table.

The numbers of an encoded state: a 1 for each tile of red and of blue (81 each), for each board that red and that blue
control (9 each), and for the round (3); the chips of red and of blue, as shares of those at the start.
"""
from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from ...game.game cimport Game
from ...game.game_table cimport game_t, hash_bytes, hash_state
from ...primitives.rng cimport rng_t
from .belief cimport guess_hidden
from .bid_policy cimport draw_bid
from .estimate cimport estimate_t, lay_out_estimate
from .rules cimport (
    BLUE_HOME, BOARDS, CHIPS_RULE, CLOSED_RULE, LINE_RULE, RED_HOME, ROUNDS, TILES,
    bid_t, broken_rule, finished_rounds, lay_out_lines, open_tiles, position_t, read_counts, rules_t, score, settle,
    state_t,
)

from ...errors import StateError
from ...game_info import GameInfo
from ...parameters import Flag, Integer
from ..common.board_text import board_text, require
from .bid_explanation import explain_bids
from .bid_text import BOARD_NAMES, BidNotation, bid_text, draw_boards, read_bid, read_history, tile_name

cdef enum:
    ENCODING = 2 * (TILES + BOARDS) + ROUNDS + 2

EXAMPLE_BOARDS = "rr......./........./..b..b.../........./........./........./.r......./........./........."
INFO = GameInfo(
    name="bidding_3d_ttt",
    summary="sealed bids for the tiles of nine boards, three boards in a line win",
    players=("red", "blue"),
    parameters={"chips": Integer(80, 0, 255), "recapture": Flag(False)},
    title="Bidding 3D tic-tac-toe",
    size="9 of 3x3",
    example=f"2_64,65_{EXAMPLE_BOARDS}_...r.b..._A1:4,A2:4,G1:4,G2:4_A2:1,C3:5,C6:5,G1:4_{EXAMPLE_BOARDS}",
    amounts="bid",
    hint="Click a tile to put chips on it, then seal the bid.",
    variants={
        "80 chips": {"chips": 80, "recapture": False},
        "80 chips, tiles can be recaptured": {"chips": 80, "recapture": True},
        "20 chips": {"chips": 20, "recapture": False},
    },
    phrases={"bid": "bids {sum}"},
)


cdef void init(const game_t *game, void *data) noexcept nogil:
    cdef state_t *state = <state_t *> data
    memset(state, 0, sizeof(state_t))
    state.now.round = 1
    state.now.control[0] = 1 << RED_HOME
    state.now.control[1] = 1 << BLUE_HOME
    state.now.chips[0] = state.now.chips[1] = (<const rules_t *> game.rules).chips


cdef uint32_t acting(const game_t *game, const void *data) noexcept nogil:
    return 0 if (<const state_t *> data).now.over else 3


cdef int32_t rule_of(const game_t *game, const void *data, int32_t player, const void *action) noexcept nogil:
    """Return the rule that an action breaks, 0 if none."""
    cdef const position_t *now = &(<const state_t *> data).now
    cdef bid_t bid
    read_counts(<const uint8_t *> action, &bid)
    return broken_rule(<const rules_t *> game.rules, now, now.chips[player], &bid)


cdef bint is_legal(const game_t *game, const void *data, int32_t player, const void *action) noexcept nogil:
    return rule_of(game, data, player, action) == 0


cdef void apply(const game_t *game, void *data, const void *joint) noexcept nogil:
    cdef state_t *state = <state_t *> data
    cdef bid_t bids[2]
    cdef int32_t r = finished_rounds(state)
    memcpy(state.bids[r], joint, 2 * TILES)
    read_counts(state.bids[r][0], &bids[0])
    read_counts(state.bids[r][1], &bids[1])
    settle(<const rules_t *> game.rules, &state.now, &bids[0], &bids[1])
    memcpy(state.tiles[r], state.now.own, sizeof(state.now.own))


cdef void returns(const game_t *game, const void *data, double *out) noexcept nogil:
    score(<const rules_t *> game.rules, &(<const state_t *> data).now, out)


cdef void sample_action(const game_t *game, const void *data, int32_t player, rng_t *rng, void *action) noexcept nogil:
    cdef bid_t bid
    draw_bid(<const rules_t *> game.rules, &(<const state_t *> data).now, player, rng, &bid)
    memcpy(action, bid.chips, TILES)


cdef void playout(const game_t *game, void *data, rng_t *rng, uint64_t *played, double *out) noexcept nogil:
    cdef const rules_t *rules = <const rules_t *> game.rules
    cdef rng_t local = rng[0]
    cdef position_t now = (<const state_t *> data).now
    cdef bid_t bids[2]
    while not now.over:
        draw_bid(rules, &now, 0, &local, &bids[0])
        draw_bid(rules, &now, 1, &local, &bids[1])
        settle(rules, &now, &bids[0], &bids[1])
    score(rules, &now, out)
    rng[0] = local


cdef void redact(const game_t *game, void *data, int32_t player) noexcept nogil:
    cdef state_t *state = <state_t *> data
    cdef int32_t r
    state.hidden = 1 << (1 - player)
    state.now.chips[1 - player] = 0
    for r in range(ROUNDS):
        memset(state.bids[r][1 - player], 0, TILES)


cdef void resample(const game_t *game, void *data, int32_t player, rng_t *rng) noexcept nogil:
    guess_hidden(<const rules_t *> game.rules, <state_t *> data, player, rng)


cdef uint64_t info_hash(const game_t *game, const void *data, int32_t player) noexcept nogil:
    cdef state_t seen = (<const state_t *> data)[0]
    redact(game, &seen, player)
    return hash_bytes(&seen, sizeof(state_t))


cdef void encode(const game_t *game, const void *data, float *out) noexcept nogil:
    cdef const rules_t *rules = <const rules_t *> game.rules
    cdef const position_t *now = &(<const state_t *> data).now
    cdef int32_t player, board, cell
    memset(out, 0, ENCODING * sizeof(float))
    for player in range(2):
        for board in range(BOARDS):
            for cell in range(9):
                out[TILES * player + 9 * board + cell] = (now.own[player][board] >> cell) & 1
            out[2 * TILES + BOARDS * player + board] = (now.control[player] >> board) & 1
        out[ENCODING - 2 + player] = <float> now.chips[player] / <float> max(1, <int32_t> rules.chips)
    out[2 * (TILES + BOARDS) + now.round - 1] = 1


cdef class Bidding3dTtt(Game):
    cdef estimate_t estimate

    def __init__(self, **given):
        cdef rules_t *rules = &self.estimate.rules
        Game.__init__(self, INFO, given)
        lay_out_lines(rules)
        rules.chips = self.parameters["chips"]
        rules.recapture = self.parameters["recapture"]
        lay_out_estimate(&self.estimate)
        self.table.state_size = sizeof(state_t)
        self.table.action_size = TILES
        self.table.rules = rules
        self.table.init = init
        self.table.acting = acting
        self.table.is_legal = is_legal
        self.table.apply = apply
        self.table.returns = returns
        self.table.hash = hash_state
        self.table.playout = playout
        self.table.sample_action = sample_action
        self.table.redact = redact
        self.table.resample = resample
        self.table.info_hash = info_hash
        self.table.encode = encode
        self.table.encoding_size = ENCODING
        self.seal()

    cdef str tiles_text(self, const uint16_t *red, const uint16_t *blue):
        return "".join([board_text([red[board], blue[board]], "rb", 9) for board in range(BOARDS)])

    def notation(self):
        return BidNotation()

    cdef dict state_dict(self, const void *data):
        cdef const state_t *state = <const state_t *> data
        cdef const position_t *now = &state.now
        cdef int r, player, tile, board
        boards = ["r" * ((now.control[0] >> board) & 1) + "b" * ((now.control[1] >> board) & 1)
                  for board in range(BOARDS)]
        seen = [not (state.hidden >> player) & 1 for player in range(2)]
        history = [{"bids": [[state.bids[r][player][tile] for tile in range(TILES)] if seen[player] else None
                             for player in range(2)],
                    "tiles": self.tiles_text(state.tiles[r][0], state.tiles[r][1])}
                   for r in range(finished_rounds(state))]
        return {"round": now.round, "chips": [now.chips[player] if seen[player] else None for player in range(2)],
                "tiles": self.tiles_text(now.own[0], now.own[1]), "boards": boards, "history": history}

    cdef int fill_state(self, void *data, dict given) except -1:
        cdef state_t *state = <state_t *> data
        cdef uint8_t joint[2 * TILES]
        cdef int32_t player, rule, tile
        for key in ("round", "chips", "tiles", "boards"):
            require(given, key)
        init(&self.table, data)
        for number, (both, tiles) in enumerate(read_history(given), 1):
            if state.now.over:
                raise StateError(f"'history' continues after round {number - 1}, which ended the game")
            for player in range(2):
                for tile in range(TILES):
                    joint[player * TILES + tile] = both[player][tile]
                rule = rule_of(&self.table, data, player, &joint[player * TILES])
                if rule:
                    raise StateError(f"'history' of round {number}: {bid_text(both[player])} of "
                                     f"{self.players[player]} {self.rule_text(&state.now, player, rule, both[player])}")
            apply(&self.table, data, joint)
            found = self.tiles_text(state.now.own[0], state.now.own[1])
            if tiles != found:
                raise StateError(f"'history' of round {number} has the tiles {tiles!r}, but its bids lead to {found!r}")
        return 0

    def explain_view(self, int player, given):
        return explain_bids(given, player, self.estimate.rules.chips)

    cdef str rule_text(self, const position_t *now, int player, int rule, counts):
        """Return how a bid breaks a rule, and the valid values."""
        if rule == CHIPS_RULE:
            return f"bids {sum(counts)} chips; valid: up to {now.chips[player]} in all"
        if rule == CLOSED_RULE:
            closed = [tile_name(tile) for tile in range(TILES)
                      if counts[tile] and not (open_tiles(&self.estimate.rules, now, tile // 9) >> (tile % 9)) & 1]
            return f"bids on {', '.join(closed)}, which cannot be bid on now"
        if rule == LINE_RULE:
            return "bids on a line of three within one board; valid in round 1: no such line"
        boards = sorted({BOARD_NAMES[tile // 9] for tile in range(TILES) if counts[tile]})
        return f"bids on the boards {', '.join(boards)}; valid in round 2: tiles of at most two boards"

    cdef str why_illegal(self, const void *data, int player, const void *action):
        cdef const position_t *now = &(<const state_t *> data).now
        return self.rule_text(now, player, rule_of(&self.table, data, player, action), self.unpack_action(action))

    cdef str draw_state(self, const void *data):
        cdef const position_t *now = &(<const state_t *> data).now
        cdef int tile
        shown = self.state_dict(data)
        free = [not now.over and (open_tiles(&self.estimate.rules, now, tile // 9) >> (tile % 9)) & 1
                for tile in range(TILES)]
        chips = ", ".join(f"{name} {'?' if left is None else left} chips"
                          for name, left in zip(self.players, shown["chips"]))
        headline = f"round {now.round} of {ROUNDS}{', over' if now.over else ''}: {chips}"
        return draw_boards(shown["tiles"], shown["boards"], free, self.players, headline)

    cdef str action_text(self, const void *data, int player, const void *action):
        return bid_text(self.unpack_action(action))

    cdef int parse_action(self, const void *data, int player, str text, void *action) except -1:
        cdef int32_t tile
        counts = read_bid(text)
        for tile in range(TILES):
            (<uint8_t *> action)[tile] = counts[tile]
        return 0


GAME = Bidding3dTtt
