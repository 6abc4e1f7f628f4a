"""Leduc poker (Southey et al. 2005): six cards, two rounds of bets, one open card between them."""
from libc.stdint cimport int8_t, int32_t, uint8_t, uint32_t
from libc.string cimport memset

from ..game.game cimport Game
from ..game.game_table cimport ACTING_CHANCE, game_t, hash_state, put_encoding, put_rules
from ..primitives.rng cimport rng_below, rng_t

from ..errors import StateError
from ..game_info import GameInfo
from ..notation import ListField, Notation
from .common.board_text import BLANK
from .common.card_text import CardsField, copied_cards, read_calls, read_cards

LETTERS = "JjQqKk"
CALLS = ("f", "c", "r")
ACTIONS = ("fold", "call", "raise")
INFO = GameInfo(
    name="leduc_poker",
    summary="a card each, an open card, two rounds of bets",
    players=("first", "second"),
    min_utility=-13,
    max_utility=13,
    utility_sum=0,
    size="6 cards",
    example="KjQ_rcc",
    public_actions=True,
    score="returns",
    phrases={"deal": "The deal: {}", "raise": "raises", "call": "calls", "fold": "folds"},
)

cdef enum:
    PLAYERS = 2
    CARDS = 6                   # two of each of three ranks; the rank is card / 2
    OPEN = 2                    # entry of the open card
    FOLD = 0
    CALL = 1
    RAISE = 2
    MOST_CALLS = 8              # four in each round
    MOST_RAISES = 2             # of a round
    HIDDEN = 9                  # a card that a view does not show
    NONE = -1                   # no card yet, or nobody has folded

cdef struct state_t:
    int8_t card[3]              # of each player, and the open one; NONE, HIDDEN
    int8_t folded               # who folded, or NONE
    uint8_t chips[PLAYERS]      # of each player in the pot
    uint8_t round               # 0 or 1; 2: over
    uint8_t raises              # of the round
    uint8_t begun               # calls before the round
    uint8_t count               # calls
    uint8_t calls[MOST_CALLS]
    uint8_t unused[6]           # keeps the size a multiple of 8; always 0


cdef inline bint deals(const state_t *state) noexcept nogil:
    """Return True if a card is dealt next."""
    return state.card[1] == NONE or (state.round == 1 and state.card[OPEN] == NONE)


cdef inline int32_t mover(const state_t *state) noexcept nogil:
    return (state.count - state.begun) & 1


cdef void init(const game_t *game, void *data) noexcept nogil:
    cdef state_t *state = <state_t *> data
    memset(state, 0, sizeof(state_t))
    memset(state.card, NONE, sizeof(state.card))
    state.folded = NONE
    state.chips[0] = state.chips[1] = 1


cdef uint32_t acting(const game_t *game, const void *data) noexcept nogil:
    cdef const state_t *state = <const state_t *> data
    if state.folded != NONE or state.round == 2:
        return 0
    return ACTING_CHANCE if deals(state) else 1u << mover(state)


cdef bint may(const state_t *state, int32_t action) noexcept nogil:
    if action == FOLD:
        return state.chips[0] != state.chips[1]
    return action == CALL or (action == RAISE and state.raises < MOST_RAISES)


cdef int32_t legal_actions(const game_t *game, const void *data, int32_t player, int32_t *out) noexcept nogil:
    cdef int32_t action, count = 0
    for action in range(3):
        if may(<const state_t *> data, action):
            out[count] = action
            count += 1
    return count


cdef bint is_legal(const game_t *game, const void *data, int32_t player, const void *action) noexcept nogil:
    return may(<const state_t *> data, (<const int32_t *> action)[0])


cdef int32_t chance_outcomes(const game_t *game, const void *data, int32_t *outcomes, int32_t *weights) noexcept nogil:
    cdef const state_t *state = <const state_t *> data
    cdef int32_t card, count = 0
    for card in range(CARDS):
        if card != state.card[0] and card != state.card[1] and card != state.card[OPEN]:
            outcomes[count], weights[count] = card, 1
            count += 1
    return count


cdef void call(state_t *state, int32_t action) noexcept nogil:
    cdef int32_t player = mover(state)
    state.calls[state.count] = <uint8_t> action
    state.count += 1
    if action == FOLD:
        state.folded = <int8_t> player
        return
    state.chips[player] = state.chips[1 - player]
    if action == RAISE:
        state.chips[player] += 2 + 2 * state.round
        state.raises += 1
    elif state.count > state.begun + 1:
        state.round += 1
        state.raises = 0
        state.begun = state.count


cdef void apply(const game_t *game, void *data, const void *joint) noexcept nogil:
    cdef state_t *state = <state_t *> data
    cdef const int32_t *entries = <const int32_t *> joint
    if deals(state):
        state.card[0 if state.card[0] == NONE else 1 if state.card[1] == NONE else OPEN] = <int8_t> entries[PLAYERS]
    else:
        call(state, entries[mover(state)])


