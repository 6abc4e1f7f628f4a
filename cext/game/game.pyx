"""Game, State and View: the public classes over the table of C functions in `game_table.pxd`."""
import json
from collections.abc import Mapping

cimport cython

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

from ..primitives.history cimport append_history, drop_history, history_bytes, share_history
from ..primitives.in_use cimport begin_change, end_change, raise_busy, refuse_unmade, try_change
from ..primitives.rng cimport rng_below, rng_seed, rng_t
from .game_table cimport (ACTING_CHANCE, MAX_JOINT_BYTES, MAX_PLAYERS, MAX_WEIGHT, NO_ACTION, check_table, copy_state,
                          draw_outcome, equal_states, free_states, list_size, num_entries)

from ..arguments import seed_bits, shown, whole_number
from .drawing import draw_position
from ..errors import IllegalActionError, NotEnumerableError, StateError, UnsupportedGameError
from ..notation import JsonNotation, agrees, ranges_text, read_text
from ..parameters import read_parameters
from ..spec import format_spec

cdef enum:                      # what current_player returns where no player decides alone, for comparisons in C
    CHANCE_PLAYER = -1
    SEVERAL_PLAYERS = -2
    NO_PLAYER = -4

CHANCE = CHANCE_PLAYER
SIMULTANEOUS = SEVERAL_PLAYERS
TERMINAL = NO_PLAYER
NOOP = NO_ACTION
NOOP_TEXT = "noop"
cdef object np = None       # NumPy, from the first encoding on: its import takes longer than that of all the rest


def _restore_game(kind, parameters, spec):
    if not (isinstance(kind, type) and issubclass(kind, Game)):
        raise TypeError(f"{shown(kind)} is not a class of games")
    cdef Game game = kind(**parameters)
    game.rename(spec)
    return game


def _restore_state(Game game not None, packed):
    cdef State state = new_state(game)
    game.unpack_state(state.data, packed)
    return state


def _restore_view(game, player, given):
    return game.view_from_dict(player, given)


def _restore_open_view(State state not None, player):
    return state.view(player)


cdef int check_sealed(Game game) except -1:
    """Check that the table of a game has passed `seal`, so that its functions can be called."""
    if game.table.struct_size == 0:
        raise TypeError(f"{game.spec or type(game).__name__} cannot make states: its __init__ has not called seal")
    return 0


cdef bint same_game(Game one, Game other) except -1:
    """Return True if the memory of a state of one game is a state of the other.

    Subclasses may override __eq__, so it is an additional condition and never the only one.
    """
    if one is other:
        return True
    if type(one) is not type(other) or one.table.state_size != other.table.state_size or one.variant != other.variant:
        return False
    return bool(one == other)


cdef bint is_noop(object action):
    """Return True for NOOP as an integer of any type."""
    if type(action) is int:
        return action == NOOP
    if isinstance(action, bool) or not hasattr(action, "__index__"):
        return False
    return whole_number("an action", action) == NOOP


cdef State new_state(Game game):
    """Return a state of zeroed memory, without history."""
    check_sealed(game)
    cdef State state = State.__new__(State)
    state.game = game
    state.data = malloc(game.table.state_size)
    if state.data == NULL:
        raise MemoryError
    memset(state.data, 0, game.table.state_size)
    return state


cdef int unseal_unless_valid(Game game) except -1:
    """Check the table of a game. A game with an invalid table stays unsealed and cannot make states."""
    try:
        check_table(&game.table, game.spec)
    except BaseException:
        game.table.struct_size = 0
        raise
    return 0


