"""Game, State and View: the public classes, written once over the C function table of `game.pxd`."""
import json

cimport cython

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

from .bits cimport hash_combine
from .in_use cimport begin_change, end_change, raise_busy
from .rng cimport rng_below, rng_seed, rng_t

import numpy as np

from .arguments import seed_bits, shown, whole_number
from .errors import IllegalActionError, NotEnumerableError, StateError
from .parameters import read_parameters
from .notation import JsonNotation, read_text
from .spec import format_spec

SIMULTANEOUS = -2
TERMINAL = -4
NOOP = NO_ACTION
NOOP_TEXT = "noop"


cdef inline void blank_joint(const game_t *game, void *joint) noexcept nogil:
    """A joint action of NO_ACTION for every player: all bits of -1 are set."""
    memset(joint, 0xFF, game.num_players * game.action_size)


cdef void play_step(const game_t *game, void *state, rng_t *rng, int32_t *legal, void *joint) noexcept nogil:
    """One step of random play of a state that is not over, by the table's functions alone."""
    cdef uint32_t acting = game.acting(game, state)
    cdef int32_t player, count
    for player in range(game.num_players):
        if not (acting >> player) & 1:
            if game.legal_actions != NULL:
                (<int32_t *> joint)[player] = NO_ACTION
        elif game.legal_actions == NULL:
            game.sample_action(game, state, player, rng, <char *> joint + player * game.action_size)
        else:
            count = game.legal_actions(game, state, player, legal)
            if has_failed(game):
                return
            (<int32_t *> joint)[player] = legal[rng_below(rng, <uint32_t> count)]
    game.apply(game, state, joint)


cdef void playout_by_table(const game_t *game, void *state, rng_t *rng, int32_t *legal, double *returns) noexcept nogil:
    """Random play to the end by the table's functions alone; `legal` has room for max_legal actions."""
    cdef char joint[MAX_JOINT_BYTES]
    while game.acting(game, state):
        play_step(game, state, rng, legal, joint)
        if has_failed(game):
            return
    game.returns(game, state, returns)


cdef uint64_t hash_bytes(const void *data, size_t size) noexcept nogil:
    """A 64-bit hash of plain data."""
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


def _restore_game(kind, parameters, spec):
    if not (isinstance(kind, type) and issubclass(kind, Game)):
        raise TypeError(f"{shown(kind)} is not a class of games")
    cdef Game game = kind(**parameters)
    game.spec = spec
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
    """Check that the game has a table that its functions can be called from."""
    if game.table.struct_size == 0:
        raise TypeError(f"{game.spec or type(game).__name__} cannot make states: its __init__ has not called seal")
    return 0


cdef bint same_game(Game one, Game other) except -1:
    """True where states of one game are states of the other, which decides what their memory is taken for.

    What __eq__ says comes on top, as classes may override it.
    """
    if one is other:
        return True
    if type(one) is not type(other) or one.table.state_size != other.table.state_size or one.variant != other.variant:
        return False
    return bool(one == other)


cdef int refuse_unmade(object what) except -1:
    """Refuse an object that only __new__ has seen."""
    raise TypeError(f"this {type(what).__name__} was made by __new__ alone; states come from Game.new_initial_state() "
                    "or Game.state_from_dict(), views from State.view(player)")


cdef bint is_noop(object action):
    """True for NOOP as any type of whole number."""
    if type(action) is int:
        return action == NOOP
    if isinstance(action, bool) or not hasattr(action, "__index__"):
        return False
    return whole_number("an action", action) == NOOP


cdef State new_state(Game game):
    """Zeroed memory for a state."""
    check_sealed(game)
    cdef State state = State.__new__(State)
    state.game = game
    state.data = malloc(game.table.state_size)
    if state.data == NULL:
        raise MemoryError
    memset(state.data, 0, game.table.state_size)
    return state


cdef int check_table(Game game) except -1:
    """Check that the table is complete and was compiled against this very layout. A table that is not gets unsealed."""
    try:
        _check_table(game)
    except BaseException:
        game.table.struct_size = 0
        raise
    return 0


