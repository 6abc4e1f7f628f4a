"""The sequence form of a game (Koller, Megiddo and von Stengel 1994), found by one walk over all histories.

A sequence is an action of a player in one of its information sets, together with all that the player saw and did
before; sequence 0 of a player is the empty one. An information set is identified by what the player sees and by the
path of its own earlier decisions, so players have perfect recall even where a view forgets. Where several players
decide at once, they decide one after the other, and none sees what the others chose.
"""
cimport cython
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

from ..game.game cimport Game, State, View, check_sealed, new_state, same_game
from ..game.game_table cimport (ACTING_CHANCE, MAX_ENTRIES, MAX_PLAYERS, clear_joint, copy_state, free_states, game_t,
                                has_failed, list_size, view_key)
from ..primitives.bits cimport hash_combine
from ..primitives.growing cimport NO_NUMBER, add_key, find_key, grow_array
from ..primitives.in_use cimport begin_change, end_change, read_number

from ..errors import UnsupportedGameError

cdef enum:
    MOST_SEQUENCES = 0x7FFFFF00

cdef enum status_t:
    GOING_ON
    DONE
    FAILED                      # a function of a game in Python has raised
    TOO_MUCH
    ACTIONS_DIFFER


class TooLargeError(Exception):
    """The sequence form exceeds a limit. args: the number of histories found."""


cdef bint room_for_set(form_t *form) noexcept nogil:
    """Ensure room for one more information set."""
    cdef int64_t wanted = form.num_sets + 1
    return (grow_array(&form.budget, <void **> &form.sets, &form.max_sets, wanted, sizeof(information_set_t))
            and grow_array(&form.budget, <void **> &form.examples, &form.max_examples, wanted, form.game.state_size))


cdef status_t keep_to_aim(form_t *form, frame_t *frame, uint64_t seen) noexcept nogil:
    """Remember the path to a decision of the player who aims, if it is the one. Skip what does not lead to it."""
    cdef aim_t *aim = &form.aim
    cdef int32_t last = aim.count - 1
    cdef int64_t i = form.num_frames
    cdef uint64_t history = frame.history
    if seen == aim.seen[last] and (frame.decided == last or not aim.whole):
        frame.done = frame.count
        while find_key(&aim.found, history) == NO_NUMBER:
            if not add_key(&form.budget, &aim.found, history, 0):
                return TOO_MUCH
            i -= 1
            if i < 0:
                break
            history = form.frames[i].history
    elif frame.decided < last and seen == aim.seen[frame.decided]:
        frame.decided += 1
    elif aim.whole:
        frame.done = frame.count
    return GOING_ON


cdef status_t enter_set(form_t *form, frame_t *frame, const void *state, uint64_t legal_key) noexcept nogil:
    """Set `first` of a frame, whose path leads to an information set, and its key to that of the set."""
    cdef int32_t player = frame.decider
    cdef uint64_t seen = view_key(form.game, state, player, form.states)
    cdef uint64_t key = hash_combine(frame.key[player], seen)
    cdef information_set_t *found
    cdef int64_t number
    if has_failed(form.game):
        return FAILED
    number = find_key(&form.numbers, key)
    if number == NO_NUMBER:
        number = form.num_sets
        if (form.num_sequences[player] > MOST_SEQUENCES - frame.count or not room_for_set(form)
                or not add_key(&form.budget, &form.numbers, key, number)):
            return TOO_MUCH
        found = &form.sets[number]
        found.view_key, found.legal_key = seen, legal_key
        found.player, found.count, found.parent = player, frame.count, frame.sequence[player]
        found.first = form.num_sequences[player]
        form.num_sequences[player] += frame.count
        copy_state(form.game, form.examples + number * form.game.state_size, state)
        form.num_sets += 1
    found = &form.sets[number]
    frame.first = found.first
    frame.key[player] = key
    if found.legal_key != legal_key:
        form.different = number
        return ACTIONS_DIFFER
    if form.aim.count and form.aim.player == player and frame.count > 1:
        return keep_to_aim(form, frame, seen)
    return GOING_ON


cdef inline char *state_of(const form_t *form, int64_t frame) noexcept nogil:
    """Return the state of a frame. Entry 0 of the states is scratch memory, that of frame 0 follows."""
    return form.states + <size_t> (frame + 1) * form.game.state_size


cdef bint room_for_frame(form_t *form) noexcept nogil:
    """Ensure room for one more frame, the state after it, and the scratch state."""
    cdef int64_t wanted = form.num_frames + 3
    return (grow_array(&form.budget, <void **> &form.frames, &form.max_frames, wanted, sizeof(frame_t))
            and grow_array(&form.budget, <void **> &form.joints, &form.max_joints, wanted,
                           MAX_ENTRIES * sizeof(int32_t))
            and grow_array(&form.budget, <void **> &form.states, &form.max_states, wanted, form.game.state_size))


