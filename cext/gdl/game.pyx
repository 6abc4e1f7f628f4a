"""A game whose rules are a propositional network."""
import re

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

from ..bits cimport hash_combine, lowest64
from ..game cimport Game
from ..game_table cimport MAX_ACTIONS, MOST_FOLLOWERS, NO_ACTION, RETURN_UNIT, game_t, lanes_t
from ..rng cimport rng_below, rng_seed, rng_t
from .followers cimport follow_each, followers_bytes, store_returns
from .gate_order cimport order_gates
from .network cimport (MAX_ROLES, NO_MOVE, count_legal, find_acting, gather, head_t, is_over, lay_out, legal_move,
                       load_facts, network_t, play_t, run_t, score, span_t, step)
from .whole cimport OUT_OF_MEMORY, compare_games, compared_t
from .wide_games cimport play_leaves, play_wide, wide_bytes

from ..arguments import shown
from ..errors import StateError

cdef extern from "spin_lock.h" nogil:
    int exchange_acquire "playout_exchange_acquire"(int *place, int value) noexcept
    void store_release "playout_store_release"(int *place, int value) noexcept

cdef enum:
    SMALL_PLAY = 32768          # bytes of a play that stands on the stack
    MOST_NODES = 1 << 24
    MOST_WIDE_BYTES = 1 << 27   # of the memory for games side by side
    NO_PLACE = -1
    LEAST_READERS = 8           # of a node that is left out of counts
    MEASURED_STEPS = 1000       # in which changes of nodes are counted, of at most so many values
    MEASURED_VALUES = 1 << 24


DIFFERENCES = ("nothing", "the legal moves", "the ends", "the facts", "the returns")


cdef inline const network_t *network_of(const game_t *game) noexcept nogil:
    return <const network_t *> game.rules


cdef inline uint64_t *facts_of(void *data) noexcept nogil:
    return <uint64_t *> (<char *> data + sizeof(head_t))


cdef inline const uint64_t *legal_of(const network_t *net, const void *data) noexcept nogil:
    return <const uint64_t *> (<const char *> data + sizeof(head_t)) + net.fact_words


cdef inline bint has_stopped(const network_t *net, const play_t *play, uint32_t ply) noexcept nogil:
    return is_over(net, play) or ply >= <uint32_t> net.max_steps


cdef void store(const network_t *net, play_t *play, uint32_t ply, void *data) noexcept nogil:
    """Write the state of a play. A state at the end has returns in the place of its legal moves."""
    cdef head_t *head = <head_t *> data
    cdef uint64_t *facts = facts_of(data)
    cdef int32_t counts[MAX_ROLES]
    cdef double out[MAX_ROLES]
    cdef int32_t i
    head.ply = ply
    for i in range(net.fact_words):
        facts[i] = gather(play.value + 1 + 64 * i, min(64, net.num_fluents - 64 * i))
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


cdef void apply(const game_t *game, void *data, const void *joint) noexcept nogil:
    cdef const network_t *net = network_of(game)
    cdef char small[SMALL_PLAY]
    cdef int32_t moves[MAX_ROLES]
    cdef double nothing[MAX_ROLES]
    cdef int32_t role
    cdef play_t play
    cdef char *memory = borrow(net, small)
    if memory == NULL:                  # no memory: the game ends here
        for role in range(net.num_roles):
            nothing[role] = 0.0
        store_returns(net, nothing, data)
        return
    complete(net, legal_of(net, data), <const int32_t *> joint, moves)
    load_facts(net, memory, &play, facts_of(data))
    step(net, &play, moves)
    store(net, &play, (<head_t *> data).ply + 1, data)
    give_back(net, memory, small)


cdef void apply_each(const game_t *game, const void *data, const int32_t *joint, int32_t count, void *memory,
                     void *followers) noexcept nogil:
    cdef const network_t *net = network_of(game)
    cdef int32_t moves[MOST_FOLLOWERS * MAX_ROLES]
    cdef int32_t i
    for i in range(count):
        complete(net, legal_of(net, data), joint + i * net.num_roles, moves + i * net.num_roles)
    follow_each(net, data, moves, count, memory, <char *> followers, game.state_size)


cdef void returns(const game_t *game, const void *data, double *out) noexcept nogil:
    cdef const network_t *net = network_of(game)
    cdef int32_t role
    for role in range(net.num_roles):
        memcpy(&out[role], legal_of(net, data) + net.role_word[role], 8)


