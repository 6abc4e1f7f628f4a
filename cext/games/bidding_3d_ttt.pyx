"""Bidding 3D tic-tac-toe: nine boards, sealed bids of chips for their tiles, three rounds; three boards in a line win.

Tiles of a board and boards of the layout are both 3x3, so one set of tables over 9-bit masks serves both.

The random bid policy, used by `sample_action` and in playouts:

- How much: all that is left in round 3 (in one case of 16 any part of it); before that a uniform part of twice the fair
  share of the rounds still to come (in one case of 16 of everything). Nothing at all is a possible part.
- What for: a handful of wishes. Each picks an open board, by weight of the lines of boards that it can still give to
  the player or to the rival, more the nearer they are to done. There, 5 times of 8, it wants all that is missing from a
  line that the player can still complete, preferring lines begun; 2 of 8, one tile of such a line of the rival; else
  any open tile. What the round forbids is left out.
- At what price: a chip on each tile wanted, the rest spread over them with random weights, all alike or widely apart.
"""
from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from ..bits cimport lowest64, popcount64, select64
from ..game cimport Game, game_t, hash_bytes
from ..rng cimport rng_below, rng_next, rng_t

from ..bid_text import (
    BOARD_NAMES, bid_text, check_outcome, draw_boards, read_bid, read_history, tile_name,
)
from ..board_text import board_text, refuse_other_keys
from ..errors import StateError
from ..facts import Flag, GameFacts, Integer

FACTS = GameFacts(
    name="bidding_3d_ttt",
    summary="sealed bids for the tiles of nine boards, three boards in a line win",
    players=("red", "blue"),
    parameters={"chips": Integer(80, 0, 255), "recapture": Flag(False)},
)

cdef enum:
    BOARDS = 9
    TILES = 81
    ROUNDS = 3
    ALL = 511                   # every cell of a 3x3 board
    LINES = 8
    RED_HOME = 3                # D, controlled by red from the start
    BLUE_HOME = 5               # F, by blue
    MAX_WISHES = 8              # of one random bid
    CHIPS_RULE = 1              # what a bid may break: more chips than the player has
    CLOSED_RULE = 2             # a tile that is not open
    LINE_RULE = 3               # a line of three within a board in round 1
    BOARDS_RULE = 4             # more than two boards in round 2

cdef struct rules_t:
    uint8_t chips               # of each player at the start
    uint8_t recapture           # 1: owned tiles on uncontrolled boards stay open

cdef struct position_t:         # all that the rest of the game depends on
    uint16_t own[2][BOARDS]     # tiles of each player, a mask for each board
    uint16_t control[2]         # boards of each player
    uint8_t chips[2]            # left
    uint8_t round               # 1 to 3; stays at the last one played
    uint8_t over                # 1 when the game is over

cdef struct state_t:
    position_t now
    uint16_t tiles[ROUNDS][2][BOARDS]   # position_t.own after each finished round, 0 for rounds to come
    uint8_t bids[ROUNDS][2][TILES]      # of each finished round, 0 for rounds to come
    uint8_t hidden              # mask of players whose chips and bids are blotted out (and 0)
    uint8_t unused              # makes the size even; always 0

cdef struct bid_t:
    uint8_t chips[TILES]
    uint16_t tiles[BOARDS]      # where they are, a mask for each board
    int32_t total               # how many

# Facts of 3x3 masks, filled once at import; a set of lines is a mask of 8 bits.
cdef uint16_t line_cells[LINES]
cdef uint8_t full[512]          # lines wholly inside the mask
cdef uint8_t pairs[512]         # lines with at least two cells in it
cdef uint8_t touched[512]       # lines with at least one
cdef uint8_t through[BOARDS]    # lines through one cell


def _fill_tables():
    cdef int line, mask
    cells = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
    for line in range(LINES):
        line_cells[line] = sum(1 << cell for cell in cells[line])
        for cell in cells[line]:
            through[cell] |= 1 << line
        for mask in range(512):
            inside = popcount64(line_cells[line] & mask)
            full[mask] |= (inside == 3) << line
            pairs[mask] |= (inside >= 2) << line
            touched[mask] |= (inside >= 1) << line


_fill_tables()