cdef bint push_actions(form_t *form, const int32_t *actions, const int32_t *weights, int32_t count) noexcept nogil:
    """Push the actions of a frame, and the probabilities of outcomes of chance if there are weights."""
    cdef int64_t wanted = form.num_actions + count
    cdef double total = 0.0
    cdef int32_t i
    if not (grow_array(&form.budget, <void **> &form.actions, &form.max_actions, wanted, sizeof(int32_t))
            and grow_array(&form.budget, <void **> &form.weights, &form.max_weights, wanted, sizeof(double))):
        return False
    if weights != NULL:
        for i in range(count):
            total += weights[i]
        for i in range(count):
            form.weights[form.num_actions + i] = weights[i] / total
    memcpy(form.actions + form.num_actions, actions, count * sizeof(int32_t))
    form.num_actions = wanted
    return True


cdef status_t add_end(form_t *form, const frame_t *path, const void *state) noexcept nogil:
    """Add a finished game."""
    cdef int64_t wanted = form.num_ends + 1
    cdef int32_t players = form.game.num_players
    if not (grow_array(&form.budget, <void **> &form.ends, &form.max_ends, wanted, sizeof(end_t))
            and grow_array(&form.budget, <void **> &form.returns, &form.max_returns, wanted,
                           players * sizeof(double))):
        return TOO_MUCH
    form.ends[form.num_ends].chance = path.chance
    memcpy(form.ends[form.num_ends].sequence, path.sequence, sizeof(path.sequence))
    form.game.returns(form.game, state, form.returns + form.num_ends * players)
    form.num_ends += 1
    return FAILED if has_failed(form.game) else GOING_ON


cdef status_t open_decision(form_t *form, frame_t *frame, uint32_t waiting) noexcept nogil:
    """Push the frame of the next decider, whose state and part of the joint action are in their places.

    Args:
        frame: its chance, sequences and keys are set.
        waiting: mask of the players who have still to decide in the state, or ACTING_CHANCE.
    """
    cdef const game_t *game = form.game
    cdef char *state = state_of(form, form.num_frames)
    cdef int32_t *weights = NULL
    cdef int32_t i, player = 0
    cdef uint64_t legal_key = 0
    cdef status_t status
    frame.done = 0
    frame.actions = form.num_actions
    if waiting == ACTING_CHANCE:
        frame.decider, frame.waiting, frame.first = game.num_players, 0, 0
        weights = form.legal + game.num_outcomes
        frame.count = game.chance_outcomes(game, state, form.legal, weights)
    else:
        while not (waiting >> player) & 1:
            player += 1
        frame.decider, frame.waiting = player, waiting & ~(<uint32_t> 1 << player)
        frame.count = game.legal_actions(game, state, player, form.legal)
    if has_failed(game):
        return FAILED
    if not push_actions(form, form.legal, weights, frame.count):
        return TOO_MUCH
    if waiting != ACTING_CHANCE:
        for i in range(frame.count):
            legal_key = hash_combine(legal_key, <uint64_t> form.legal[i])
        status = enter_set(form, frame, state, legal_key)
        if status != GOING_ON:
            return status
    form.frames[form.num_frames] = frame[0]
    form.num_frames += 1
    form.num_histories += 1
    return GOING_ON


cdef status_t open_state(form_t *form, frame_t *path) noexcept nogil:
    """Visit the state that stands in the place of the next frame. path: its chance, sequences and keys."""
    cdef char *state = state_of(form, form.num_frames)
    cdef uint32_t acting = form.game.acting(form.game, state)
    if has_failed(form.game):
        return FAILED
    if acting == 0:
        form.num_histories += 1
        return add_end(form, path, state)
    clear_joint(form.joints + form.num_frames * MAX_ENTRIES, MAX_ENTRIES)
    return open_decision(form, path, acting)


