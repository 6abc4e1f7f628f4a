"""Random playouts in bulk, and other numbers that the table of a game gives for a state."""
from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.stdlib cimport calloc, free, malloc

from ..primitives.rng cimport rng_seed, rng_t, seed_for
from .game cimport Game, State
from .game_table cimport (MAX_PLAYERS, RETURN_UNIT, copy_state, free_states, game_t, has_failed, list_size,
                          playout_by_table)

from ..arguments import seed_bits, whole_number
from ..errors import StateError, UnsupportedGameError

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
            game.playout(game, state, &rng, NULL, out)
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
    way = <way_t> <int> WAYS.index(by)
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
        free_states(game, scratch, 1)
        free(legal)
    return totals


def perft(State state not None, depth):
    """Return the number of sequences of `depth` legal actions from a state, without the GIL. Ctrl-C ends it.

    Rules that end the game while there are legal actions, such as the draws of chess by repetition, do not count.

    Args:
        state: the first state; not changed.
        depth: 0 to 30.

    Raises:
        UnsupportedGameError: the game has no such count.
        ValueError: `depth` is out of range.

    Example:
        >>> mcts.perft(mcts.load_game("chess").new_initial_state(), 4)
        197281
    """
    cdef State start = state.clone()
    cdef const game_t *game = &start.game.table
    cdef int64_t number = whole_number("depth", depth, "0 to 30")
    cdef int32_t plies = <int32_t> number
    cdef int64_t count
    if not 0 <= number <= 30:
        raise ValueError(f"depth={number}; valid: 0 to 30")
    if game.perft == NULL:
        raise UnsupportedGameError(f"{start.game.spec} does not count sequences of actions; valid: games with perft")
    with nogil:
        count = game.perft(game, start.data, plies)
    return count


def records_playouts(Game game not None):
    """Return True if the playouts of a game note, for each action, which player takes it first."""
    return game.table.playout_records


def has_guided_playouts(Game game not None):
    """Return True if a game has playouts for the option `playout=guided` of `mcts.MCTS`."""
    return game.table.guided_playout != NULL


def guided_action(State state not None, seed):
    """Return an action that the guided playouts of a game draw for the player to move. Equal seeds draw equal actions.

    Raises:
        StateError: the game is over, or has no such playouts.
    """
    cdef State here = state.clone()
    cdef const game_t *game = &here.game.table
    cdef int32_t action
    cdef rng_t rng
    if game.guided_action == NULL or here.is_terminal():
        raise StateError(f"{here.game.spec} has no guided action here; valid: states of games with guided playouts "
                         "that go on")
    rng_seed(&rng, seed_bits(seed))
    game.guided_action(game, here.data, here.current_player(), &rng, &action)
    return action


def action_priors(State state not None):
    """Return the games that a search with guided playouts takes to have been played with each action, before the first.

    Returns:
        (games that won, all games) for each action, 0 where not exactly one player decides; empty in games without
        such numbers.
    """
    cdef const game_t *game = &state.game.table
    cdef float *wins
    if game.action_priors == NULL:
        return []
    wins = <float *> calloc(2 * game.num_actions, sizeof(float))
    if wins == NULL:
        raise MemoryError
    if len(state.acting_players()) == 1:
        game.action_priors(game, state.data, state.current_player(), wins, wins + game.num_actions)
    found = [(wins[action], wins[game.num_actions + action]) for action in range(game.num_actions)]
    free(wins)
    return found


def has_evaluation(Game game not None):
    """Return True if a game estimates the returns of a state itself, for the option `leaf` of `mcts.MCTS`."""
    return game.table.evaluate != NULL


def evaluate(State state not None):
    """Return the game's own estimate of the return of each player, from this state alone.

    Raises:
        StateError: the game is over, or has no such estimate.
    """
    cdef State here = state.clone()
    cdef const game_t *game = &here.game.table
    cdef double out[MAX_PLAYERS]
    cdef int32_t player
    if game.evaluate == NULL or game.acting(game, here.data) == 0:
        raise StateError(f"{here.game.spec} is over, or has no static evaluation")
    game.evaluate(game, here.data, out)
    return [out[player] for player in range(game.num_players)]
