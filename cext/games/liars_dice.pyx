"""Liar's dice for two players: hidden dice, rising bids on the dice of both, and one challenge."""
from libc.stdint cimport int8_t, int32_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memset

from ..game.game cimport Game
from ..game.game_table cimport ACTING_CHANCE, game_t, hash_state, put_encoding, put_rules
from ..primitives.bits cimport popcount64
from ..primitives.rng cimport rng_below, rng_t

from ..errors import StateError
from ..game_info import GameInfo
from ..notation import ListField, Notation
from ..parameters import Integer, read_parameters
from .common.board_text import BLANK
from .common.card_text import CardsField, copied_cards, read_calls, read_cards

DIGITS = "123456"
LIAR = "liar"
INFO = GameInfo(
    name="liars_dice",
    title="Liar's dice",
    summary="hidden dice, rising bids on the dice of both, one challenge",
    players=("first", "second"),
    parameters={"dice": Integer(1, 1, 3), "sides": Integer(6, 2, 6)},
    min_utility=-1,
    max_utility=1,
    utility_sum=0,
    size="1 die each",
    example="25_1x5,2x2",
    public_actions=True,
    variants={"one die each": {"dice": 1}, "two dice each": {"dice": 2}},
    phrases={"roll": "The die shows {}", "bid": "bids {}", "liar": "says liar"},
)

cdef enum:
    PLAYERS = 2
    MOST = 3                    # dice of a player
    HIDDEN = 9                  # a die that a view does not show
    NONE = -1                   # not rolled yet

cdef struct state_t:
    int8_t die[PLAYERS][MOST]   # 0 and up, in ascending order, then NONE; or HIDDEN
    uint8_t rolled              # dice
    uint8_t liar                # 1 after the challenge
    uint8_t least               # the lowest bid that is higher than all so far
    uint64_t bids               # bit (quantity - 1) * sides + face: this bid was made


cdef inline int32_t dice_of(const game_t *game) noexcept nogil:
    return game.num_actions // (2 * game.num_outcomes)


cdef inline int32_t mover(const state_t *state) noexcept nogil:
    return popcount64(state.bids) & 1


cdef void init(const game_t *game, void *data) noexcept nogil:
    cdef state_t *state = <state_t *> data
    memset(state, 0, sizeof(state_t))
    memset(state.die, NONE, sizeof(state.die))


cdef uint32_t acting(const game_t *game, const void *data) noexcept nogil:
    cdef const state_t *state = <const state_t *> data
    if state.rolled < 2 * dice_of(game):
        return ACTING_CHANCE
    return 0 if state.liar else 1u << mover(state)


cdef int32_t legal_actions(const game_t *game, const void *data, int32_t player, int32_t *out) noexcept nogil:
    cdef const state_t *state = <const state_t *> data
    cdef int32_t action, count = 0, challenge = game.num_actions - 1
    for action in range(state.least, challenge + (state.bids != 0)):
        out[count] = action
        count += 1
    return count


cdef bint is_legal(const game_t *game, const void *data, int32_t player, const void *action) noexcept nogil:
    cdef const state_t *state = <const state_t *> data
    return state.least <= (<const int32_t *> action)[0] < game.num_actions - 1 + (state.bids != 0)


cdef int32_t chance_outcomes(const game_t *game, const void *data, int32_t *outcomes, int32_t *weights) noexcept nogil:
    cdef int32_t face
    for face in range(game.num_outcomes):
        outcomes[face], weights[face] = face, 1
    return game.num_outcomes


cdef void call(const game_t *game, state_t *state, int32_t action) noexcept nogil:
    if action == game.num_actions - 1:
        state.liar = 1
    else:
        state.bids |= 1ull << action
        state.least = <uint8_t> (action + 1)


cdef void add_die(int8_t *dice, int32_t count, int8_t face) noexcept nogil:
    """Put one more die among those of a player, in ascending order."""
    while count and dice[count - 1] > face:
        dice[count] = dice[count - 1]
        count -= 1
    dice[count] = face


