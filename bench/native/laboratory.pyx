"""Functions of compiled code that only tests and benchmarks call. See `bench.native`."""
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free

from cext.game.game cimport Game, State
from cext.game.game_table cimport (ACTING_CHANCE, EVERY_ACTION, MAX_PLAYERS, MOST_ENDING, copy_state, find_ending,
                                   game_t)
from cext.gdl.network cimport network_t
from cext.primitives.rng cimport rng_next, rng_seed, rng_t

from comparison cimport compare_games as compare_networks, compared_t
from state_rows cimport OUT_OF_MEMORY

from cext.arguments import seed_bits
from cext.gdl.game import NetworkGame

DIFFERENCES = ("nothing", "the legal moves", "the ends", "the facts", "the returns")
ENGINES = ("", "all are evaluated for 64 states", "all are evaluated for 512 states", "they are compiled")


def compare_games(Game game not None, int64_t games, uint64_t seed, double seconds):
    """Play random games of which each state is computed in several ways, and compare all that the rules give.

    Gates follow changes, all gates are evaluated for 64 and for 512 states at a time, and compiled code plays each step
    if the game has loaded it.

    Args:
        game: a game of a rulesheet.
        games: number of games.
        seed: seed of the random moves.
        seconds: time of the processor after which no further game begins.

    Returns:
        The number of games and of their steps, the sum of the returns of each player and that of their squares.

    Raises:
        ArithmeticError: the ways differ.
        TypeError: the game has no rulesheet.
    """
    cdef const network_t *net
    cdef compared_t found
    cdef rng_t rng
    cdef int difference, role
    if not isinstance(game, NetworkGame):
        raise TypeError(f"{game!r} has no rulesheet")
    net = <const network_t *> game.table.rules
    rng_seed(&rng, seed)
    with nogil:
        difference = compare_networks(net, &rng, games, seconds, &found)
    if difference == OUT_OF_MEMORY:
        raise MemoryError
    if difference:
        raise ArithmeticError(f"{DIFFERENCES[difference]} differ where gates follow changes and where "
                              f"{ENGINES[found.engine]}, in game {found.games + 1} or before")
    roles = range(net.num_roles)
    return (found.games, found.steps, [found.sums[role] for role in roles],
            [found.squares[role] for role in roles])


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


def play_recorded(State state not None, seed):
    """Play one game by a function of the game that notes the actions of its playouts, as searches do that learn.

    Args:
        state: the start; does not change.
        seed: seed of the random numbers.

    Returns:
        (returns, actions, number): `actions` is a list with a sorted list of actions for each player, `number` the next
        random number of 64 bits; or None if the game has no such function.
    """
    cdef State start = state.clone()
    cdef const game_t *game = &start.game.table
    cdef double out[MAX_PLAYERS]
    cdef rng_t rng
    cdef int32_t words = (game.num_actions + 63) // 64, player, action
    cdef uint64_t root_seed = seed_bits(seed)
    cdef void *scratch
    cdef uint64_t *played
    if not game.playout_records:
        return None
    scratch = calloc(1, game.state_size)
    played = <uint64_t *> calloc(game.num_players * words, sizeof(uint64_t))
    try:
        if scratch == NULL or played == NULL:
            raise MemoryError
        rng_seed(&rng, root_seed)
        copy_state(game, scratch, start.data)
        game.playout(game, scratch, &rng, played, out)
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
