"""Random playouts in bulk."""
from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc

from .game cimport State
from .game_table cimport (ACTING_CHANCE, EVERY_ACTION, MAX_PLAYERS, MOST_ENDING, RETURN_UNIT, copy_state, find_ending,
                          game_t, has_failed, list_size, order_t, playout_by_table)
from .rng cimport rng_next, rng_seed, rng_t, seed_for

from .arguments import seed_bits

cdef enum:
    CHUNK = 16384               # playouts of one seed, and the unit of work of a thread

cdef enum way_t:                # ways to play, the fastest last
    BY_TABLE
    BY_PLAYOUT
    IN_LANES

cdef tuple WAYS = ("table", "playout", "lanes")

cdef int64_t MOST_PLAYOUTS = <int64_t> 1 << 53

# Sums are whole numbers of 1 / RETURN_UNIT, so the order of addition and the number of threads change nothing.
UNIT = <double> RETURN_UNIT


cdef void play_chunk(const game_t *game, const void *start, void *state, int32_t *legal, uint64_t seed, int64_t count,
                     way_t way, int64_t *sums) noexcept nogil:
    cdef double out[MAX_PLAYERS]
    cdef rng_t rng
    cdef int64_t _
    cdef int32_t player
    if way == IN_LANES:
        game.playout_lanes(game, start, seed, count, sums)
        return
    rng_seed(&rng, seed)
    for _ in range(count):
        copy_state(game, state, start)
        if way == BY_PLAYOUT:
            game.playout(game, state, &rng, out)
        else:
            playout_by_table(game, state, &rng, legal, out)
        if has_failed(game):
            break
        for player in range(game.num_players):
            sums[player] += <int64_t> (out[player] * RETURN_UNIT)


def play_chunks(State state not None, seed, int64_t count, int64_t first, int64_t step, stop,
                str by not None="lanes"):
    """Play chunks `first`, `first + step`, ... of `count` playouts without the GIL.

    Args:
        state: the start of each playout; does not change.
        seed: root seed of the chunks.
        count: playouts of all chunks together, 0 to 2**53.
        first: first chunk of this call, 0 and up.
        step: distance of the chunks of this call, 1 and up.
        stop: an object that becomes true to end the call early; tested after each chunk.
        by: "lanes" plays many games side by side, "playout" one after the other by the game's own function, with other
            random numbers, and "table" the same games as "playout" by the other functions of the table. A game without
            a function uses the next way.

    Returns:
        A list [num_players] of sums of returns, in units of 1 / UNIT.

    Raises:
        ValueError: a number is out of range, or `by` is unknown.
        BusyError: another thread changes the state when the call begins. Later changes have no effect on the call.
    """
    cdef State start = state.clone()
    cdef const game_t *game = &start.game.table
    cdef int64_t sums[MAX_PLAYERS]
    cdef int64_t chunk = first, done
    cdef uint64_t root_seed = seed_bits(seed)
    cdef int32_t player
    cdef void *scratch
    cdef int32_t *legal
    cdef way_t way
    if by not in WAYS:
        raise ValueError(f"by={by!r}; valid: {', '.join(WAYS)}")
    way = <way_t> WAYS.index(by)
    if not (0 <= count <= MOST_PLAYOUTS and 0 <= first <= MOST_PLAYOUTS and 1 <= step <= MOST_PLAYOUTS):
        raise ValueError(f"count={count}, first={first}, step={step}; valid: up to {MOST_PLAYOUTS}, count and first "
                         "from 0, step from 1")
    scratch = calloc(1, game.state_size)
    legal = <int32_t *> malloc((list_size(game) + 1) * sizeof(int32_t))
    if scratch == NULL or legal == NULL:
        free(scratch)
        free(legal)
        raise MemoryError
    for player in range(MAX_PLAYERS):
        sums[player] = 0
    if way == IN_LANES and (game.playout_lanes == NULL or game.acting(game, start.data) == 0):
        way = BY_PLAYOUT
    if way == BY_PLAYOUT and game.playout == NULL:
        way = BY_TABLE
    totals = [0] * game.num_players
    try:
        while chunk < (count + CHUNK - 1) // CHUNK and not stop:
            done = min(<int64_t> CHUNK, count - chunk * CHUNK)
            with nogil:
                play_chunk(game, start.data, scratch, legal, seed_for(root_seed, <uint64_t> chunk), done, way, sums)
            start.game.reraise()
            for player in range(game.num_players):
                totals[player] += sums[player]
                sums[player] = 0
            chunk += step
            PyErr_CheckSignals()
    finally:
        if game.release != NULL:
            game.release(game, scratch)
        free(scratch)
        free(legal)
    return totals