cdef inline bint step_at_random(const network_t *net, play_t *play, rng_t *rng) noexcept nogil:
    """Play a random move of each role; return False if no role has one."""
    cdef int32_t moves[MAX_ROLES]
    cdef int32_t counts[MAX_ROLES]
    cdef int32_t role
    cdef uint32_t mask = find_acting(net, play.out, counts)
    if mask == 0:
        return False
    for role in range(net.num_roles):
        if mask >> role & 1:
            moves[role] = legal_move(net, play.out, role, rng_below(rng, <uint32_t> counts[role]))
        else:
            moves[role] = legal_move(net, play.out, role, 0) if counts[role] else NO_MOVE
    step(net, play, moves)
    return True


cdef void playout(const game_t *game, void *data, rng_t *rng, double *out) noexcept nogil:
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
    """Play 512 games at a time; one after the other if there is no memory for that."""
    cdef const network_t *net = network_of(game)
    cdef double out[MAX_ROLES]
    cdef rng_t rng
    cdef int64_t _
    cdef int32_t role
    if play_wide(net, facts_of(<void *> start), (<const head_t *> start).ply, seed, count, sums):
        return
    rng_seed(&rng, seed)
    for _ in range(count):
        playout(game, <void *> start, &rng, out)
        for role in range(net.num_roles):
            sums[role] += <int64_t> (out[role] * RETURN_UNIT)


cdef void playout_leaves(const game_t *game, const void *states, int32_t count, int32_t each, uint64_t seed,
                         void *memory, lanes_t *out) noexcept nogil:
    play_leaves(network_of(game), <const char *> states, game.state_size, count, each, seed, memory, out)


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
    cdef int32_t i
    for i in range(game.encoding_size):
        out[i] = <float> (facts[i >> 6] >> (i & 63) & 1)


cdef int32_t *copied(object numbers, list owned) except NULL:
    """Return an array of numbers that lives as long as `owned`."""
    cdef bytearray memory = bytearray(4 * (len(numbers) + 1))
    cdef int32_t *out = <int32_t *> <char *> memory
    cdef Py_ssize_t i = 0
    for number in numbers:
        if i == len(memory) // 4 - 1:
            raise ValueError("an array grew while it was read")
        out[i] = number
        i += 1
    owned.append(memory)
    return out


cdef void *zeros(size_t size, list owned) except NULL:
    """Return memory, filled with 0, that lives as long as `owned`."""
    cdef bytearray memory = bytearray(size + 1)
    owned.append(memory)
    return <char *> memory


def _check_literals(what, literals, nodes):
    if len(literals) and not (0 <= min(literals) and max(literals) < 2 * nodes):
        raise ValueError(f"{what} has a literal of a node that does not exist; valid: 0 to {2 * nodes - 1}")


