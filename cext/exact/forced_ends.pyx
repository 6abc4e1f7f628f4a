"""Forced wins and losses a few plies ahead, by a depth-first search with a limit of states."""
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free

from ..game.game cimport State, check_sealed
from ..game.game_table cimport (ACTING_CHANCE, EVERY_ACTION, MAX_ENTRIES, clear_joint, copy_state, find_ending,
                                free_states, game_t, has_failed, list_size, may_end, num_entries)

from ..errors import StateError

cdef enum:
    MOST_PLIES = 16
    MOST_EVENTS = 16            # of chance on one line; the search looks no further behind them

cdef struct lookahead_t:
    const game_t *game
    int32_t player              # the player of the search
    bint wins                   # whether its win is searched for, else its loss
    double won, lost            # returns of the player from and down to which an end is a win and a loss
    int64_t left                # states that may still be made
    int32_t most                # levels of the memory below
    char *states                # [most, state_size], one line of play
    int32_t *actions            # [most, num_players, list_size]
    int32_t *killers            # [most, num_players], the action that last decided on a level: it is tried first


cdef int32_t *list_of(const lookahead_t *search, int32_t level, int32_t player) noexcept nogil:
    """Return the memory for the actions of a player in the state of a level."""
    return search.actions + (<size_t> level * search.game.num_players + player) * list_size(search.game)


cdef bint is_end_forced(lookahead_t *search, const void *state) noexcept nogil:
    """Return True if the end of a game is the one that is searched for."""
    cdef double returns[MAX_ENTRIES]
    search.game.returns(search.game, state, returns)
    return returns[search.player] >= search.won if search.wins else returns[search.player] <= search.lost


cdef bint is_forced_after(lookahead_t *search, int32_t level, const int32_t *joint, int32_t plies) noexcept nogil:
    """Return True if the end is forced after a joint action of the state of a level, within further plies."""
    cdef const game_t *game = search.game
    cdef char *successor = search.states + <size_t> (level + 1) * game.state_size
    search.left -= 1
    copy_state(game, successor, search.states + <size_t> level * game.state_size)
    game.apply(game, successor, joint)
    return not has_failed(game) and is_forced(search, level + 1, plies)


cdef bint is_forced_by_chance(lookahead_t *search, int32_t level, int32_t *joint, int32_t plies) noexcept nogil:
    """Return True if the end is forced whatever chance decides."""
    cdef const game_t *game = search.game
    cdef int32_t *outcomes = list_of(search, level, 0)
    cdef int32_t i, count = game.chance_outcomes(game, search.states + <size_t> level * game.state_size, outcomes,
                                                 outcomes + game.num_outcomes)
    if has_failed(game):
        return False
    for i in range(count):
        joint[game.num_players] = outcomes[i]
        if not is_forced_after(search, level, joint, plies):
            return False
    return True


cdef bint is_forced_by(lookahead_t *search, int32_t level, uint32_t acting, int32_t *joint,
                       int32_t plies) noexcept nogil:
    """Return True if the end is forced by the actions of the players who still decide in the state of a level.

    A player who forces an end decides before those who prevent it, so that it is forced whatever they choose.

    acting: bit i is set if player i still decides.
    joint: the actions of the other players.
    """
    cdef const game_t *game = search.game
    cdef const void *state = search.states + <size_t> level * game.state_size
    cdef uint32_t own = <uint32_t> 1 << search.player
    cdef uint32_t first = acting & own if search.wins else acting & ~own
    cdef uint64_t ending = EVERY_ACTION
    cdef int32_t i, count, player = 0
    cdef int32_t *actions
    cdef int32_t *killer
    cdef bint one_is_enough, found
    if acting == 0:
        return is_forced_after(search, level, joint, plies - 1)
    if first == 0:
        first = acting
    while not first >> player & 1:
        player += 1
    # the first action is given: an end is forced by it whatever the others choose
    one_is_enough = level > 0 and (player == search.player) == search.wins
    actions = list_of(search, level, player)
    killer = search.killers + <size_t> level * game.num_players + player
    count = game.legal_actions(game, state, player, actions)
    if plies == 1 and game.acting(game, state) == <uint32_t> 1 << player and not has_failed(game):
        ending = find_ending(game, state, player)
    for i in range(count):                      # the killer comes first
        if actions[i] == killer[0]:
            actions[i], actions[0] = actions[0], actions[i]
            break
    for i in range(count):
        if has_failed(game):
            return False
        joint[player] = actions[i]
        found = may_end(ending, actions[i]) and is_forced_by(search, level, acting & ~(<uint32_t> 1 << player), joint,
                                                             plies)
        if found == one_is_enough:
            killer[0] = actions[i]
            return found
    return not one_is_enough


