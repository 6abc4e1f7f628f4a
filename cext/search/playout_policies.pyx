"""Playouts that choose or record their actions."""
from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport realloc

from ..game.game_table cimport (ACTING_CHANCE, DECISIVE, MAX_ENTRIES, MAX_PLAYERS, NO_ACTION, RANKED, copy_state,
                                draw_outcome, find_ending, game_t, has_failed, may_end, order_t)
from ..primitives.rng cimport rng_below, rng_unit
from .search_state cimport RECORD, mast_t, recorded_t, search_t

cdef double MAST_RANDOM = 0.4

cdef bint lengthen_record(search_t *search) noexcept nogil:
    """Double the memory for recorded actions. Return False without memory."""
    cdef recorded_t *recorded = <recorded_t *> realloc(search.recorded,
                                                       2 * sizeof(recorded_t) * search.record_capacity)
    if recorded == NULL:
        return False
    search.recorded = recorded
    search.record_capacity *= 2
    return True


cdef bint wins(search_t *search, const void *state, int32_t player, int32_t action, void *after) noexcept nogil:
    """Apply an action of the one player that decides. Return True if it ends the game with the greatest return."""
    cdef const game_t *game = search.game
    cdef int32_t joint[MAX_ENTRIES]
    cdef double out[MAX_PLAYERS]
    cdef int32_t other
    copy_state(game, after, state)
    for other in range(game.num_players + 1):
        joint[other] = NO_ACTION
    joint[player] = action
    game.apply(game, after, joint)
    if game.acting(game, after) or has_failed(game):
        return False
    game.returns(game, after, out)
    return out[player] >= game.max_utility


cdef bint can_win(search_t *search, const void *state, int32_t other, void *after) noexcept nogil:
    """Return True when one player decides in this state, not `other`, and has an action that wins."""
    cdef const game_t *game = search.game
    cdef uint32_t acting = game.acting(game, state)
    cdef int32_t player = 0, i, count
    cdef uint64_t ending
    if acting == 0 or acting == ACTING_CHANCE or acting & (acting - 1):
        return False
    while not (acting >> player) & 1:
        player += 1
    if player == other:
        return False
    ending = find_ending(game, state, player)
    if ending == 0:
        return False
    count = game.legal_actions(game, state, player, search.replies)
    for i in range(count):
        if may_end(ending, search.replies[i]) and wins(search, state, player, search.replies[i], after):
            return True
    return False


cdef int32_t choose_decisive(search_t *search, int32_t player, int32_t count) noexcept nogil:
    """Return an action that wins; else a random one after which the next player cannot win (Teytaud 2010).

    The rule is that of DECISIVE in the table of a game.
    """
    cdef int32_t *legal = search.legal
    cdef char *after = <char *> search.trial
    cdef char *reply = after + search.game.state_size
    cdef int32_t i, first
    cdef uint64_t ending = find_ending(search.game, search.state, player)
    for i in range(count):
        if may_end(ending, legal[i]) and wins(search, search.state, player, legal[i], after):
            return legal[i]
    first = <int32_t> rng_below(&search.rng, <uint32_t> count)
    for i in range(count):
        wins(search, search.state, player, legal[(first + i) % count], after)
        if not can_win(search, after, player, reply):
            return legal[(first + i) % count]
    return legal[first]


cdef int32_t choose_mast(search_t *search, int32_t player, int32_t count) noexcept nogil:
    """Return mostly the action of the best mean wherever it was played (e-greedy MAST: Tak et al. 2012)."""
    cdef int32_t *legal = search.legal
    cdef mast_t *known = search.mast + player * search.game.num_actions
    cdef int32_t i, best = 0
    cdef double mean, highest = -1.0
    if rng_unit(&search.rng) < MAST_RANDOM:
        return legal[rng_below(&search.rng, <uint32_t> count)]
    for i in range(count):
        mean = known[legal[i]].mean
        if mean > highest:
            highest = mean
            best = i
    return legal[best]


cdef void rank_actions(search_t *search, int32_t player) noexcept nogil:
    """Sort the actions of a player by falling means; of equal ones, the lowest comes first.

    Insertion sort: a simulation changes the order little.
    """
    cdef const mast_t *known = search.mast + player * search.game.num_actions
    cdef order_t *order = &search.orders[player]
    cdef int32_t i, at
    cdef uint8_t action, before
    cdef double mean
    for i in range(1, search.game.num_actions):
        action = order.action[i]
        mean = known[action].mean
        at = i
        while at > 0:
            before = order.action[at - 1]
            if known[before].mean > mean or (known[before].mean == mean and before < action):
                break
            order.action[at] = before
            order.rank[before] = <uint8_t> at
            at -= 1
        if at < i:
            order.action[at] = action
            order.rank[action] = <uint8_t> at


cdef void rank_all_actions(search_t *search) noexcept nogil:
    """Sort the actions of every player for a playout by RANKED."""
    cdef int32_t player
    for player in range(search.game.num_players):
        rank_actions(search, player)


cdef void play_out_by_policy(search_t *search, double *returns) noexcept nogil:
    """Play from the state of the simulation to the end by the playout policy. Record actions with RECORD."""
    cdef const game_t *game = search.game
    cdef int32_t joint[MAX_ENTRIES]
    cdef int32_t player, count
    cdef uint32_t acting = game.acting(game, search.state)
    while acting:
        joint[game.num_players] = NO_ACTION
        if acting == ACTING_CHANCE:
            joint[game.num_players] = draw_outcome(game, search.state, &search.rng, search.legal)
        for player in range(game.num_players):
            if not (acting >> player) & 1:
                joint[player] = NO_ACTION
                continue
            count = game.legal_actions(game, search.state, player, search.legal)
            if search.policy.kind == DECISIVE and acting & (acting - 1) == 0:
                joint[player] = choose_decisive(search, player, count)
            elif search.policy.kind == RANKED:
                joint[player] = choose_mast(search, player, count)
            else:
                joint[player] = search.legal[rng_below(&search.rng, <uint32_t> count)]
            if search.features & RECORD and not record_action(search, player, joint[player]):
                return
        game.apply(game, search.state, joint)
        acting = game.acting(game, search.state)
        if has_failed(game):
            return
    game.returns(game, search.state, returns)