cdef class Game:
    """A game with its parameters. `mcts.load_game` loads one; `new_initial_state` makes a state of it.

    A subclass fills `table` in its `__init__`, calls `seal`, and overrides the hooks that translate states and actions
    from and to text.

    Attributes:
        spec: the canonical text `name(key=value,...)`, with all parameters; `load_game` reads it.
        info: the description with which the game was made.
        parameters: name -> value, in the order of `info.parameters`.
    """

    def __init__(self, info, given):
        if not try_change(&self.begun):
            raise TypeError(f"{self.spec or type(self).__name__} is already initialised; load_game makes another game")
        try:
            self.parameters = read_parameters(info.name, info.parameters, given)
        except BaseException:
            end_change(&self.begun)
            raise
        self.info = info
        self.spec = format_spec(info.name, self.parameters)
        self.variant = format_spec("", self.parameters)
        self.table.num_players = len(info.players)
        self.table.action_size = sizeof(int32_t)
        self.table.min_utility = info.min_utility
        self.table.max_utility = info.max_utility
        self.table.utility_is_constant = info.utility_sum is not None

    @property
    def name(self):
        """The name without parameters, as in `mnk`."""
        return self.info.name

    @property
    def digest(self):
        """SHA-256 of the text of a rulesheet, as 64 hexadecimal digits; empty for other games."""
        return ""

    @property
    def players(self):
        """Names of the players, in seat order."""
        return self.info.players

    @property
    def num_players(self):
        """Number of players."""
        return self.table.num_players

    @property
    def num_actions(self):
        """Number of actions: listed actions are in [0, num_actions). 0 if the actions are too many to list."""
        return self.table.num_actions

    @property
    def min_utility(self):
        """Least return of a player."""
        return self.table.min_utility

    @property
    def max_utility(self):
        """Greatest return of a player."""
        return self.table.max_utility

    @property
    def utility_sum(self):
        """Sum of the returns of all players if it is always the same, else None: the game is general-sum."""
        return self.info.utility_sum

    @property
    def is_zero_sum(self):
        """True for two players whose returns always sum to min_utility + max_utility: one wins what the other loses."""
        return self.num_players == 2 and self.utility_sum == self.min_utility + self.max_utility

    @property
    def score(self):
        """`wins` if tournaments count who has the higher return, `returns` if they count by how much."""
        return self.info.score

    @property
    def encoding_size(self):
        """Length of the array of `State.encode`; 0 if the game has no encoding."""
        return self.table.encoding_size

    @property
    def num_outcomes(self):
        """Number of outcomes of chance: outcomes are in [0, num_outcomes). 0 for a game without chance."""
        return self.table.num_outcomes

    @property
    def has_chance(self):
        """True if chance decides in some states of the game, as the throw of a die does."""
        return self.table.num_outcomes > 0

    @property
    def is_enumerable(self):
        """True if `State.legal_actions` can list the actions of a player."""
        return self.table.legal_actions != NULL

    @property
    def has_wide_playouts(self):
        """True if random games from several states are played side by side, for the option `leaves` of `mcts.MCTS`."""
        return self.table.playout_leaves != NULL

    @property
    def has_own_distribution(self):
        """True if playouts do not draw legal actions evenly, but as `State.sample_action`."""
        return self.table.sample_action != NULL

    @property
    def has_hidden_information(self):
        """True if a player may not see the whole state."""
        return self.table.redact != NULL

    @property
    def num_symmetries(self):
        """Number of turns, mirrors and shifts of a state that do not change play; the identity is one of them."""
        return max(1, self.table.num_symmetries)

    cdef int read_player(self, object player) except -1:
        """Return the number of a player, given as an integer of any type. Raises ValueError, TypeError."""
        if type(player) is int and 0 <= player < self.table.num_players:
            return player
        valid = f"0 to {self.table.num_players - 1}"
        number = whole_number("player", player, valid)
        if not 0 <= number < self.table.num_players:
            raise ValueError(f"player {shown(number)} is not in {self.name}; valid: {valid}")
        return number

    cdef int read_decider(self, object player) except -2:
        """Return the number of a player as `read_player`, or CHANCE in a game with chance."""
        if self.table.num_outcomes and type(player) is int and player == CHANCE:
            return CHANCE_PLAYER
        return self.read_player(player)

    cdef int check_symmetry(self, int symmetry) except -1:
        if not 0 <= symmetry < self.num_symmetries:
            raise ValueError(f"symmetry {symmetry} is not in {self.spec}; valid: 0 to {self.num_symmetries - 1}")
        return 0

    def transform_action(self, int symmetry, player, action):
        """Return the image of an action under a symmetry: the same action in the state that `State.transform` returns.

        Args:
            symmetry: 0 to num_symmetries - 1.
            player: 0 to num_players - 1.
            action: an action of this player, or NOOP.

        Raises:
            ValueError: the symmetry or player does not exist.
            IllegalActionError: the game has no such action.
        """
        cdef int32_t number, seat
        self.check_symmetry(symmetry)
        seat = self.read_player(player)
        if self.table.transform_action == NULL or is_noop(action):
            return action
        self.pack_action(action, &number)
        self.check_listed(&number)
        return self.table.transform_action(&self.table, symmetry, seat, number)

    def new_initial_state(self):
        """Return the state at the start of the game."""
        cdef State state = new_state(self)
        self.table.init(&self.table, state.data)
        self.reraise()
        return state

    def state_from_dict(self, given):
        """Return the state that `State.to_dict` described. Its history is empty.

        Raises:
            StateError: the dict is malformed, or its entries contradict each other; the message gives the reason. A
                position need not be one that play leads to.
        """
        if not isinstance(given, dict):
            raise StateError(f"a state of {self.name} is made from a dict, not from {type(given).__name__}")
        cdef State state = new_state(self)
        self.read_dict(state.data, dict(given))
        return state

    cdef int read_dict(self, void *state, dict given) except -1:
        """Write the state of a dict, and check that the dict of the state has the same values."""
        keys = self.kept_notation().keys
        if keys is None:
            return self.fill_state(state, given)
        for key in given:
            if key not in keys:
                raise StateError(f"unknown key {shown(key)} in state; valid: {', '.join(keys)}")
        self.fill_state(state, given)
        for key, value in self.state_dict(state).items():
            if key in given and not agrees(given[key], value):
                raise StateError(f"{key!r} is {shown(given[key])}, but by the other entries it is {shown(value)}")
        return 0

    def view_from_dict(self, player, given):
        """Return the view that `View.to_dict` described.

        Args:
            player: the viewing player, 0 to num_players - 1.
            given: the dict of the view.

        Raises:
            StateError: the dict is malformed, not a view of this player, or no play can lead to it.
            ValueError: the player does not exist.
        """
        if not isinstance(given, dict):
            raise StateError(f"a view of {self.name} is made from a dict, not from {type(given).__name__}")
        seat = self.read_player(player)
        cdef State state = self.state_from_dict(self.explain_view(seat, given))
        cdef View view = state.view(seat)
        if self.has_hidden_information and view.to_dict() != given:
            raise StateError(f"this is not a view of player {seat + 1}: no play of {self.name} leads to it")
        return view

    @property
    def text_form(self):
        """The form of `State.to_text` in this game: the names of its fields, or `JSON of to_dict`."""
        return self.kept_notation().form

    def state_from_text(self, text):
        """Return the state that `State.to_text` described. Its history is empty.

        Args:
            text: the text, or a JSON object, which is read as the dict of `State.to_dict`.

        Raises:
            StateError: the text is malformed (the message shows the valid form), or its fields contradict each other,
                as in `state_from_dict`.
        """
        return self.state_from_dict(self._read_text(text, f"a state of {self.spec}"))

    def view_from_text(self, player, text):
        """Return the view that `View.to_text` described.

        Args:
            player: the viewing player, 0 to num_players - 1.
            text: the text, or a JSON object, which is read as the dict of `View.to_dict`.

        Raises:
            StateError: the text is malformed, not a view of this player, or no play can lead to it.
            ValueError: the player does not exist.
        """
        return self.view_from_dict(player, self._read_text(text, f"a view of {self.spec}"))

    def _read_text(self, text, what):
        return read_text(self.kept_notation(), text, what, lambda: self.new_initial_state().to_text())

    cdef object kept_notation(self):
        with cython.critical_section(self):
            if self.fields is None:
                self.fields = self.notation()
            return self.fields

    def notation(self):
        """Return the `cext.notation.Notation` of this game. The default is compact JSON; a game may override it."""
        return JsonNotation()

    def explain_view(self, int player, given):
        """Return the dict of any state whose view by this player is `given`. Games with hidden information override it.

        Raises:
            StateError: the dict is not a view of this player, or the game does not override this method.
        """
        if self.has_hidden_information:
            raise StateError(f"{self.name} cannot make views from dicts: it does not override explain_view")
        return given

    def picture(self, position):
        """Return the `mcts.pictures.Picture` that `to_svg` draws, or None. A game may override it.

        None means the drawing of a built-in game, and in others the lines of `str(position)`. The picture of a view
        must follow from the view alone.

        Args:
            position: a State or a View of this game.
        """
        return None

    def __eq__(self, other):
        return type(self) is type(other) and self.parameters == (<Game> other).parameters

    def __ne__(self, other):  # without it, Cython makes one of this class's __eq__, also for those who override that
        return not self == other

    def __hash__(self):
        return hash((type(self), format_spec("", self.parameters)))

    def name_by(self, str name, parameters=None):
        """Set the name and the parameters in `spec`, for a game that is loaded in another way than by its info.

        Args:
            name: the name by which `load_game` finds the class, such as its path.
            parameters: those that `spec` shows; None: all.

        Raises:
            TypeError: the game has been named before.
        """
        self.rename(format_spec(name, self.parameters if parameters is None else parameters))

    def __repr__(self):
        return f"load_game({self.spec!r})"

    def __str__(self):
        return self.spec

    def __reduce__(self):
        return _restore_game, (type(self), self.parameters, self.spec)

    # Hooks of a game: text and dicts of states and actions. States may be redacted; their hidden parts are null in a
    # dict and not drawn.

    cdef dict state_dict(self, const void *state):
        raise NotImplementedError

    cdef int fill_state(self, void *state, dict given) except -1:
        """Write the state that a dict describes into zeroed memory. Raises StateError."""
        raise NotImplementedError

    cdef str draw_state(self, const void *state):
        raise NotImplementedError

    cdef object words(self, int player):
        """Return the texts of the listed actions of a player, by number; of the outcomes of chance for player -1.

        A game whose texts depend on the state overrides `action_text` and `parse_action` instead.
        """
        raise NotImplementedError

    cdef str action_text(self, const void *state, int player, const void *action):
        """Return the text of an action, legal or not. A listed action is in [0, num_actions).

        In a game with chance, player -1 is chance, and the action is an outcome in [0, num_outcomes).
        """
        return self.words(player)[(<const int32_t *> action)[0]]

    cdef str action_text_in(self, str notation, const void *state, int player, const void *action):
        """Return the text of an action in another notation. Raises ValueError."""
        raise ValueError(f"notation={shown(notation)}; valid: none, {self.name} has one notation")

    cdef int parse_action(self, const void *state, int player, str text, void *action) except -1:
        """Write the action of a text, legal or not, or call `refuse_text`. Player -1 as in `action_text`."""
        words = self.words(player)
        if text not in words:
            self.refuse_text(text, ranges_text(words))
        (<int32_t *> action)[0] = words.index(text)
        return 0

    cdef str why_illegal(self, const void *state, int player, const void *action):
        """Return the rule that an illegal packed action breaks, and the valid values."""
        raise NotImplementedError

    # Shared by the games.

    cdef int refuse_text(self, str text, str valid) except -1:
        """Raise IllegalActionError for a text that is not an action of the game."""
        raise IllegalActionError(f"{shown(text)} is not an action of {self.spec}; valid: {valid}")

    cdef int rename(self, str spec) except -1:
        """Replace `spec`, once: another thread may be reading the old text, which therefore stays."""
        with cython.critical_section(self):
            if self.first_spec is not None:
                raise TypeError(f"{self.spec} has been named before; load_game makes another game")
            self.first_spec = self.spec
            self.spec = spec
        return 0

    cdef int check_outcome(self, const void *outcome) except -1:
        """Raise IllegalActionError unless an outcome is in [0, num_outcomes)."""
        cdef int32_t number = (<const int32_t *> outcome)[0]
        if not 0 <= number < self.table.num_outcomes:
            raise IllegalActionError(f"{number} is not an outcome of {self.spec}; "
                                     f"valid: 0 to {self.table.num_outcomes - 1}")
        return 0

    cdef int check_listed(self, const void *action) except -1:
        """Raise IllegalActionError unless a listed action is in [0, num_actions)."""
        cdef int32_t number = (<const int32_t *> action)[0]
        if not 0 <= number < self.table.num_actions:
            raise IllegalActionError(f"{number} is not an action of {self.spec}; "
                                     f"valid: 0 to {self.table.num_actions - 1}")
        return 0

    cdef object unpack_action(self, const void *action):
        """Return an action as a Python object: an int if the game lists its actions, else a tuple of its bytes."""
        if self.table.action_size == sizeof(int32_t):
            return (<const int32_t *> action)[0]
        return tuple(PyBytes_FromStringAndSize(<const char *> action, self.table.action_size))

    cdef int pack_action(self, object action, void *out) except -1:
        """Write an action of Python in the form of the table. Raises IllegalActionError for another type or size."""
        cdef bytes packed
        if self.table.action_size == sizeof(int32_t):
            if type(action) is not int and (isinstance(action, bool) or not hasattr(action, "__index__")):
                raise IllegalActionError(f"an action of {self.name} is an int, not {shown(action)}")
            number = action if type(action) is int else whole_number("an action", action)
            if not -2**31 <= number < 2**31:
                raise IllegalActionError(f"{shown(number)} is not an action of {self.name}")
            (<int32_t *> out)[0] = number
            return 0
        try:
            if hasattr(action, "__index__"):
                raise TypeError         # bytes(n) would make n zeros
            packed = bytes(action)
        except (TypeError, ValueError):
            raise IllegalActionError(f"an action of {self.name} is a tuple of {self.table.action_size} numbers from 0 "
                                     f"to 255, not {shown(action)}") from None
        if len(packed) != self.table.action_size:
            raise IllegalActionError(f"an action of {self.name} is a tuple of {self.table.action_size} numbers, "
                                     f"not {shown(action)}")
        memcpy(out, PyBytes_AS_STRING(packed), self.table.action_size)
        return 0

    cdef tuple unpack_joint(self, uint32_t acting, const char *joint):
        """Return a joint action as a tuple, with NOOP for players who did not act, and with the outcome of chance."""
        cdef int player
        if acting == ACTING_CHANCE:
            return (NOOP,) * self.table.num_players + ((<const int32_t *> joint)[self.table.num_players],)
        return tuple([self.unpack_action(joint + player * self.table.action_size) if (acting >> player) & 1 else NOOP
                      for player in range(self.table.num_players)])

    cdef int reraise(self) except -1:
        """Raise the exception with which a function of the table has failed in this thread, if any."""
        return 0

    cdef object key_data(self, const void *state):
        """Return an immutable object that is equal for equal states, for `State.key`."""
        return (<const char *> state)[:self.table.state_size]

    cdef object pack_state(self, const void *state):
        """Return a state as an object that can be pickled, for `unpack_state`."""
        return self.state_dict(state)

    cdef int unpack_state(self, void *state, object packed) except -1:
        """Write a packed state into zeroed memory. Raises StateError: the object comes from outside."""
        if not isinstance(packed, dict):
            raise StateError(f"a state of {self.name} is made from a dict, not from {shown(packed)}")
        return self.read_dict(state, dict(packed))


