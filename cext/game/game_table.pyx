"""Random play by the functions of a game's table, hashes of plain data, and the check that a table is complete."""
from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy

from ..primitives.bits cimport hash_combine
from ..primitives.rng cimport rng_below, rng_next, rng_seed, rng_t


cdef int32_t draw_listed(const game_t *game, const void *state, int32_t player, rng_t *rng,
                         int32_t *legal) noexcept nogil:
    """Return a random action of a player in a game with listed actions, by the distribution of its playouts.

    legal: scratch memory for list_size(game) numbers.
    """
    cdef rng_t own
    cdef int32_t count, action
    if game.sample_action != NULL:
        rng_seed(&own, rng_next(rng))
        game.sample_action(game, state, player, &own, &action)
        return action
    count = game.legal_actions(game, state, player, legal)
    if has_failed(game):
        return NO_ACTION
    return legal[rng_below(rng, <uint32_t> count)]


cdef void play_step(const game_t *game, void *state, rng_t *rng, int32_t *legal, void *joint) noexcept nogil:
    """Play one random joint action, or a random outcome, in a state that is not over.

    legal: scratch memory for list_size(game) numbers; joint: receives the joint action.
    """
    cdef uint32_t acting = game.acting(game, state)
    cdef int32_t player
    if game.num_outcomes:
        (<int32_t *> joint)[game.num_players] = NO_ACTION
        if acting == ACTING_CHANCE:
            (<int32_t *> joint)[game.num_players] = draw_outcome(game, state, rng, legal)
            if has_failed(game):
                return
    for player in range(game.num_players):
        if not (acting >> player) & 1:
            if game.legal_actions != NULL:
                (<int32_t *> joint)[player] = NO_ACTION
        elif game.legal_actions == NULL:
            game.sample_action(game, state, player, rng, <char *> joint + player * game.action_size)
        else:
            (<int32_t *> joint)[player] = draw_listed(game, state, player, rng, legal)
            if has_failed(game):
                return
    game.apply(game, state, joint)


cdef void playout_by_table(const game_t *game, void *state, rng_t *rng, int32_t *legal, double *returns) noexcept nogil:
    """Play at random to the end by the table's functions alone, without the game's own `playout`.

    legal: scratch memory for list_size(game) numbers.
    """
    cdef char joint[MAX_JOINT_BYTES]
    while game.acting(game, state):
        play_step(game, state, rng, legal, joint)
        if has_failed(game):
            return
    game.returns(game, state, returns)


cdef uint64_t view_key(const game_t *game, const void *state, int32_t player, void *scratch) noexcept nogil:
    """Return a key of a player and of what it sees: equal for states that it cannot tell apart.

    scratch: zeroed memory, or a state.
    """
    cdef uint64_t seen
    if game.info_hash != NULL:
        seen = game.info_hash(game, state, player)
    elif game.redact == NULL:
        seen = game.hash(game, state)
    else:
        copy_state(game, scratch, state)
        game.redact(game, scratch, player)
        seen = game.hash(game, scratch)
    return hash_combine(seen, <uint64_t> player)


cdef uint64_t hash_bytes(const void *data, size_t size) noexcept nogil:
    """Return a 64-bit hash of plain data."""
    cdef const uint8_t *bytes = <const uint8_t *> data
    cdef uint64_t word, result = size
    cdef size_t i = 0
    while i + 8 <= size:
        memcpy(&word, bytes + i, 8)
        result = hash_combine(result, word)
        i += 8
    if i < size:
        word = 0
        memcpy(&word, bytes + i, size - i)
        result = hash_combine(result, word)
    return result


cdef uint64_t hash_state(const game_t *game, const void *data) noexcept nogil:
    """Return a hash of all bytes of a state, for games without a quicker one."""
    return hash_bytes(data, game.state_size)


cdef int check_table(const game_t *table, str spec) except -1:
    """Check that a table is complete and was compiled against this layout. Raises ImportError."""
    if table.abi_version != ABI_VERSION or table.struct_size != sizeof(game_t):
        raise ImportError(f"{spec} was compiled for version {table.abi_version} of the game table "
                          f"({table.struct_size} bytes), not {ABI_VERSION} ({sizeof(game_t)} bytes)")
    if not 1 <= table.num_players <= MAX_PLAYERS:
        raise ImportError(f"{spec} has {table.num_players} players; valid: 1 to {MAX_PLAYERS}")
    if table.num_players * table.action_size > MAX_JOINT_BYTES or table.state_size < 1:
        raise ImportError(f"{spec} has an action or state of an impossible size")
    if not table.min_utility < table.max_utility:
        raise ImportError(f"{spec} has returns from {table.min_utility} to {table.max_utility}; "
                          "valid: least below greatest")
    if table.legal_actions != NULL and not 1 <= table.max_legal <= table.num_actions <= MAX_ACTIONS:
        raise ImportError(f"{spec} has {table.num_actions} actions, at most {table.max_legal} of them legal; "
                          f"valid: 1 to {MAX_ACTIONS}, and at least one")
    if table.ending_actions != NULL and table.legal_actions == NULL:
        raise ImportError(f"{spec} has ending_actions, but does not list its actions; valid: with legal_actions only")
    if table.apply_each != NULL and (table.legal_actions == NULL or table.num_outcomes or table.copy != NULL):
        raise ImportError(f"{spec} has apply_each; valid: with listed actions, states of plain data and no chance only")
    filled = {"init": table.init != NULL, "acting": table.acting != NULL, "is_legal": table.is_legal != NULL,
              "apply": table.apply != NULL, "returns": table.returns != NULL, "hash": table.hash != NULL,
              "legal_actions or sample_action": table.legal_actions != NULL or table.sample_action != NULL,
              "resample (required with redact)": table.redact == NULL or table.resample != NULL,
              "guided_playout (required with action_priors)":
                  table.guided_playout != NULL or table.action_priors == NULL,
              "playout (required with playout_records)": table.playout != NULL or not table.playout_records,
              "encode (required with encoding_size)": (table.encode != NULL) == (table.encoding_size > 0)}
    of_objects = {"copy": table.copy != NULL, "release": table.release != NULL, "equal": table.equal != NULL,
                  "failed": table.failed != NULL}
    if any(of_objects.values()):
        filled |= of_objects
    of_symmetries = {"transform": table.transform != NULL, "transform_action": table.transform_action != NULL,
                     "canonical": table.canonical != NULL}
    if table.num_symmetries or any(of_symmetries.values()):
        filled |= of_symmetries | {"num_symmetries": table.num_symmetries > 0}
    if table.num_outcomes or table.chance_outcomes != NULL:
        if not 1 <= table.num_outcomes <= MAX_ACTIONS or table.legal_actions == NULL:
            raise ImportError(f"{spec} has {table.num_outcomes} outcomes of chance; valid: 1 to {MAX_ACTIONS}, in a "
                              "game whose actions are listed")
        filled["chance_outcomes (required with num_outcomes)"] = table.chance_outcomes != NULL
    missing = [name for name, is_filled in filled.items() if not is_filled]
    if missing:
        raise ImportError(f"{spec} leaves functions of its table empty: {', '.join(missing)}")
    return 0