cdef int _check_table(Game game) except -1:
    cdef game_t *table = &game.table
    if table.abi_version != ABI_VERSION or table.struct_size != sizeof(game_t):
        raise ImportError(f"{game.spec} was compiled for version {table.abi_version} of the game table "
                          f"({table.struct_size} bytes), not {ABI_VERSION} ({sizeof(game_t)} bytes)")
    if not 1 <= table.num_players <= MAX_PLAYERS:
        raise ImportError(f"{game.spec} has {table.num_players} players; valid: 1 to {MAX_PLAYERS}")
    if table.num_players * table.action_size > MAX_JOINT_BYTES or table.state_size < 1:
        raise ImportError(f"{game.spec} has an action or state of an impossible size")
    if not table.min_utility < table.max_utility:
        raise ImportError(f"{game.spec} has returns from {table.min_utility} to {table.max_utility}; "
                          "valid: least below greatest")
    if table.legal_actions != NULL and not 1 <= table.max_legal <= table.num_actions <= MAX_ACTIONS:
        raise ImportError(f"{game.spec} has {table.num_actions} actions, at most {table.max_legal} of them legal; "
                          f"valid: 1 to {MAX_ACTIONS}, and at least one")
    given = {"init": table.init != NULL, "acting": table.acting != NULL, "is_legal": table.is_legal != NULL,
             "apply": table.apply != NULL, "returns": table.returns != NULL, "hash": table.hash != NULL,
             "legal_actions or sample_action": table.legal_actions != NULL or table.sample_action != NULL,
             "resample (as redact is there)": table.redact == NULL or table.resample != NULL,
             "encode (as encoding_size is not 0)": (table.encode != NULL) == (table.encoding_size > 0)}
    of_objects = {"copy": table.copy != NULL, "release": table.release != NULL, "equal": table.equal != NULL,
                  "failed": table.failed != NULL}
    if any(of_objects.values()):
        given |= of_objects
    of_symmetries = {"transform": table.transform != NULL, "transform_action": table.transform_action != NULL,
                     "canonical": table.canonical != NULL}
    if table.num_symmetries or any(of_symmetries.values()):
        given |= of_symmetries | {"num_symmetries": table.num_symmetries > 0}
    missing = [name for name, there in given.items() if not there]
    if missing:
        raise ImportError(f"{game.spec} leaves functions of its table empty: {', '.join(missing)}")
    return 0


