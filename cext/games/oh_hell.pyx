"""Oh hell: bid how many tricks you will take, then follow suit and take exactly these. As in OpenSpiel's oh_hell."""
from libc.stdint cimport int8_t, int32_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memset

from ..game.game cimport Game
from ..game.game_table cimport ACTING_CHANCE, game_t, hash_state, put_encoding, put_rules
from ..primitives.bits cimport lowest64, popcount64, select64
from ..primitives.rng cimport rng_exactly_below, rng_seed, rng_t
from .common.cells cimport list_cells
from .common.encoding cimport put_cells, put_choice, put_number

from dataclasses import replace

from ..errors import ParameterError, StateError
from ..game_info import GameInfo
from ..notation import ChoiceField, ListField, Notation
from ..parameters import Integer, read_parameters
from .common.board_text import read_choice
from .common.card_text import HandsField, copied_cards, read_calls, read_hands

NAMES = ("first", "second", "third", "fourth")
RANKS = "23456789TJQKA"
SUITS = "cdhs"

cdef enum:
    MOST = 4                    # players
    MOST_CARDS = 32
    BONUS = 10                  # points for as many tricks as bid
    NONE = -1                   # no bid yet, or no trump card

INFO = GameInfo(
    name="oh_hell",
    summary="bid the tricks that you will take, then take exactly these",
    players=NAMES[:3],
    parameters={
        "players": Integer(3, 2, 4), "suits": Integer(4, 1, 4), "ranks": Integer(5, 2, 8), "tricks": Integer(4, 1, 15),
    },
    min_utility=0,
    max_utility=4 + BONUS,
    utility_sum=None,
    size="20 cards",
    amounts="bid tricks",
    example="TcJs,KcJdKs,JcQcTs_Qs_210_Ah,Jh,Qh,Ad",
    public_actions=True,
    score="returns",
    variants={"three players": {"players": 3}, "two players": {"players": 2}, "four players": {"players": 4}},
    phrases={"deal": "The deal: {}", "bid": "bids {sum}", "play": "plays {}"},
)

cdef struct rules_t:
    int32_t cards, ranks, suits, tricks
    uint32_t deck
    uint32_t suit[MOST]         # the cards of each suit; a card is suit * ranks + rank

cdef struct state_t:
    uint32_t hand[MOST]         # cards of each player; none where a view does not show them
    int8_t bid[MOST]            # or NONE
    uint8_t won[MOST]           # tricks
    uint8_t voids[MOST]         # bit s: the player did not follow suit s, and so has no card of it
    int8_t trump                # the open card, or NONE
    uint8_t bids                # how many
    uint8_t plays               # how many
    uint8_t lead                # who plays the first card of the trick
    uint8_t card[MOST_CARDS]    # that were played, in this order

cdef struct unseen_t:           # the hands of others who did not follow suit, as a player knows them
    uint32_t free               # cards that the player sees nowhere
    int32_t player[3]           # the last entries are used; the others need no cards
    int32_t need[3]             # number of cards
    uint32_t may[3]             # cards that are not of the suits that the player lacks

cdef struct split_t:            # how many cards of which kind players of unseen_t have
    int32_t first[4]            # that the players of both other entries may have; only the one of 1; of 2; neither
    int32_t second              # of the player of entry 1, that the one of entry 2 may have

cdef uint64_t CHOOSE[MOST_CARDS + 1][MOST_CARDS + 1]    # binomial coefficients


cdef int fill_binomials() except -1:
    cdef int32_t n, k
    for n in range(MOST_CARDS + 1):
        CHOOSE[n][0] = 1
        for k in range(1, MOST_CARDS + 1):
            CHOOSE[n][k] = CHOOSE[n - 1][k - 1] + CHOOSE[n - 1][k] if n else 0
    return 0


fill_binomials()


cdef inline const rules_t *rules_of(const game_t *game) noexcept nogil:
    return <const rules_t *> game.rules


cdef inline int32_t mover(const game_t *game, const state_t *state) noexcept nogil:
    if state.bids < game.num_players:
        return state.bids
    return (state.lead + state.plays % game.num_players) % game.num_players


