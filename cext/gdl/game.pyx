"""A game whose rules are a propositional network."""
import re

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

from ..game.game cimport Game
from ..game.game_table cimport (
    MOST_FOLLOWERS, NO_ACTION, RETURN_UNIT, game_t, lanes_t, put_encoding, put_rules, put_symmetries,
)
from ..primitives.bits cimport hash_combine, lowest64
from ..primitives.clock cimport playout_seconds
from ..primitives.rng cimport rng_seed, rng_t
from .followers cimport follow_each, followers_bytes, store_returns
from .images cimport Images, canonical, make_images, transform, transform_action
from .library cimport Library
from .network cimport (MAX_ROLES, NO_MOVE, STEPS, count_legal, draw_moves, find_acting, has_stopped, head_t,
                       is_compiled, lay_out, legal_move, load_facts, network_t, play_t, score, step, step_at_random,
                       write_facts)
from .network_arrays cimport NetworkArrays
from .wide_games cimport play_leaves, play_wide, wide_bytes

from ..arguments import shown
from ..errors import StateError

cdef extern from "primitives/spin_lock.h" nogil:
    int exchange_acquire "playout_exchange_acquire"(int *place, int value) noexcept
    void store_release "playout_store_release"(int *place, int value) noexcept

cdef enum:
    STEP_GATES = 30             # of a pass over a network, in the time of a compiled step
    TIMED_ROUNDS = 5            # of random games by which the speed of a library is judged
    TIMED_GAMES = 4
    SMALL_PLAY = 32768          # bytes of a play that stands on the stack
    MOST_COMPILED_WORDS = 4096  # of a state whose network is compiled
    MOST_WIDE_BYTES = 1 << 27   # of the memory for games side by side


cdef inline const network_t *network_of(const game_t *game) noexcept nogil:
    return <const network_t *> game.rules


cdef inline uint64_t *facts_of(void *data) noexcept nogil:
    return <uint64_t *> (<char *> data + sizeof(head_t))


cdef inline const uint64_t *legal_of(const network_t *net, const void *data) noexcept nogil:
    return <const uint64_t *> (<const char *> data + sizeof(head_t)) + net.fact_words


cdef void store(const network_t *net, play_t *play, uint32_t ply, void *data) noexcept nogil:
    """Write the state of a play. A state at the end has returns in the place of its legal moves."""
    cdef head_t *head = <head_t *> data
    cdef uint64_t *facts = facts_of(data)
    cdef int32_t counts[MAX_ROLES]
    cdef double out[MAX_ROLES]
    head.ply = ply
    write_facts(net, play, facts)
    if has_stopped(net, play, ply):
        head.acting = 0
    else:
        head.acting = find_acting(net, play.out, counts)
        memcpy(facts + net.fact_words, play.out, 8 * net.legal_words)
    if head.acting == 0:
        score(net, play, out)
        store_returns(net, out, data)


cdef inline char *borrow(const network_t *net, char *small) noexcept nogil:
    """Return the memory of a play at some state: the one that was used last, or another if a thread uses that.

    A search and its playouts go from state to state, so the last play is mostly a few facts away.
    """
    cdef char *memory
    if exchange_acquire(net.spare_taken, 1) == 0:
        return net.spare
    memory = small if net.play_size <= SMALL_PLAY else <char *> malloc(net.play_size)
    if memory != NULL:
        memcpy(memory, net.first, net.play_size)
    return memory


cdef inline void give_back(const network_t *net, char *memory, char *small) noexcept nogil:
    if memory == net.spare:
        store_release(net.spare_taken, 0)
    elif memory != small:
        free(memory)


cdef void init(const game_t *game, void *data) noexcept nogil:
    cdef const network_t *net = network_of(game)
    cdef play_t play
    lay_out(net, <char *> net.first, &play)
    store(net, &play, 0, data)


cdef uint32_t acting(const game_t *game, const void *data) noexcept nogil:
    return (<const head_t *> data).acting


cdef int32_t legal_actions(const game_t *game, const void *data, int32_t player, int32_t *out) noexcept nogil:
    cdef const network_t *net = network_of(game)
    cdef const uint64_t *legal = legal_of(net, data)
    cdef uint64_t bits
    cdef int32_t word, count = 0
    for word in range(net.role_word[player], net.role_word[player + 1]):
        bits = legal[word]
        while bits:
            out[count] = 64 * (word - net.role_word[player]) + lowest64(bits)
            count += 1
            bits &= bits - 1
    return count


cdef bint is_legal(const game_t *game, const void *data, int32_t player, const void *action) noexcept nogil:
    cdef const network_t *net = network_of(game)
    cdef int32_t move = (<const int32_t *> action)[0]
    if not 0 <= move < net.role_node[player + 1] - net.role_node[player]:
        return False
    return legal_of(net, data)[net.role_word[player] + (move >> 6)] >> (move & 63) & 1


