"""Decisive playouts: win if possible, else prevent that the next player wins at once (Teytaud and Teytaud 2010)."""
from libc.stdint cimport int32_t, uint32_t, uint64_t

from cext.game.game_table cimport (ACTING_CHANCE, MAX_ENTRIES, MAX_PLAYERS, NO_ACTION, copy_state, find_ending, game_t,
                                   has_failed, may_end)
from cext.primitives.rng cimport rng_below
from cext.search.policies.playout_table cimport new_playout_policy, turn_t


cdef bint wins(const game_t *game, const void *state, int32_t player, int32_t action, void *after) noexcept nogil:
    """Apply an action of the one player who decides. Return True if it ends the game with the greatest return."""
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


cdef bint can_win(const turn_t *turn, const void *state, void *after) noexcept nogil:
    """Return True if one player decides in a state, not the player of the turn, and has an action that wins."""
    cdef const game_t *game = turn.game
    cdef uint32_t acting = game.acting(game, state)
    cdef int32_t player = 0, i, count
    cdef uint64_t ending
    if acting == 0 or acting == ACTING_CHANCE or acting & (acting - 1):
        return False
    while not (acting >> player) & 1:
        player += 1
    if player == turn.player:
        return False
    ending = find_ending(game, state, player)
    if ending == 0:
        return False
    count = game.legal_actions(game, state, player, turn.replies)
    for i in range(count):
        if may_end(ending, turn.replies[i]) and wins(game, state, player, turn.replies[i], after):
            return True
    return False


cdef int32_t choose(const turn_t *turn) noexcept nogil:
    """Return the first action that wins; else a random one, or the next one after which the next player cannot win."""
    cdef const game_t *game = turn.game
    cdef char *after = <char *> turn.trial
    cdef int32_t i, first, action
    cdef uint64_t ending
    if turn.acting & (turn.acting - 1):         # several decide at once
        return turn.legal[rng_below(turn.rng, <uint32_t> turn.count)]
    ending = find_ending(game, turn.state, turn.player)
    for i in range(turn.count):
        if may_end(ending, turn.legal[i]) and wins(game, turn.state, turn.player, turn.legal[i], after):
            return turn.legal[i]
    first = <int32_t> rng_below(turn.rng, <uint32_t> turn.count)
    for i in range(turn.count):
        action = turn.legal[(first + i) % turn.count]
        wins(game, turn.state, turn.player, action, after)
        if not can_win(turn, after, after + game.state_size):
            return action
    return turn.legal[first]


PLAYOUT_POLICY = new_playout_policy("decisive", choose, NULL, NULL)
