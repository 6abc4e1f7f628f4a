"""The arrays of a network: checked, copied in an order of gates that is fast to pass, and with the lists of readers."""
from array import array

from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from ..game.game_table cimport MAX_ACTIONS
from ..primitives.rng cimport rng_seed, rng_t
from .gate_order cimport order_gates
from .network cimport MAX_ROLES, has_stopped, lay_out, network_t, play_t, run_t, span_t, step_at_random

cdef enum:
    MOST_NODES = 1 << 24
    NO_PLACE = -1
    LEAST_READERS = 8           # of a node that is left out of counts
    MEASURED_STEPS = 1000       # number of states that are compared at most, to count how often nodes change
    MEASURED_VALUES = 1 << 24


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


cdef class NetworkArrays:
    """The arrays that `network_t` points to, in memory of this object.

    Args:
        network: see `mcts.gdl.network.Network`; its arrays are copied and checked.
        max_steps: steps after which a game ends in any case.
    """

    def __cinit__(self, network, int max_steps):
        self.owned = []
        self.copy_network(network, max_steps)
        self.arrange(network.initial)

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
        self.numbers = array("i", [renumbered[i] for i in range(nodes)])
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