cdef inline uint16_t open_tiles(const rules_t *rules, const position_t *now, int32_t board) noexcept nogil:
    if ((now.control[0] | now.control[1]) >> board) & 1:
        return 0
    if rules.recapture:
        return ALL
    return ALL & ~(now.own[0][board] | now.own[1][board])


cdef inline void read_counts(const uint8_t *chips, bid_t *bid) noexcept nogil:
    """A bid from its 81 counts."""
    cdef int32_t board, cell
    memcpy(bid.chips, chips, TILES)
    bid.total = 0
    for board in range(BOARDS):
        bid.tiles[board] = 0
        for cell in range(9):
            bid.total += chips[9 * board + cell]
            bid.tiles[board] |= <uint16_t> ((chips[9 * board + cell] != 0) << cell)


cdef int32_t broken_rule(const rules_t *rules, const position_t *now, int32_t player,
                         const uint8_t *chips) noexcept nogil:
    """Which rule a bid breaks; 0 if none."""
    cdef bid_t bid
    cdef int32_t board, boards = 0
    cdef bint line = False
    read_counts(chips, &bid)
    for board in range(BOARDS):
        if bid.tiles[board] & ~open_tiles(rules, now, board):
            return CLOSED_RULE
        boards += bid.tiles[board] != 0
        line |= full[bid.tiles[board]] != 0
    if bid.total > now.chips[player]:
        return CHIPS_RULE
    if now.round == 1 and line:
        return LINE_RULE
    if now.round == 2 and boards > 2:
        return BOARDS_RULE
    return 0


cdef inline void settle(position_t *now, const bid_t *red, const bid_t *blue) noexcept nogil:
    """Open both bids: tiles and boards change hands, chips are spent, the round or the game ends."""
    cdef int32_t board, cell
    cdef uint64_t tiles
    cdef uint16_t won[2]
    for board in range(BOARDS):
        tiles = red.tiles[board] | blue.tiles[board]
        if tiles == 0:
            continue
        won[0] = won[1] = 0
        while tiles:
            cell = lowest64(tiles)
            tiles &= tiles - 1
            won[0] |= <uint16_t> ((red.chips[9 * board + cell] > blue.chips[9 * board + cell]) << cell)
            won[1] |= <uint16_t> ((red.chips[9 * board + cell] < blue.chips[9 * board + cell]) << cell)
        now.own[0][board] = (now.own[0][board] & ~won[1]) | won[0]
        now.own[1][board] = (now.own[1][board] & ~won[0]) | won[1]
        now.control[0] |= <uint16_t> ((full[now.own[0][board]] != 0) << board)
        now.control[1] |= <uint16_t> ((full[now.own[1][board]] != 0) << board)
    now.chips[0] -= <uint8_t> red.total
    now.chips[1] -= <uint8_t> blue.total
    if now.round == ROUNDS or full[now.control[0]] or full[now.control[1]]:
        now.over = 1
    else:
        now.round += 1


cdef inline void score(const position_t *now, double *out) noexcept nogil:
    """Returns of a position that is over."""
    cdef int32_t board
    cdef int32_t lead = (full[now.control[0]] != 0) - (full[now.control[1]] != 0)
    if lead == 0:
        lead = popcount64(now.control[0]) - popcount64(now.control[1])
    if lead == 0:
        for board in range(BOARDS):
            lead += popcount64(now.own[0][board]) - popcount64(now.own[1][board])
    if lead == 0:
        lead = now.chips[0] - now.chips[1]
    out[0] = 50.0 + 50.0 * ((lead > 0) - (lead < 0))
    out[1] = 100.0 - out[0]


