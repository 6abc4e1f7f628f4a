# cython: boundscheck=True, cdivision=False
"""Plays the tables of the games directly, and checks the contract of `cext/game/game_table.pxd` at every state.

Every buffer has exactly the size that the contract gives to it, so AddressSanitizer notices a write past its end.
"""
from libc.math cimport fabs, isfinite
from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcmp, memcpy, memset

from cext.game.game cimport Game, check_sealed
from cext.game.game_table cimport (
    ACTING_CHANCE, MAX_ENTRIES, MAX_JOINT_BYTES, MAX_PLAYERS, MAX_WEIGHT, NO_ACTION, copy_state, equal_states, game_t,
    list_size, num_entries, playout_by_table,
)
from cext.primitives.rng cimport rng_seed, rng_t


cdef class Play:
    """One play of a game, whose choices come from bytes.

    Args:
        game: a game whose states are plain data.
        data: the choices; zeros follow.
    """
    cdef Game game
    cdef const game_t *table
    cdef bytes data
    cdef Py_ssize_t at
    cdef void *state
    cdef void *image                    # scratch memory, as the three below
    cdef void *other
    cdef int32_t *legal                 # [list_size]
    cdef int32_t *legal_of_image        # [list_size]
    cdef float *numbers                 # [encoding_size]

    def __cinit__(self, Game game not None, bytes data not None):
        check_sealed(game)
        self.game, self.table, self.data = game, &game.table, data
        if self.table.copy != NULL:
            raise TypeError(f"the states of {game.spec} refer to objects; valid: a game of plain data")
        self.state = calloc(1, self.table.state_size)
        self.image = calloc(1, self.table.state_size)
        self.other = calloc(1, self.table.state_size)
        self.legal = <int32_t *> malloc(4 * max(1, list_size(self.table)))
        self.legal_of_image = <int32_t *> malloc(4 * max(1, list_size(self.table)))
        self.numbers = <float *> malloc(4 * max(1, self.table.encoding_size))
        if not (self.state and self.image and self.other and self.legal and self.legal_of_image and self.numbers):
            raise MemoryError

    def __dealloc__(self):
        free(self.state)
        free(self.image)
        free(self.other)
        free(self.legal)
        free(self.legal_of_image)
        free(self.numbers)

    cdef uint8_t byte(self) noexcept:
        self.at += 1
        return self.data[self.at - 1] if self.at <= len(self.data) else 0

    cdef bint has_more(self):
        return self.at < len(self.data)

    cdef int check(self, bint holds, str rule) except -1:
        if not holds:
            raise AssertionError(f"{self.game.spec}, byte {self.at}: {rule}")
        return 0

    def run(self):
        """Play until the game or the bytes end. Raises AssertionError where the table breaks its contract.

        Returns:
            The number of joint actions.
        """
        cdef char joint[MAX_JOINT_BYTES]
        cdef int steps = 0
        self.table.init(self.table, self.state)
        while True:
            self.check_state()
            if not self.has_more() or not self.table.acting(self.table, self.state):
                self.check_playout(self.byte())
                return steps
            self.choose(joint)
            self.check_step(joint)
            self.table.apply(self.table, self.state, joint)
            steps += 1

    cdef int choose(self, void *joint) except -1:
        """Write a legal joint action, or an outcome of chance."""
        cdef uint32_t acting = self.table.acting(self.table, self.state)
        cdef int32_t player, count
        cdef char *place
        cdef rng_t rng
        if self.table.num_outcomes:
            (<int32_t *> joint)[self.table.num_players] = NO_ACTION
        if acting == ACTING_CHANCE:
            count = self.table.chance_outcomes(self.table, self.state, self.legal,
                                               self.legal + self.table.num_outcomes)
            (<int32_t *> joint)[self.table.num_players] = self.legal[(self.byte() | self.byte() << 8) % count]
        for player in range(self.table.num_players):
            place = <char *> joint + player * self.table.action_size
            if not (acting >> player) & 1:
                memset(place, 0xFF, self.table.action_size)
            elif self.table.legal_actions != NULL:
                count = self.table.legal_actions(self.table, self.state, player, self.legal)
                (<int32_t *> place)[0] = self.legal[(self.byte() | self.byte() << 8) % count]
            else:
                self.choose_packed(player, place)
        return 0

    cdef int choose_packed(self, int32_t player, char *place) except -1:
        """Write a legal packed action: the sampled one, or one with some other bytes if that is legal too."""
        cdef rng_t rng
        cdef int changes = self.byte() % 8, i, where
        cdef char sampled[MAX_JOINT_BYTES]
        rng_seed(&rng, self.byte())
        self.table.sample_action(self.table, self.state, player, &rng, sampled)
        memcpy(place, sampled, self.table.action_size)
        self.check(self.table.is_legal(self.table, self.state, player, place), "a sampled action is not legal")
        for i in range(changes):
            where = self.byte() % self.table.action_size
            place[where] = <char> self.byte()
        if not self.table.is_legal(self.table, self.state, player, place):
            memcpy(place, sampled, self.table.action_size)
        return 0

    cdef int check_state(self) except -1:
        cdef const game_t *table = self.table
        cdef uint32_t acting = table.acting(table, self.state)
        cdef int32_t player, i
        cdef uint64_t hashed = table.hash(table, self.state)
        if acting == ACTING_CHANCE:
            self.check_outcomes()
        else:
            self.check(acting >> table.num_players == 0, "a player acts who does not exist")
        memcpy(self.image, self.state, table.state_size)
        self.check(table.hash(table, self.image) == hashed, "equal states have different hashes")
        for player in range(table.num_players):
            if (acting >> player) & 1 and table.legal_actions != NULL:
                self.check_legal(player)
            if table.redact != NULL:
                self.check_hidden(player)
        if table.encode != NULL:
            table.encode(table, self.state, self.numbers)
            for i in range(table.encoding_size):
                self.check(isfinite(self.numbers[i]), "an encoded number is not finite")
        if table.num_symmetries:
            self.check_symmetries(acting)
        if table.reduce != NULL:
            self.check_reduced(acting)
        if not acting:
            self.check_returns()
        return 0

    cdef int check_outcomes(self) except -1:
        """Outcomes ascend and exist, with positive weights of a sum that is not too large."""
        cdef const game_t *table = self.table
        cdef int32_t *weights = self.legal + table.num_outcomes
        cdef int32_t i, count
        cdef uint64_t total = 0
        self.check(table.num_outcomes > 0, "chance decides in a game without outcomes")
        count = table.chance_outcomes(table, self.state, self.legal, weights)
        self.check(1 <= count <= table.num_outcomes, "chance has no or too many outcomes")
        for i in range(count):
            self.check(0 <= self.legal[i] < table.num_outcomes, "an outcome does not exist")
            self.check(i == 0 or self.legal[i - 1] < self.legal[i], "outcomes do not ascend")
            self.check(weights[i] > 0, "a weight is not positive")
            total += <uint64_t> weights[i]
        self.check(total <= MAX_WEIGHT, "the sum of the weights is too large")
        return 0

    cdef int check_legal(self, int32_t player) except -1:
        """Legal actions ascend, exist, and are exactly those that `is_legal` accepts."""
        cdef const game_t *table = self.table
        cdef int32_t count = table.legal_actions(table, self.state, player, self.legal)
        cdef int32_t action, i = 0
        self.check(1 <= count <= table.max_legal, "an acting player has no or too many legal actions")
        for action in range(-2, table.num_actions + 2):
            if i < count and self.legal[i] == action:
                self.check(0 <= action < table.num_actions, "a legal action does not exist")
                self.check(table.is_legal(table, self.state, player, &action), "is_legal refuses a legal action")
                i += 1
            else:
                self.check(not table.is_legal(table, self.state, player, &action), "is_legal accepts another action")
        self.check(i == count, "legal actions do not ascend")
        for action in (<int32_t> -2147483648, <int32_t> 2147483647):
            self.check(not table.is_legal(table, self.state, player, &action), "is_legal accepts an extreme number")
        return 0

    cdef int check_hidden(self, int32_t player) except -1:
        """A completed view looks the same to the player as the state."""
        cdef const game_t *table = self.table
        cdef uint64_t told = 0
        cdef rng_t rng
        rng_seed(&rng, self.at)
        memcpy(self.image, self.state, table.state_size)
        table.redact(table, self.image, player)
        if table.info_hash != NULL:
            told = table.info_hash(table, self.state, player)
            self.check(table.info_hash(table, self.image, player) == told, "redact changes what a player knows")
        memcpy(self.other, self.image, table.state_size)
        table.resample(table, self.other, player, &rng)
        self.check(table.acting(table, self.other) == table.acting(table, self.state), "resample changes who acts")
        if table.info_hash != NULL:
            self.check(table.info_hash(table, self.other, player) == told, "resample changes what a player knows")
        table.redact(table, self.other, player)
        self.check(memcmp(self.other, self.image, table.state_size) == 0, "resample changes what a player sees")
        return 0

    cdef int check_symmetries(self, uint32_t acting) except -1:
        """Images have the same players to act, the images of the legal actions, and one representative."""
        cdef const game_t *table = self.table
        cdef int32_t symmetry, player, count, i, j, mapped, chosen
        memcpy(self.other, self.state, table.state_size)
        chosen = table.canonical(table, self.other)
        self.check(0 <= chosen < table.num_symmetries, "canonical returns a symmetry that does not exist")
        memcpy(self.image, self.state, table.state_size)
        table.transform(table, self.image, chosen)
        self.check(memcmp(self.image, self.other, table.state_size) == 0, "canonical returns another symmetry")
        for symmetry in range(table.num_symmetries):
            memcpy(self.image, self.state, table.state_size)
            table.transform(table, self.image, symmetry)
            if symmetry == 0:
                self.check(memcmp(self.image, self.state, table.state_size) == 0, "symmetry 0 changes a state")
            self.check(table.acting(table, self.image) == acting, "a symmetry changes who acts")
            if acting == ACTING_CHANCE:
                self.check_image_outcomes()
            for player in range(table.num_players):
                if not (acting >> player) & 1 or table.legal_actions == NULL:
                    continue
                count = table.legal_actions(table, self.state, player, self.legal)
                self.check(table.legal_actions(table, self.image, player, self.legal_of_image) == count,
                           "an image has another number of legal actions")
                for i in range(count):
                    mapped = table.transform_action(table, symmetry, player, self.legal[i])
                    self.check(table.is_legal(table, self.image, player, &mapped), "the image of an action is illegal")
                    for j in range(i):
                        self.check(table.transform_action(table, symmetry, player, self.legal[j]) != mapped,
                                   "two actions have one image")
            table.canonical(table, self.image)
            self.check(memcmp(self.image, self.other, table.state_size) == 0, "images have different representatives")
        return 0

    cdef int check_image_outcomes(self) except -1:
        """An image has the outcomes and weights of the state."""
        cdef const game_t *table = self.table
        cdef int32_t *weights = self.legal + table.num_outcomes
        cdef int32_t *image_weights = self.legal_of_image + table.num_outcomes
        cdef int32_t count = table.chance_outcomes(table, self.state, self.legal, weights)
        self.check(table.chance_outcomes(table, self.image, self.legal_of_image, image_weights) == count
                   and memcmp(self.legal, self.legal_of_image, 4 * count) == 0
                   and memcmp(weights, image_weights, 4 * count) == 0, "a symmetry changes outcomes")
        return 0

    cdef int check_step(self, const void *joint) except -1:
        """The image of the next state is the next state of the image, by the image of the joint action."""
        cdef const game_t *table = self.table
        cdef int32_t mapped[MAX_ENTRIES]
        cdef int32_t symmetry, player, action
        if not table.num_symmetries or table.action_size != 4:
            return 0
        symmetry = self.byte() % table.num_symmetries
        memcpy(self.image, self.state, table.state_size)
        table.apply(table, self.image, joint)
        table.transform(table, self.image, symmetry)
        memcpy(self.other, self.state, table.state_size)
        table.transform(table, self.other, symmetry)
        for player in range(num_entries(table)):
            action = (<const int32_t *> joint)[player]
            mapped[player] = action
            if action != NO_ACTION and player < table.num_players:      # symmetries keep outcomes
                mapped[player] = table.transform_action(table, symmetry, player, action)
        table.apply(table, self.other, mapped)
        self.check(memcmp(self.image, self.other, table.state_size) == 0, "a symmetry does not commute with apply")
        return 0

    cdef int check_reduced(self, uint32_t acting) except -1:
        """A reduced state plays as before, and its returns differ by the offset."""
        cdef const game_t *table = self.table
        cdef double offset[MAX_PLAYERS]
        cdef double whole[MAX_PLAYERS]
        cdef double rest[MAX_PLAYERS]
        cdef rng_t one, two
        cdef int32_t player
        memset(offset, 0, sizeof(offset))
        memcpy(self.image, self.state, table.state_size)
        if not table.reduce(table, self.image, offset):
            self.check(memcmp(self.image, self.state, table.state_size) == 0, "reduce changes a state it cannot reduce")
            return 0
        self.check(table.acting(table, self.image) == acting, "reduce changes who acts")
        rng_seed(&one, self.at)
        rng_seed(&two, self.at)
        memcpy(self.other, self.state, table.state_size)
        playout_by_table(table, self.other, &one, self.legal, whole)
        playout_by_table(table, self.image, &two, self.legal, rest)
        for player in range(table.num_players):
            self.check(whole[player] == rest[player] + offset[player], "reduce changes returns by another constant")
        return 0

    cdef int check_playout(self, uint64_t seed) except -1:
        """The game's own playout draws and returns what its table does."""
        cdef const game_t *table = self.table
        cdef double fused[MAX_PLAYERS]
        cdef double plain[MAX_PLAYERS]
        cdef rng_t one, two
        cdef int32_t player
        if table.playout == NULL:
            return 0
        rng_seed(&one, seed)
        rng_seed(&two, seed)
        memcpy(self.image, self.state, table.state_size)
        memcpy(self.other, self.state, table.state_size)
        table.playout(table, self.image, &one, NULL, NULL, fused)
        playout_by_table(table, self.other, &two, self.legal, plain)
        self.check(memcmp(&one, &two, sizeof(rng_t)) == 0, "a playout draws other numbers than the table")
        for player in range(table.num_players):
            self.check(fused[player] == plain[player], "a playout returns something other than the table")
        return 0

    cdef int check_returns(self) except -1:
        cdef const game_t *table = self.table
        cdef double out[MAX_PLAYERS]
        cdef double total = 0.0
        cdef int32_t player
        table.returns(table, self.state, out)
        for player in range(table.num_players):
            self.check(table.min_utility <= out[player] <= table.max_utility, "a return is out of range")
            total += out[player]
        if table.utility_is_constant:
            self.check(fabs(total - self.game.utility_sum) < 1e-9, "the sum of returns is another")
        return 0