cdef bint is_forced(lookahead_t *search, int32_t level, int32_t plies) noexcept nogil:
    """Return True if the end is forced in the state of a level within some plies. Events of chance are no plies."""
    cdef const game_t *game = search.game
    cdef const void *state = search.states + <size_t> level * game.state_size
    cdef int32_t joint[MAX_ENTRIES]
    cdef uint32_t acting = game.acting(game, state)
    if has_failed(game):
        return False
    if acting == 0:
        return is_end_forced(search, state)
    if search.left <= 0 or level + 1 >= search.most:
        return False
    clear_joint(joint, num_entries(game))
    if acting == ACTING_CHANCE:
        return is_forced_by_chance(search, level, joint, plies)
    return plies > 0 and is_forced_by(search, level, acting, joint, plies)


cdef object list_forced(lookahead_t *search, State start, int32_t plies):
    """Return the dict of `forced_ends`."""
    cdef const game_t *game = search.game
    cdef uint32_t others = game.acting(game, start.data) & ~(<uint32_t> 1 << search.player)
    cdef int32_t joint[MAX_ENTRIES]
    cdef int32_t depth
    cdef int action
    cdef bint found
    ends = {}
    legal = start.legal_actions(search.player)
    copy_state(game, search.states, start.data)
    for depth in range(1, plies + 1):
        for search.wins in (True, False):
            for action in legal:
                if action in ends:
                    continue
                clear_joint(joint, num_entries(game))
                joint[search.player] = action
                with nogil:
                    found = is_forced_by(search, 0, others, joint, depth)
                start.game.reraise()
                if search.left <= 0:
                    return ends
                if found:
                    ends[action] = depth if search.wins else -depth
    return ends


def forced_ends(State state not None, int plies, int64_t states=1_000_000, int player=-1):
    """Return the legal actions after which a win or a loss of a player is forced, and how soon.

    A win is a return above the middle of the range in games of two players whose returns have a constant sum, and the
    greatest return in other games. A loss is a return below the middle, and the least one. The other players are taken
    to play against it. Where chance decides, all outcomes must lead to the same. Where several players decide at once,
    an end is forced by the actions of one side that lead to it whatever the other side chooses.

    Args:
        state: a player decides in it. It does not change.
        plies: decisions to look ahead, 1 to 16, those of all players; those at once are one.
        states: ends the search after this number of states; what was found so far is returned.
        player: number of the player; -1: the one who decides alone.

    Returns:
        A dict action -> plies: n if the player wins within n plies, -n if it loses within n plies. Other actions are
        not in it.

    Raises:
        StateError: the player does not decide.
        TypeError: the game does not list its actions.
        ValueError: `plies` or `states` is out of range.
    """
    cdef State start = state.clone()
    cdef lookahead_t search
    cdef const game_t *game = &start.game.table
    check_sealed(start.game)
    if game.legal_actions == NULL:
        raise TypeError(f"{start.game.spec} does not list its actions")
    if not 1 <= plies <= MOST_PLIES or states < 1:
        raise ValueError(f"plies={plies}, states={states}; valid: plies from 1 to {MOST_PLIES}, states from 1")
    search.player = player if player >= 0 else start.decider()
    if search.player < 0 or search.player not in start.acting_players():
        raise StateError("forced_ends needs a state in which one player decides, or the number of one who does")
    middle = (game.min_utility + game.max_utility) / 2
    is_zero_sum = game.num_players == 2 and game.utility_is_constant
    margin = (game.max_utility - game.min_utility) * (1e-9 if is_zero_sum else -1e-9)
    search.won = (middle if is_zero_sum else game.max_utility) + margin
    search.lost = (middle if is_zero_sum else game.min_utility) - margin
    search.game = game
    search.left = states
    search.most = plies + 1 + MOST_EVENTS * (game.num_outcomes > 0)
    search.states = <char *> calloc(search.most, game.state_size)
    search.actions = <int32_t *> calloc(<size_t> search.most * game.num_players * max(1, list_size(game)),
                                        sizeof(int32_t))
    search.killers = <int32_t *> calloc(<size_t> search.most * game.num_players, sizeof(int32_t))
    try:
        if search.states == NULL or search.actions == NULL or search.killers == NULL:
            raise MemoryError
        return list_forced(&search, start, plies)
    finally:
        free_states(game, search.states, search.most)
        free(search.actions)
        free(search.killers)