cdef inline void complete(const network_t *net, const uint64_t *legal, const int32_t *joint,
                          int32_t *moves) noexcept nogil:
    """Write the move of each role: its action, or for a role that does not act its only legal move, if it has one."""
    cdef int32_t role
    for role in range(net.num_roles):
        moves[role] = joint[role]
        if moves[role] == NO_ACTION:
            moves[role] = legal_move(net, legal, role, 0) if count_legal(net, legal, role) else NO_MOVE


cdef inline void apply_compiled(const network_t *net, void *data, const int32_t *moves) noexcept nogil:
    cdef head_t *head = <head_t *> data
    cdef uint64_t *words = facts_of(data)
    cdef int32_t counts[MAX_ROLES]
    cdef double out[MAX_ROLES]
    head.ply += 1
    head.acting = 0
    if not net.compiled.step(words, moves) and head.ply < <uint32_t> net.max_steps:
        head.acting = find_acting(net, words + net.fact_words, counts)
    if head.acting == 0:
        net.compiled.returns(words, out)
        store_returns(net, out, data)


cdef void apply(const game_t *game, void *data, const void *joint) noexcept nogil:
    cdef const network_t *net = network_of(game)
    cdef char small[SMALL_PLAY]
    cdef int32_t moves[MAX_ROLES]
    cdef double nothing[MAX_ROLES]
    cdef int32_t role
    cdef play_t play
    cdef char *memory
    complete(net, legal_of(net, data), <const int32_t *> joint, moves)
    if is_compiled(net):
        apply_compiled(net, data, moves)
        return
    memory = borrow(net, small)
    if memory == NULL:                  # no memory: the game ends here
        for role in range(net.num_roles):
            nothing[role] = 0.0
        store_returns(net, nothing, data)
        return
    load_facts(net, memory, &play, facts_of(data))
    step(net, &play, moves)
    store(net, &play, (<head_t *> data).ply + 1, data)
    give_back(net, memory, small)


cdef void apply_each(const game_t *game, const void *data, const int32_t *joint, int32_t count, void *memory,
                     void *followers) noexcept nogil:
    cdef const network_t *net = network_of(game)
    cdef int32_t moves[MOST_FOLLOWERS * MAX_ROLES]
    cdef int32_t i
    cdef char *after = <char *> followers
    for i in range(count):
        complete(net, legal_of(net, data), joint + i * net.num_roles, moves + i * net.num_roles)
    if is_compiled(net) and count * STEP_GATES < net.num_gates:
        for i in range(count):
            memcpy(after + i * game.state_size, data, game.state_size)
            apply_compiled(net, after + i * game.state_size, moves + i * net.num_roles)
        return
    follow_each(net, data, moves, count, memory, <char *> followers, game.state_size)


cdef void returns(const game_t *game, const void *data, double *out) noexcept nogil:
    cdef const network_t *net = network_of(game)
    cdef int32_t role
    for role in range(net.num_roles):
        memcpy(&out[role], legal_of(net, data) + net.role_word[role], 8)


cdef inline void playout_compiled(const network_t *net, const void *data, rng_t *rng, double *out) noexcept nogil:
    cdef uint64_t words[MOST_COMPILED_WORDS]
    cdef int32_t moves[MAX_ROLES]
    cdef uint32_t ply = (<const head_t *> data).ply
    memcpy(words, facts_of(<void *> data), 8 * (<size_t> net.fact_words + net.legal_words))
    while ply < <uint32_t> net.max_steps and draw_moves(net, words + net.fact_words, rng, moves):
        if net.compiled.step(words, moves):
            break
        ply += 1
    net.compiled.returns(words, out)


cdef void playout(const game_t *game, void *data, rng_t *rng, uint64_t *played, double *out) noexcept nogil:
    """Play at random to the end. The state is left as it was."""
    cdef const network_t *net = network_of(game)
    cdef char small[SMALL_PLAY]
    cdef play_t play
    cdef int32_t role
    cdef uint32_t ply = (<head_t *> data).ply
    cdef rng_t local = rng[0]
    cdef char *memory
    if (<head_t *> data).acting == 0:
        returns(game, data, out)
        return
    if is_compiled(net):
        playout_compiled(net, data, &local, out)
        rng[0] = local
        return
    memory = borrow(net, small)
    if memory == NULL:
        for role in range(net.num_roles):
            out[role] = 0.0
        return
    load_facts(net, memory, &play, facts_of(data))
    while not has_stopped(net, &play, ply) and step_at_random(net, &play, &local):
        ply += 1
    score(net, &play, out)
    rng[0] = local
    give_back(net, memory, small)