@cython.no_gc_clear             # __dealloc__ needs the game, which must outlive the collection of a cycle
cdef class State:
    """A state of a game. `str()` draws it. States are equal if their data is; their histories may differ.

    Attributes:
        game: the game of the state.

    Example:
        >>> state = mcts.load_game("mnk").new_initial_state()
        >>> state.apply_action(state.string_to_action(0, "mark(2,2)"))
        >>> print(state)
          1 2 3
        1 . . .
        2 . x .
        3 . . .
        >>> state.to_text(), state.acting_players(), state.legal_actions()[:3]
        ('.../.x./..._o', (1,), [0, 1, 2])
    """

    def __cinit__(self):
        self.data = NULL

    def __init__(self):
        raise TypeError("states come from Game.new_initial_state() or Game.state_from_dict()")

    def __dealloc__(self):
        if self.data != NULL:
            free_states(&self.game.table, self.data, 1)
        drop_history(self.past)

    cdef void forget_history(self) noexcept:
        drop_history(self.past)
        self.past = NULL
        self.past_bytes = 0

    cdef uint32_t acting_mask(self) except? 0xFFFFFFFF:
        cdef uint32_t acting
        self.enter()
        try:
            acting = self.game.table.acting(&self.game.table, self.data)
            self.game.reraise()
        finally:
            self.leave()
        return acting

    cdef int copy_to(self, void *to) except -1:
        """Copy the state into zeroed memory or over a state of the same game."""
        self.enter()
        try:
            copy_state(&self.game.table, to, self.data)
        finally:
            self.leave()
        return 0

    def acting_players(self):
        """Return the players who decide now, ascending; () when the game is over, and where chance decides."""
        cdef uint32_t acting = self.acting_mask()
        cdef int player
        return tuple([player for player in range(self.game.table.num_players) if (acting >> player) & 1])

    def current_player(self):
        """Return the player who decides now: CHANCE (-1) if chance does, SIMULTANEOUS (-2) if several players do.

        It is TERMINAL (-4) if the game is over.
        """
        return self.decider()

    cdef int decider(self) except -5:
        """Return the player who decides, as `current_player`."""
        cdef uint32_t acting = self.acting_mask()
        cdef int player = 0
        if acting == 0:
            return NO_PLAYER
        if acting == ACTING_CHANCE:
            return CHANCE_PLAYER
        if acting & (acting - 1):
            return SEVERAL_PLAYERS
        while not (acting >> player) & 1:
            player += 1
        return player

    def is_terminal(self):
        """Return True when the game is over."""
        return self.acting_mask() == 0

    def is_chance(self):
        """Return True when chance decides now: no player acts, and `chance_outcomes` lists what can happen."""
        return self.acting_mask() == ACTING_CHANCE

    cdef int check_chance(self) except -1:
        if self.acting_mask() != ACTING_CHANCE:
            raise StateError(f"chance does not decide in this state of {self.game.name}; is_chance() tells where it "
                             "does")
        return 0

    def chance_weights(self):
        """Return the outcomes that chance may bring now, ascending, each with its weight.

        The probability of an outcome is its weight as a share of the sum of all weights.

        Returns:
            A list of (outcome, weight); weights are whole numbers from 1.

        Raises:
            StateError: chance does not decide here.
        """
        cdef const game_t *table
        cdef int32_t i, count = 0
        cdef int64_t total = 0
        cdef int32_t *found
        listed = []
        self.enter()
        try:
            self.check_chance()
            table = &self.game.table
            found = <int32_t *> malloc(2 * table.num_outcomes * sizeof(int32_t))
            if found == NULL:
                raise MemoryError
            try:
                count = table.chance_outcomes(table, self.data, found, found + table.num_outcomes)
                self.game.reraise()
                for i in range(count):
                    listed.append((found[i], found[table.num_outcomes + i]))
                    total += found[table.num_outcomes + i]
            finally:
                free(found)
        finally:
            self.leave()
        if count < 1 or total > MAX_WEIGHT or min([weight for _, weight in listed]) < 1:
            raise StateError(f"{self.game.spec} states outcomes and weights {shown(listed)}; valid: at least one "
                             f"outcome, with weights from 1 and a sum up to {MAX_WEIGHT}")
        return listed

    def chance_outcomes(self):
        """Return the outcomes that chance may bring now, ascending, each with its probability.

        Returns:
            A list of (outcome, probability). `action_to_string(CHANCE, outcome)` has the text of an outcome, and
            `apply_action(outcome)` applies it.

        Raises:
            StateError: chance does not decide here.
        """
        listed = self.chance_weights()
        total = sum([weight for _, weight in listed])
        return [(outcome, weight / total) for outcome, weight in listed]

    def sample_outcome(self, seed):
        """Return a random outcome by the probabilities of `chance_outcomes`. Equal seeds draw equal outcomes.

        Raises:
            StateError: chance does not decide here.
        """
        cdef rng_t rng
        cdef int32_t outcome
        cdef int32_t *scratch
        rng_seed(&rng, seed_bits(seed))
        self.enter()
        try:
            self.check_chance()
            scratch = <int32_t *> malloc(list_size(&self.game.table) * sizeof(int32_t))
            if scratch == NULL:
                raise MemoryError
            outcome = draw_outcome(&self.game.table, self.data, &rng, scratch)
            free(scratch)
            self.game.reraise()
        finally:
            self.leave()
        return outcome

    def legal_actions(self, player=-1):
        """Return the legal actions of a player, ascending: [NOOP] if it does not decide now, [] when the game is over.

        Args:
            player: 0 to num_players - 1; may be omitted if exactly one player decides.

        Raises:
            NotEnumerableError: the game's actions are too many to list.
            ValueError: the player does not exist, or is omitted and several decide.
        """
        cdef int32_t small[64]
        cdef int32_t *out = small
        cdef int32_t i, count
        cdef int seat
        cdef uint32_t acting
        cdef const game_t *table
        self.enter()
        try:
            acting = self.acting_mask()
            table = &self.game.table
            if player == -1:
                player = self.decider()
                if player == SIMULTANEOUS:
                    raise ValueError(f"several players decide here: {self.acting_players()}; pass one of them")
                if player == TERMINAL:
                    return []
                if player == CHANCE:
                    raise ValueError("chance decides here, and no player: chance_outcomes() lists what can happen")
            seat = self.game.read_player(player)
            if acting == 0:
                return []
            if not (acting >> seat) & 1:
                return [NOOP]
            if table.legal_actions == NULL:
                raise NotEnumerableError(f"the actions of {self.game.name} are too many to list; "
                                         "sample_action draws one")
            if table.max_legal > 64:
                out = <int32_t *> malloc(table.max_legal * sizeof(int32_t))
                if out == NULL:
                    raise MemoryError
            count = table.legal_actions(table, self.data, seat, out)
            self.game.reraise()
            return [out[i] for i in range(count)]
        finally:
            self.leave()
            if out != small:
                free(out)

    def sample_action(self, player, seed):
        """Return a random legal action of a player, NOOP if it does not decide now. Equal seeds draw equal actions.

        The distribution is that of playouts: uniform, or the game's own with `Game.has_own_distribution`.

        Raises:
            IllegalActionError: the game is over.
        """
        cdef char action[MAX_JOINT_BYTES]
        cdef rng_t rng
        cdef int seat
        cdef uint32_t acting
        self.enter()
        try:
            acting = self.acting_mask()
            seat = self.game.read_player(player)
            rng_seed(&rng, seed_bits(seed))
            if acting == 0:
                raise IllegalActionError(f"the game {self.game.name} is over: no action is legal")
            if not (acting >> seat) & 1:
                return NOOP
            if self.game.table.sample_action == NULL:
                legal = self.legal_actions(seat)
                return legal[rng_below(&rng, <uint32_t> len(legal))]
            self.game.table.sample_action(&self.game.table, self.data, seat, &rng, action)
            self.game.reraise()
            return self.game.unpack_action(action)
        finally:
            self.leave()

    def is_legal(self, player, action):
        """Return True if the action is legal for the player now. NOOP is legal for a player who does not decide."""
        cdef char packed[MAX_JOINT_BYTES]
        cdef int seat
        cdef uint32_t acting
        self.enter()
        try:
            acting = self.acting_mask()
            seat = self.game.read_player(player)
            if not (acting >> seat) & 1:
                return acting != 0 and is_noop(action)
            try:
                self.game.pack_action(action, packed)
            except IllegalActionError:
                return False
            legal = bool(self.game.table.is_legal(&self.game.table, self.data, seat, packed))
            self.game.reraise()
            return legal
        finally:
            self.leave()

    def _broken_rule(self, int player, action):
        cdef char packed[MAX_JOINT_BYTES]
        self.game.pack_action(action, packed)
        self.enter()
        try:
            return self.game.why_illegal(self.data, player, packed)
        finally:
            self.leave()

    def _why_illegal(self, int player, action):
        who = self.game.players[self.game.read_player(player)]
        if not self.game.is_enumerable:
            try:
                text = self.action_to_string(player, action)
            except IllegalActionError:
                text = shown(action)
            return f"{text} of {who} is illegal in this state of {self.game.name}: {self._broken_rule(player, action)}"
        legal = self.legal_actions(player)
        valid = ", ".join(f"{a} {self.action_to_string(player, a)}" for a in legal)
        return f"action {action} of {who} is illegal in this state of {self.game.name}; valid: {valid}"

    cdef uint32_t read_joint(self, list actions, void *joint, uint64_t *version) except 0:
        """Pack one action for each player, NOOP for players who do not decide, and check that they are legal.

        actions: no other code may have the list.
        joint: receives num_players actions, and in a game with chance the outcome, NO_ACTION where players decide.
            Where chance decides, the outcome follows the actions, which are all NOOP.
        version: receives the version of the state in which they are legal; reading actions may run their code.
        Returns the mask of the players who decide.
        """
        cdef const game_t *table
        cdef uint32_t acting
        cdef int player
        cdef char *place
        self.enter()
        try:
            version[0] = self.version
            acting = self.acting_mask()
            table = &self.game.table
            if acting == 0:
                raise IllegalActionError(f"the game {self.game.name} is over: no action is legal")
            if acting == ACTING_CHANCE:
                self.read_outcome(actions, joint)
                return acting
            if len(actions) != table.num_players:
                raise IllegalActionError(f"{len(actions)} actions given; {self.game.name} has {table.num_players} "
                                         "players")
            memset(joint, 0xFF, num_entries(table) * table.action_size)     # NO_ACTION for each player
            for player in range(table.num_players):
                place = <char *> joint + player * table.action_size
                if (acting >> player) & 1:
                    try:
                        self.game.pack_action(actions[player], place)
                    except IllegalActionError as error:
                        raise IllegalActionError(f"the action of {self.game.players[player]}: {error}") from None
                    legal = table.is_legal(table, self.data, player, place)
                    self.game.reraise()
                    if not legal:
                        raise IllegalActionError(self._why_illegal(player, actions[player]))
                elif not is_noop(actions[player]):
                    raise IllegalActionError(f"{self.game.players[player]} has nothing to decide; valid: {NOOP} "
                                             f"(noop), not {shown(actions[player])}")
        finally:
            self.leave()
        return acting

    cdef int read_outcome(self, list actions, void *joint) except -1:
        """Pack NOOP for each player and an outcome, and check that chance may bring it."""
        cdef int32_t players = self.game.table.num_players
        cdef int32_t *entries = <int32_t *> joint
        if len(actions) != players + 1:
            raise IllegalActionError(f"{len(actions)} actions given where chance decides; valid: {players + 1}, {NOOP} "
                                     "(noop) for each player and then the outcome")
        for player, action in enumerate(actions[:players]):
            if not is_noop(action):
                raise IllegalActionError(f"{self.game.players[player]} has nothing to decide; valid: {NOOP} (noop), "
                                         f"not {shown(action)}")
        memset(joint, 0xFF, players * sizeof(int32_t))
        try:
            self.game.pack_action(actions[players], &entries[players])
        except IllegalActionError as error:
            raise IllegalActionError(f"the outcome: {error}") from None
        outcomes = [outcome for outcome, _ in self.chance_weights()]
        if entries[players] not in outcomes:
            valid = ", ".join([f"{each} {self.action_to_string(CHANCE, each)}" for each in outcomes])
            raise IllegalActionError(f"outcome {entries[players]} cannot happen in this state of {self.game.name}; "
                                     f"valid: {valid}")
        return 0

    def joint_action(self, choices):
        """Return the joint action of the players' choices, for `apply_actions` and `child`.

        Args:
            choices: {player: action}, with one entry for each player who decides now. An action may be given as its
                text. Entries of other players may be omitted; they must be NOOP. Where chance decides, it is
                {CHANCE: outcome}.

        Returns:
            One action for each player, in player order, NOOP for players who do not decide. Where chance decides, the
            outcome follows: it is the last entry.

        Raises:
            IllegalActionError: a player who decides has no entry, an action is not legal, or the game is over. The
                message names the player.
            ValueError: a player does not exist.
            TypeError: `choices` is not a mapping.
            BusyError: another thread changes the state.
        """
        cdef char packed[MAX_JOINT_BYTES]
        cdef uint64_t version
        cdef uint32_t acting
        if not isinstance(choices, Mapping):
            raise TypeError(f"choices are {shown(choices)}; valid: a mapping, player -> action or its text")
        self.enter()
        try:
            acting = self.acting_mask()
            actions = [NOOP] * (self.game.table.num_players + (acting == ACTING_CHANCE))
            given = {}
            for player, action in choices.items():
                seat = self.game.read_player(player) if acting != ACTING_CHANCE else self.game.read_decider(player)
                if seat in given:
                    raise ValueError(f"two actions of {self.game.players[seat]} are given; valid: one")
                if isinstance(action, str):
                    try:
                        action = self.string_to_action(seat, action)
                    except IllegalActionError as error:
                        raise IllegalActionError(f"the action of {self.game.players[seat]}: {error}") from None
                given[seat] = actions[seat] = action
            if acting == ACTING_CHANCE and CHANCE not in given:
                raise IllegalActionError(f"no outcome is given where chance decides; valid: {{{CHANCE}: outcome}}")
            missing = [self.game.players[seat] for seat in self.acting_players() if seat not in given]
            if missing:
                raise IllegalActionError(f"no action of {', '.join(missing)} is given; valid: one for each of "
                                         + ", ".join([self.game.players[seat] for seat in self.acting_players()]))
            acting = self.read_joint(actions, packed, &version)
            return self.game.unpack_joint(acting, packed)
        finally:
            self.leave()

    def apply_action(self, action):
        """Play the action of the one player who decides, or apply an outcome where chance decides.

        Raises:
            IllegalActionError: the action is not legal, the outcome cannot happen, or the game is over.
            ValueError: several players decide here; use apply_actions.
            BusyError: another thread uses the state.
        """
        cdef int player = self.decider()
        if player == SEVERAL_PLAYERS:
            raise ValueError(f"several players decide here: {self.acting_players()}; use apply_actions")
        self.apply_of(player, action)

    cdef int apply_of(self, int player, action) except -1:
        """Play the action of the one who decides, a player or chance. With NO_PLAYER no action is legal."""
        if player == NO_PLAYER:
            raise IllegalActionError(f"the game {self.game.name} is over: no action is legal")
        cdef list actions = [NOOP] * (self.game.table.num_players + (1 if player == CHANCE_PLAYER else 0))
        actions[player] = action
        return self.apply_list(actions)

    def apply_actions(self, actions):
        """Play a joint action: one action for each player, in player order, NOOP for players who do not decide.

        Where chance decides, the outcome follows as one more entry: `(NOOP, NOOP, outcome)` in a game of two players.

        Raises:
            IllegalActionError: an action is not legal, the outcome cannot happen, or the game is over. The state is
                then unchanged.
            BusyError: another thread uses the state, which is then unchanged.
        """
        if self.data == NULL:
            refuse_unmade(self)
        try:
            given = iter(actions)
        except TypeError:
            raise TypeError(f"{shown(actions)} is not a joint action; valid: an action for every player") from None
        self.apply_list(list(given))

    cdef int apply_list(self, list actions) except -1:
        """Play a joint action, as `apply_actions`. No other code may have the list."""
        cdef char joint[MAX_JOINT_BYTES + 4]
        cdef uint64_t version
        cdef uint32_t acting = self.read_joint(actions, joint, &version)
        cdef int size = num_entries(&self.game.table) * self.game.table.action_size + 4
        cdef char *step
        memcpy(joint + size - 4, &acting, 4)
        begin_change(&self.users, "the state")
        try:
            if self.version != version:
                raise_busy("the state")
            step = append_history(&self.past, self.past_bytes, size)
            if step == NULL:
                raise MemoryError
            memcpy(step, joint, size)
            self.game.table.apply(&self.game.table, self.data, joint)
            self.version += 1
            self.game.reraise()
            self.past_bytes += size
        finally:
            end_change(&self.users)
        return 0

    def child(self, action):
        """Return a new state: this state after an action. The state itself does not change.

        Args:
            action: the action of the player who decides, or an outcome of chance; where several decide, a joint action
                as in `apply_actions`.

        Raises:
            IllegalActionError: the action is not legal, or the game is over.
            BusyError: another thread changes the state.
        """
        cdef State after = self.copied()
        cdef int player = after.decider()
        if player == SEVERAL_PLAYERS:
            after.apply_actions(action)
        else:
            after.apply_of(player, action)
        return after

    def history(self):
        """Return the joint actions that led here, from the oldest to the newest.

        The history begins at the start of the game, or at the state that was made from a dict, a text or a pickle, or
        by `transform` or `canonical`. `clone`, `child`, `copy.copy` and `copy.deepcopy` keep it; `==` and `key` ignore
        it. Views of games with hidden information have none.

        Returns:
            A list of tuples: one action for each player, NOOP for players who did not decide. Where chance decided,
            the outcome is one more entry at the end.

        Raises:
            BusyError: another thread changes the state.
        """
        cdef uint32_t acting
        cdef int64_t at = 0
        cdef int size
        cdef const char *joint
        self.enter()
        try:
            size = num_entries(&self.game.table) * self.game.table.action_size
            found = []
            while at < self.past_bytes:
                joint = history_bytes(self.past) + at
                memcpy(&acting, joint + size, 4)
                found.append(self.game.unpack_joint(acting, joint))
                at += size + 4
            return found
        finally:
            self.leave()

    def action_to_string(self, player, action, notation=None):
        """Return the text of an action, as in `mark(2,3)`; with player CHANCE that of an outcome, as in `throw(2)`.

        `notation` names another one of the game, such as `san` of chess.

        Raises:
            IllegalActionError: the game has no such action or outcome.
            ValueError: the game has no such notation.
        """
        cdef char packed[MAX_JOINT_BYTES]
        cdef int seat
        self.enter()
        try:
            seat = self.game.read_decider(player)
            if is_noop(action):
                return NOOP_TEXT
            self.game.pack_action(action, packed)
            if seat == CHANCE_PLAYER:
                self.game.check_outcome(packed)
            elif self.game.is_enumerable:
                self.game.check_listed(packed)
            if notation is not None:
                return self.game.action_text_in(str(notation), self.data, seat, packed)
            return self.game.action_text(self.data, seat, packed)
        finally:
            self.leave()

    def string_to_action(self, player, text):
        """Return the action of a text; it need not be legal now. With player CHANCE it is the outcome of a text.

        Raises:
            IllegalActionError: the text is not an action of this game.
            TypeError: `text` is not a str.
        """
        cdef char packed[MAX_JOINT_BYTES]
        cdef int seat
        if not isinstance(text, str):
            raise TypeError(f"an action's text is a str, not {shown(text)}")
        self.enter()
        try:
            seat = self.game.read_decider(player)
            text = str.strip(text)
            if text == NOOP_TEXT:
                return NOOP
            self.game.parse_action(self.data, seat, str(text), packed)
        finally:
            self.leave()
        return self.game.unpack_action(packed)

    def returns(self):
        """Return the return of each player, in player order, on the game's own scale.

        Raises:
            StateError: the game is not over.
        """
        cdef double out[MAX_PLAYERS]
        cdef int player
        self.enter()
        try:
            if self.acting_mask() != 0:
                raise StateError(f"the game {self.game.name} is not over: it has no returns yet")
            self.game.table.returns(&self.game.table, self.data, out)
            self.game.reraise()
        finally:
            self.leave()
        return [out[player] for player in range(self.game.table.num_players)]

    def clone(self):
        """Return an independent copy, with the same history."""
        return self.copied()

    cdef State copied(self):
        cdef State copy
        self.enter()
        try:
            copy = new_state(self.game)
            copy_state(&self.game.table, copy.data, self.data)
            copy.past = share_history(self.past, self.past_bytes)
            copy.past_bytes = self.past_bytes
        finally:
            self.leave()
        return copy

    def transform(self, int symmetry):
        """Return the image of the state under a symmetry of its game. The image has no history.

        Args:
            symmetry: 0 to game.num_symmetries - 1; 0 is the identity.

        Raises:
            ValueError: the symmetry does not exist.
        """
        cdef State image = self.copied()
        image.forget_history()
        self.game.check_symmetry(symmetry)
        if self.game.table.transform != NULL:
            self.game.table.transform(&self.game.table, image.data, symmetry)
        return image

    def canonical(self):
        """Return the representative of all images of the state. It has no history.

        Returns:
            (State, the symmetry that maps this state to it)
        """
        cdef State image = self.copied()
        cdef int symmetry = 0
        image.forget_history()
        if self.game.table.canonical != NULL:
            symmetry = self.game.table.canonical(&self.game.table, image.data)
        return image, symmetry

    def to_dict(self):
        """Return the whole state as plain data that JSON can hold. `Game.state_from_dict` reads it."""
        self.enter()
        try:
            return self.game.state_dict(self.data)
        finally:
            self.leave()

    def key(self):
        """Return a key for dicts and sets. It stays the same when the state changes, unlike the hash of the state.

        Keys of two states of equal games are equal if the states are equal, and only then.

        Returns:
            (the game's hash of the state in [0, 2**64); the bytes of the state, or the state object of a PythonGame)
        """
        self.enter()
        try:
            number = self.game.table.hash(&self.game.table, self.data)
            self.game.reraise()
            return number, self.game.key_data(self.data)
        finally:
            self.leave()

    def to_text(self):
        """Return the state as one line without spaces. `Game.state_from_text` reads it; docs/games has the forms."""
        given = self.to_dict()
        return self.game.kept_notation().write(given)

    def to_svg(self, *, size=400, theme="auto", highlight=(), last=None, heat=None):
        """Return a picture of the state as SVG text.

        It contains no script, loads nothing, and is legible from 120 pixels on. The same position with the same history
        gives the same text. Cells have `data-cell` with their name, and `data-action` with the text of the legal action
        that chooses them, for pages on which people click.

        Args:
            size: the longer side in pixels, 16 to 10,000. Up to 200, the picture has fewer words. None: the picture
                fills the element that contains it.
            theme: `light`, `dark`, or `auto`, which follows the reader's settings.
            highlight: cells to highlight: their names, such as `2,3`, actions that choose them, or texts of these.
            last: the cells of the last move, given as in `highlight`; by default the last step of `history`.
            heat: a search result, whose visits are drawn into the cells, or a dict of action -> weight.

        Raises:
            ValueError, TypeError: an argument is not valid; the message names the valid values.
        """
        if self.data == NULL:
            refuse_unmade(self)
        return draw_position(self, size=size, theme=theme, highlight=highlight, last=last, heat=heat)

    def _repr_svg_(self):
        return self.to_svg()

    def encode(self):
        """Return the state as input of a neural network.

        Returns:
            float32 [encoding_size]; the game's file defines the entries.

        Raises:
            StateError: the game has no encoding.
        """
        global np
        cdef float[::1] out
        if np is None:
            import numpy
            np = numpy
        self.enter()
        try:
            if self.game.table.encode == NULL:
                raise StateError(f"{self.game.name} has no encoding")
            encoded = np.zeros(self.game.table.encoding_size, dtype=np.float32)
            out = encoded
            self.game.table.encode(&self.game.table, self.data, &out[0])
            self.game.reraise()
        finally:
            self.leave()
        return encoded

    def view(self, player):
        """Return the view of a player: everything that the player may see, without the rest of the data."""
        cdef View view = View.__new__(View)
        cdef State seen = self.copied()
        view.player = self.game.read_player(player)
        if self.game.table.redact != NULL:
            seen.forget_history()
            self.game.table.redact(&self.game.table, seen.data, view.player)
        view.seen = seen
        return view

    def __eq__(self, other):
        if not isinstance(other, State):
            return NotImplemented
        cdef State that = other
        self.enter()
        try:
            that.enter()
            try:
                if not same_game(self.game, that.game):
                    return False
                equal = equal_states(&self.game.table, self.data, that.data)
                self.game.reraise()
            finally:
                that.leave()
        finally:
            self.leave()
        return equal

    def __hash__(self):
        """Return the game's hash of the present state. A state in a dict or set must not change: use `key` instead."""
        self.enter()
        try:
            value = <Py_hash_t> self.game.table.hash(&self.game.table, self.data)
            self.game.reraise()
        finally:
            self.leave()
        return value

    def __str__(self):
        self.enter()
        try:
            return self.game.draw_state(self.data)
        finally:
            self.leave()

    def __repr__(self):
        if self.data == NULL:
            return "<State without a game>"
        return f"<State of {self.game.spec}: {json.dumps(self.to_dict())}>"

    def __copy__(self):
        return self.copied()

    def __deepcopy__(self, memo):
        return self.copied()

    def __reduce__(self):
        self.enter()
        try:
            return _restore_state, (self.game, self.game.pack_state(self.data))
        finally:
            self.leave()


