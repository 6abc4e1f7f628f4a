"""A propositional network, and one game in it whose gates follow changes.

Each gate counts its inputs that are false. A change of a node updates the counts of the gates that read it, and marks
the gates whose value may have changed. One input of a gate may be left out of its count: one that many gates read, such
as whose turn it is. Its change marks, word by word, those of these gates whose count is 0. A scan in ascending order
settles each marked gate once, because gates come after the nodes that they read. What the step and the end of a game
need are bits of `out`: the legal moves, the fluents that differ from their next values, and the end.
"""
from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy

from ..primitives.bits cimport lowest64, popcount64, select64
from ..primitives.lock cimport read_flag
from ..primitives.rng cimport rng_below, rng_t

cdef enum:
    MAX_ROLES = 8
    NO_MOVE = -1
    STEPS = 1                   # parts of compiled code
    WIDE = 2

cdef struct run_t:              # gates [begin, end) with the same number of inputs
    int32_t begin
    int32_t end
    int32_t positives           # inputs that are not negated; they come first
    int32_t inputs

cdef struct span_t:             # up to 64 gates
    int32_t word
    uint64_t mask

cdef struct images_t:           # the symmetries of a network
    int32_t count               # the first one is the identity
    int32_t columns             # of `key`: the count, rounded up to a multiple of 8
    const uint64_t *key         # [num_fluents, columns] random keys of the images of each fact
    const int32_t *bit          # [count, 64 * (fact_words + legal_words)] image of each bit of facts and legal moves

ctypedef bint (*compiled_step_t)(uint64_t *words, const int32_t *moves) noexcept nogil
ctypedef void (*compiled_returns_t)(const uint64_t *words, double *out) noexcept nogil
ctypedef void (*compiled_view_t)(void *value) noexcept nogil
ctypedef void (*compiled_following_t)(void *value, const void *done) noexcept nogil

cdef struct compiled_t:         # machine code of a network; see mcts/gdl/c_code.py
    int loaded                  # STEPS and WIDE, from when their functions may be called
    compiled_step_t step        # plays a move of each role in the words of a state; True if the game is over then
    compiled_returns_t returns  # writes the return of each role
    compiled_view_t view        # computes the gates of the view in 512 games, those that others read
    compiled_following_t following  # computes the next facts of the games that are not done

cdef struct network_t:
    int32_t num_roles
    int32_t num_fluents
    int32_t num_nodes           # 1, fluents, moves, one `none` for each role, gates
    int32_t first_gate
    int32_t num_gates
    int32_t next_begin          # gates before serve the view
    int32_t goal_begin          # gates from here on serve the returns alone
    int32_t max_steps
    int32_t constant_sum        # 1: the returns of two roles always sum to 100
    int32_t fact_words
    int32_t legal_words         # each role begins with a new word
    int32_t out_words           # legal words, then fact words, then one word for the end
    int32_t role_node[MAX_ROLES + 1]    # node of the first move of each role; its `none` is none_node + role
    int32_t none_node
    int32_t role_word[MAX_ROLES + 1]    # first legal word of each role
    int32_t idle[MAX_ROLES]     # the move noop of each role, or NO_MOVE
    int32_t goal_begins[MAX_ROLES + 1]
    const int32_t *goal_value
    const int32_t *goal_literal
    const int32_t *gate_start   # [num_gates + 1]
    const int32_t *gate_middle  # [num_gates] place of the first negated literal of each gate
    const run_t *run            # [num_runs]; those of next_begin and goal_begin begin with the runs below
    int32_t num_runs
    int32_t next_run
    int32_t goal_run
    const int32_t *edge         # literals; of each gate first those that are not negated
    const int32_t *reader_start  # [2 * num_nodes + 1]
    const int32_t *reader       # gates that count a literal
    const int32_t *hub          # [num_gates] the literal that a gate reads and does not count; 0, always true, if none
    const int32_t *span_start   # [num_nodes + 1]
    const span_t *span          # gates that read a node and do not count it
    const int32_t *output_start  # [num_nodes + 1]
    const int32_t *output       # bits of `out` that change with a node
    const int32_t *legal_literal  # [moves of all roles]
    const int32_t *next_literal  # [num_fluents]
    int32_t terminal
    size_t play_size            # bytes of the memory of a play
    const void *first           # a play at the initial state
    const uint64_t *first_facts  # [fact_words] its facts
    char *spare                 # the play that was used last, at any state
    int *spare_taken            # 1 while a thread uses it
    const images_t *images
    compiled_t compiled

cdef struct play_t:             # pointers into the memory of one play
    uint8_t *value              # [num_nodes]
    int32_t *missing            # [num_gates] counted inputs that are false
    uint64_t *ready             # gates whose count is 0
    uint64_t *dirty             # gates whose value may have changed
    uint64_t *out
    int32_t *move               # [num_roles] node of the move played last, or of `none`

cdef struct head_t:             # the first bytes of a state; facts and legal moves follow as words
    uint32_t ply
    uint32_t acting


cdef inline bint is_compiled(const network_t *net) noexcept nogil:
    """Return True if steps are compiled."""
    return read_flag(&net.compiled.loaded) & STEPS


