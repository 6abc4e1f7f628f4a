"""Cache of successor states, for games with an expensive `apply`.

They are kept by the hash of the state and of the joint action. A slot keeps the last one that came to it. If the graph
has symmetric states, canonical states are kept. Nodes that have their states need no cache.
"""
from libc.stdint cimport int32_t, uint32_t, uint64_t
from libc.string cimport memcpy

from ..game.game_table cimport MAX_PLAYERS, MOST_FOLLOWERS, clear_joint, game_t
from ..primitives.bits cimport hash_combine
from .search_state cimport SYMMETRIES, followers_t, search_t
from .tree cimport block_t, first_block, joint_action, next_block, node_actions, node_t


cdef inline uint64_t key_of(const game_t *game, uint64_t hash, const int32_t *joint) noexcept nogil:
    """Return the key of a joint action in the state with a hash; never 0, the key of an empty slot."""
    cdef int32_t player
    for player in range(game.num_players):
        hash = hash_combine(hash, <uint32_t> joint[player])
    return hash | 1


cdef inline char *slot_of(const followers_t *kept, uint64_t key) noexcept nogil:
    return kept.slot + (key >> 1 & kept.mask) * kept.slot_size


cdef inline void keep(const game_t *game, char *slot, uint64_t key, const void *state) noexcept nogil:
    (<uint64_t *> slot)[0] = key
    memcpy(slot + sizeof(uint64_t), state, game.state_size)


cdef inline void apply_kept(search_t *search, void *state, const int32_t *joint) noexcept nogil:
    """Do what `apply` does: copy what follows if it is kept, else compute and keep it; with symmetries its image."""
    cdef const game_t *game = search.game
    cdef uint64_t key = key_of(game, game.hash(game, state), joint)
    cdef char *slot = slot_of(&search.followers, key)
    if (<uint64_t *> slot)[0] == key:
        memcpy(state, slot + sizeof(uint64_t), game.state_size)
        return
    game.apply(game, state, joint)
    if search.features & SYMMETRIES:
        game.canonical(game, state)
    keep(game, slot, key, state)


cdef inline const char *follower_at(search_t *search, node_t *node, uint32_t index) noexcept nogil:
    """Return what follows the state of the simulation after an action, or joint action of two, of its node.

    They are computed and kept many at a time: the caller asks for all of them in ascending order. See above for
    symmetric states; ends of the game are left as they are.
    """
    cdef const game_t *game = search.game
    cdef followers_t *kept = &search.followers
    cdef block_t *rows = first_block(search.tree, node)
    cdef block_t *columns = next_block(rows) if node.blocks == 2 else NULL
    cdef uint64_t key, hash
    cdef char *slot
    cdef int32_t *joint
    cdef int32_t i, count
    cdef uint32_t other
    if index % MOST_FOLLOWERS:
        return kept.after + (index % MOST_FOLLOWERS) * game.state_size
    count = <int32_t> min(<uint32_t> MOST_FOLLOWERS, node.num_choices - index)
    for i in range(count):
        other = index + <uint32_t> i
        joint = kept.joint + i * game.num_players
        clear_joint(joint, game.num_players)
        if node.blocks == 1:
            joint[node.mover] = node_actions(search.tree, node)[other]
        else:
            joint[rows.player] = joint_action(rows)[other // <uint32_t> columns.count]
            joint[columns.player] = joint_action(columns)[other % <uint32_t> columns.count]
    game.apply_each(game, search.state, kept.joint, count, kept.memory, kept.after)
    if kept.slot == NULL:
        return kept.after
    hash = game.hash(game, search.state)
    for i in range(count):
        if game.acting(game, kept.after + i * game.state_size):
            key = key_of(game, hash, kept.joint + i * game.num_players)
            slot = slot_of(kept, key)
            if (<uint64_t *> slot)[0] != key:
                if search.features & SYMMETRIES:
                    game.canonical(game, kept.after + i * game.state_size)
                keep(game, slot, key, kept.after + i * game.state_size)
            elif search.features & SYMMETRIES:
                memcpy(kept.after + i * game.state_size, slot + sizeof(uint64_t), game.state_size)
    return kept.after