cdef class Game:
    """A game with its parameters: makes states. Load one by `mcts.load_game`.

    A subclass fills `table` in its `__init__`, then calls `seal`, and overrides the hooks below that put states and
    actions into words. Attributes: `name`, `spec`, `parameters`, `players` (names in player order), `num_players`,
    `min_utility`, `max_utility`, `utility_sum` (None if the game is general-sum).
    """

    def __init__(self, info, given):
        if self.table.struct_size:
            raise TypeError(f"{self.spec} is made already; load_game makes another")
        self.info = info
        self.parameters = read_parameters(info.name, info.parameters, given)
        self.spec = format_spec(info.name, self.parameters)
        self.variant = format_spec("", self.parameters)
        self.table.num_players = len(info.players)
        self.table.action_size = sizeof(int32_t)
        self.table.min_utility = info.min_utility
        self.table.max_utility = info.max_utility
        self.table.utility_is_constant = info.utility_sum is not None

    @property
    def name(self):
        return self.info.name

    @property
    def players(self):
        return self.info.players

    @property
    def num_players(self):
        return self.table.num_players

    @property
    def num_actions(self):
        """Listed actions are in [0, num_actions); 0 where actions are too many to list."""
        return self.table.num_actions

    @property
    def min_utility(self):
        return self.table.min_utility

    @property
    def max_utility(self):
        return self.table.max_utility

    @property
    def utility_sum(self):
        return self.info.utility_sum

    @property
    def is_zero_sum(self):
        """True for two players whose returns always sum to min_utility + max_utility: one wins what the other loses."""
        return self.num_players == 2 and self.utility_sum == self.min_utility + self.max_utility

    @property
    def encoding_size(self):
        """Numbers in an encoded state; 0 where the game has no encoding."""
        return self.table.encoding_size

    @property
    def is_enumerable(self):
        """True where `legal_actions` can list what a player may do."""
        return self.table.legal_actions != NULL

    @property
    def has_hidden_information(self):
        """True where a player may not see the whole state."""
        return self.table.redact != NULL

    @property
    def num_symmetries(self):
        """Ways to turn, mirror or shift a state that change nothing about play; leaving it as it is among them."""
        return max(1, self.table.num_symmetries)

    cdef int read_player(self, object player) except -1:
        """The number of a player, any whole number in range."""
        if type(player) is int and 0 <= player < self.table.num_players:
            return player
        valid = f"0 to {self.table.num_players - 1}"
        number = whole_number("player", player, valid)
        if not 0 <= number < self.table.num_players:
            raise ValueError(f"player {shown(number)} is not in {self.name}; valid: {valid}")
        return number

    cdef int check_symmetry(self, int symmetry) except -1:
        if not 0 <= symmetry < self.num_symmetries:
            raise ValueError(f"symmetry {symmetry} is not in {self.spec}; valid: 0 to {self.num_symmetries - 1}")
        return 0

    def transform_action(self, int symmetry, player, action):
        """What an action is in a state that `State.transform` has made of the one where it was meant.

        Raises:
            ValueError: no such symmetry or player.
            IllegalActionError: it is no action of this game.
        """
        cdef int32_t number, seat
        self.check_symmetry(symmetry)
        seat = self.read_player(player)
        if self.table.transform_action == NULL or is_noop(action):
            return action
        self.pack_action(action, &number)
        if not 0 <= number < self.table.num_actions:
            raise IllegalActionError(f"{action} is no action of {self.spec}; valid: 0 to {self.table.num_actions - 1}")
        return self.table.transform_action(&self.table, symmetry, seat, number)

    def new_initial_state(self):
        """The state before the first move."""
        cdef State state = new_state(self)
        self.table.init(&self.table, state.data)
        self.reraise()
        return state

    def state_from_dict(self, given):
        """The state that `State.to_dict` described.

        Raises:
            StateError: the dict is malformed or describes a state that no play can reach; the message says why. The
                tests made are necessary ones: a state that passes them has consistent counts, but a few such states
                may still be out of reach.
        """
        if not isinstance(given, dict):
            raise StateError(f"a state of {self.name} is rebuilt from a dict, not from {type(given).__name__}")
        cdef State state = new_state(self)
        self.fill_state(state.data, dict(given))
        return state

    def view_from_dict(self, player, given):
        """The view that `View.to_dict` described.

        Args:
            player: the viewing player, 0 and up.
            given: what it saw.

        Raises:
            StateError: the dict is malformed, not this player's view, or describes what no play can lead to.
            ValueError: there is no such player.
        """
        if not isinstance(given, dict):
            raise StateError(f"a view of {self.name} is rebuilt from a dict, not from {type(given).__name__}")
        seat = self.read_player(player)
        cdef State state = self.state_from_dict(self.explain_view(seat, given))
        cdef View view = state.view(seat)
        if self.has_hidden_information and view.to_dict() != given:
            raise StateError(f"no play of {self.name} shows player {seat + 1} just this")
        return view

    @property
    def text_form(self):
        """The form of `State.to_text` in this game: the names of its fields, or `JSON of to_dict`."""
        return self.notation().form

    def state_from_text(self, text):
        """The state that `State.to_text` described; a JSON object is read as the dict of `State.to_dict`.

        Raises:
            StateError: the text is malformed, which the message explains with the valid form, or describes a state
                that no play can reach, as in `state_from_dict`.
        """
        return self.state_from_dict(self._read_text(text, f"a state of {self.spec}"))

    def view_from_text(self, player, text):
        """The view that `View.to_text` described; a JSON object is read as the dict of `View.to_dict`.

        Raises:
            StateError: the text is malformed, not this player's view, or describes what no play can lead to.
            ValueError: there is no such player.
        """
        return self.view_from_dict(player, self._read_text(text, f"a view of {self.spec}"))

    def _read_text(self, text, what):
        return read_text(self.notation(), text, what, lambda: self.new_initial_state().to_text())

    def notation(self):
        """The `cext.notation.Notation` of this game's states. The default is compact JSON; a game may override it."""
        return JsonNotation()

    def explain_view(self, int player, given):
        """A dict of some state that looks to a player as given. A game in which something is hidden overrides it.

        Raises:
            StateError: the dict is not this player's view, or the game does not know how to explain one.
        """
        if self.has_hidden_information:
            raise StateError(f"{self.name} cannot rebuild views: it does not say how to explain one")
        return given

    def __eq__(self, other):
        return type(self) is type(other) and self.parameters == (<Game> other).parameters

    def __hash__(self):
        return hash((type(self), format_spec("", self.parameters)))

    def name_by(self, str name):
        """Set the name in `spec`, for a game that is loaded under another name than that of its info.

        Args:
            name: by which `load_game` finds the class, such as its path.
        """
        self.spec = format_spec(name, self.parameters)

    def __repr__(self):
        return f"load_game({self.spec!r})"

    def __str__(self):
        return self.spec

    def __reduce__(self):
        return _restore_game, (type(self), self.parameters, self.spec)

    # What a game file puts into words. States may be redacted: hidden parts become null, or are left out of a drawing.

    cdef dict state_dict(self, const void *state):
        raise NotImplementedError

    cdef int fill_state(self, void *state, dict given) except -1:
        """Write the state a dict describes into zeroed memory, or raise StateError."""
        raise NotImplementedError

    cdef str draw_state(self, const void *state):
        raise NotImplementedError

    cdef str action_text(self, const void *state, int player, const void *action):
        """The text of an action of an acting player, legal or not, or raise IllegalActionError if it is none."""
        raise NotImplementedError

    cdef int parse_action(self, const void *state, int player, str text, void *action) except -1:
        """Write the action that a text names, legal or not, or raise IllegalActionError if it names none."""
        raise NotImplementedError

    cdef str why_illegal(self, const void *state, int player, const void *action):
        """What a packed action that is not legal does wrong, and what would be right."""
        raise NotImplementedError

    cdef object unpack_action(self, const void *action):
        """An action as Python has it: an int, or a tuple of chip counts."""
        if self.table.action_size == sizeof(int32_t):
            return (<const int32_t *> action)[0]
        return tuple(PyBytes_FromStringAndSize(<const char *> action, self.table.action_size))

    cdef int pack_action(self, object action, void *out) except -1:
        """The reverse of unpack_action; raises IllegalActionError for what cannot be an action at all."""
        cdef bytes packed
        if self.table.action_size == sizeof(int32_t):
            if type(action) is not int and (isinstance(action, bool) or not hasattr(action, "__index__")):
                raise IllegalActionError(f"an action of {self.name} is an int, not {shown(action)}")
            number = action if type(action) is int else whole_number("an action", action)
            if not -2**31 <= number < 2**31:
                raise IllegalActionError(f"{shown(number)} is no action of {self.name}")
            (<int32_t *> out)[0] = number
            return 0
        try:
            if hasattr(action, "__index__"):
                raise TypeError         # bytes(n) would make n zeros
            packed = bytes(action)
        except (TypeError, ValueError):
            raise IllegalActionError(f"an action of {self.name} is a tuple of {self.table.action_size} counts from 0 "
                                     f"to 255, not {shown(action)}") from None
        if len(packed) != self.table.action_size:
            raise IllegalActionError(f"an action of {self.name} is a tuple of {self.table.action_size} counts, "
                                     f"not {shown(action)}")
        memcpy(out, PyBytes_AS_STRING(packed), self.table.action_size)
        return 0

    cdef int reraise(self) except -1:
        """Raise what a function of the table has failed with in this thread, if it has."""
        return 0

    cdef object pack_state(self, const void *state):
        """A state as an object that can be pickled, for `unpack_state`."""
        return self.state_dict(state)

    cdef int unpack_state(self, void *state, object packed) except -1:
        """Write a packed state into zeroed memory, or raise StateError: what comes from outside may be anything."""
        if not isinstance(packed, dict):
            raise StateError(f"a state of {self.name} is rebuilt from a dict, not from {shown(packed)}")
        return self.fill_state(state, dict(packed))


