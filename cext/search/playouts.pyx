"""Playouts whose actions are chosen by a policy or recorded."""
from libc.stdint cimport int32_t, uint32_t

from ..game.game_table cimport ACTING_CHANCE, MAX_ENTRIES, NO_ACTION, draw_listed, draw_outcome, game_t, has_failed
from ..primitives.growing cimport resize
from .policies.playout_table cimport recorded_t, turn_t
from .search_state cimport RECORD, search_t


cdef bint lengthen_record(search_t *search) noexcept nogil:
    """Double the memory for recorded actions. Return False without memory."""
    if not resize(&search.recorded, 2 * sizeof(recorded_t) * search.record_capacity):
        return False
    search.record_capacity *= 2
    return True


cdef int32_t choose(search_t *search, uint32_t acting, int32_t player) noexcept nogil:
    """Return the action of a player in the state of the simulation, by the playout policy."""
    cdef turn_t turn
    cdef int32_t count
    if search.config.playout.choose == NULL:
        return draw_listed(search.game, search.state, player, &search.rng, search.legal)
    count = search.game.legal_actions(search.game, search.state, player, search.legal)
    turn.game = search.game
    turn.state = search.state
    turn.acting = acting
    turn.player = player
    turn.count = count
    turn.legal = search.legal
    turn.rng = &search.rng
    turn.memory = search.playout_memory
    turn.trial = search.trial
    turn.replies = search.replies
    return search.config.playout.choose(&turn)


cdef void play_out_by_policy(search_t *search, double *returns) noexcept nogil:
    """Play from the state of the simulation to the end by the playout policy. Record actions with RECORD."""
    cdef const game_t *game = search.game
    cdef int32_t joint[MAX_ENTRIES]
    cdef int32_t player
    cdef uint32_t acting = game.acting(game, search.state)
    while acting:
        joint[game.num_players] = NO_ACTION
        if acting == ACTING_CHANCE:
            joint[game.num_players] = draw_outcome(game, search.state, &search.rng, search.legal)
        for player in range(game.num_players):
            if not (acting >> player) & 1:
                joint[player] = NO_ACTION
                continue
            joint[player] = choose(search, acting, player)
            if search.features & RECORD and not record_action(search, player, joint[player]):
                return
        game.apply(game, search.state, joint)
        acting = game.acting(game, search.state)
        if has_failed(game):
            return
    game.returns(game, search.state, returns)