cdef inline bint is_compiled_wide(const network_t *net) noexcept nogil:
    """Return True if games side by side are compiled."""
    return read_flag(&net.compiled.loaded) & WIDE


cdef inline size_t lay_out(const network_t *net, char *memory, play_t *play) noexcept nogil:
    """Set the pointers of a play into its memory; return the bytes that it needs, a multiple of 8."""
    cdef size_t at = 0
    play.out = <uint64_t *> memory
    at += 8 * (<size_t> net.out_words + net.fact_words)     # the last words are scratch memory of a step
    play.dirty = <uint64_t *> (memory + at)
    at += 8 * ((<size_t> net.num_gates + 63) // 64)
    play.ready = <uint64_t *> (memory + at)
    at += 8 * ((<size_t> net.num_gates + 63) // 64)
    play.missing = <int32_t *> (memory + at)
    at += 4 * <size_t> net.num_gates
    play.move = <int32_t *> (memory + at)
    at += 4 * MAX_ROLES
    play.value = <uint8_t *> (memory + at)
    at += <size_t> net.num_nodes
    return (at + 7) & ~<size_t> 7


cdef inline uint64_t gather(const uint8_t *values, int32_t count) noexcept nogil:
    """Return the bits of up to 64 bytes that are 0 or 1, eight at a time: a product moves them to its highest byte."""
    cdef uint64_t word, bits = 0
    cdef int32_t i = 0
    while i + 8 <= count:
        memcpy(&word, values + i, 8)
        bits |= (word * <uint64_t> 0x0102040810204080) >> 56 << i
        i += 8
    while i < count:
        bits |= <uint64_t> values[i] << i
        i += 1
    return bits


cdef inline uint64_t holds(const play_t *play, int32_t literal) noexcept nogil:
    return play.value[literal >> 1] ^ (literal & 1)


cdef inline void turn(const network_t *net, play_t *play, int32_t gate) noexcept nogil:
    """Note that the count of a gate became or ceased to be 0."""
    play.ready[gate >> 6] ^= (<uint64_t> 1) << (gate & 63)
    play.dirty[gate >> 6] |= holds(play, net.hub[gate]) << (gate & 63)


cdef inline void toggle(const network_t *net, play_t *play, int32_t node) noexcept nogil:
    """Change the value of a node, and mark the gates that may follow."""
    cdef const span_t *span
    cdef int32_t i, gate, bit, value = play.value[node] ^ 1
    play.value[node] = <uint8_t> value
    for i in range(net.reader_start[2 * node + 1 - value], net.reader_start[2 * node + 2 - value]):
        gate = net.reader[i]            # its input became true
        play.missing[gate] -= 1
        if play.missing[gate] == 0:
            turn(net, play, gate)
    for i in range(net.reader_start[2 * node + value], net.reader_start[2 * node + 1 + value]):
        gate = net.reader[i]            # its input became false
        if play.missing[gate] == 0:
            turn(net, play, gate)
        play.missing[gate] += 1
    for i in range(net.span_start[node], net.span_start[node + 1]):
        span = net.span + i
        play.dirty[span.word] |= play.ready[span.word] & span.mask
    for i in range(net.output_start[node], net.output_start[node + 1]):
        bit = net.output[i]
        play.out[bit >> 6] ^= (<uint64_t> 1) << (bit & 63)


cdef inline void settle(const network_t *net, play_t *play, int32_t begin, int32_t end) noexcept nogil:
    """Settle the marked gates in [begin, end)."""
    cdef play_t here = play[0]          # pointers that no write to a value can change, as the compiler sees it
    cdef int32_t word, gate
    cdef uint64_t bits, mask
    for word in range(begin >> 6, (end + 63) >> 6):
        mask = ~<uint64_t> 0
        if word == begin >> 6:
            mask <<= begin & 63
        if word == end >> 6:
            mask &= ((<uint64_t> 1) << (end & 63)) - 1
        bits = here.dirty[word] & mask
        while bits:
            gate = (word << 6) + lowest64(bits)
            here.dirty[word] ^= bits & (~bits + 1)
            if (here.missing[gate] == 0) & holds(&here, net.hub[gate]) != here.value[net.first_gate + gate]:
                toggle(net, &here, net.first_gate + gate)
            bits = here.dirty[word] & mask


cdef inline bint is_over(const network_t *net, const play_t *play) noexcept nogil:
    return play.out[net.out_words - 1] & 1


cdef inline bint has_stopped(const network_t *net, const play_t *play, uint32_t ply) noexcept nogil:
    return is_over(net, play) or ply >= <uint32_t> net.max_steps


cdef inline void write_facts(const network_t *net, const play_t *play, uint64_t *out) noexcept nogil:
    """Write the state of a play: a bit for each fluent, [fact_words]."""
    cdef int32_t i
    for i in range(net.fact_words):
        out[i] = gather(play.value + 1 + 64 * i, min(64, net.num_fluents - 64 * i))


cdef inline void load_facts(const network_t *net, char *memory, play_t *play, const uint64_t *facts) noexcept nogil:
    """Move the play in the memory to a state, and settle what the view depends on.

    The way begins at the state of the play, or at the initial one if fewer facts differ from that.
    """
    cdef uint64_t differ
    cdef uint64_t *change
    cdef int32_t i, from_here = 0, from_first = 0
    lay_out(net, memory, play)
    change = play.out + net.out_words
    write_facts(net, play, change)
    for i in range(net.fact_words):
        change[i] ^= facts[i]
        from_here += popcount64(change[i])
        from_first += popcount64(net.first_facts[i] ^ facts[i])
    if from_first < from_here:
        memcpy(memory, net.first, net.play_size)
        for i in range(net.fact_words):
            change[i] = net.first_facts[i] ^ facts[i]
    for i in range(net.fact_words):
        differ = change[i]
        while differ:
            toggle(net, play, 1 + 64 * i + lowest64(differ))
            differ &= differ - 1
    settle(net, play, 0, net.next_begin)


cdef inline int32_t count_legal(const network_t *net, const uint64_t *legal, int32_t role) noexcept nogil:
    cdef int32_t word, count = 0
    for word in range(net.role_word[role], net.role_word[role + 1]):
        count += popcount64(legal[word])
    return count


cdef inline int32_t legal_move(const network_t *net, const uint64_t *legal, int32_t role, int32_t rank) noexcept nogil:
    """Return the legal move of a role with a rank, counted from 0; there must be one."""
    cdef int32_t word = net.role_word[role], count
    while True:
        count = popcount64(legal[word])
        if rank < count:
            return 64 * (word - net.role_word[role]) + lowest64(select64(legal[word], rank))
        rank -= count
        word += 1


cdef inline uint32_t find_acting(const network_t *net, const uint64_t *legal, int32_t *counts) noexcept nogil:
    """Return the mask of the roles that act in a state that is not terminal, and count their legal moves.

    A role whose only legal move is noop does not act, unless no role has another. A role without a move does not act.
    """
    cdef uint32_t acting = 0, able = 0
    cdef int32_t role
    for role in range(net.num_roles):
        counts[role] = count_legal(net, legal, role)
        if counts[role]:
            able |= 1u << role
            if counts[role] > 1 or legal_move(net, legal, role, 0) != net.idle[role]:
                acting |= 1u << role
    return acting if acting else able


cdef inline void step(const network_t *net, play_t *play, const int32_t *moves) noexcept nogil:
    """Play the move of each role, or NO_MOVE, and settle what the view of the next state depends on."""
    cdef uint64_t bits
    cdef int32_t role, node, i
    for role in range(net.num_roles):
        node = net.none_node + role if moves[role] == NO_MOVE else net.role_node[role] + moves[role]
        if node != play.move[role]:
            toggle(net, play, play.move[role])
            toggle(net, play, node)
            play.move[role] = node
    settle(net, play, net.next_begin, net.goal_begin)
    # The bits of fluents that change: a change of a fluent may toggle bits of others, but only through gates, which
    # settle later, and through fluents whose next value is a fluent. So the bits are copied first.
    for i in range(net.fact_words):
        play.out[net.out_words + i] = play.out[net.legal_words + i]
    for i in range(net.fact_words):
        bits = play.out[net.out_words + i]
        while bits:
            toggle(net, play, 1 + 64 * i + lowest64(bits))
            bits &= bits - 1
    settle(net, play, 0, net.next_begin)


cdef inline bint draw_moves(const network_t *net, const uint64_t *legal, rng_t *rng, int32_t *moves) noexcept nogil:
    """Write a random move of each role, or NO_MOVE; return False if no role has one."""
    cdef int32_t counts[MAX_ROLES]
    cdef int32_t role
    cdef uint32_t mask = find_acting(net, legal, counts)
    if mask == 0:
        return False
    for role in range(net.num_roles):
        if mask >> role & 1:
            moves[role] = legal_move(net, legal, role, rng_below(rng, <uint32_t> counts[role]))
        else:
            moves[role] = legal_move(net, legal, role, 0) if counts[role] else NO_MOVE
    return True


cdef inline bint step_at_random(const network_t *net, play_t *play, rng_t *rng) noexcept nogil:
    """Play a random move of each role; return False if no role has one."""
    cdef int32_t moves[MAX_ROLES]
    if not draw_moves(net, play.out, rng, moves):
        return False
    step(net, play, moves)
    return True


cdef inline void score(const network_t *net, play_t *play, double *out) noexcept nogil:
    """Write the returns: the mean of the goals that hold; 0, or 50 with a constant sum, if none does."""
    cdef int32_t role, i, literal, count
    cdef double total
    settle(net, play, net.next_begin, net.num_gates)
    for role in range(net.num_roles):
        total = 0.0
        count = 0
        for i in range(net.goal_begins[role], net.goal_begins[role + 1]):
            literal = net.goal_literal[i]
            if play.value[literal >> 1] ^ (literal & 1):
                total += net.goal_value[i]
                count += 1
        if count:
            out[role] = total / count
        else:
            out[role] = 50.0 if net.constant_sum else 0.0