@cython.no_gc_clear             # __dealloc__ needs the game, which must outlive the collection of a cycle
cdef class State:
    """A state of a game. `str()` draws it; states are equal when nothing tells them apart."""

    def __cinit__(self):
        self.data = NULL

    def __init__(self):
        raise TypeError("states come from Game.new_initial_state() or Game.state_from_dict()")

    def __dealloc__(self):
        if self.data != NULL and self.game.table.release != NULL:
            self.game.table.release(&self.game.table, self.data)
        free(self.data)

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
        """The players that decide now, ascending; () when the game is over."""
        cdef uint32_t acting = self.acting_mask()
        cdef int player
        return tuple([player for player in range(self.game.table.num_players) if (acting >> player) & 1])

    def current_player(self):
        """The one player that decides, SIMULTANEOUS (-2) if several do, TERMINAL (-4) if the game is over."""
        cdef uint32_t acting = self.acting_mask()
        cdef int player = 0
        if acting == 0:
            return TERMINAL
        if acting & (acting - 1):
            return SIMULTANEOUS
        while not (acting >> player) & 1:
            player += 1
        return player

    def is_terminal(self):
        """True when the game is over."""
        return self.acting_mask() == 0

    def legal_actions(self, player=-1):
        """What a player may do: ascending ints, [NOOP] if it has nothing to decide, [] when the game is over.

        Args:
            player: may be left out where exactly one player decides.

        Raises:
            NotEnumerableError: the game's actions are too many to list.
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
                player = self.current_player()
                if player == SIMULTANEOUS:
                    raise ValueError(f"several players decide here: {self.acting_players()}; say which")
                if player == TERMINAL:
                    return []
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
        """A random legal action, NOOP for a player who has nothing to decide; the same seed draws the same.

        Uniform where actions can be listed, else by the game's own policy, which its file states.
        """
        cdef char action[MAX_JOINT_BYTES]
        cdef rng_t rng
        cdef int seat
        cdef uint32_t acting
        cdef const game_t *table
        self.enter()
        try:
            acting = self.acting_mask()
            table = &self.game.table
            seat = self.game.read_player(player)
            rng_seed(&rng, seed_bits(seed))
            if acting == 0:
                raise IllegalActionError(f"the game {self.game.name} is over: no action is legal")
            if not (acting >> seat) & 1:
                return NOOP
            if table.sample_action == NULL:
                legal = self.legal_actions(seat)
                return legal[rng_below(&rng, <uint32_t> len(legal))]
            table.sample_action(table, self.data, seat, &rng, action)
            self.game.reraise()
            return self.game.unpack_action(action)
        finally:
            self.leave()

    def is_legal(self, player, action):
        """True when this player may do this now (NOOP is legal for a player who has nothing to decide)."""
        cdef char packed[MAX_JOINT_BYTES]
        cdef int seat
        cdef uint32_t acting
        self.enter()
        try:
            acting = self.acting_mask()
            seat = self.game.read_player(player)
            if acting == 0:
                return False
            if not (acting >> seat) & 1:
                return is_noop(action)
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

    cdef int read_joint(self, object actions, void *joint, uint64_t *version) except -1:
        """Pack one action for every player, NOOP for those who have nothing to decide, and check that they are legal.

        version: of the state for which they are: reading actions may run code of their types.
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
            actions = list(actions)
            if len(actions) != table.num_players:
                raise IllegalActionError(f"{len(actions)} actions given; {self.game.name} has {table.num_players} "
                                         "players")
            blank_joint(table, joint)
            for player in range(table.num_players):
                place = <char *> joint + player * table.action_size
                if (acting >> player) & 1:
                    self.game.pack_action(actions[player], place)
                    legal = table.is_legal(table, self.data, player, place)
                    self.game.reraise()
                    if not legal:
                        raise IllegalActionError(self._why_illegal(player, actions[player]))
                elif not is_noop(actions[player]):
                    raise IllegalActionError(f"{self.game.players[player]} has nothing to decide; valid: {NOOP} "
                                             f"(noop), not {shown(actions[player])}")
        finally:
            self.leave()
        return 0

    def apply_action(self, action):
        """Play the action of the one player that decides.

        Raises:
            IllegalActionError: it is not legal, or the game is over.
            ValueError: several players decide here; use apply_actions.
            BusyError: another thread uses the state.
        """
        cdef int player = self.current_player()
        if player == TERMINAL:
            raise IllegalActionError(f"the game {self.game.name} is over: no action is legal")
        if player == SIMULTANEOUS:
            raise ValueError(f"several players decide here: {self.acting_players()}; use apply_actions")
        actions = [NOOP] * self.game.table.num_players
        actions[player] = action
        self.apply_actions(actions)

    def apply_actions(self, actions):
        """Play one action for every player, in player order, NOOP for those who have nothing to decide.

        Raises:
            IllegalActionError: one of them is not legal, or the game is over. The state is then unchanged.
            BusyError: another thread uses the state, which is then unchanged.
        """
        cdef char joint[MAX_JOINT_BYTES]
        cdef uint64_t version
        self.read_joint(actions, joint, &version)
        begin_change(&self.users, "the state")
        try:
            if self.version != version:
                raise_busy("the state")
            self.game.table.apply(&self.game.table, self.data, joint)
            self.version += 1
            self.game.reraise()
        finally:
            end_change(&self.users)

    def action_to_string(self, player, action):
        """The text of an action, as in `mark(2,3)`.

        Raises:
            IllegalActionError: it is no action of this game.
        """
        cdef char packed[MAX_JOINT_BYTES]
        cdef int seat
        self.enter()
        try:
            seat = self.game.read_player(player)
            if is_noop(action):
                return NOOP_TEXT
            self.game.pack_action(action, packed)
            return self.game.action_text(self.data, seat, packed)
        finally:
            self.leave()

    def string_to_action(self, player, text):
        """The action that a text names; whether it is legal now is another question.

        Raises:
            IllegalActionError: the text names no action of this game.
            TypeError: it is not a text.
        """
        cdef char packed[MAX_JOINT_BYTES]
        cdef int seat
        if not isinstance(text, str):
            raise TypeError(f"an action's text is a str, not {shown(text)}")
        self.enter()
        try:
            seat = self.game.read_player(player)
            text = str.strip(text)
            if text == NOOP_TEXT:
                return NOOP
            self.game.parse_action(self.data, seat, str(text), packed)
        finally:
            self.leave()
        return self.game.unpack_action(packed)

    def returns(self):
        """What each player has got, on the game's own scale.

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
        """An independent copy."""
        self.enter()
        try:
            copy = new_state(self.game)
            copy_state(&self.game.table, copy.data, self.data)
        finally:
            self.leave()
        return copy

    def transform(self, int symmetry):
        """The image of the state under a symmetry of its game, 0 to game.num_symmetries - 1; 0 is a copy.

        Raises:
            ValueError: no such symmetry.
        """
        cdef State image = self.clone()
        self.game.check_symmetry(symmetry)
        if self.game.table.transform != NULL:
            self.game.table.transform(&self.game.table, image.data, symmetry)
        return image

    def canonical(self):
        """The image that stands for all images of the state.

        Returns:
            (State, the symmetry that makes it of this one)
        """
        cdef State image = self.clone()
        cdef int symmetry = 0
        if self.game.table.canonical != NULL:
            symmetry = self.game.table.canonical(&self.game.table, image.data)
        return image, symmetry

    def to_dict(self):
        """All of the state as plain data that JSON can hold; `Game.state_from_dict` reads it."""
        self.enter()
        try:
            return self.game.state_dict(self.data)
        finally:
            self.leave()

    def to_text(self):
        """The state as one line without spaces, which `Game.state_from_text` reads back; docs/games has the forms."""
        given = self.to_dict()
        return self.game.notation().write(given)

    def encode(self):
        """The state as a neural network takes it.

        Returns:
            float32 [encoding_size]; the game's file says what stands where.

        Raises:
            StateError: the game has no encoding.
        """
        cdef float[::1] out
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
        """All that this player may see; nothing else is inside."""
        cdef View view = View.__new__(View)
        cdef State seen = self.clone()
        view.player = self.game.read_player(player)
        if self.game.table.redact != NULL:
            self.game.table.redact(&self.game.table, seen.data, view.player)
        view.seen = seen
        return view

    def __eq__(self, other):
        cdef State that
        if not isinstance(other, State):
            return NotImplemented
        that = other
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
        return self.clone()

    def __deepcopy__(self, memo):
        return self.clone()

    def __reduce__(self):
        self.enter()
        try:
            return _restore_state, (self.game, self.game.pack_state(self.data))
        finally:
            self.leave()


cdef class View:
    """All that one player may see of a state: what a bot is given. `str()` draws it with hidden things hidden."""

    def __init__(self):
        raise TypeError("views come from State.view(player)")

    cdef State redacted(self):
        """The state without what the player may not see. Nobody changes it, and it never leaves the view."""
        if self.seen is None:
            refuse_unmade(self)
        return self.seen

    @property
    def game(self):
        return self.redacted().game

    def acting_players(self):
        """The players that decide now, ascending; () when the game is over."""
        return self.redacted().acting_players()

    def is_terminal(self):
        """True when the game is over."""
        return self.redacted().is_terminal()

    def legal_actions(self):
        """What the viewing player may do, as State.legal_actions."""
        return self.redacted().legal_actions(self.player)

    def is_legal(self, action):
        """True when the viewing player may do this now."""
        return self.redacted().is_legal(self.player, action)

    def sample_action(self, seed):
        """A random legal action of the viewing player, as State.sample_action."""
        return self.redacted().sample_action(self.player, seed)

    def action_to_string(self, action):
        """The text of an action of the viewing player."""
        return self.redacted().action_to_string(self.player, action)

    def string_to_action(self, text):
        """The action of the viewing player that a text names."""
        return self.redacted().string_to_action(self.player, text)

    def to_dict(self):
        """State.to_dict with null for what the player may not see."""
        return self.redacted().to_dict()

    def to_text(self):
        """State.to_text with `?` (null in JSON) for what the player may not see."""
        return self.redacted().to_text()

    def information_state_string(self):
        """A text that is the same for exactly those states that the player cannot tell apart."""
        return f"{self.game.players[self.player]} {json.dumps(self.to_dict(), separators=(',', ':'), sort_keys=True)}"

    def resample(self, seed):
        """A full State that this player cannot tell from the true one; the state itself where nothing is hidden."""
        cdef rng_t rng
        cdef State state = self.redacted().clone()
        rng_seed(&rng, seed_bits(seed))
        if state.game.table.redact != NULL:
            state.game.table.resample(&state.game.table, state.data, self.player, &rng)
        return state

    def __eq__(self, other):
        if not isinstance(other, View):
            return NotImplemented
        return self.player == (<View> other).player and self.redacted() == (<View> other).redacted()

    def __hash__(self):
        cdef State seen = self.redacted()
        cdef const game_t *table = &seen.game.table
        if table.info_hash != NULL:
            return <Py_hash_t> table.info_hash(table, seen.data, self.player)
        return hash((self.player, seen))

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