cdef void apply(const game_t *game, void *data, const void *joint) noexcept nogil:
    cdef state_t *state = <state_t *> data
    cdef const int32_t *entries = <const int32_t *> joint
    cdef int32_t dice = dice_of(game)
    if state.rolled < 2 * dice:
        add_die(state.die[state.rolled // dice], state.rolled % dice, <int8_t> entries[PLAYERS])
        state.rolled += 1
    else:
        call(game, state, entries[mover(state)])


cdef inline bint is_true(const game_t *game, const state_t *state) noexcept nogil:
    """Return True if there are as many dice of the face of the last bid, or of the highest face, as it says."""
    cdef int32_t sides = game.num_outcomes, bid = state.least - 1, player, i, count = 0
    for player in range(PLAYERS):
        for i in range(dice_of(game)):
            count += state.die[player][i] == bid % sides or state.die[player][i] == sides - 1
    return count > bid // sides


cdef void returns(const game_t *game, const void *data, double *out) noexcept nogil:
    cdef const state_t *state = <const state_t *> data
    cdef int32_t challenger = mover(state)
    out[challenger] = -1.0 if is_true(game, state) else 1.0
    out[1 - challenger] = -out[challenger]


cdef void redact(const game_t *game, void *data, int32_t player) noexcept nogil:
    """Hide the dice of the other, until the challenge."""
    cdef state_t *state = <state_t *> data
    cdef int32_t i
    if not state.liar:
        for i in range(dice_of(game)):
            if state.die[1 - player][i] != NONE:
                state.die[1 - player][i] = HIDDEN


cdef void resample(const game_t *game, void *data, int32_t player, rng_t *rng) noexcept nogil:
    cdef state_t *state = <state_t *> data
    cdef int8_t *dice = state.die[1 - player]
    cdef int32_t i
    for i in range(dice_of(game)):
        if dice[i] == HIDDEN:
            add_die(dice, i, <int8_t> rng_below(rng, <uint32_t> game.num_outcomes))


cdef void encode(const game_t *game, const void *data, float *out) noexcept nogil:
    """Write how many dice of each face each player has, whether each bid was made, and whether it was challenged."""
    cdef const state_t *state = <const state_t *> data
    cdef int32_t player, i, bid, sides = game.num_outcomes, last = game.num_actions - 1
    memset(out, 0, game.encoding_size * sizeof(float))
    for player in range(PLAYERS):
        for i in range(dice_of(game)):
            if 0 <= state.die[player][i] < sides:
                out[player * sides + state.die[player][i]] += 1.0
    for bid in range(last):
        out[PLAYERS * sides + bid] = <float> ((state.bids >> bid) & 1)
    out[PLAYERS * sides + last] = state.liar


cdef class LiarsDice(Game):
    cdef tuple calls            # the bids, in ascending order, and the challenge
    cdef tuple texts            # of these as actions

    def __init__(self, **given):
        values = read_parameters(INFO.name, INFO.parameters, given)
        cdef int32_t dice = values["dice"], sides = values["sides"]
        Game.__init__(self, INFO, given)
        self.calls = (*(f"{number}x{face}" for number in range(1, 2 * dice + 1) for face in DIGITS[:sides]), LIAR)
        self.texts = (*[f"bid({call})" for call in self.calls[:-1]], LIAR)
        self.table.state_size = sizeof(state_t)
        self.table.num_actions = self.table.max_legal = 2 * dice * sides + 1
        self.table.num_outcomes, self.table.chance_outcomes = sides, chance_outcomes
        put_rules(&self.table, init, acting, legal_actions, is_legal, apply, returns, hash_state)
        self.table.redact, self.table.resample = redact, resample
        put_encoding(&self.table, PLAYERS * sides + self.table.num_actions, encode)
        self.seal()

    def notation(self):
        return Notation(CardsField("dice"), ListField("calls"))

    cdef dict state_dict(self, const void *data):
        cdef const state_t *state = <const state_t *> data
        dice = [BLANK if state.die[player][i] == NONE else None if state.die[player][i] == HIDDEN
                else DIGITS[state.die[player][i]] for player in range(PLAYERS) for i in range(dice_of(&self.table))]
        bids = [self.calls[bid] for bid in range(self.table.num_actions - 1) if (state.bids >> bid) & 1]
        return {"dice": dice, "calls": [*bids, LIAR] if state.liar else bids}

    cdef int fill_state(self, void *data, dict given) except -1:
        """Write a state by its dice and calls. The kernels rely on the dice of a player in ascending order."""
        cdef state_t *state = <state_t *> data
        cdef int32_t count = dice_of(&self.table), number, die, action
        init(&self.table, data)
        dice = read_cards(given, "dice", PLAYERS * count, DIGITS[:self.table.num_outcomes])
        for number in range(PLAYERS * count):
            die = dice[number]
            if die == NONE:
                break
            if number % count and die < dice[number - 1]:
                raise StateError(f"'dice' has a {DIGITS[die]} behind a {DIGITS[dice[number - 1]]}; valid: the dice of "
                                 "a player in ascending order")
            add_die(state.die[number // count], number % count, <int8_t> die)
            state.rolled += 1
        if any(die != NONE for die in dice[state.rolled:]):
            raise StateError("'dice' has a die behind one that is not rolled yet")
        for number, action in enumerate(read_calls(given, "calls", self.calls)):
            if acting(&self.table, data) in (0, ACTING_CHANCE):
                raise StateError(f"'calls' has {number + 1} calls, but after {number} nobody decides")
            if not is_legal(&self.table, data, mover(state), &action):
                raise StateError(f"'calls' has {self.calls[action]} after {number} calls, which is not allowed there")
            call(&self.table, state, action)
        return 0

    def explain_view(self, int player, given):
        cdef int32_t count = dice_of(&self.table)
        dice = copied_cards(given, "dice", player, PLAYERS * count, count)
        return {**given, "dice": [DIGITS[0] if die is None else die for die in dice]}

    cdef str draw_state(self, const void *data):
        cdef int32_t count = dice_of(&self.table)
        given = self.state_dict(data)
        dice = ["?" if die is None else die for die in given["dice"]]
        lines = [f"{name}: {' '.join(dice[player * count:(player + 1) * count])}"
                 for player, name in enumerate(self.players)]
        return "\n".join([*lines, " ".join(given["calls"]) or "no bid"])

    cdef object words(self, int player):
        return self.texts if player >= 0 else [f"roll({face})" for face in DIGITS[:self.table.num_outcomes]]


GAME = LiarsDice
