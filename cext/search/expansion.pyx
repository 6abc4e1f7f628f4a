from libc.stdint cimport int32_t, uint32_t

from ..game_table cimport ACTING_CHANCE, MAX_PLAYERS, game_t, has_failed
from .proofs cimport look_ahead
from .search_state cimport PREFER_UNPROVEN, WIDE, search_t
from .tree cimport NO_NODE, new_chance_node, new_node, node_at


cdef uint32_t expand_chance(search_t *search) noexcept nogil:
    """Make a node for the state of the simulation, in which chance decides. NO_NODE as in `expand`."""
    cdef int32_t *weights = search.legal + search.game.num_outcomes
    cdef int32_t count = search.game.chance_outcomes(search.game, search.state, search.legal, weights)
    if has_failed(search.game):
        return NO_NODE
    return new_chance_node(search.tree, count, search.legal, weights)


cdef inline bint games_look_ahead(search_t *search, uint32_t index) noexcept nogil:
    """Return True if the games from a new node will show which actions end the game, with less work."""
    return search.features & WIDE and search.game.playout_leaves != NULL and node_at(search.tree, index).blocks == 1


cdef uint32_t know_successors(search_t *search, uint32_t index) noexcept nogil:
    """Return a new node, with PREFER_UNPROVEN linked to the known nodes one action ahead. NO_NODE as in `expand`."""
    if search.features & PREFER_UNPROVEN and not games_look_ahead(search, index) and not look_ahead(search, index):
        search.tree.nodes -= 1
        return NO_NODE
    return index


cdef uint32_t expand(search_t *search, uint32_t acting) noexcept nogil:
    """Make a node for the state of the simulation. NO_NODE at the memory cap or after an error in a game in Python.

    With PREFER_UNPROVEN the node is linked to the known nodes one action ahead, and may be proven at once.
    """
    cdef const game_t *game = search.game
    cdef int32_t counts[MAX_PLAYERS]
    cdef int32_t player, blocks = 0, total = 0
    cdef uint32_t index
    if acting == ACTING_CHANCE:
        index = expand_chance(search)
        return index if index == NO_NODE else know_successors(search, index)
    for player in range(game.num_players):
        if (acting >> player) & 1:
            counts[blocks] = game.legal_actions(game, search.state, player, search.legal + total)
            if has_failed(game):
                return NO_NODE
            total += counts[blocks]
            blocks += 1
    index = new_node(search.tree, acting, counts, search.legal)
    return index if index == NO_NODE else know_successors(search, index)
