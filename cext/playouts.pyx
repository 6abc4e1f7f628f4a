"""Random playouts in bulk."""
from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.stdlib cimport calloc, free, malloc

from .game cimport State
from .game_table cimport MAX_PLAYERS, copy_state, game_t, has_failed, playout_by_table
from .rng cimport rng_seed, rng_t, seed_for

from .arguments import seed_bits

cdef enum:
    CHUNK = 16384               # playouts of one random stream, and the unit of work of a thread

cdef int64_t MOST_PLAYOUTS = <int64_t> 1 << 53

# Sums are integers in units of 2^-20, so the order of addition, and with it the number of threads, changes nothing.
cdef double FIXED = 1048576.0


cdef void play_chunk(const game_t *game, const void *start, void *state, int32_t *legal, uint64_t seed, int64_t count,
                     bint fused, int64_t *sums) noexcept nogil:
    cdef double out[MAX_PLAYERS]
    cdef rng_t rng
    cdef int64_t _
    cdef int32_t player
    rng_seed(&rng, seed)
    for _ in range(count):
        copy_state(game, state, start)
        if fused:
            game.playout(game, state, &rng, out)
        else:
            playout_by_table(game, state, &rng, legal, out)
        if has_failed(game):
            break
        for player in range(game.num_players):
            sums[player] += <int64_t> (out[player] * FIXED)


def play_chunks(State state not None, seed, int64_t count, int64_t first, int64_t step, stop, bint fused=True):
    """Play chunks `first`, `first + step`, ... of `count` playouts without the GIL.

    Args:
        state: the start of each playout; does not change.
        seed: root seed of the chunks.
        count: playouts of all chunks together, 0 to 2**53.
        first: first chunk of this call, 0 and up.
        step: distance of the chunks of this call, 1 and up.
        stop: an object that becomes true to end the call early; tested after each chunk.
        fused: False plays by the table alone, with the same result but more slowly.

    Returns:
        A list [num_players] of sums of returns, in units of 1 / UNIT.

    Raises:
        ValueError: a number is out of range.
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
    if not (0 <= count <= MOST_PLAYOUTS and 0 <= first <= MOST_PLAYOUTS and 1 <= step <= MOST_PLAYOUTS):
        raise ValueError(f"count={count}, first={first}, step={step}; valid: up to {MOST_PLAYOUTS}, count and first "
                         "from 0, step from 1")
    scratch = calloc(1, game.state_size)
    legal = <int32_t *> malloc((game.max_legal + 1) * sizeof(int32_t))
    if scratch == NULL or legal == NULL:
        free(scratch)
        free(legal)
        raise MemoryError
    for player in range(MAX_PLAYERS):
        sums[player] = 0
    fused = fused and game.playout != NULL
    totals = [0] * game.num_players
    try:
        while chunk < (count + CHUNK - 1) // CHUNK and not stop:
            done = min(<int64_t> CHUNK, count - chunk * CHUNK)
            with nogil:
                play_chunk(game, start.data, scratch, legal, seed_for(root_seed, <uint64_t> chunk), done, fused, sums)
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


UNIT = FIXED