cdef status_t explore(form_t *form, int64_t steps) noexcept nogil:
    """Continue the walk for a number of steps."""
    cdef const game_t *game = form.game
    cdef frame_t path
    cdef frame_t *frame
    cdef int32_t action
    cdef int64_t last
    cdef int32_t *joint
    cdef int64_t _
    cdef status_t status
    for _ in range(steps):
        if form.num_frames == 0:
            return DONE
        if not room_for_frame(form):
            return TOO_MUCH
        last = form.num_frames - 1
        frame = &form.frames[last]
        if frame.done == frame.count:
            form.num_actions = frame.actions
            form.num_frames -= 1
            continue
        path = frame[0]
        action = form.actions[frame.actions + frame.done]
        if path.decider == game.num_players:
            path.chance *= form.weights[frame.actions + frame.done]
        else:
            path.sequence[path.decider] = path.first + frame.done
            path.key[path.decider] = hash_combine(path.key[path.decider], <uint64_t> action + 1)
        path.history = extend_history(&form.aim, path.history, action, path.decider == game.num_players)
        frame.done += 1
        copy_state(game, state_of(form, last + 1), state_of(form, last))
        joint = form.joints + (last + 1) * MAX_ENTRIES
        memcpy(joint, joint - MAX_ENTRIES, MAX_ENTRIES * sizeof(int32_t))
        joint[path.decider] = action
        if path.waiting == 0:
            game.apply(game, state_of(form, last + 1), joint)
            status = FAILED if has_failed(game) else open_state(form, &path)
        else:
            status = open_decision(form, &path, path.waiting)
        if status != GOING_ON:
            return status
    return GOING_ON


def why_without_sequence_form(Game game not None):
    """Return why a game has no sequence form, as half a sentence; None if it has one, if it is small enough."""
    if game.table.legal_actions == NULL:
        return "its actions are too many to list"
    return None