def find_ending_actions(State state not None, int player):
    """Return the set of actions of a player that can end the game at once, as the game's own function tells it.

    Args:
        state: a state that is not over.
        player: one who decides; the number of players where chance decides. For chance, the actions are outcomes.

    Returns:
        None if the game has no such function, or if it says that any action may end the game.

    Raises:
        ValueError: the player does not decide in this state.
    """
    cdef State start = state.clone()
    cdef const game_t *game = &start.game.table
    cdef uint32_t acting = game.acting(game, start.data)
    cdef int32_t action
    cdef uint64_t ending
    if acting == ACTING_CHANCE:
        acting = 1u << game.num_players
    if not 0 <= player <= game.num_players or not acting >> player & 1:
        deciding = [str(at) for at in range(game.num_players + 1) if acting >> at & 1]
        raise ValueError(f"player={player}; valid: {', '.join(deciding) or 'none, the game is over'}")
    ending = find_ending(game, start.data, player)
    return None if ending == EVERY_ACTION else {action for action in range(MOST_ENDING) if ending >> action & 1}


def play_recorded(State state not None, seed, orders=None, double share=0.0):
    """Play one game by a function of the game that notes the actions of its playouts, as searches do that learn.

    Args:
        state: the start; does not change.
        seed: seed of the random numbers.
        orders: None for `playout_recorded`; for `playout_ranked`, a list of all actions for each player, best first.
        share: share of random actions in `playout_ranked`.

    Returns:
        (returns, actions, number): `actions` is a list with a sorted list of actions for each player, `number` the next
        random number of 64 bits; or None if the game has no such function.

    Raises:
        ValueError: `orders` is not a permutation of the actions for each player.
    """
    cdef State start = state.clone()
    cdef const game_t *game = &start.game.table
    cdef double out[MAX_PLAYERS]
    cdef order_t ranked[MAX_PLAYERS]
    cdef rng_t rng
    cdef int32_t words = (game.num_actions + 63) // 64, player, action, rank
    cdef uint64_t root_seed = seed_bits(seed)
    cdef void *scratch
    cdef uint64_t *played
    if (game.playout_recorded == NULL) if orders is None else (game.playout_ranked == NULL):
        return None
    if orders is not None:
        orders = [[int(action) for action in order] for order in orders]
        if [sorted(order) for order in orders] != [list(range(game.num_actions))] * game.num_players:
            raise ValueError(f"orders={orders}; valid: for each player a permutation of {game.num_actions} actions")
        for player in range(game.num_players):
            for rank in range(game.num_actions):
                action = orders[player][rank]
                ranked[player].action[rank] = <uint8_t> action
                ranked[player].rank[action] = <uint8_t> rank
    scratch = calloc(1, game.state_size)
    played = <uint64_t *> calloc(game.num_players * words, sizeof(uint64_t))
    try:
        if scratch == NULL or played == NULL:
            raise MemoryError
        rng_seed(&rng, root_seed)
        copy_state(game, scratch, start.data)
        if orders is None:
            game.playout_recorded(game, scratch, &rng, out, played)
        else:
            game.playout_ranked(game, scratch, &rng, ranked, share, out, played)
        returns = [out[player] for player in range(game.num_players)]
        actions = [[action for action in range(game.num_actions)
                    if played[player * words + action // 64] >> (action % 64) & 1]
                   for player in range(game.num_players)]
        return returns, actions, rng_next(&rng)
    finally:
        free(played)
        if game.release != NULL and scratch != NULL:
            game.release(game, scratch)
        free(scratch)
