"""Functions of compiled code that only tests and benchmarks call. See `bench.native`."""
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from cext.game.game cimport Game, State
from cext.game.game_table cimport (ACTING_CHANCE, EVERY_ACTION, MAX_PLAYERS, MOST_ENDING, copy_state, find_ending,
                                   game_t)
from cext.games.bidding_3d_ttt.rounds.growth cimport ITERATIONS, begin
from cext.games.bidding_3d_ttt.rounds.naive cimport fix_bid
from cext.games.bidding_3d_ttt.rounds.regrets cimport solve_matrix
from cext.games.bidding_3d_ttt.rounds.round cimport MAX_OPPONENT, MAX_TYPES, round_t
from cext.games.bidding_3d_ttt.rounds.solver cimport RoundSolver
from cext.games.bidding_3d_ttt.rules cimport bid_t
from cext.gdl.network cimport network_t
from cext.primitives.rng cimport rng_next, rng_seed, rng_t

from comparison cimport compare_games as compare_networks, compared_t
from state_rows cimport OUT_OF_MEMORY

from cext.arguments import seed_bits
from cext.gdl.game import NetworkGame

MOST_BIDS = MAX_OPPONENT        # of an opponent whose bids are known, and its different numbers of chips
MOST_CHIPS = MAX_TYPES
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


def fix_opponent(RoundSolver solver not None, against, seed):
    """Let the opponent of a new solver play known bids alone: the player's bids are then replies to these.

    Args:
        against: (bid, chips, weight) of the opponent's mixed strategy, each with its chips before the bid: at most
            MOST_BIDS, and MOST_CHIPS numbers of chips.
        seed: root of the random stream.

    Raises:
        ValueError: the opponent cannot play a bid, or a number is out of range.
    """
    cdef round_t *round = solver.round
    cdef bid_t read
    bids = list(against)
    types = sorted({int(chips) for _, chips, _ in bids})
    total = sum([float(weight) for _, _, weight in bids])
    if not 1 <= len(bids) <= MAX_OPPONENT or len(types) > MAX_TYPES:
        raise ValueError(f"there are {len(bids)} bids with {len(types)} numbers of chips; valid: 1 to "
                         f"{MAX_OPPONENT} bids with at most {MAX_TYPES}")
    if not 0 < total < float("inf") or min([weight for _, _, weight in bids]) < 0:
        raise ValueError("the weights of the bids are negative, all 0 or not finite; valid: 0 and up, with a sum")
    if not 0 <= types[0] <= types[-1] <= solver.game.parameters["chips"]:
        raise ValueError(f"{types} chips; valid: 0 to {solver.game.parameters['chips']}")
    # the matrix and its strategies, from `own_count` up to `batch`
    memset(&round.own_count, 0, <char *> &round.batch - <char *> &round.own_count)
    memset(round.type_weight, 0, sizeof(round.type_weight))
    rng_seed(&round.rng, seed_bits(seed))
    round.is_known, round.naive_share, round.types = True, 1, len(types)
    for kind, chips in enumerate(types):
        round.type_chips[kind] = chips
    begin(round)
    for bid, chips, weight in bids:
        kind = types.index(chips)
        solver.read_bid(bid, chips, "the opponent", &read)
        fix_bid(round, kind, &read, weight / total)
        round.type_weight[kind] += weight / total
    solve_matrix(round, ITERATIONS)
    round.leaves = 0