@cython.no_gc_clear             # __dealloc__ needs the game, which must outlive the collection of a cycle
cdef class SequenceForm:
    """The information sets of a game and its ends, from a state on.

    With `seen`, only histories that lead to a decision: those in which a player has seen the same as in a game.

    Args:
        game: a game whose actions are listed.
        max_mb: memory limit in megabytes.
        start: first state; None for the initial state.
        seen: keys of what one player saw at its decisions, see `key_of`; the last one is the decision.
        whole: `seen` has all decisions with a choice. Else the player may have made any others before.
        actions: count histories with the same actions of the players too, whatever chance decides.

    Raises:
        TypeError: `why_without_sequence_form` has a reason, or `start` is a state of another game.
    """

    def __cinit__(self, Game game not None, max_mb, State start=None, seen=(), bint whole=True, bint actions=False):
        cdef form_t *form = &self.form
        cdef frame_t path
        cdef int32_t player
        check_sealed(game)
        reason = why_without_sequence_form(game)
        if reason is not None:
            raise TypeError(f"{game.spec} has no sequence form: {reason}")
        if start is not None and not same_game(game, start.game):
            raise TypeError(f"the state is of {start.game.spec}, not of {game.spec}")
        self.game = game
        form.game = &game.table
        form.budget.most = <uint64_t> max_mb << 20
        form.legal = <int32_t *> malloc(max(1, list_size(form.game)) * sizeof(int32_t))
        if form.legal == NULL or not room_for_frame(form):
            raise MemoryError
        for player in range(MAX_PLAYERS):
            form.num_sequences[player] = 1
        self.aim_at(list(seen))
        form.aim.whole, form.aim.actions = whole, actions
        memset(&path, 0, sizeof(path))
        path.chance = 1.0
        if start is None:
            form.game.init(form.game, state_of(form, 0))
            game.reraise()
        else:
            start.copy_to(state_of(form, 0))
        self.status = open_state(form, &path)
        if self.status != TOO_MUCH:  # `key_of` needs no room; `explore` raises
            self.raise_failure()

    def __dealloc__(self):
        cdef form_t *form = &self.form
        free(form.sets)
        free_states(form.game, form.examples, form.num_sets)
        free(form.numbers.slots)
        free(form.ends)
        free(form.returns)
        free(form.frames)
        free_states(form.game, form.states, form.max_states)
        free(form.joints)
        free(form.actions)
        free(form.weights)
        free(form.legal)
        free(form.aim.seen)
        free(form.aim.found.slots)

    cdef int aim_at(self, list seen) except -1:
        cdef aim_t *aim = &self.form.aim
        cdef int32_t i
        if not seen:
            return 0
        aim.seen = <uint64_t *> malloc(len(seen) * sizeof(uint64_t))
        if aim.seen == NULL:
            raise MemoryError
        for i in range(<int32_t> len(seen)):
            aim.player, aim.seen[i] = self.game.read_player(seen[i][0]), seen[i][1]
        aim.count = <int32_t> len(seen)
        return 0

    def explore(self, int64_t steps):
        """Continue the walk over all histories, without the GIL. Return True when it is complete.

        Args:
            steps: how far.

        Raises:
            TooLargeError: the memory limit is reached.
            UnsupportedGameError: a player has different actions in states that look the same to it.
            BusyError: another thread uses the form.
        """
        begin_change(&self.users, "SequenceForm")
        try:
            if self.status == GOING_ON:
                with nogil:
                    self.status = explore(&self.form, steps)
            self.raise_failure()
            return self.status == DONE
        finally:
            end_change(&self.users)

    cdef int raise_failure(self) except -1:
        self.game.reraise()
        if self.status == ACTIONS_DIFFER:
            state = self._example(self.form.different)
            player = self.form.sets[self.form.different].player
            raise UnsupportedGameError(
                f"{self.game.spec} tells {self.game.players[player]} nothing apart between {state.to_text()} and a "
                "state with other legal actions; valid: views that show the legal actions")
        if self.status == TOO_MUCH:
            raise TooLargeError(self.form.num_histories)
        if self.status == FAILED:
            raise RuntimeError(f"the walk over {self.game.spec} has failed before")
        return 0

    cdef int check_done(self) except -1:
        if self.status != DONE:
            raise ValueError("the histories are not all found yet: call explore until it returns True")
        return 0

    @property
    def num_histories(self):
        """Number of histories found so far, ends included; joint actions in the making are histories too."""
        return read_number(&self.users, "SequenceForm", &self.form.num_histories)

    @property
    def num_ends(self):
        """Number of finished games found so far."""
        return read_number(&self.users, "SequenceForm", &self.form.num_ends)

    @property
    def num_sets(self):
        """Number of information sets found so far."""
        return read_number(&self.users, "SequenceForm", &self.form.num_sets)

    @property
    def num_found(self):
        """Number of histories that lead to the decision of `seen`, so far."""
        return read_number(&self.users, "SequenceForm", &self.form.aim.found.count)

    def num_sequences(self, player):
        """Return the number of sequences of a player, the empty one included."""
        return self.form.num_sequences[self.game.read_player(player)]

    def information_sets(self):
        """Return int32 [information sets, 4]: player, last sequence of the player before, first sequence, actions.

        An information set comes before those that follow it.
        """
        import numpy as np

        self.check_done()
        cdef int64_t i
        found = np.empty((self.form.num_sets, 4), np.int32)
        cdef int32_t[:, ::1] out = found
        for i in range(self.form.num_sets):
            out[i, 0] = self.form.sets[i].player
            out[i, 1] = self.form.sets[i].parent
            out[i, 2] = self.form.sets[i].first
            out[i, 3] = self.form.sets[i].count
        return found

    def ends(self):
        """Return the finished games.

        Returns:
            int32 [ends, players], the last sequence of each player; float64 [ends], the probability of the outcomes of
            chance; float64 [ends, players], the returns.
        """
        import numpy as np

        self.check_done()
        cdef int64_t i, player, players = self.form.game.num_players
        sequences = np.empty((self.form.num_ends, players), np.int32)
        chances = np.empty(self.form.num_ends)
        returns = np.empty((self.form.num_ends, players))
        cdef int32_t[:, ::1] of = sequences
        cdef double[::1] chance = chances
        cdef double[:, ::1] value = returns
        for i in range(self.form.num_ends):
            chance[i] = self.form.ends[i].chance
            for player in range(players):
                of[i, player] = self.form.ends[i].sequence[player]
                value[i, player] = self.form.returns[i * players + player]
        return sequences, chances, returns

    def example(self, int64_t number):
        """Return a state of an information set, without history."""
        self.check_done()
        return self._example(number)

    cdef State _example(self, int64_t number):
        if not 0 <= number < self.form.num_sets:
            raise ValueError(f"information set {number}; valid: 0 to {self.form.num_sets - 1}")
        cdef State state = new_state(self.game)
        copy_state(self.form.game, state.data, self.form.examples + number * self.form.game.state_size)
        return state

    def sets_by_view(self):
        """Return (player, key of a view) -> list of the numbers of its information sets; see `key_of`."""
        found = {}
        cdef int64_t i
        self.check_done()
        for i in range(self.form.num_sets):
            found.setdefault((self.form.sets[i].player, self.form.sets[i].view_key), []).append(i)
        return found

    def key_of(self, View view not None):
        """Return the player and the key of a view. Views that show the same have the same key.

        Raises:
            TypeError: the view is of another game.
        """
        cdef State seen = view.redacted()
        if not same_game(self.game, seen.game):
            raise TypeError(f"the view is of {seen.game.spec}, not of {self.game.spec}")
        cdef State scratch = new_state(self.game)
        key = view_key(self.form.game, seen.data, view.player, scratch.data)
        self.game.reraise()
        return view.player, key
