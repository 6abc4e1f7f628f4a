"""The game table filled by a game written in Python.

A state in memory is one owned reference to the object that the game uses as a state. Every function takes the GIL; a
search of such a game runs with the GIL held, so that taking it is cheap. An exception in the game's own code is kept
in a variable of its thread. The table's functions then return harmless values until the caller, who tests `failed`,
stops and raises it. Its attribute `failed_play` has the joint actions that led to the state, since the initial state or
one that came from outside, so that play can repeat the error.
"""
import os
from array import array
from collections.abc import Mapping
from contextlib import suppress
from operator import index

from cpython.long cimport PyLong_FromLong
from cpython.ref cimport Py_DECREF, Py_INCREF, Py_XDECREF, PyObject
from cpython.tuple cimport PyTuple_New, PyTuple_SET_ITEM
from libc.stdint cimport int32_t, uint32_t, uint64_t
from libc.string cimport memset

from ..primitives.bits cimport hash_combine, mix64
from ..primitives.rng cimport rng_below, rng_next, rng_t
from .game cimport Game, State, new_state
from .game_table cimport (
    ACTING_CHANCE, MAX_ACTIONS, MAX_ENTRIES, MAX_PLAYERS, MAX_WEIGHT, NO_ACTION, draw_weighted, game_t, list_size,
    put_encoding, put_rules,
)

from ..arguments import shown, whole_number
from ..errors import IllegalActionError, ParameterError, StateError
from .game import CHANCE
from ..game_info import GameInfo

cdef extern from *:
    """
    #include "primitives/compiler.h"

    /* The exception raised in this thread by a game's own code, owned; NULL if there is none. */
    static PLAYOUT_THREAD_LOCAL PyObject *playout_pending = NULL;
    """
    PyObject *playout_pending

cdef enum:
    NOT_ASCENDING = -2
    FEW_ACTIONS = 64            # lists of no more stand on the stack
    NAMED_ACTIONS = 5           # texts of valid actions in a message

cdef struct state_t:            # owned references; NULL in zeroed memory
    PyObject *object
    PyObject *past              # the steps to the state: (those before, the last joint action), None without any


cdef inline object state_object(const void *data):
    return <object> (<const state_t *> data).object


cdef inline object past_of(const void *data):
    return <object> (<const state_t *> data).past


cdef void keep_failure(BaseException error, object past) noexcept:
    """Keep the first exception of this thread and drop later ones, which are its consequences.

    past: the steps to the state in which it was raised.
    """
    global playout_pending
    if playout_pending != NULL:
        return
    Py_INCREF(error)
    playout_pending = <PyObject *> error
    steps = []
    while past is not None:
        past, joint = past
        steps.append(joint)
    with suppress(Exception):   # the class may refuse attributes
        error.failed_play = tuple(reversed(steps))


cdef inline PythonGame owner(const game_t *game):
    return <PythonGame> (<PyObject *> game.rules)


cdef inline object own_state(PythonGame game, const void *data):
    """Return the state that the game's own code made."""
    return state_object(data) if game.hiding is None else game.hiding.known_state(game, state_object(data))


cdef void put_object(void *data, object value, object past=None) noexcept:
    cdef state_t *state = <state_t *> data
    cdef state_t old = state[0]
    Py_INCREF(value)
    Py_INCREF(past)
    state.object, state.past = <PyObject *> value, <PyObject *> past
    Py_XDECREF(old.object)
    Py_XDECREF(old.past)


cdef void init(const game_t *game, void *data) noexcept with gil:
    put_object(data, None)
    try:
        rules = owner(game)
        put_object(data, rules.initial_state() if rules.hiding is None else rules.hiding.first(rules))
    except BaseException as error:
        keep_failure(error, None)


cdef void copy(const game_t *game, void *to, const void *data) noexcept with gil:
    put_object(to, state_object(data), past_of(data))


cdef void release(const game_t *game, void *data) noexcept with gil:
    cdef state_t old = (<state_t *> data)[0]
    memset(data, 0, sizeof(state_t))
    Py_XDECREF(old.object)
    Py_XDECREF(old.past)


cdef bint equal(const game_t *game, const void *data, const void *other) noexcept with gil:
    try:
        return state_object(data) == state_object(other)
    except BaseException as error:
        keep_failure(error, past_of(data))
    return False


cdef bint failed(const game_t *game) noexcept nogil:
    return playout_pending != NULL