cdef class NetworkGame(Game):
    """A game that a network defines: see `mcts.gdl.network.Network`.

    Args:
        info: the description of the game.
        given: the parameters, as `Game` takes them.
        network: the network; its arrays are copied and checked.
        max_steps: steps after which a game ends in any case.
    """

    cdef network_t net
    cdef int spare_taken
    cdef list owned
    cdef object facts           # texts of the fluents, in order
    cdef dict fact_numbers
    cdef list texts             # of the moves of each role
    cdef list move_numbers

    def __init__(self, info, given, network, int max_steps):
        Game.__init__(self, info, given)
        self.owned = []
        self.copy_network(network, max_steps)
        self.arrange(network.initial)
        self.facts = tuple(network.fluents)
        self.fact_numbers = {text: number for number, text in enumerate(self.facts)}
        self.texts = [["noop()" if text == "noop" else text for text in moves] for moves in network.moves]
        self.move_numbers = [{text: number for number, text in enumerate(moves)} for moves in self.texts]
        if len(self.fact_numbers) != len(self.facts) or any(
                [len(numbers) != len(moves) for numbers, moves in zip(self.move_numbers, self.texts)]):
            raise ValueError("two fluents or two moves of a role have the same text")
        self.table.rules = &self.net
        self.table.state_size = sizeof(head_t) + 8 * (self.net.fact_words + self.net.legal_words)
        self.table.num_actions = self.table.max_legal = max([len(moves) for moves in self.texts])
        self.table.utility_is_constant = self.net.constant_sum
        self.table.init = init
        self.table.acting = acting
        self.table.legal_actions = legal_actions
        self.table.is_legal = is_legal
        self.table.apply = apply
        self.table.returns = returns
        self.table.hash = hash
        self.table.playout = playout
        self.table.apply_each = apply_each
        self.table.followers_memory = followers_bytes(&self.net)
        if wide_bytes(&self.net) <= MOST_WIDE_BYTES:
            self.table.playout_lanes = playout_lanes
            self.table.playout_leaves = playout_leaves
            self.table.leaves_memory = wide_bytes(&self.net)
        if self.net.num_fluents:
            self.table.encoding_size = self.net.num_fluents
            self.table.encode = encode
        self.seal()

    cdef int copy_network(self, object network, int max_steps) except -1:
        """Copy and check the arrays, and derive the lists of readers and outputs."""
        cdef network_t *net = &self.net
        cdef int32_t role, gate, literal, i
        cdef int32_t *renumbered
        cdef list scratch = []
        roles = len(network.roles)
        if not 1 <= roles <= MAX_ROLES or len(network.moves) != roles or len(network.goals) != roles:
            raise ValueError(f"the network has {roles} roles; valid: 1 to {MAX_ROLES}, with moves and goals for each")
        sizes = [len(moves) for moves in network.moves]
        if not 1 <= min(sizes) <= max(sizes) <= MAX_ACTIONS:
            raise ValueError(f"the roles have {sizes} moves; valid: 1 to {MAX_ACTIONS} for each")
        starts = [int(number) for number in network.gate_starts]
        literals = [int(number) for number in network.edges]
        legal = [int(number) for number in network.legal]
        following = [int(number) for number in network.following]
        nodes = 1 + len(network.fluents) + sum(sizes) + roles + len(starts) - 1
        if nodes > MOST_NODES or len(legal) != sum(sizes) or len(following) != len(network.fluents):
            raise ValueError(f"the arrays of the network do not fit together, or it has more than {MOST_NODES} nodes")
        if not starts or starts[0] != 0 or starts[-1] != len(literals) or sorted(starts) != starts:
            raise ValueError("the gates of the network have invalid bounds")
        net.num_roles, net.num_fluents, net.num_nodes, net.num_gates = roles, len(following), nodes, len(starts) - 1
        net.first_gate = nodes - net.num_gates
        middles = []
        for gate in range(net.num_gates):
            if starts[gate] < starts[gate + 1]:
                reads = literals[starts[gate]:starts[gate + 1]]
                _check_literals(f"gate {gate}", reads, net.first_gate + gate)
                literals[starts[gate]:starts[gate + 1]] = sorted(reads, key=lambda literal: literal & 1)
            middles.append(starts[gate + 1] - sum([literal & 1 for literal in literals[starts[gate]:starts[gate + 1]]]))
        _check_literals("`legal`", legal, nodes)
        _check_literals("`following`", following, nodes)
        _check_literals("`terminal`", [network.terminal], nodes)
        view, after = network.num_view_gates, network.num_next_gates
        if not (0 <= view and 0 <= after and view + after <= net.num_gates):
            raise ValueError("the parts of the network have invalid sizes")
        net.next_begin, net.goal_begin = view, view + after
        net.max_steps, net.constant_sum, net.terminal = max_steps, bool(network.constant_sum), network.terminal
        net.fact_words = (net.num_fluents + 63) // 64
        net.role_node[0] = 1 + net.num_fluents
        legal_bits = []
        goal_values, goal_literals = [], []
        for role in range(roles):
            net.role_node[role + 1] = net.role_node[role] + sizes[role]
            net.role_word[role + 1] = net.role_word[role] + (sizes[role] + 63) // 64
            net.idle[role] = network.idle[role]
            legal_bits += [64 * net.role_word[role] + move for move in range(sizes[role])]
            for value, goal in network.goals[role]:
                if not 0 <= value <= 100:
                    raise ValueError(f"a goal is {value}; valid: 0 to 100")
                goal_values.append(value)
                goal_literals.append(goal)
            net.goal_begins[role + 1] = len(goal_values)
        _check_literals("`goals`", goal_literals, nodes)
        net.none_node = net.role_node[roles]
        net.legal_words = net.role_word[roles]
        net.out_words = net.legal_words + net.fact_words + 1
        renumbered = self.put_in_order(copied(starts, scratch), copied(middles, scratch), copied(literals, scratch),
                                       scratch)
        for literals in (legal, following, goal_literals):
            literals[:] = [2 * renumbered[literal >> 1] | literal & 1 for literal in literals]
        net.terminal = 2 * renumbered[net.terminal >> 1] | net.terminal & 1
        outputs = [[] for _ in range(nodes)]
        for bit, literal in zip(legal_bits, legal):
            outputs[literal >> 1].append(bit)
        for i in range(net.num_fluents):
            outputs[1 + i].append(64 * net.legal_words + i)
            outputs[following[i] >> 1].append(64 * net.legal_words + i)
        outputs[net.terminal >> 1].append(64 * (net.out_words - 1))
        net.goal_value = copied(goal_values, self.owned)
        net.goal_literal = copied(goal_literals, self.owned)
        net.legal_literal = copied(legal, self.owned)
        net.next_literal = copied(following, self.owned)
        net.output_start, net.output = self.pack(outputs)
        return 0

    cdef int32_t *put_in_order(self, const int32_t *start, const int32_t *middle, const int32_t *edge,
                               list scratch) except NULL:
        """Copy the gates in an order in which many neighbours are alike, and list the runs of these.

        Returns:
            The new number of each node, in memory of `scratch`.
        """
        cdef network_t *net = &self.net
        cdef size_t gates = <size_t> net.num_gates
        cdef int32_t *order = <int32_t *> zeros(4 * gates, scratch)
        cdef int32_t *number = <int32_t *> zeros(4 * <size_t> net.num_nodes, scratch)
        cdef int32_t *new_start = <int32_t *> zeros(4 * (gates + 1), self.owned)
        cdef int32_t *new_middle = <int32_t *> zeros(4 * gates, self.owned)
        cdef int32_t *new_edge = <int32_t *> zeros(4 * <size_t> start[gates], self.owned)
        cdef run_t *run = <run_t *> zeros(sizeof(run_t) * gates, self.owned)
        cdef int32_t gate, old, i, place = 0, positives, inputs
        if not (order_gates(start, middle, edge, net.first_gate, 0, net.next_begin, order)
                and order_gates(start, middle, edge, net.first_gate, net.next_begin, net.goal_begin, order)
                and order_gates(start, middle, edge, net.first_gate, net.goal_begin, net.num_gates, order)):
            raise MemoryError
        for i in range(net.first_gate):
            number[i] = i
        for gate in range(net.num_gates):
            number[net.first_gate + order[gate]] = net.first_gate + gate
        for gate in range(net.num_gates):
            old = order[gate]
            positives, inputs = middle[old] - start[old], start[old + 1] - start[old]
            for i in range(start[old], start[old + 1]):
                new_edge[place] = 2 * number[edge[i] >> 1] | edge[i] & 1
                place += 1
            new_middle[gate] = new_start[gate] + positives
            new_start[gate + 1] = place
            if gate == net.next_begin:
                net.next_run = net.num_runs
            if gate == net.goal_begin:
                net.goal_run = net.num_runs
            if (gate == 0 or gate == net.next_begin or gate == net.goal_begin
                    or run[net.num_runs - 1].positives != positives or run[net.num_runs - 1].inputs != inputs):
                run[net.num_runs].begin, run[net.num_runs].positives, run[net.num_runs].inputs = gate, positives, inputs
                net.num_runs += 1
            run[net.num_runs - 1].end = gate + 1
        if net.next_begin == net.num_gates:
            net.next_run = net.num_runs
        if net.goal_begin == net.num_gates:
            net.goal_run = net.num_runs
        net.gate_start, net.gate_middle, net.edge, net.run = new_start, new_middle, new_edge, run
        return number

    cdef int arrange(self, object initial) except -1:
        """Make the lists of readers and the first play; first with all inputs counted, for games that are measured."""
        cdef list kept = list(self.owned), scratch = []
        cdef int32_t *changes = <int32_t *> zeros(4 * <size_t> self.net.num_nodes, scratch)
        self.find_readers(changes)
        self.make_first(initial)
        self.count_changes(changes)
        self.owned[:] = kept
        self.find_readers(changes)
        self.make_first(initial)
        return 0

    cdef int count_changes(self, int32_t *changes) except -1:
        """Add to each node the number of steps of some random games in which its value changes."""
        cdef network_t *net = &self.net
        cdef size_t nodes = <size_t> net.num_nodes
        cdef list scratch = []
        cdef char *memory = <char *> zeros(net.play_size, scratch)
        cdef uint8_t *before = <uint8_t *> zeros(nodes, scratch)
        cdef int32_t steps = <int32_t> min(<size_t> MEASURED_STEPS, MEASURED_VALUES // nodes + 1), node
        cdef uint32_t ply = 0
        cdef play_t play
        cdef rng_t rng
        rng_seed(&rng, 1)
        memcpy(memory, net.first, net.play_size)
        lay_out(net, memory, &play)
        while steps:
            steps -= 1
            memcpy(before, play.value, nodes)
            if has_stopped(net, &play, ply) or not step_at_random(net, &play, &rng):
                if ply == 0:
                    break
                memcpy(memory, net.first, net.play_size)
                ply = 0
                continue
            ply += 1
            for node in range(net.num_nodes):
                changes[node] += play.value[node] ^ before[node]
        return 0

    cdef int find_readers(self, const int32_t *changes) except -1:
        """Choose the input of each gate that is not counted, and list the gates that count a literal.

        Args:
            changes: how often each node changes; one that never does is counted.
        """
        cdef network_t *net = &self.net
        cdef size_t nodes = <size_t> net.num_nodes
        cdef list scratch = []
        cdef int32_t *num_readers = <int32_t *> zeros(4 * nodes, scratch)
        cdef int32_t *num_gates = <int32_t *> zeros(4 * nodes, scratch)     # that do not count a node
        cdef int32_t *num_spans = <int32_t *> zeros(4 * nodes, scratch)
        cdef int32_t *last_word = <int32_t *> zeros(4 * nodes, scratch)
        cdef int32_t *place = <int32_t *> zeros(4 * <size_t> net.num_gates, scratch)  # of the input not counted
        cdef int32_t *hub = <int32_t *> zeros(4 * <size_t> net.num_gates, self.owned)
        cdef int32_t *reader_start = <int32_t *> zeros(4 * (2 * nodes + 2), self.owned)
        cdef int32_t *reader = <int32_t *> zeros(4 * <size_t> net.gate_start[net.num_gates], self.owned)
        cdef int32_t *span_start = <int32_t *> zeros(4 * (nodes + 1), self.owned)
        cdef span_t *span
        cdef int32_t gate, i, node
        for i in range(net.gate_start[net.num_gates]):
            num_readers[net.edge[i] >> 1] += 1
        for gate in range(net.num_gates):
            place[gate] = NO_PLACE
            for i in range(net.gate_start[gate], net.gate_start[gate + 1]):
                node = net.edge[i] >> 1
                if num_readers[node] >= LEAST_READERS and changes[node] > (
                        0 if place[gate] == NO_PLACE else changes[net.edge[place[gate]] >> 1]):
                    place[gate] = i
            if place[gate] != NO_PLACE:
                node = net.edge[place[gate]] >> 1
                if num_gates[node] == 0 or last_word[node] != gate >> 6:
                    last_word[node] = gate >> 6
                    num_spans[node] += 1
                num_gates[node] += 1
        for node in range(net.num_nodes):       # a span costs about as much as two gates that count
            if num_gates[node] < 2 * num_spans[node]:
                num_spans[node] = 0
            span_start[node + 1] = span_start[node] + num_spans[node]
        span = <span_t *> zeros(sizeof(span_t) * <size_t> span_start[net.num_nodes], self.owned)
        memset(num_gates, 0, 4 * nodes)         # from here on: spans so far
        for gate in range(net.num_gates):
            if place[gate] != NO_PLACE and num_spans[net.edge[place[gate]] >> 1] == 0:
                place[gate] = NO_PLACE
            if place[gate] != NO_PLACE:
                hub[gate] = net.edge[place[gate]]
                node = hub[gate] >> 1
                i = span_start[node] + num_gates[node] - 1
                if num_gates[node] == 0 or span[i].word != gate >> 6:
                    num_gates[node] += 1
                    i += 1
                    span[i].word = gate >> 6
                span[i].mask |= <uint64_t> 1 << (gate & 63)
            for i in range(net.gate_start[gate], net.gate_start[gate + 1]):
                if i != place[gate]:
                    reader_start[net.edge[i] + 2] += 1
        for i in range(2 * net.num_nodes):
            reader_start[i + 2] += reader_start[i + 1]
        for gate in range(net.num_gates):       # reader_start[literal + 1] is where the next reader is written
            for i in range(net.gate_start[gate], net.gate_start[gate + 1]):
                if i != place[gate]:
                    reader[reader_start[net.edge[i] + 1]] = gate
                    reader_start[net.edge[i] + 1] += 1
        net.reader_start, net.reader = reader_start, reader
        net.hub, net.span_start, net.span = hub, span_start, span
        return 0

    cdef (int32_t *, int32_t *) pack(self, list lists) except *:
        """Return the first place of each list and their numbers."""
        starts = [0]
        numbers = []
        for each in lists:
            numbers += each
            starts.append(len(numbers))
        return copied(starts, self.owned), copied(numbers, self.owned)

    cdef int make_first(self, object initial) except -1:
        """Make the play at the initial state: evaluate each gate once, then the bits of `out`."""
        cdef network_t *net = &self.net
        cdef play_t play
        cdef int32_t gate, i, node, word, bit
        cdef bint holds
        cdef bytearray memory
        values = [int(bool(value)) for value in initial]
        if len(values) != net.num_fluents:
            raise ValueError("the initial state has another number of fluents")
        play.value = NULL
        net.play_size = lay_out(net, NULL, &play)
        memory = bytearray(net.play_size)
        self.owned.append(memory)
        net.first = <char *> memory
        lay_out(net, <char *> memory, &play)
        play.value[0] = 1
        for i in range(net.num_fluents):
            play.value[1 + i] = values[i]
        for i in range(net.num_roles):
            play.move[i] = net.none_node + i
            play.value[net.none_node + i] = 1
        for gate in range(net.num_gates):
            holds = True
            for i in range(net.gate_start[gate], net.gate_start[gate + 1]):
                if not play.value[net.edge[i] >> 1] ^ (net.edge[i] & 1):
                    holds = False
                    play.missing[gate] += 1
            node = net.hub[gate]
            play.missing[gate] -= not play.value[node >> 1] ^ (node & 1)
            if play.missing[gate] == 0:
                play.ready[gate >> 6] |= <uint64_t> 1 << (gate & 63)
            play.value[net.first_gate + gate] = holds
        bit = 0
        for role in range(net.num_roles):
            for i in range(net.role_node[role + 1] - net.role_node[role]):
                word = net.role_word[role] + (i >> 6)
                node = net.legal_literal[bit]
                bit += 1
                play.out[word] |= <uint64_t> (play.value[node >> 1] ^ (node & 1)) << (i & 63)
        for i in range(net.num_fluents):
            node = net.next_literal[i]
            play.out[net.legal_words + (i >> 6)] |= <uint64_t> (
                play.value[node >> 1] ^ (node & 1) ^ play.value[1 + i]) << (i & 63)
        play.out[net.out_words - 1] = play.value[net.terminal >> 1] ^ (net.terminal & 1)
        memory = bytearray(memory)
        self.owned.append(memory)
        net.spare = <char *> memory
        memory = bytearray(8 * (net.fact_words + 1))
        self.owned.append(memory)
        net.first_facts = <uint64_t *> <char *> memory
        for i in range(net.num_fluents):
            (<uint64_t *> <char *> memory)[i >> 6] |= <uint64_t> values[i] << (i & 63)
        net.spare_taken = &self.spare_taken
        return 0

    def compare_games(self, int64_t games, uint64_t seed, double seconds):
        """Play random games of which each state is computed twice: gates follow changes, and all gates are evaluated.

        Args:
            games: number of games.
            seed: seed of the random moves.
            seconds: time of the processor after which no further game begins.

        Returns:
            The number of games and of their steps, the sum of the returns of each player and that of their squares.

        Raises:
            ArithmeticError: the two ways differ.
        """
        cdef compared_t found
        cdef rng_t rng
        cdef int difference, role
        rng_seed(&rng, seed)
        with nogil:
            difference = compare_games(&self.net, &rng, games, seconds, &found)
        if difference == OUT_OF_MEMORY:
            raise MemoryError
        if difference:
            raise ArithmeticError(f"{DIFFERENCES[difference]} of game {found.games} differ")
        roles = range(self.net.num_roles)
        return (found.games, found.steps, [found.sums[role] for role in roles],
                [found.squares[role] for role in roles])

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
        load_facts(&self.net, <char *> memory, &play, facts)
        store(&self.net, &play, ply, data)
        return 0

    cdef str draw_state(self, const void *data):
        """Return one line for each functor: the arguments of the facts that hold, in order."""
        lines = {}
        for text in self.state_dict(data)["facts"]:
            name, _, inside = text.partition("(")
            lines.setdefault(name, []).append(inside[:-1] if inside else "")
        return "\n".join([f"step {(<const head_t *> data).ply}"]
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