cdef inline int32_t draw_spending(const position_t *now, int32_t player, rng_t *rng) noexcept nogil:
    """How many chips a random bid is to spend."""
    cdef uint32_t chips = now.chips[player], rounds_left = ROUNDS + 1 - now.round
    cdef uint64_t draw
    if chips == 0:
        return 0
    draw = rng_next(rng)
    if draw & 15:
        if rounds_left == 1:
            return chips
        chips = min(chips, (2 * chips + rounds_left - 1) // rounds_left)
    return <int32_t> (((draw >> 32) * (chips + 1)) >> 32)


cdef inline uint32_t weigh_boards(const rules_t *rules, const position_t *now, int32_t player,
                                  uint32_t *weights) noexcept nogil:
    """Weight of every board for a random bid, 0 where no tile is open; returns their sum."""
    cdef uint16_t mine = now.control[player], theirs = now.control[1 - player]
    # lines of boards that only one of the two can still get, or both: a board the other holds alone is lost
    cdef uint8_t can = ~touched[theirs & ~mine], must = ~touched[mine & ~theirs]
    cdef uint32_t sum = 0
    cdef int32_t board
    for board in range(BOARDS):
        weights[board] = 0
        if open_tiles(rules, now, board):
            weights[board] = (1 + 2 * popcount64(can & through[board]) + 3 * popcount64(can & touched[mine] & through[board])
                              + 12 * popcount64(can & pairs[mine] & through[board])
                              + 2 * popcount64(must & touched[theirs] & through[board])
                              + 8 * popcount64(must & pairs[theirs] & through[board]))
        sum += weights[board]
    return sum


cdef inline uint32_t below(uint64_t bits, uint32_t n) noexcept nogil:
    """A number in [0, n), n at most 256, from the lowest 16 random bits."""
    return <uint32_t> (((bits & 0xFFFF) * n) >> 16)


cdef inline uint16_t draw_wish(const rules_t *rules, const position_t *now, int32_t player, int32_t board,
                               uint64_t bits) noexcept nogil:
    """Tiles of a board that a random bid wants together; may be none. Uses up 40 random bits."""
    cdef uint16_t mine = now.own[player][board], theirs = now.own[1 - player][board]
    cdef uint16_t free = open_tiles(rules, now, board), wish
    cdef uint8_t lines, begun
    cdef uint32_t kind = bits & 7, choosy = (bits >> 3) & 7
    bits >>= 8
    if kind < 7:
        if kind >= 5:
            mine, theirs = theirs, mine     # think as the rival does
        lines = 255 if rules.recapture else ~touched[theirs]
        begun = lines & pairs[mine]
        if begun == 0 or choosy == 0:
            begun = lines & touched[mine]
        if begun and choosy > 1:
            lines = begun
        if lines == 0:
            return 0
        wish = line_cells[lowest64(select64(lines, below(bits, popcount64(lines))))] & ~mine & free
        if kind < 5 or wish == 0:
            return wish
        free = wish
    return <uint16_t> select64(free, below(bits >> 16, popcount64(free)))


cdef inline void spread(uint8_t *chips, const uint16_t *masks, int32_t extra, rng_t *rng) noexcept nogil:
    """Add `extra` chips to the tiles of `masks`, if any, with random weights: all alike or up to 64 to 1."""
    cdef int32_t weights[TILES]
    cdef int32_t board, before = 0, now, sum = 0, count = 0
    cdef uint64_t tiles, scale, bits = rng_next(rng)
    cdef uint64_t apart = ((<uint64_t> 1) << (2 * (bits & 3))) - 1
    bits >>= 2
    for board in range(BOARDS):
        tiles = masks[board]
        while tiles:
            tiles &= tiles - 1
            if count % 10 == 9:
                bits = rng_next(rng)
            weights[count] = 1 + <int32_t> (bits & apart)
            bits >>= 6
            sum += weights[count]
            count += 1
    if count == 0:
        return
    scale = ((<uint64_t> extra << 32) + sum - 1) // sum    # rounded up, so that the last tile gets all that is left
    sum = count = 0
    for board in range(BOARDS):
        tiles = masks[board]
        while tiles:
            sum += weights[count]
            count += 1
            now = <int32_t> ((sum * scale) >> 32)
            chips[9 * board + lowest64(tiles)] += <uint8_t> (now - before)
            before = now
            tiles &= tiles - 1


cdef inline void draw_bid(const rules_t *rules, const position_t *now, int32_t player, rng_t *rng,
                          bid_t *bid) noexcept nogil:
    """A random legal bid by the policy that the head of this file states."""
    cdef uint32_t weights[BOARDS]
    cdef uint32_t sum, point
    cdef int32_t spending = draw_spending(now, player, rng), count = 0, boards = 0, board, other, wishes, fresh
    cdef uint16_t wish
    cdef uint64_t bits
    memset(bid, 0, sizeof(bid_t))
    if spending == 0:
        return
    sum = weigh_boards(rules, now, player, weights)
    if sum == 0:
        return
    wishes = 1 + rng_below(rng, MAX_WISHES if now.round != 2 else MAX_WISHES // 2)
    while wishes:
        wishes -= 1
        bits = rng_next(rng)
        point = <uint32_t> (((bits >> 40) * sum) >> 24)
        board = 0
        while point >= weights[board]:
            point -= weights[board]
            board += 1
        wish = draw_wish(rules, now, player, board, bits) & ~bid.tiles[board]
        if now.round == 1 and full[bid.tiles[board] | wish]:
            wish &= ~<uint16_t> select64(wish, below(bits >> 24, popcount64(wish)))
            if full[bid.tiles[board] | wish]:
                continue
        fresh = popcount64(wish)
        if fresh == 0 or count + fresh > spending:
            continue
        boards += bid.tiles[board] == 0
        bid.tiles[board] |= wish
        count += fresh
        while wish:
            bid.chips[9 * board + lowest64(wish)] = 1
            wish &= wish - 1
        if now.round == 2 and boards == 2:
            for other in range(BOARDS):
                if bid.tiles[other] == 0:
                    sum -= weights[other]
                    weights[other] = 0
    spread(bid.chips, bid.tiles, spending - count, rng)
    bid.total = spending if count else 0


cdef inline int32_t finished_rounds(const state_t *state) noexcept nogil:
    return state.now.round - 1 + state.now.over


cdef void position_before(const rules_t *rules, const state_t *state, int32_t finished, position_t *then) noexcept nogil:
    """Who owned and controlled what after `finished` rounds (chips are not filled in)."""
    cdef int32_t player, board
    memset(then, 0, sizeof(position_t))
    then.round = <uint8_t> (finished + 1)
    then.control[0] = 1 << RED_HOME
    then.control[1] = 1 << BLUE_HOME
    if finished:
        memcpy(then.own, state.tiles[finished - 1], sizeof(then.own))
    for player in range(2):
        for board in range(BOARDS):
            then.control[player] |= <uint16_t> ((full[then.own[player][board]] != 0) << board)


cdef int32_t bid_bounds(const rules_t *rules, const state_t *state, int32_t r, int32_t player,
                        uint8_t *low, uint8_t *high) noexcept nogil:
    """Least and most that the rival of `player` can have bid on each tile in the r-th round; returns the sum of `low`.

    Chips and the round's own rules apart. Where the owner stayed the same an equal bid, or none, is possible too.
    """
    cdef position_t then
    cdef int32_t rival = 1 - player, board, cell, tile, mine, sum = 0
    cdef uint16_t free
    cdef bint had, has
    position_before(rules, state, r, &then)
    memset(low, 0, TILES)
    memset(high, 0, TILES)
    for board in range(BOARDS):
        free = open_tiles(rules, &then, board)
        for cell in range(9):
            if not (free >> cell) & 1:
                continue
            tile = 9 * board + cell
            mine = state.bids[r][player][tile]
            if (state.tiles[r][rival][board] >> cell) & 1:
                had = (then.own[rival][board] >> cell) & 1
                low[tile] = <uint8_t> (mine + (not had))
                high[tile] = 255
            elif (state.tiles[r][player][board] >> cell) & 1:
                has = (then.own[player][board] >> cell) & 1
                high[tile] = <uint8_t> (mine - (not has))
            else:
                low[tile] = high[tile] = <uint8_t> mine
            sum += low[tile]
    return sum


cdef int32_t guess_bid(const rules_t *rules, state_t *state, int32_t r, int32_t player, int32_t left, int32_t later,
                       rng_t *rng) noexcept nogil:
    """Fill in a bid of the rival in the r-th round that explains what `player` saw; returns the chips spent.

    From the least that was needed it goes up to a random total: some of it in bids that lost or changed nothing, the
    rest on tiles that the rival holds.

    Args:
        left: chips that the rival had.
        later: the least it needs in the rounds after.
    """
    cdef uint8_t *chips = state.bids[r][1 - player]
    cdef uint8_t low[TILES]
    cdef uint8_t high[TILES]
    cdef uint16_t bid_on[BOARDS]
    cdef uint16_t raisable[BOARDS]
    cdef int32_t board, cell, tile, boards = 0, amount, total, spent = bid_bounds(rules, state, r, player, low, high)
    cdef int32_t usual = min(left - later, max(spent, 2 * left // (ROUNDS - r)))
    cdef int32_t most = left - later if rng_below(rng, 4) == 0 else usual
    total = spent + <int32_t> rng_below(rng, <uint32_t> (most - spent + 1))
    memcpy(chips, low, TILES)
    for board in range(BOARDS):
        bid_on[board] = raisable[board] = 0
        for cell in range(9):
            bid_on[board] |= <uint16_t> ((low[9 * board + cell] != 0) << cell)
        boards += bid_on[board] != 0
    for board in range(BOARDS):
        for cell in range(9):
            tile = 9 * board + cell
            if (low[tile] == 0 and high[tile] and spent < total and rng_below(rng, 4) == 0
                    and not (r == 0 and full[bid_on[board] | (1 << cell)])
                    and not (r == 1 and boards == 2 and bid_on[board] == 0)):
                boards += bid_on[board] == 0
                bid_on[board] |= <uint16_t> (1 << cell)
                amount = 1
                if high[tile] < 255:
                    amount += <int32_t> rng_below(rng, <uint32_t> min(<int32_t> high[tile], total - spent))
                chips[tile] = <uint8_t> amount
                spent += amount
            if high[tile] == 255 and chips[tile]:
                raisable[board] |= <uint16_t> (1 << cell)
    spread(chips, raisable, total - spent, rng)
    spent = 0
    for tile in range(TILES):
        spent += chips[tile]
    return spent


# The table


cdef void init(const game_t *game, void *data) noexcept nogil:
    cdef state_t *state = <state_t *> data
    memset(state, 0, sizeof(state_t))
    state.now.round = 1
    state.now.control[0] = 1 << RED_HOME
    state.now.control[1] = 1 << BLUE_HOME
    state.now.chips[0] = state.now.chips[1] = (<const rules_t *> game.facts).chips


cdef uint32_t acting(const game_t *game, const void *data) noexcept nogil:
    return 0 if (<const state_t *> data).now.over else 3


cdef bint is_legal(const game_t *game, const void *data, int32_t player, const void *action) noexcept nogil:
    return broken_rule(<const rules_t *> game.facts, &(<const state_t *> data).now, player,
                       <const uint8_t *> action) == 0


cdef void apply(const game_t *game, void *data, const void *joint) noexcept nogil:
    cdef state_t *state = <state_t *> data
    cdef bid_t bids[2]
    cdef int32_t r = finished_rounds(state)
    memcpy(state.bids[r], joint, 2 * TILES)
    read_counts(state.bids[r][0], &bids[0])
    read_counts(state.bids[r][1], &bids[1])
    settle(&state.now, &bids[0], &bids[1])
    memcpy(state.tiles[r], state.now.own, sizeof(state.now.own))


cdef void returns(const game_t *game, const void *data, double *out) noexcept nogil:
    score(&(<const state_t *> data).now, out)


cdef uint64_t hash(const game_t *game, const void *data) noexcept nogil:
    return hash_bytes(data, sizeof(state_t))


cdef void sample_action(const game_t *game, const void *data, int32_t player, rng_t *rng, void *action) noexcept nogil:
    cdef bid_t bid
    draw_bid(<const rules_t *> game.facts, &(<const state_t *> data).now, player, rng, &bid)
    memcpy(action, bid.chips, TILES)


cdef void playout(const game_t *game, void *data, rng_t *rng, double *out) noexcept nogil:
    cdef rng_t local = rng[0]
    cdef position_t now = (<const state_t *> data).now
    cdef bid_t bids[2]
    while not now.over:
        draw_bid(<const rules_t *> game.facts, &now, 0, &local, &bids[0])
        draw_bid(<const rules_t *> game.facts, &now, 1, &local, &bids[1])
        settle(&now, &bids[0], &bids[1])
    score(&now, out)
    rng[0] = local


cdef void redact(const game_t *game, void *data, int32_t player) noexcept nogil:
    cdef state_t *state = <state_t *> data
    cdef int32_t r
    state.hidden = 1 << (1 - player)
    state.now.chips[1 - player] = 0
    for r in range(ROUNDS):
        memset(state.bids[r][1 - player], 0, TILES)


cdef void resample(const game_t *game, void *data, int32_t player, rng_t *rng) noexcept nogil:
    cdef state_t *state = <state_t *> data
    cdef const rules_t *rules = <const rules_t *> game.facts
    cdef uint8_t low[TILES]
    cdef uint8_t high[TILES]
    cdef int32_t needed[ROUNDS]
    cdef int32_t r, left = rules.chips, later = 0, finished = finished_rounds(state)
    for r in range(finished):
        needed[r] = bid_bounds(rules, state, r, player, low, high)
        later += needed[r]
    for r in range(finished):
        later -= needed[r]
        left -= guess_bid(rules, state, r, player, left, later, rng)
    state.now.chips[1 - player] = <uint8_t> left
    state.hidden = 0


cdef uint64_t info_hash(const game_t *game, const void *data, int32_t player) noexcept nogil:
    cdef state_t seen = (<const state_t *> data)[0]
    redact(game, &seen, player)
    return hash_bytes(&seen, sizeof(state_t))


cdef class Bidding3dTtt(Game):
    cdef rules_t rules

    def __init__(self, **given):
        Game.__init__(self, FACTS, given)
        self.rules.chips = self.parameters["chips"]
        self.rules.recapture = self.parameters["recapture"]
        self.table.state_size = sizeof(state_t)
        self.table.action_size = TILES
        self.table.facts = &self.rules
        self.table.init = init
        self.table.acting = acting
        self.table.is_legal = is_legal
        self.table.apply = apply
        self.table.returns = returns
        self.table.hash = hash
        self.table.playout = playout
        self.table.sample_action = sample_action
        self.table.redact = redact
        self.table.resample = resample
        self.table.info_hash = info_hash
        self.seal()

    cdef str tiles_text(self, const uint16_t *red, const uint16_t *blue):
        return "".join([board_text([red[board], blue[board]], "rb", 9) for board in range(BOARDS)])

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
        refuse_other_keys(given, ("round", "chips", "tiles", "boards", "history"))
        init(&self.table, data)
        for number, (both, tiles) in enumerate(read_history(given), 1):
            if state.now.over:
                raise StateError(f"'history' goes on after round {number - 1}, which ended the game")
            for player in range(2):
                for tile in range(TILES):
                    joint[player * TILES + tile] = both[player][tile]
                rule = broken_rule(&self.rules, &state.now, player, &joint[player * TILES])
                if rule:
                    raise StateError(f"'history' of round {number}: {bid_text(both[player])} of "
                                     f"{self.players[player]} {self.rule_text(&state.now, player, rule, both[player])}")
            apply(&self.table, data, joint)
            found = self.tiles_text(state.now.own[0], state.now.own[1])
            if tiles != found:
                raise StateError(f"'history' of round {number} has the tiles {tiles!r}, but its bids lead to {found!r}")
        check_outcome(given, self.state_dict(data))
        return 0

    cdef str rule_text(self, const position_t *now, int player, int rule, counts):
        """What is wrong with a bid that breaks a rule, and what would be right."""
        if rule == CHIPS_RULE:
            return f"bids {sum(counts)} chips; valid: up to {now.chips[player]} in all"
        if rule == CLOSED_RULE:
            closed = [tile_name(tile) for tile in range(TILES)
                      if counts[tile] and not (open_tiles(&self.rules, now, tile // 9) >> (tile % 9)) & 1]
            return f"bids on {', '.join(closed)}, which cannot be bid on now"
        if rule == LINE_RULE:
            return "bids on a line of three within one board; valid in round 1: no such line"
        boards = sorted({BOARD_NAMES[tile // 9] for tile in range(TILES) if counts[tile]})
        return f"bids on the boards {', '.join(boards)}; valid in round 2: tiles of at most two boards"

    cdef str why_illegal(self, const void *data, int player, const void *action):
        cdef const position_t *now = &(<const state_t *> data).now
        cdef int32_t rule = broken_rule(&self.rules, now, player, <const uint8_t *> action)
        return self.rule_text(now, player, rule, self.unpack_action(action))

    cdef str draw_state(self, const void *data):
        cdef const position_t *now = &(<const state_t *> data).now
        cdef int tile
        shown = self.state_dict(data)
        free = [not now.over and (open_tiles(&self.rules, now, tile // 9) >> (tile % 9)) & 1 for tile in range(TILES)]
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