cdef uint32_t mask_of(PythonGame game, object state) except? 0xFFFFFFFF:
    """Return the mask of the players that acting_players of a game returns; ACTING_CHANCE for CHANCE."""
    players = game.acting_players(state)
    if hasattr(type(players), "__index__"):
        if game.table.num_outcomes and players == CHANCE:
            return ACTING_CHANCE
        return player_bit(game, players)
    cdef uint32_t mask = 0
    for player in players:
        mask |= player_bit(game, player)
    return mask


cdef object bad_answer(PythonGame game, str method, str what):
    """Return the error for what a method of the game returned. It names the line in which the method begins."""
    code = getattr(getattr(type(game), method, None), "__code__", None)
    place = "" if code is None else f" ({os.path.basename(code.co_filename)}:{code.co_firstlineno})"
    return ValueError(f"{method} of {game.name} {what}{place}")


cdef uint32_t remembered_mask(PythonGame game, object mask) except? 0xFFFFFFFF:
    """Return the mask of the players that a state with secrets or a view names; ACTING_CHANCE for CHANCE."""
    if type(mask) is int and (0 <= mask < 1 << game.table.num_players or (game.table.num_outcomes and mask == CHANCE)):
        return ACTING_CHANCE if mask == CHANCE else <uint32_t> mask
    raise StateError(f"a state of {game.name} has the mask of players who decide {shown(mask)}; valid: 0 to "
                     f"{(1 << game.table.num_players) - 1}, and CHANCE (-1) in a game with chance")


cdef inline uint32_t player_bit(PythonGame game, object player) except? 0xFFFFFFFF:
    if type(player) is not int:
        player = whole_number(f"a player that acting_players of {game.name} names", player)
    if not 0 <= player < game.table.num_players:
        chance = "" if player != CHANCE else ", and CHANCE (-1), alone, in a game whose num_outcomes is not 0"
        raise bad_answer(game, "acting_players", f"names player {shown(player)}; "
                         f"valid: 0 to {game.table.num_players - 1}{chance}")
    return <uint32_t> 1 << <int32_t> player


cdef int32_t write_ascending(PythonGame game, list actions, int32_t *out) except -1:
    """Write actions and return their number, or NOT_ASCENDING if they do not ascend within the game's range."""
    cdef int32_t count = 0, last = -1
    cdef long long action
    for each in actions:
        try:
            action = index(each)
        except OverflowError:       # larger than any action
            return NOT_ASCENDING
        if not last < action < game.table.num_actions:
            return NOT_ASCENDING
        out[count] = last = action
        count += 1
    return count


cdef int32_t write_legal(PythonGame game, object actions, int32_t *out) except -1:
    """Write what legal_actions of a game returns, ascending, and return the number of actions."""
    cdef int32_t count = NOT_ASCENDING
    if type(actions) is list:       # most games list them in order, which needs no copy and no sorting
        count = write_ascending(game, actions, out)
    if count == NOT_ASCENDING:
        actions = sorted(actions)
        count = write_ascending(game, actions, out)
    if count == NOT_ASCENDING:
        last = -1
        for action in actions:
            if not last < index(action) < game.table.num_actions:
                raise bad_answer(game, "legal_actions", f"has {shown(action)}; valid: different numbers from 0 to "
                                 f"{game.table.num_actions - 1}")
            last = index(action)
    if count <= 0:
        raise bad_answer(game, "legal_actions", "is empty for a player that acting_players names")
    return count


cdef int32_t list_outcomes(PythonGame game, object state, int32_t *outcomes, int32_t *weights) except -1:
    """Write the outcomes of a state in which chance decides, ascending, and their weights. Return their number."""
    cdef int32_t count = 0
    cdef long long total = 0
    found = game.chance_outcomes(state)
    if not isinstance(found, Mapping) or not found:
        raise bad_answer(game, "chance_outcomes", f"is {shown(found)}; valid: a dict of outcome -> weight, at least "
                         "one")
    found = dict(found)             # whose content no other code changes meanwhile
    for outcome, weight in found.items():
        if type(outcome) is not int or not 0 <= outcome < game.table.num_outcomes:
            raise bad_answer(game, "chance_outcomes", f"has the outcome {shown(outcome)}; valid: 0 to "
                             f"{game.table.num_outcomes - 1}")
        if type(weight) is not int or not 1 <= weight <= MAX_WEIGHT - total:
            raise bad_answer(game, "chance_outcomes", f"gives outcome {outcome} the weight {shown(weight)}; "
                             f"valid: whole numbers from 1, with a sum up to {MAX_WEIGHT}")
        total += weight
    for outcome in sorted(found):
        outcomes[count] = outcome
        weights[count] = found[outcome]
        count += 1
    return count


