"""Kuhn poker (Kuhn 1950), for two players or three (Szafron, Gibson and Sturtevant 2013)."""
from libc.stdint cimport int8_t, int32_t, uint8_t, uint16_t, uint32_t
from libc.string cimport memset

from ..game.game cimport Game
from ..game.game_table cimport ACTING_CHANCE, game_t, hash_state, put_encoding, put_rules
from ..primitives.rng cimport rng_below, rng_t

from dataclasses import replace

from ..errors import StateError
from ..game_info import GameInfo
from ..notation import ListField, Notation
from ..parameters import Integer, read_parameters
from .common.board_text import BLANK
from .common.card_text import CardsField, copied_cards, read_calls, read_cards

NAMES = ("first", "second", "third")
CARDS = "JQKA"
CALLS = ("p", "b")
ACTIONS = ("pass", "bet")
INFO = GameInfo(
    name="kuhn_poker",
    summary="a card each and one bet: the smallest poker",
    players=NAMES[:2],
    parameters={"players": Integer(2, 2, 3)},
    min_utility=-2,
    max_utility=2,
    utility_sum=0,
    size="3 cards",
    example="JK_pb",
    public_actions=True,
    score="returns",
    variants={"two players": {"players": 2}, "three players": {"players": 3}},
    phrases={"deal": "The deal: {}", "bet": "bets"},
)

cdef enum:
    MOST = 3                    # players
    PASS = 0
    BET = 1
    HIDDEN = 9                  # a card that a view does not show
    NONE = -1                   # no card yet, or nobody has bet

cdef struct state_t:
    int8_t card[MOST]           # 0 and up, the greater wins; NONE, HIDDEN
    int8_t bettor               # who bet first, or NONE
    uint8_t dealt               # cards
    uint8_t count               # calls
    uint16_t bets               # bit i: call i was a bet
    uint8_t players             # who have bet, as a mask
    uint8_t unused[7]           # keeps the size a multiple of 8; always 0


cdef inline bint is_over(const game_t *game, const state_t *state) noexcept nogil:
    return state.count == game.num_players + (0 if state.bettor == NONE else state.bettor)


cdef void init(const game_t *game, void *data) noexcept nogil:
    cdef state_t *state = <state_t *> data
    memset(state, 0, sizeof(state_t))
    memset(state.card, NONE, sizeof(state.card))
    state.bettor = NONE


cdef uint32_t acting(const game_t *game, const void *data) noexcept nogil:
    cdef const state_t *state = <const state_t *> data
    if state.dealt < game.num_players:
        return ACTING_CHANCE
    return 0 if is_over(game, state) else 1u << (state.count % game.num_players)


cdef int32_t legal_actions(const game_t *game, const void *data, int32_t player, int32_t *out) noexcept nogil:
    out[0], out[1] = PASS, BET
    return 2


cdef bint is_legal(const game_t *game, const void *data, int32_t player, const void *action) noexcept nogil:
    return 0 <= (<const int32_t *> action)[0] < 2


cdef int32_t chance_outcomes(const game_t *game, const void *data, int32_t *outcomes, int32_t *weights) noexcept nogil:
    cdef const state_t *state = <const state_t *> data
    cdef int32_t card, player, count = 0
    cdef bint is_free
    for card in range(game.num_outcomes):
        is_free = True
        for player in range(game.num_players):
            is_free = is_free and state.card[player] != card
        if is_free:
            outcomes[count], weights[count] = card, 1
            count += 1
    return count


cdef void call(const game_t *game, state_t *state, int32_t action) noexcept nogil:
    cdef int32_t player = state.count % game.num_players
    if action == BET:
        state.bets |= <uint16_t> (1 << state.count)
        state.players |= <uint8_t> (1 << player)
        if state.bettor == NONE:
            state.bettor = <int8_t> player
    state.count += 1


cdef void apply(const game_t *game, void *data, const void *joint) noexcept nogil:
    cdef state_t *state = <state_t *> data
    cdef const int32_t *entries = <const int32_t *> joint
    if state.dealt < game.num_players:
        state.card[state.dealt] = <int8_t> entries[game.num_players]
        state.dealt += 1
    else:
        call(game, state, entries[state.count % game.num_players])


cdef inline bint is_in(const state_t *state, int32_t player) noexcept nogil:
    """Return True if a player can win the chips at the end."""
    return state.bettor == NONE or (state.players >> player) & 1


cdef void returns(const game_t *game, const void *data, double *out) noexcept nogil:
    cdef const state_t *state = <const state_t *> data
    cdef int32_t player, winner = NONE
    cdef double pot = 0.0
    for player in range(game.num_players):
        out[player] = -1.0 - ((state.players >> player) & 1)
        pot -= out[player]
        if is_in(state, player) and (winner == NONE or state.card[player] > state.card[winner]):
            winner = player
    out[winner] += pot