cdef int32_t winner_of(const state_t *state) noexcept nogil:
    """Return the player who wins the pot, or NONE."""
    cdef int32_t first = state.card[0] >> 1, second = state.card[1] >> 1, shared = state.card[OPEN] >> 1
    if state.folded != NONE:
        return 1 - state.folded
    if first == second:
        return NONE
    if first == shared or second == shared:
        return 0 if first == shared else 1
    return 0 if first > second else 1


cdef void returns(const game_t *game, const void *data, double *out) noexcept nogil:
    cdef const state_t *state = <const state_t *> data
    cdef int32_t winner = winner_of(state)
    out[0] = out[1] = 0.0
    if winner != NONE:
        out[winner] = state.chips[1 - winner]
        out[1 - winner] = -out[winner]


cdef void redact(const game_t *game, void *data, int32_t player) noexcept nogil:
    """Hide the card of the other, which is shown at the end if nobody has folded."""
    cdef state_t *state = <state_t *> data
    if state.round < 2 and state.card[1 - player] != NONE:
        state.card[1 - player] = HIDDEN


cdef void resample(const game_t *game, void *data, int32_t player, rng_t *rng) noexcept nogil:
    cdef state_t *state = <state_t *> data
    cdef int32_t free[CARDS]
    cdef int32_t weights[CARDS]
    cdef int32_t count = chance_outcomes(game, data, free, weights)
    if state.card[1 - player] == HIDDEN:
        state.card[1 - player] = <int8_t> free[rng_below(rng, <uint32_t> count)]


cdef void encode(const game_t *game, const void *data, float *out) noexcept nogil:
    """Write the cards of both and the open one, each as a choice of CARDS, then each call as a choice of three."""
    cdef const state_t *state = <const state_t *> data
    cdef int32_t i
    memset(out, 0, game.encoding_size * sizeof(float))
    for i in range(3):
        if 0 <= state.card[i] < CARDS:
            out[i * CARDS + state.card[i]] = 1.0
    for i in range(state.count):
        out[3 * CARDS + 3 * i + state.calls[i]] = 1.0


cdef class LeducPoker(Game):
    def __init__(self, **given):
        Game.__init__(self, INFO, given)
        self.table.state_size = sizeof(state_t)
        self.table.num_actions = self.table.max_legal = 3
        self.table.num_outcomes, self.table.chance_outcomes = CARDS, chance_outcomes
        put_rules(&self.table, init, acting, legal_actions, is_legal, apply, returns, hash_state)
        self.table.redact, self.table.resample = redact, resample
        put_encoding(&self.table, 3 * CARDS + 3 * MOST_CALLS, encode)
        self.seal()

    def notation(self):
        return Notation(CardsField("cards"), ListField("calls", ""))

    cdef dict state_dict(self, const void *data):
        cdef const state_t *state = <const state_t *> data
        cards = [BLANK if state.card[i] == NONE else None if state.card[i] == HIDDEN else LETTERS[state.card[i]]
                 for i in range(3)]
        return {"cards": cards, "calls": [CALLS[state.calls[i]] for i in range(state.count)]}

    cdef int fill_state(self, void *data, dict given) except -1:
        """Write a state by its cards and calls. The kernels rely on cards that differ."""
        cdef state_t *state = <state_t *> data
        init(&self.table, data)
        cards = read_cards(given, "cards", 3, LETTERS)
        for number, card in enumerate(cards):
            if card != NONE and card in cards[:number]:
                raise StateError(f"'cards' has {LETTERS[card]} twice")
            if card != NONE and NONE in cards[:number]:
                raise StateError("'cards' has a card behind one that is not dealt yet")
        for number in range(2):
            state.card[number] = cards[number]
        for number, action in enumerate(read_calls(given, "calls", CALLS)):
            if state.round == 1 and state.card[OPEN] == NONE:
                state.card[OPEN] = cards[OPEN]
            if acting(&self.table, data) in (0, ACTING_CHANCE):
                raise StateError(f"'calls' has {number + 1} calls, but after {number} nobody decides")
            if not may(state, action):
                raise StateError(f"'calls' has {ACTIONS[action]} after {number} calls, which is not allowed there")
            call(state, action)
        if state.round == 1 and state.folded == NONE:
            state.card[OPEN] = cards[OPEN]
        if state.card[OPEN] != cards[OPEN]:
            raise StateError("'cards' has an open card before the first round of bets is over")
        return 0

    def explain_view(self, int player, given):
        cards = copied_cards(given, "cards", player, 3)
        free = [letter for letter in LETTERS if letter not in cards]
        return {**given, "cards": [free[0] if card is None else card for card in cards]}

    cdef str draw_state(self, const void *data):
        cdef const state_t *state = <const state_t *> data
        given = self.state_dict(data)
        cards = ["?" if card is None else card for card in given["cards"]]
        lines = [f"{name}: {card}, {state.chips[player]} in the pot"
                 for player, (name, card) in enumerate(zip(self.players, cards))]
        said = " ".join([ACTIONS[state.calls[i]] for i in range(state.count)])
        return "\n".join([*lines, f"open: {cards[OPEN]}", said or "nobody has said anything"])

    cdef object words(self, int player):
        return ACTIONS if player >= 0 else [f"deal({letter})" for letter in LETTERS]


GAME = LeducPoker