cdef tuple joint_tuple(PythonGame game, const int32_t *joint):
    """Return a joint action, with the outcome in a game with chance."""
    cdef int32_t player, entries = game.table.num_players
    if game.table.num_outcomes and joint[entries] != NO_ACTION:
        entries += 1
    cdef tuple actions = PyTuple_New(entries)
    for player in range(entries):
        action = PyLong_FromLong(joint[player])
        Py_INCREF(action)           # PyTuple_SET_ITEM takes over a reference
        PyTuple_SET_ITEM(actions, player, action)
    return actions


cdef int write_returns(PythonGame game, object state, double *out) except -1:
    cdef int32_t player = 0
    cdef double value
    values = tuple(game.returns(state))
    if len(values) != game.table.num_players:
        raise bad_answer(game, "returns", f"has {len(values)} numbers; valid: {game.table.num_players}")
    for value in values:
        if not game.table.min_utility <= value <= game.table.max_utility:
            raise bad_answer(game, "returns", f"has {value}; valid: {game.table.min_utility} to "
                             f"{game.table.max_utility}")
        out[player] = value
        player += 1
    return 0


cdef uint32_t acting(const game_t *game, const void *data) noexcept with gil:
    if playout_pending != NULL:
        return 0
    try:
        rules = owner(game)
        if rules.hiding is None:
            return mask_of(rules, state_object(data))
        return remembered_mask(rules, state_object(data).acting)
    except BaseException as error:
        keep_failure(error, past_of(data))
    return 0


cdef int32_t legal_actions(const game_t *game, const void *data, int32_t player, int32_t *out) noexcept with gil:
    if playout_pending == NULL:
        try:
            rules = owner(game)
            if rules.hiding is None:
                return write_legal(rules, rules.legal_actions(state_object(data), player), out)
            return write_legal(rules, rules.hiding.known_actions(rules, state_object(data), player), out)
        except BaseException as error:
            keep_failure(error, past_of(data))
    out[0] = 0
    return 1


cdef int32_t chance_outcomes(const game_t *game, const void *data, int32_t *outcomes,
                             int32_t *weights) noexcept with gil:
    if playout_pending == NULL:
        try:
            return list_outcomes(owner(game), own_state(owner(game), data), outcomes, weights)
        except BaseException as error:
            keep_failure(error, past_of(data))
    outcomes[0] = 0
    weights[0] = 1
    return 1


cdef bint is_legal(const game_t *game, const void *data, int32_t player, const void *action) noexcept with gil:
    try:
        rules = owner(game)
        if rules.hiding is None:
            return (<const int32_t *> action)[0] in rules.legal_actions(state_object(data), player)
        return (<const int32_t *> action)[0] in rules.hiding.known_actions(rules, state_object(data), player)
    except BaseException as error:
        keep_failure(error, past_of(data))
    return False


cdef void apply(const game_t *game, void *data, const void *joint) noexcept with gil:
    if playout_pending != NULL:
        return
    past = past_of(data)
    try:
        rules = owner(game)
        actions = joint_tuple(rules, <const int32_t *> joint)
        past = past, actions
        if rules.hiding is None:
            put_object(data, rules.next_state(state_object(data), actions), past)
        else:
            put_object(data, rules.hiding.following(rules, state_object(data), actions), past)
    except BaseException as error:
        keep_failure(error, past)


cdef void returns(const game_t *game, const void *data, double *out) noexcept with gil:
    cdef int32_t player
    for player in range(game.num_players):
        out[player] = game.min_utility
    if playout_pending == NULL:
        try:
            write_returns(owner(game), own_state(owner(game), data), out)
        except BaseException as error:
            keep_failure(error, past_of(data))


_LOW_60 = (1 << 60) - 1