cdef inline int32_t cards_left(const game_t *game, const state_t *state, int32_t player) noexcept nogil:
    """Return the number of cards of a player after the deal, also in a view."""
    cdef int32_t place = (player - state.lead + game.num_players) % game.num_players
    return (rules_of(game).tricks - state.plays // game.num_players
            - (place < state.plays % game.num_players))


cdef void init(const game_t *game, void *data) noexcept nogil:
    cdef state_t *state = <state_t *> data
    memset(state, 0, sizeof(state_t))
    memset(state.bid, NONE, sizeof(state.bid))
    state.trump = NONE


cdef uint32_t acting(const game_t *game, const void *data) noexcept nogil:
    cdef const state_t *state = <const state_t *> data
    if state.trump == NONE:
        return ACTING_CHANCE
    return 0 if state.plays == game.num_players * rules_of(game).tricks else 1u << mover(game, state)


cdef uint32_t playable(const game_t *game, const state_t *state) noexcept nogil:
    """Return the cards that the player who decides may play: those of the suit that was led, if it has any."""
    cdef const rules_t *rules = rules_of(game)
    cdef uint32_t hand = state.hand[mover(game, state)], follow
    cdef int32_t played = state.plays % game.num_players
    if played == 0:
        return hand
    follow = hand & rules.suit[state.card[state.plays - played] // rules.ranks]
    return follow if follow else hand


cdef bint may_bid(const game_t *game, const state_t *state, int32_t number) noexcept nogil:
    """Return True for a bid in range. With the last one, the bids must not sum to the number of tricks."""
    cdef int32_t player, rest = rules_of(game).tricks
    for player in range(state.bids):
        rest -= state.bid[player]
    return 0 <= number <= rules_of(game).tricks and (state.bids < game.num_players - 1 or number != rest)


cdef int32_t legal_actions(const game_t *game, const void *data, int32_t player, int32_t *out) noexcept nogil:
    cdef const state_t *state = <const state_t *> data
    cdef int32_t number, count = 0
    if state.bids == game.num_players:
        return list_cells(playable(game, state), 0, out)
    for number in range(rules_of(game).tricks + 1):
        if may_bid(game, state, number):
            out[count] = rules_of(game).cards + number
            count += 1
    return count


cdef bint is_legal(const game_t *game, const void *data, int32_t player, const void *action) noexcept nogil:
    cdef const state_t *state = <const state_t *> data
    cdef int32_t number = (<const int32_t *> action)[0], cards = rules_of(game).cards
    if state.bids < game.num_players:
        return cards <= number < game.num_actions and may_bid(game, state, number - cards)
    return 0 <= number < cards and (playable(game, state) >> number) & 1


cdef inline int32_t dealt_to(const game_t *game, const state_t *state) noexcept nogil:
    """Return the player who is dealt the next card; num_players where the trump card is turned."""
    cdef int32_t player = 0
    while player < game.num_players and popcount64(state.hand[player]) == rules_of(game).tricks:
        player += 1
    return player


cdef int32_t chance_outcomes(const game_t *game, const void *data, int32_t *outcomes, int32_t *weights) noexcept nogil:
    """List the cards that may come next. Hands are dealt in ascending order, all with the same probability."""
    cdef const state_t *state = <const state_t *> data
    cdef uint64_t free = rules_of(game).deck
    cdef int32_t player = dealt_to(game, state), other, need = 1, card, count = 0
    cdef uint32_t held = 0
    for other in range(game.num_players):
        free &= ~<uint64_t> state.hand[other]
    if player < game.num_players:
        held = state.hand[player]
        need = rules_of(game).tricks - popcount64(held)
    while free:
        card = lowest64(free)
        free &= free - 1
        weights[count] = <int32_t> CHOOSE[popcount64(free)][need - 1] if player < game.num_players else 1
        if weights[count] and held >> card == 0:
            outcomes[count] = card
            count += 1
    return count


cdef inline bint beats(const game_t *game, const state_t *state, int32_t card, int32_t best) noexcept nogil:
    """Return True if a card takes the trick from the best one before it."""
    cdef int32_t ranks = rules_of(game).ranks, suit = card // ranks
    return card > best if suit == best // ranks else suit == state.trump // ranks


cdef void play(const game_t *game, state_t *state, int32_t card) noexcept nogil:
    """Play a card, legal or not."""
    cdef int32_t player = mover(game, state), place = state.plays % game.num_players, ranks = rules_of(game).ranks
    cdef uint8_t *trick = &state.card[state.plays - place]
    cdef int32_t i, best = 0
    state.hand[player] &= ~(1u << card)
    trick[place] = <uint8_t> card
    state.plays += 1
    if card // ranks != trick[0] // ranks:
        state.voids[player] |= <uint8_t> (1 << trick[0] // ranks)
    if place == game.num_players - 1:
        for i in range(1, game.num_players):
            if beats(game, state, trick[i], trick[best]):
                best = i
        state.lead = <uint8_t> ((state.lead + best) % game.num_players)
        state.won[state.lead] += 1


cdef void list_played(const game_t *game, const state_t *state, uint32_t *played) noexcept nogil:
    """Write the cards that each player has played [num_players]."""
    cdef state_t again
    cdef int32_t i
    init(game, &again)
    again.trump, again.bids = state.trump, state.bids
    memset(played, 0, game.num_players * sizeof(uint32_t))
    for i in range(state.plays):
        played[mover(game, &again)] |= 1u << state.card[i]
        play(game, &again, state.card[i])


cdef void bid(state_t *state, int32_t number) noexcept nogil:
    state.bid[state.bids] = <int8_t> number
    state.bids += 1


cdef void apply(const game_t *game, void *data, const void *joint) noexcept nogil:
    cdef state_t *state = <state_t *> data
    cdef const int32_t *entries = <const int32_t *> joint
    cdef int32_t player
    if state.trump == NONE:
        player = dealt_to(game, state)
        if player < game.num_players:
            state.hand[player] |= 1u << entries[game.num_players]
        else:
            state.trump = <int8_t> entries[game.num_players]
    elif state.bids < game.num_players:
        bid(state, entries[state.bids] - rules_of(game).cards)
    else:
        play(game, state, entries[mover(game, state)])


cdef void returns(const game_t *game, const void *data, double *out) noexcept nogil:
    cdef const state_t *state = <const state_t *> data
    cdef int32_t player
    for player in range(game.num_players):
        out[player] = state.won[player] + (BONUS if state.won[player] == state.bid[player] else 0)
    if game.num_players == 2:
        out[0] -= out[1]
        out[1] = -out[0]


cdef void redact(const game_t *game, void *data, int32_t player) noexcept nogil:
    """Hide the hands of the others. Nobody sees a card before all are dealt."""
    cdef state_t *state = <state_t *> data
    cdef int32_t other
    if state.trump == NONE:
        init(game, data)
        return
    for other in range(game.num_players):
        if other != player:
            state.hand[other] = 0


cdef inline void list_kinds(const unseen_t *unseen, uint32_t *cards) noexcept nogil:
    """Write the cards of each kind of split_t [4]."""
    cards[0] = unseen.free & unseen.may[1] & unseen.may[2]
    cards[1] = unseen.free & unseen.may[1] & ~unseen.may[2]
    cards[2] = unseen.free & unseen.may[2] & ~unseen.may[1]
    cards[3] = unseen.free & ~unseen.may[1] & ~unseen.may[2]


cdef uint64_t count_ways(const unseen_t *unseen, uint64_t stop, split_t *found) noexcept nogil:
    """Return in how many ways the players can get their cards.

    Args:
        stop: end with the split by which the number exceeds this one.
        found: receives that split.
    """
    cdef uint32_t cards[4]
    cdef int32_t size[4]
    cdef int32_t first[4]       # how many of them the first player may have
    cdef int32_t a, b, c, d, i, both, second, need = unseen.need[1]
    cdef uint64_t total = 0, ways
    list_kinds(unseen, cards)
    for i in range(4):
        size[i], first[i] = popcount64(cards[i]), popcount64(cards[i] & unseen.may[0])
    for a in range(min(first[0], unseen.need[0]) + 1):
        for b in range(min(first[1], unseen.need[0] - a) + 1):
            for c in range(min(first[2], unseen.need[0] - a - b) + 1):
                d, both = unseen.need[0] - a - b - c, size[0] - a
                ways = CHOOSE[first[0]][a] * CHOOSE[first[1]][b] * CHOOSE[first[2]][c] * CHOOSE[first[3]][d]
                if ways == 0:
                    continue
                for second in range(min(both, need) + 1):
                    total += (ways * CHOOSE[both][second] * CHOOSE[size[1] - b][need - second]
                              * CHOOSE[both - second + size[2] - c][unseen.need[2]])
                    if total > stop:
                        found.first[0], found.first[1], found.first[2], found.first[3] = a, b, c, d
                        found.second = second
                        return total
    return total


cdef uint32_t take(uint32_t *free, uint32_t cards, int32_t count, rng_t *rng) noexcept nogil:
    """Take `count` of the free cards among `cards`, each set of them with the same probability, and return them."""
    cdef uint32_t taken = 0
    cdef int32_t left
    cards &= free[0]
    for left in range(popcount64(cards), popcount64(cards) - count, -1):
        taken |= <uint32_t> select64(cards & ~taken, <unsigned> rng_exactly_below(rng, left))
    free[0] &= ~taken
    return taken


cdef bint deal_unseen(const game_t *game, state_t *state, int32_t player, rng_t *rng) noexcept nogil:
    """Deal the hands of the others, all possible ones with the same probability. Return False if there are none.

    Players who did not follow suit come first. Their hands are counted, and a number below the count says how many of
    their cards are of which kind.
    """
    cdef const rules_t *rules = rules_of(game)
    cdef unseen_t unseen
    cdef split_t split
    cdef uint32_t cards[4]
    cdef int32_t other, i, last = 3
    cdef uint64_t ways
    memset(&unseen, 0, sizeof(unseen))
    unseen.free = rules.deck & ~state.hand[player] & ~(1u << state.trump)
    for i in range(state.plays):
        unseen.free &= ~(1u << state.card[i])
    for other in range(game.num_players):
        if other != player and state.voids[other]:
            last -= 1
            unseen.player[last], unseen.need[last] = other, cards_left(game, state, other)
            unseen.may[last] = rules.deck
            for i in range(rules.suits):
                if (state.voids[other] >> i) & 1:
                    unseen.may[last] &= ~rules.suit[i]
    if last < 3:
        ways = count_ways(&unseen, <uint64_t> -1, &split)
        if ways == 0:
            return False
        count_ways(&unseen, rng_exactly_below(rng, ways), &split)
        list_kinds(&unseen, cards)
        for i in range(4):
            state.hand[unseen.player[0]] |= take(&unseen.free, cards[i] & unseen.may[0], split.first[i], rng)
        state.hand[unseen.player[1]] |= take(&unseen.free, cards[0], split.second, rng)
        state.hand[unseen.player[1]] |= take(&unseen.free, cards[1], unseen.need[1] - split.second, rng)
        state.hand[unseen.player[2]] |= take(&unseen.free, unseen.may[2], unseen.need[2], rng)
    for other in range(game.num_players):
        if other != player and not state.voids[other]:
            state.hand[other] = take(&unseen.free, unseen.free, cards_left(game, state, other), rng)
    return True


cdef void resample(const game_t *game, void *data, int32_t player, rng_t *rng) noexcept nogil:
    if (<const state_t *> data).trump != NONE:
        deal_unseen(game, <state_t *> data, player, rng)


cdef void encode(const game_t *game, const void *data, float *out) noexcept nogil:
    """Write for each player the hand, the played cards, the card in the trick, the bid, and the share of tricks won.

    Then follow the trump card and the player who leads.
    """
    cdef const state_t *state = <const state_t *> data
    cdef const rules_t *rules = rules_of(game)
    cdef int32_t player, i, at = 0, place = state.plays % game.num_players
    cdef uint32_t played[MOST]
    cdef int32_t trick[MOST]
    list_played(game, state, played)
    for player in range(game.num_players):
        trick[player] = NONE
    for i in range(place):
        trick[(state.lead + i) % game.num_players] = state.card[state.plays - place + i]
    for player in range(game.num_players):
        at = put_cells(out, at, state.hand[player], rules.cards)
        at = put_cells(out, at, played[player], rules.cards)
        at = put_choice(out, at, trick[player], rules.cards)
        at = put_choice(out, at, state.bid[player], rules.tricks + 1)
        at = put_number(out, at, <double> state.won[player] / rules.tricks)
    at = put_choice(out, at, state.trump, rules.cards)
    put_choice(out, at, state.lead, game.num_players)


cdef class OhHell(Game):
    cdef rules_t rules
    cdef tuple cards            # names, such as Ah
    cdef tuple bids             # words
    cdef tuple texts            # of the actions

    def __init__(self, **given):
        values = read_parameters(INFO.name, INFO.parameters, given)
        cdef int32_t players = values["players"], suits = values["suits"], ranks = values["ranks"], suit
        cdef int32_t tricks = values["tricks"], cards = suits * ranks, most = tricks + BONUS
        info = replace(INFO, players=NAMES[:players], max_utility=most, min_utility=-most if players == 2 else 0,
                       utility_sum=0 if players == 2 else None, size=f"{cards} cards")
        Game.__init__(self, INFO if info == INFO else info, given)
        if players * tricks >= cards:
            raise ParameterError(f"{self.spec} has {cards} cards, and deals {players * tricks} and a trump card; "
                                 f"valid: players * tricks up to {cards - 1}")
        self.cards = tuple([rank + suit_name for suit_name in SUITS[:suits] for rank in RANKS[-ranks:]])
        self.bids = tuple(map(str, range(tricks + 1)))
        self.texts = (*[f"play({card})" for card in self.cards], *[f"bid({number})" for number in self.bids])
        self.rules.cards, self.rules.ranks, self.rules.suits, self.rules.tricks = cards, ranks, suits, tricks
        self.rules.deck = <uint32_t> ((1ull << cards) - 1)
        for suit in range(suits):
            self.rules.suit[suit] = <uint32_t> (((1ull << ranks) - 1) << suit * ranks)
        self.table.rules = &self.rules
        self.table.state_size = sizeof(state_t)
        self.table.num_actions = cards + tricks + 1
        self.table.max_legal = tricks + 1
        self.table.num_outcomes, self.table.chance_outcomes = cards, chance_outcomes
        put_rules(&self.table, init, acting, legal_actions, is_legal, apply, returns, hash_state)
        self.table.redact, self.table.resample = redact, resample
        put_encoding(&self.table, players * (3 * cards + tricks + 2) + cards + players, encode)
        self.seal()

    def notation(self):
        return Notation(HandsField("hands", len(self.cards[0])), ChoiceField("trump", (None, *self.cards)),
                        ListField("bids", "" if len(self.bids[-1]) == 1 else ","), ListField("plays"))

    cdef list cards_in(self, uint32_t hand):
        return [card for number, card in enumerate(self.cards) if (hand >> number) & 1]

    cdef dict state_dict(self, const void *data):
        cdef const state_t *state = <const state_t *> data
        cdef int32_t player, i
        return {
            "hands": [None if state.trump != NONE and not state.hand[player] and cards_left(&self.table, state, player)
                      else self.cards_in(state.hand[player]) for player in range(self.num_players)],
            "trump": None if state.trump == NONE else self.cards[state.trump],
            "bids": [self.bids[state.bid[i]] for i in range(state.bids)],
            "plays": [self.cards[state.card[i]] for i in range(state.plays)],
        }

    cdef int read_open(self, state_t *state, dict given) except -1:
        """Write the state after the bids and plays of a dict, which need not be legal, without hands."""
        cdef int32_t players = self.num_players, number
        trump = read_choice(given, "trump", (None, *self.cards))
        bids, plays = read_calls(given, "bids", self.bids), read_calls(given, "plays", self.cards)
        init(&self.table, state)
        if len(bids) > (0 if trump is None else players):
            raise StateError(f"'bids' has {len(bids)} bids; valid: up to {players}, and none before the trump card")
        if len(plays) > (self.rules.tricks * players if len(bids) == players else 0):
            raise StateError(f"'plays' has {len(plays)} cards; valid: up to {self.rules.tricks * players}, and none "
                             "before all have bid")
        if trump is not None:
            state.trump = self.cards.index(trump)
        for number in bids:
            bid(state, number)
        for number in plays:
            play(&self.table, state, number)
        return 0

    cdef int fill_state(self, void *data, dict given) except -1:
        """Write a state by its cards and calls. The kernels rely on cards that differ and on the sizes of hands."""
        cdef state_t *state = <state_t *> data
        cdef state_t after
        cdef uint32_t played[MOST]
        cdef int32_t player, number, action, count, valid
        hands = read_hands(given, "hands", self.num_players, self.cards)
        given["hands"] = hands = [sorted(hand, key=self.cards.index) for hand in hands]     # given in any order
        self.read_open(&after, given)
        named = [*(card for hand in hands for card in hand), *given["plays"], *filter(None, [given["trump"]])]
        for card in named:
            if named.count(card) > 1:
                raise StateError(f"the card {card} is in two places")
        list_played(&self.table, &after, played)
        init(&self.table, data)
        for player in range(self.num_players):
            state.hand[player] = played[player]
            for card in hands[player]:
                state.hand[player] |= 1u << <int32_t> self.cards.index(card)
        if after.trump == NONE:
            return self.check_deal(state)
        state.trump = after.trump
        for player in range(self.num_players):
            count, valid = len(hands[player]), cards_left(&self.table, &after, player)
            if count != valid:
                raise StateError(f"'hands' gives {self.players[player]} {count} cards; valid: {valid}")
        for number in range(after.bids):
            if not may_bid(&self.table, state, after.bid[number]):
                raise StateError(f"'bids' has {after.bid[number]} as the last bid, which makes the sum of bids the "
                                 "number of tricks")
            bid(state, after.bid[number])
        for number in range(after.plays):
            action = after.card[number]
            if not is_legal(&self.table, data, mover(&self.table, state), &action):
                raise StateError(f"'plays' has {self.cards[action]} after {number} cards, which does not follow suit")
            play(&self.table, state, action)
        return 0

    cdef int check_deal(self, const state_t *state) except -1:
        """Check hands before the trump card: `chance_outcomes` relies on a next card. Raises StateError."""
        cdef int32_t outcomes[MOST_CARDS]
        cdef int32_t weights[MOST_CARDS]
        cdef int32_t player = dealt_to(&self.table, state), other
        cdef bint is_deal = player == self.num_players or popcount64(state.hand[player]) < self.rules.tricks
        for other in range(player + 1, self.num_players):
            is_deal = is_deal and not state.hand[other]
        if not is_deal or chance_outcomes(&self.table, state, outcomes, weights) == 0:
            raise StateError(f"'hands' is not part of a deal; valid: full hands of {self.rules.tricks} in the order of "
                             f"players, then the first cards of one in the order {', '.join(self.cards)}")
        return 0

    def explain_view(self, int player, given):
        cdef state_t state
        cdef rng_t rng
        hands = copied_cards(given, "hands", player, self.num_players)
        if given.get("trump") is None:
            return given
        (own,) = read_hands({"hands": [hands[player]]}, "hands", 1, self.cards)
        self.read_open(&state, given)
        for card in own:
            state.hand[player] |= 1u << <int32_t> self.cards.index(card)
        rng_seed(&rng, 0)
        if len(own) != cards_left(&self.table, &state, player) or not deal_unseen(&self.table, &state, player, &rng):
            raise StateError(f"this is not a view of player {player + 1}: no hands of the others lead to it")
        return {**given, "hands": [self.cards_in(state.hand[other]) if hand is None else hand
                                   for other, hand in enumerate(hands)]}

    cdef str draw_state(self, const void *data):
        cdef const state_t *state = <const state_t *> data
        cdef int32_t player, place = state.plays % self.num_players
        given = self.state_dict(data)
        lines = [f"trump: {given['trump'] or 'none yet'}"]
        for player, (name, hand) in enumerate(zip(self.players, given["hands"])):
            cards = " ".join(["?"] * cards_left(&self.table, state, player) if hand is None else hand)
            told = f"bid {state.bid[player]}, won {state.won[player]}" if player < state.bids else "no bid"
            lines.append(f"{name}: {cards or 'no cards'}, {told}")
        leaders = self.players[state.lead:] + self.players
        trick = [f"{name} {card}" for name, card in zip(leaders, given["plays"][state.plays - place:])]
        return "\n".join([*lines, ", ".join(trick) or "no card on the table"])

    cdef object words(self, int player):
        return self.texts if player >= 0 else [f"deal({card})" for card in self.cards]


GAME = OhHell