cdef void playout_lanes(const game_t *game, const void *start, uint64_t seed, int64_t count,
                        int64_t *sums) noexcept nogil:
    """Play 512 games at a time; one after the other without memory for that."""
    cdef const network_t *net = network_of(game)
    cdef double out[MAX_ROLES]
    cdef rng_t rng
    cdef int64_t _
    cdef int32_t role
    if play_wide(net, facts_of(<void *> start), (<const head_t *> start).ply, seed, count, sums):
        return
    rng_seed(&rng, seed)
    for _ in range(count):
        playout(game, <void *> start, &rng, NULL, out)
        for role in range(net.num_roles):
            sums[role] += <int64_t> (out[role] * RETURN_UNIT)


cdef bint playout_leaves(const game_t *game, const void *states, int32_t count, int32_t each, uint64_t seed,
                         void *memory, double deadline, const int *stop, lanes_t *out) noexcept nogil:
    return play_leaves(network_of(game), <const char *> states, game.state_size, count, each, seed, memory, deadline,
                       stop, out)


cdef uint64_t hash(const game_t *game, const void *data) noexcept nogil:
    cdef const network_t *net = network_of(game)
    cdef const uint64_t *words = <const uint64_t *> data
    cdef uint64_t result = 0
    cdef int32_t i
    for i in range(1 + net.fact_words):
        result = hash_combine(result, words[i])
    return result


cdef void encode(const game_t *game, const void *data, float *out) noexcept nogil:
    cdef const uint64_t *facts = facts_of(<void *> data)
    cdef int32_t whole = game.encoding_size & ~31
    cdef int32_t i, begin
    cdef uint32_t half
    for begin in range(0, whole, 32):       # the compiler makes vectors of 32
        half = <uint32_t> (facts[begin >> 6] >> (begin & 63))
        for i in range(32):
            out[begin + i] = <float> <int32_t> (half >> i & 1)
    for i in range(whole, game.encoding_size):
        out[i] = <float> <int32_t> (facts[i >> 6] >> (i & 63) & 1)


cdef double seconds_of_games(const game_t *game, void *state) noexcept nogil:
    """Return the time of some random games from a state."""
    cdef double out[MAX_ROLES]
    cdef double begin = playout_seconds()
    cdef rng_t rng
    cdef int32_t _
    rng_seed(&rng, 1)
    for _ in range(TIMED_GAMES):
        playout(game, state, &rng, NULL, out)
    return playout_seconds() - begin