cdef uint64_t deep_hash(object value) except? 0:
    """Return a hash of 64 bits.

    Python's hash of an integer is its value modulo 2^61 - 1, and the hashes of -1 and -2 are equal. So different bit
    boards and different negative numbers would have equal hashes.
    """
    cdef uint64_t result
    if isinstance(value, tuple) and type(value).__hash__ is tuple.__hash__:
        # hash_combine(a, b) is hash_combine(b, a): the length keeps (1, 2, (3, 4)) and (3, 4, (1, 2)) apart.
        result = hash_combine(1, <uint64_t> len(value))
        for part in value:
            result = hash_combine(result, deep_hash(part))
        return result
    if type(value) is float and value.is_integer():
        value = int(value)
    if type(value) is int and hash(value) != value:
        if value < 0:
            return hash_combine(1, deep_hash(~value))
        return hash_combine(deep_hash(value >> 60), deep_hash(value & _LOW_60))
    return mix64(<uint64_t> <Py_hash_t> hash(value))


cdef uint64_t hash_state(const game_t *game, const void *data) noexcept with gil:
    try:
        return deep_hash(state_object(data))
    except BaseException as error:
        keep_failure(error, past_of(data))
    return 0


cdef void redact(const game_t *game, void *data, int32_t player) noexcept with gil:
    try:
        put_object(data, owner(game).hiding.seen_by(owner(game), state_object(data), player))
    except BaseException as error:
        keep_failure(error, past_of(data))


cdef void resample(const game_t *game, void *data, int32_t player, rng_t *rng) noexcept with gil:
    try:
        whole, joints = owner(game).hiding.resampled(owner(game), state_object(data), rng_next(rng))
        put_object(data, whole, longer(None, joints))
    except BaseException as error:
        keep_failure(error, past_of(data))


cdef uint64_t info_hash(const game_t *game, const void *data, int32_t player) noexcept with gil:
    try:
        return deep_hash(owner(game).hiding.sights_of(state_object(data), player))
    except BaseException as error:
        keep_failure(error, past_of(data))
    return 0


cdef object longer(object past, joints):
    """Return the steps to a state after some more joint actions."""
    for joint in joints:
        past = past, joint
    return past


cdef int play(PythonGame rules, object state, rng_t *rng, int32_t *legal, double *out, list taken=None) except -1:
    """Play at random to the end with one call of each method in each state. `taken` receives the joint actions."""
    cdef int32_t joint[MAX_ENTRIES]
    cdef int32_t player, count, outcomes = rules.table.num_outcomes
    cdef uint32_t mask = mask_of(rules, state)
    while mask:
        joint[rules.table.num_players] = NO_ACTION
        if mask == ACTING_CHANCE:
            count = list_outcomes(rules, state, legal, legal + outcomes)
            joint[rules.table.num_players] = legal[draw_weighted(legal + outcomes, count, rng)]
        for player in range(rules.table.num_players):
            joint[player] = NO_ACTION
            if (mask >> player) & 1:
                count = write_legal(rules, rules.legal_actions(state, player), legal)
                joint[player] = legal[rng_below(rng, <uint32_t> count)]
        actions = joint_tuple(rules, joint)
        if taken is not None:
            taken.append(actions)
        state = rules.next_state(state, actions)
        mask = mask_of(rules, state)
    write_returns(rules, state, out)
    return 0


cdef void playout(const game_t *game, void *data, rng_t *rng, uint64_t *played, double *out) noexcept with gil:
    cdef int32_t few[FEW_ACTIONS]
    cdef int32_t player
    for player in range(game.num_players):
        out[player] = game.min_utility
    if playout_pending != NULL:
        return
    cdef rng_t begin = rng[0]
    cdef int32_t *legal = few
    taken = []
    try:
        if list_size(game) > FEW_ACTIONS:
            many = bytearray(sizeof(int32_t) * list_size(game))
            legal = <int32_t *> <char *> many
        play(owner(game), own_state(owner(game), data), rng, legal, out)
    except BaseException as error:
        with suppress(BaseException):   # the same once more, for the joint actions
            play(owner(game), own_state(owner(game), data), &begin, legal, out, taken)
        keep_failure(error, longer(past_of(data), taken))


def _restore_python_game(kind, attributes, parameters, spec):
    """Return a game of a class with these attributes, without a call of the constructor of the class."""
    if not (isinstance(kind, type) and issubclass(kind, PythonGame)):
        raise TypeError(f"{shown(kind)} is not a class of games")
    cdef PythonGame game = kind.__new__(kind)
    PythonGame.__init__(game, **parameters)
    game.rename(spec)
    game.__dict__.update(attributes)
    return game