cdef class View:
    """The part of a state that one player may see. Bots receive views. `str()` draws it without hidden parts.

    Attributes:
        player: the player who sees it.

    Example:
        >>> state = mcts.load_game("bidding_3d_ttt(chips=4)").new_initial_state()
        >>> state.apply_actions(state.joint_action({0: "bid(A1:3)", 1: "bid(B1:1)"}))
        >>> view = state.view(0)
        >>> view.to_dict()["chips"]
        [1, None]
    """

    def __init__(self):
        raise TypeError("views come from State.view(player)")

    cdef State redacted(self):
        """Return the state without its hidden parts. It never changes and never leaves the view."""
        if self.seen is None:
            refuse_unmade(self)
        return self.seen

    @property
    def game(self):
        """The game of the state."""
        return self.redacted().game

    def acting_players(self):
        """Return the players who decide now, ascending; () when the game is over, and where chance decides."""
        return self.redacted().acting_players()

    def is_chance(self):
        """Return True when chance decides now."""
        return self.redacted().is_chance()

    def is_terminal(self):
        """Return True when the game is over."""
        return self.redacted().is_terminal()

    def legal_actions(self):
        """Return the legal actions of the viewing player, as State.legal_actions."""
        return self.redacted().legal_actions(self.player)

    def is_legal(self, action):
        """Return True if the action is legal for the viewing player now."""
        return self.redacted().is_legal(self.player, action)

    def sample_action(self, seed):
        """Return a random legal action of the viewing player, as State.sample_action."""
        return self.redacted().sample_action(self.player, seed)

    def action_to_string(self, action):
        """Return the text of an action of the viewing player."""
        return self.redacted().action_to_string(self.player, action)

    def string_to_action(self, text):
        """Return the action of the viewing player of a text."""
        return self.redacted().string_to_action(self.player, text)

    def to_dict(self):
        """Return the dict of State.to_dict, with None for parts that the player may not see."""
        return self.redacted().to_dict()

    def to_text(self):
        """Return the text of State.to_text, with `?` (null in JSON) for parts that the player may not see."""
        return self.redacted().to_text()

    def to_svg(self, *, size=400, theme="auto", highlight=(), last=None, heat=None):
        """Return a picture of the view as SVG text: nothing that the player may not see. Arguments as State.to_svg."""
        return draw_position(self, size=size, theme=theme, highlight=highlight, last=last, heat=heat)

    def _repr_svg_(self):
        return self.to_svg()

    def encode(self):
        """Return what `State.encode` returns, with the same numbers for all states that the player cannot tell apart.

        Raises:
            StateError: the game has no encoding.
        """
        return self.redacted().encode()

    def information_state_string(self):
        """Return a text that is equal for exactly those states that the player cannot tell apart."""
        return f"{self.game.players[self.player]} {json.dumps(self.to_dict(), separators=(',', ':'), sort_keys=True)}"

    def state(self):
        """Return the state of the view, with its history, for a game without hidden information.

        Raises:
            UnsupportedGameError: the game has hidden information; `resample` draws a possible state.
        """
        cdef State seen = self.redacted()
        if seen.game.has_hidden_information:
            raise UnsupportedGameError(f"a view of {seen.game.spec} does not show the whole state; "
                                       "resample(seed) draws a possible one")
        return seen.clone()

    def resample(self, seed):
        """Return a random complete state that looks the same to the player: the state itself if nothing is hidden.

        Args:
            seed: of the random choice; any integer.

        Raises:
            StateError: no such state was found, in a game in Python.
        """
        cdef rng_t rng
        cdef State state = self.redacted().clone()
        rng_seed(&rng, seed_bits(seed))
        if state.game.table.redact != NULL:
            state.game.table.resample(&state.game.table, state.data, self.player, &rng)
            state.game.reraise()
        return state

    def __eq__(self, other):
        if not isinstance(other, View):
            return NotImplemented
        return self.player == (<View> other).player and self.redacted() == (<View> other).redacted()

    def __hash__(self):
        cdef State seen = self.redacted()
        cdef const game_t *table = &seen.game.table
        if table.info_hash != NULL:
            value = <Py_hash_t> table.info_hash(table, seen.data, self.player)
            seen.game.reraise()
            return value
        return hash((self.player, seen.key()[0]))

    def __str__(self):
        return str(self.redacted())

    def __repr__(self):
        if self.seen is None:
            return "<View without a state>"
        return f"<View of {self.game.players[self.player]} in {self.game.spec}: {json.dumps(self.to_dict())}>"

    def __reduce__(self):
        cdef State seen = self.redacted()
        if seen.game.table.redact == NULL:
            return _restore_open_view, (seen, self.player)
        return _restore_view, (seen.game, self.player, seen.to_dict())