cdef class NetworkGame(Game):
    """A game that a network defines: see `mcts.gdl.network.Network`.

    Args:
        info: the description of the game.
        given: the parameters, as `Game` takes them.
        network: the network.
        max_steps: steps after which a game ends in any case.
    """

    cdef NetworkArrays arrays
    cdef Images images
    cdef const network_t *net
    cdef object facts           # texts of the fluents, in order
    cdef dict fact_numbers
    cdef Library library        # machine code of the network, or None
    cdef list texts             # of the moves of each role
    cdef list move_numbers

    def __init__(self, info, given, network, int max_steps):
        Game.__init__(self, info, given)
        self.arrays = NetworkArrays(network, max_steps)
        self.net = &self.arrays.net
        self.facts = tuple(network.fluents)
        self.fact_numbers = {text: number for number, text in enumerate(self.facts)}
        self.texts = [["noop()" if text == "noop" else text for text in moves] for moves in network.moves]
        self.move_numbers = [{text: number for number, text in enumerate(moves)} for moves in self.texts]
        if len(self.fact_numbers) != len(self.facts) or any(
                [len(numbers) != len(moves) for numbers, moves in zip(self.move_numbers, self.texts)]):
            raise ValueError("two fluents or two moves of a role have the same text")
        self.table.rules = self.net
        self.table.state_size = sizeof(head_t) + 8 * (self.net.fact_words + self.net.legal_words)
        self.table.num_actions = self.table.max_legal = max([len(moves) for moves in self.texts])
        self.table.utility_is_constant = self.net.constant_sum
        put_rules(&self.table, init, acting, legal_actions, is_legal, apply, returns, hash)
        self.table.playout = playout
        self.table.apply_each = apply_each
        self.table.followers_memory = followers_bytes(self.net)
        if wide_bytes(self.net) <= MOST_WIDE_BYTES:
            self.table.playout_lanes = playout_lanes
            self.table.playout_leaves = playout_leaves
            self.table.leaves_memory = wide_bytes(self.net)
        if self.net.num_fluents:
            put_encoding(&self.table, self.net.num_fluents, encode)
        self.images = make_images(self.net, network.symmetries)
        self.arrays.net.images = &self.images.table
        if self.images.table.count > 1:
            put_symmetries(&self.table, self.images.table.count, transform, transform_action, canonical)
        self.seal()

    @property
    def is_compiled(self):
        """True if machine code of a library plays steps, or games side by side, or both."""
        return self.library is not None

    @property
    def node_numbers(self):
        """Number of each node of the network in the order in which this game computes the gates."""
        return list(self.arrays.numbers)

    def gains_from(self, path):
        """Return False if a library has steps with which random games are slower than without.

        Raises:
            OSError: the file cannot be loaded.
        """
        cdef Library library = Library(path)
        cdef network_t net = self.net[0]
        cdef game_t table = self.table
        cdef bytearray memory = bytearray(table.state_size)
        cdef char *state = memory
        cdef double plain = 1e9, compiled = 1e9
        cdef int32_t _
        if not library.code.loaded & STEPS:
            return True
        table.rules = &net
        init(&table, state)
        with nogil:
            for _ in range(TIMED_ROUNDS):
                net.compiled.loaded = 0
                plain = min(plain, seconds_of_games(&table, state))
                net.compiled = library.code
                compiled = min(compiled, seconds_of_games(&table, state))
        return compiled < plain

    def use_library(self, path):
        """Step with the machine code of a shared library, made of the C code of `mcts.gdl.c_code` for this game.

        Raises:
            OSError: the file cannot be loaded, or a game uses a library already.
        """
        cdef Library library
        if self.library is not None or self.net.fact_words + self.net.legal_words > MOST_COMPILED_WORDS:
            raise OSError(f"{self.spec} cannot use the library {path}")
        library = Library(path)
        library.connect(&self.arrays.net.compiled)
        self.library = library

    cdef dict state_dict(self, const void *data):
        cdef const uint64_t *facts = facts_of(<void *> data)
        cdef int32_t i
        found = [self.facts[i] for i in range(self.net.num_fluents) if facts[i >> 6] >> (i & 63) & 1]
        return {"step": (<const head_t *> data).ply, "facts": found}

    cdef int fill_state(self, void *data, dict given) except -1:
        """Write a state from its facts. Facts that no play can make true together are not all recognised."""
        cdef uint64_t *facts = facts_of(data)
        cdef play_t play
        cdef int32_t number
        cdef bytearray memory
        if set(given) != {"step", "facts"}:
            raise StateError(f"a state has the keys {shown(list(given))}; valid: step, facts")
        ply, texts = given["step"], given["facts"]
        if type(ply) is not int or not 0 <= ply <= self.net.max_steps:
            raise StateError(f"'step' is {shown(ply)}; valid: 0 to {self.net.max_steps}")
        if not isinstance(texts, list):
            raise StateError(f"'facts' is {shown(texts)}; valid: a list of facts")
        for text in texts:
            if not isinstance(text, str) or text not in self.fact_numbers:
                raise StateError(f"{shown(text)} is not a fact of {self.spec}; valid: facts such as "
                                 f"{', '.join(self.facts[:3])}")
            number = self.fact_numbers[text]
            if facts[number >> 6] >> (number & 63) & 1:
                raise StateError(f"the fact {text} is given twice")
            facts[number >> 6] |= <uint64_t> 1 << (number & 63)
        memory = bytearray(self.net.play_size)
        memcpy(<char *> memory, self.net.first, self.net.play_size)
        load_facts(self.net, <char *> memory, &play, facts)
        store(self.net, &play, ply, data)
        return 0

    cdef str draw_state(self, const void *data):
        return self.describe(self.state_dict(data))

    def describe(self, dict given):
        """Return a state as text, of its dict: one line for each functor with the arguments of the facts, in order."""
        lines = {}
        for text in given["facts"]:
            name, _, inside = text.partition("(")
            lines.setdefault(name, []).append(inside[:-1] if inside else "")
        return "\n".join([f"step {given['step']}"]
                         + [f"{name}: {'  '.join(found)}" if any(found) else name for name, found in lines.items()])

    cdef str action_text(self, const void *data, int player, const void *action):
        cdef int32_t move = (<const int32_t *> action)[0]
        texts = self.texts[player]
        return texts[move] if move < len(texts) else f"move({move})"

    cdef int parse_action(self, const void *data, int player, str text, void *action) except -1:
        number = self.move_numbers[player].get(text)
        if number is None:
            match = re.fullmatch(r"move\((0|[1-9][0-9]{0,4})\)", text)
            if match is None or not len(self.texts[player]) <= int(match[1]) < self.table.num_actions:
                few = ", ".join(self.texts[player][:3])
                self.refuse_text(text, f"the moves of {self.players[player]}, such as {few}")
            number = int(match[1])
        (<int32_t *> action)[0] = number
        return 0