cdef void encode(const game_t *game, const void *data, float *out) noexcept with gil:
    cdef int32_t at = 0
    for at in range(game.encoding_size):
        out[at] = 0.0
    if playout_pending != NULL:
        return
    try:
        numbers = tuple(owner(game).encode(state_object(data)))
        if len(numbers) != game.encoding_size:
            raise bad_answer(owner(game), "encode", f"has {len(numbers)} numbers; valid: {game.encoding_size}")
        for at in range(game.encoding_size):
            out[at] = numbers[at]
    except BaseException as error:
        keep_failure(error, past_of(data))


cdef object class_info(object kind):
    """Return the description that the attributes of a class of games make."""
    if not 1 <= len(kind.players) <= MAX_PLAYERS:
        raise ParameterError(f"{kind.__name__} has {len(kind.players)} players; valid: 1 to {MAX_PLAYERS}")
    if isinstance(kind.players, str) or not all(isinstance(player, str) for player in kind.players):
        raise ParameterError(f"{kind.__name__}.players is {kind.players!r}; valid: a tuple of names")
    if not -1e300 < float(kind.min_utility) < float(kind.max_utility) < 1e300:
        raise ParameterError(f"{kind.__name__} has returns from {kind.min_utility} to {kind.max_utility}; "
                             "valid: finite numbers, the least below the greatest")
    if kind.utility_sum is not None and not isinstance(kind.utility_sum, (int, float)):
        raise ParameterError(f"{kind.__name__}.utility_sum is {kind.utility_sum!r}; valid: a number or None")
    if not isinstance(kind.rules, str):
        raise ParameterError(f"{kind.__name__}.rules is {kind.rules!r}; valid: a text")
    if not (isinstance(kind.PARAMETERS, dict) and all(hasattr(each, "read") for each in kind.PARAMETERS.values())):
        raise ParameterError(f"{kind.__name__}.PARAMETERS is {kind.PARAMETERS!r}; valid: a dict of name -> kind of "
                             "mcts.parameters")
    summary = (kind.__doc__ or "").strip().partition("\n")[0]
    return GameInfo(kind.name, summary, tuple(kind.players), dict(kind.PARAMETERS), float(kind.min_utility),
                    float(kind.max_utility), kind.utility_sum, kind.rules, public_actions=bool(kind.public_actions),
                    score=kind.score)