cdef void redact(const game_t *game, void *data, int32_t player) noexcept nogil:
    """Hide the cards of the others; at the end those of the players who did not bet when somebody did."""
    cdef state_t *state = <state_t *> data
    cdef bint is_shown = state.dealt == game.num_players and is_over(game, state)
    cdef int32_t other
    for other in range(state.dealt):
        if other != player and not (is_shown and is_in(state, other) and is_contested(game, state)):
            state.card[other] = HIDDEN


cdef inline bint is_contested(const game_t *game, const state_t *state) noexcept nogil:
    """Return True if several players can win the chips at the end."""
    return state.bettor == NONE or (state.players & (state.players - 1)) != 0


cdef void resample(const game_t *game, void *data, int32_t player, rng_t *rng) noexcept nogil:
    cdef state_t *state = <state_t *> data
    cdef int32_t free[MOST + 1]
    cdef int32_t weights[MOST + 1]
    cdef int32_t other, count = chance_outcomes(game, data, free, weights), drawn
    for other in range(state.dealt):
        if state.card[other] == HIDDEN:
            drawn = <int32_t> rng_below(rng, <uint32_t> count)
            state.card[other] = <int8_t> free[drawn]
            count -= 1
            free[drawn] = free[count]


cdef void encode(const game_t *game, const void *data, float *out) noexcept nogil:
    """Write the card of each player, and for each call whether it was a pass, and whether it was a bet."""
    cdef const state_t *state = <const state_t *> data
    cdef int32_t player, i, at = game.num_players * game.num_outcomes
    memset(out, 0, game.encoding_size * sizeof(float))
    for player in range(game.num_players):
        if 0 <= state.card[player] < game.num_outcomes:
            out[player * game.num_outcomes + state.card[player]] = 1.0
    for i in range(state.count):
        out[at + 2 * i + ((state.bets >> i) & 1)] = 1.0


cdef class KuhnPoker(Game):
    def __init__(self, **given):
        cdef int32_t players = read_parameters(INFO.name, INFO.parameters, given)["players"]
        info = INFO if players == 2 else replace(INFO, players=NAMES[:players], max_utility=2 * players - 2)
        Game.__init__(self, info, given)
        self.table.state_size = sizeof(state_t)
        self.table.num_actions = self.table.max_legal = 2
        self.table.num_outcomes, self.table.chance_outcomes = players + 1, chance_outcomes
        put_rules(&self.table, init, acting, legal_actions, is_legal, apply, returns, hash_state)
        self.table.redact, self.table.resample = redact, resample
        put_encoding(&self.table, players * (players + 1) + 2 * (2 * players - 1), encode)
        self.seal()

    @property
    def letters(self):
        return CARDS[:self.table.num_outcomes]

    def notation(self):
        return Notation(CardsField("cards"), ListField("calls", ""))

    cdef dict state_dict(self, const void *data):
        cdef const state_t *state = <const state_t *> data
        cards = [BLANK if state.card[player] == NONE else None if state.card[player] == HIDDEN
                 else self.letters[state.card[player]] for player in range(self.num_players)]
        return {"cards": cards, "calls": [CALLS[(state.bets >> i) & 1] for i in range(state.count)]}

    cdef int fill_state(self, void *data, dict given) except -1:
        """Write a state by its cards and calls. The kernels rely on cards that differ."""
        cdef state_t *state = <state_t *> data
        init(&self.table, data)
        cards = read_cards(given, "cards", self.num_players, self.letters)
        for player, card in enumerate(cards):
            if card == NONE:
                break
            if card in cards[:player]:
                raise StateError(f"'cards' has {self.letters[card]} twice")
            state.card[player] = card
            state.dealt += 1
        if any(card != NONE for card in cards[state.dealt:]):
            raise StateError("'cards' has a card behind a player without one; cards are dealt in the order of players")
        for number, action in enumerate(read_calls(given, "calls", CALLS)):
            if acting(&self.table, data) in (0, ACTING_CHANCE):
                raise StateError(f"'calls' has {number + 1} calls, but after {number} nobody decides")
            call(&self.table, state, action)
        return 0

    def explain_view(self, int player, given):
        cards = copied_cards(given, "cards", player, self.num_players)
        free = [letter for letter in self.letters if letter not in cards]
        return {**given, "cards": [free.pop(0) if card is None and free else card for card in cards]}

    cdef str draw_state(self, const void *data):
        cdef const state_t *state = <const state_t *> data
        cdef int32_t player
        cards = self.state_dict(data)["cards"]
        lines = [f"{name}: {'?' if cards[player] is None else cards[player]}, "
                 f"{1 + ((state.players >> player) & 1)} in the pot" for player, name in enumerate(self.players)]
        said = ", ".join(f"{self.players[i % self.num_players]} {'bets' if (state.bets >> i) & 1 else 'passes'}"
                         for i in range(state.count))
        return "\n".join([*lines, said or "nobody has said anything"])

    cdef object words(self, int player):
        return ACTIONS if player >= 0 else [f"deal({letter})" for letter in self.letters]


GAME = KuhnPoker
