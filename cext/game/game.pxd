"""Game, State and View: the classes of Python over the table of a game."""
cimport cython
from libc.stdint cimport int64_t, uint32_t, uint64_t

from ..primitives.history cimport history_t
from ..primitives.in_use cimport begin_reading, end_reading, refuse_unmade
from .game_table cimport ABI_VERSION, game_t

cdef class Game
cdef class State
cdef int unseal_unless_valid(Game game) except -1
cdef int check_sealed(Game game) except -1
cdef bint same_game(Game one, Game other) except -1
cdef State new_state(Game game)


cdef class Game:
    cdef readonly object info           # cext.game_info.GameInfo
    cdef readonly dict parameters       # name -> value, in the order of info.parameters
    cdef readonly str spec              # name(key=value,...), canonical
    cdef str variant                    # the parameters as text; later changes of the dict do not change it
    cdef str first_spec                 # the spec before `rename`, for threads that are reading it
    cdef object fields                  # what `notation` has returned, or None
    cdef int begun                      # see primitives/in_use.pxd; the first __init__ begins a change without end
    cdef game_t table                   # last: a table of another size, which seal refuses, moves none of the above

    @cython.final
    cdef inline int seal(self) except -1:
        """Sign the table with the layout that the game's own file was compiled against, and check it.

        The function is inline, so that the game's module writes version and size, and the core compares them.
        """
        self.table.abi_version = ABI_VERSION
        self.table.struct_size = sizeof(game_t)
        return unseal_unless_valid(self)

    cdef int rename(self, str spec) except -1
    cdef int check_listed(self, const void *action) except -1
    cdef int check_outcome(self, const void *outcome) except -1
    cdef int refuse_text(self, str text, str valid) except -1
    cdef int check_symmetry(self, int symmetry) except -1
    cdef dict state_dict(self, const void *state)
    cdef object kept_notation(self)
    cdef int read_dict(self, void *state, dict given) except -1
    cdef int fill_state(self, void *state, dict given) except -1
    cdef str draw_state(self, const void *state)
    cdef object words(self, int player)
    cdef str action_text(self, const void *state, int player, const void *action)
    cdef str action_text_in(self, str notation, const void *state, int player, const void *action)
    cdef int parse_action(self, const void *state, int player, str text, void *action) except -1
    cdef str why_illegal(self, const void *state, int player, const void *action)
    cdef object unpack_action(self, const void *action)
    cdef int pack_action(self, object action, void *out) except -1
    cdef int reraise(self) except -1
    cdef object key_data(self, const void *state)
    cdef object pack_state(self, const void *state)
    cdef int unpack_state(self, void *state, object packed) except -1
    cdef int read_player(self, object player) except -1
    cdef int read_decider(self, object player) except -2
    cdef tuple unpack_joint(self, uint32_t acting, const char *joint)


cdef class State:
    cdef readonly Game game
    cdef void *data                     # table.state_size bytes, owned; NULL after State.__new__, which `enter` refuses
    cdef int users                      # see primitives/in_use.pxd
    cdef uint64_t version               # number of changes of the state
    cdef history_t *past                # joint actions and masks of those who acted, or NULL; see history
    cdef int64_t past_bytes             # length of this state's part of it

    @cython.final
    cdef inline int enter(self) except -1:
        """Begin to read the state, until `leave`. Raises BusyError while another use changes the state."""
        if self.data == NULL:
            refuse_unmade(self)
        return begin_reading(&self.users, "the state")

    @cython.final
    cdef inline void leave(self) noexcept:
        end_reading(&self.users)

    cdef uint32_t acting_mask(self) except? 0xFFFFFFFF
    cdef int decider(self) except -5
    cdef State copied(self)
    cdef int copy_to(self, void *to) except -1
    cdef void forget_history(self) noexcept
    cdef int apply_of(self, int player, action) except -1
    cdef int apply_list(self, list actions) except -1
    cdef uint32_t read_joint(self, list actions, void *joint, uint64_t *version) except 0
    cdef int check_chance(self) except -1
    cdef int read_outcome(self, list actions, void *joint) except -1


cdef class View:
    cdef State seen                     # redacted: holds nothing that the player may not see; None by View.__new__ only
    cdef readonly int player

    cdef State redacted(self)