cdef class PythonGame(Game):
    """Base class of games written in Python. Searchers and bots treat them as any other game.

    Class attributes:

    - `name`, and `players`, names in player order
    - `num_actions`: actions are ints in [0, num_actions)
    - `num_outcomes`: of chance; 0 by default
    - `min_utility`, `max_utility`: 0 and 1 by default
    - `utility_sum`: the sum of all returns if it is constant, else None
    - `score`: `wins` by default; `returns` if tournaments count by how much a return is higher, as in poker
    - `PARAMETERS`: name -> kind of `mcts.parameters`, none by default. The values are in `self.parameters`;
      `num_actions`, `num_outcomes` and `encoding_size` may be properties that depend on them.
    - `rules`: text for `mcts.rules`, by default the docstring of the class

    `load_game` finds the class by its path, `package.module.Class(key=value)`, in every process that can import it.

    Required methods. A state is any immutable object with `==` and `hash`:

    - `initial_state()` -> state
    - `acting_players(state)` -> the player who decides, or a tuple of several, or () when the game is over
    - `legal_actions(state, player)` -> the actions of a player who decides, at least one
    - `next_state(state, joint)` -> state; `joint` has one action for each player, -1 for players who do not decide
    - `returns(state)` -> one number for each player, at the end of the game

    A game with chance has `num_outcomes`, and `acting_players` returns `mcts.CHANCE` where chance decides. It defines
    `chance_outcomes(state)` -> a dict of outcome -> weight. Outcomes are ints in [0, num_outcomes); weights are whole
    numbers from 1, and the probability of an outcome is its share of their sum. `next_state` then receives a joint
    action with one entry more, `joint[mcts.CHANCE]`: the outcome. `action_to_string` receives `mcts.CHANCE` as player.

    A game that hides something defines `observation(state, player)`: what the player sees of a state, any hashable
    value. A player remembers its observations, its actions and who decided; states that differ in nothing else look the
    same to it. `View.resample` draws such a state by random games from the start, in which the other players act at
    random. A faster way is the optional method `resample(player, sights, rng)`: it returns the joint actions, from the
    start, of a random game in which the player sees the same. `sights` has what the player has seen so far, each with
    `action`, its own or -1, `observation`, and `acting`, the mask of the players who decide then; `rng` is a
    `random.Random`. With `public_actions = True` as a class attribute, everybody is told what the players do. Such
    states have no encoding. In a view, `state` is None for `action_to_string`, and `str` shows the last observation.

    Evaluators need a class attribute `encoding_size` and a method `encode(state)` -> that many numbers.

    Optional methods: `action_to_string(state, player, action)`, `to_dict(state)`, `from_dict(given)`, `draw(state)`,
    `board(state)`, and `notation()`, which defines the texts of states. A class whose games have different descriptions
    passes a `mcts.GameInfo` to the constructor, in place of the class attributes. An exception in a method propagates
    out of the call that caused it. Its attribute `failed_play` has the joint actions that led to the state, since the
    initial state or the position that was read.
    """

    name = "python_game"
    players = ("first", "second")
    num_actions = 0
    min_utility = 0.0
    max_utility = 1.0
    utility_sum = None
    score = "wins"
    encoding_size = 0
    num_outcomes = 0
    PARAMETERS = {}
    rules = ""
    observation = None
    resample = None
    public_actions = False

    cdef object hiding          # the module `observations` in a game with hidden information, else None

    def __init__(self, info=None, /, **given):
        kind = type(self)
        if info is not None:
            for name in ("name", "players", "min_utility", "max_utility", "utility_sum", "score", "public_actions"):
                setattr(self, name, getattr(info, name))
        Game.__init__(self, class_info(kind) if info is None else info, given)
        num_actions, encoding_size = self.num_actions, self.encoding_size       # may depend on the parameters
        if not (isinstance(num_actions, int) and 1 <= num_actions <= 65536):
            raise ParameterError(f"{kind.__name__}.num_actions is {num_actions!r}; valid: 1 to 65536")
        self.table.state_size = sizeof(state_t)
        self.table.num_actions = self.table.max_legal = num_actions
        self.table.rules = <PyObject *> self        # not owned: the table is part of this object
        put_rules(&self.table, init, acting, legal_actions, is_legal, apply, returns, hash_state)
        self.table.playout = playout
        self.table.copy = copy
        self.table.release = release
        self.table.equal = equal
        self.table.failed = failed
        if not (isinstance(encoding_size, int) and 0 <= encoding_size < 2**31):
            raise ParameterError(f"{kind.__name__}.encoding_size is {shown(encoding_size)}; valid: 0 to {2**31 - 1}")
        num_outcomes = self.num_outcomes
        if not (isinstance(num_outcomes, int) and 0 <= num_outcomes <= MAX_ACTIONS):
            raise ParameterError(f"{kind.__name__}.num_outcomes is {shown(num_outcomes)}; valid: 0 to {MAX_ACTIONS}")
        if num_outcomes:
            self.table.num_outcomes = num_outcomes
            self.table.chance_outcomes = chance_outcomes
        if self.observation is not None:
            if encoding_size:
                raise ParameterError(f"{kind.__name__} has an encoding and hidden information; valid: one of them")
            from . import observations      # which imports this module
            self.hiding = observations
            self.table.redact = redact
            self.table.resample = resample
            self.table.info_hash = info_hash
        if encoding_size:
            put_encoding(&self.table, encoding_size, encode)
        self.seal()

    def _acting_mask(self, state):
        """Return the mask of the players who decide in a state of the game's own code; CHANCE where chance does."""
        cdef uint32_t mask = mask_of(self, state)
        return CHANCE if mask == ACTING_CHANCE else mask

    def _ascending_actions(self, state, int player):
        """Return the legal actions of a player in a state of the game's own code, ascending."""
        cdef int32_t[::1] out = array("i", bytes(sizeof(int32_t) * self.table.num_actions))
        cdef int32_t count = write_legal(self, self.legal_actions(state, player), &out[0])
        return [out[i] for i in range(count)]

    def initial_state(self):
        """Return the state at the start of the game."""
        raise NotImplementedError(f"{type(self).__name__} must define initial_state")

    def acting_players(self, state):
        """Return the player who decides, or a tuple of several, or () when the game is over."""
        raise NotImplementedError(f"{type(self).__name__} must define acting_players")

    def legal_actions(self, state, player):
        """Return the legal actions of a player who decides."""
        raise NotImplementedError(f"{type(self).__name__} must define legal_actions")

    def next_state(self, state, joint):
        """Return the state after a joint action."""
        raise NotImplementedError(f"{type(self).__name__} must define next_state")

    def returns(self, state):
        """Return the return of each player at the end of the game."""
        raise NotImplementedError(f"{type(self).__name__} must define returns")

    def chance_outcomes(self, state):
        """Return outcome -> weight where chance decides: every outcome that can happen, with a whole number from 1."""
        raise NotImplementedError(f"{type(self).__name__} must define chance_outcomes, since its num_outcomes is not 0")

    def encode(self, state):
        """Return a state as numbers [encoding_size], for an evaluator."""
        raise NotImplementedError(f"{type(self).__name__} must define encode, since its encoding_size is not 0")

    def action_to_string(self, state, player, action):
        """Return the text of an action. The default is its number."""
        return str(action)

    def to_dict(self, state):
        """Return a state as plain data. The default contains its repr."""
        return {"state": repr(state)}

    def from_dict(self, given):
        """Return the state that `to_dict` described."""
        raise StateError(f"{type(self).__name__} does not define from_dict: its states cannot be made from dicts")

    def draw(self, state):
        """Return the drawing of a state. The default is its str."""
        return str(state)

    def board(self, state):
        """Return the board of a state as rows of pieces, from which pictures and clicks are made, or None.

        A piece is the name of a player, of a color, or a text of up to four letters; `""` is a blank cell. An empty row
        begins boards below the others, and a None in a row a board beside them. Columns have letters and rows numbers:
        an action whose text is `c4` or `e2-e4` is chosen by clicks on these cells.
        """
        return None

    def __eq__(self, other):
        return Game.__eq__(self, other) and self.__dict__ == other.__dict__

    def __hash__(self):
        return hash(type(self))

    def __reduce__(self):
        return _restore_python_game, (type(self), self.__dict__, self.parameters, self.spec)

    cdef dict state_dict(self, const void *data):
        state = state_object(data)
        return self.to_dict(state) if self.hiding is None else self.hiding.to_dict(self, state)

    cdef int read_dict(self, void *data, dict given) except -1:
        return self.fill_state(data, given)

    cdef int fill_state(self, void *data, dict given) except -1:
        put_object(data, self.from_dict(given) if self.hiding is None else self.hiding.from_dict(self, given))
        return 0

    def view_from_dict(self, player, given):
        if self.hiding is None or not isinstance(given, dict):
            return Game.view_from_dict(self, player, given)
        cdef State state = new_state(self)
        seat = self.read_player(player)
        put_object(state.data, self.hiding.view_from_dict(self, seat, given))
        return state.view(seat)

    cdef str draw_state(self, const void *data):
        state = state_object(data)
        return self.draw(state) if self.hiding is None else self.hiding.draw(self, state)

    cdef str action_text(self, const void *data, int player, const void *action):
        state = state_object(data) if self.hiding is None else state_object(data).state
        return self.action_to_string(state, player, (<const int32_t *> action)[0])

    cdef int parse_action(self, const void *data, int player, str text, void *action) except -1:
        state = state_object(data)
        if self.hiding is not None and player != CHANCE:
            actions = self.hiding.known_actions(self, state, player)
            state = state.state
        else:
            state = own_state(self, data)
            actions = self.chance_outcomes(state) if player == CHANCE else self.legal_actions(state, player)
        valid = []
        for number in actions:
            valid.append(self.action_to_string(state, player, number))
            if valid[-1] == text:
                (<int32_t *> action)[0] = number
                return 0
        more = f" and {len(valid) - NAMED_ACTIONS:,} more" if len(valid) > NAMED_ACTIONS else ""
        raise IllegalActionError(f"{shown(text)} is not a legal action of {self.spec} here; "
                                 f"valid: {', '.join(map(str, valid[:NAMED_ACTIONS]))}{more}")

    cdef int reraise(self) except -1:
        global playout_pending
        if playout_pending == NULL:
            return 0
        error = <object> playout_pending
        Py_DECREF(error)
        playout_pending = NULL
        raise error

    cdef object key_data(self, const void *data):
        return state_object(data)

    cdef object pack_state(self, const void *data):
        return state_object(data)

    cdef int unpack_state(self, void *data, object packed) except -1:
        put_object(data, packed)
        return 0
