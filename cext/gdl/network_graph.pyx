"""The network as a graph: colors that its symmetries keep, and images of gates under a map of fluents and moves.

The first nodes are the inputs: the constant true, fluents, moves, and one `none` for each role. A fluent is linked to
the literal of its next value, a move to that of `legal`.
"""
from threading import RLock

from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.stdlib cimport calloc, free, malloc

from ..primitives.bits cimport mix64

cdef enum:
    NO_NODE = -1


cdef extern from *:
    """
    #define NEGATED UINT64_C(0xA0761D6478BD642F)
    #define LINKED UINT64_C(0xE7037ED1A0B428DB)
    """
    const uint64_t NEGATED
    const uint64_t LINKED


cdef inline uint64_t signed(uint64_t color, int32_t literal) noexcept nogil:
    """Return what a gate reads from a literal whose node has a color."""
    return color ^ (NEGATED if literal & 1 else 0)


cdef class NetworkGraph:
    """A graph of inputs and gates.

    Args:
        gate_starts: [gates + 1] first edge of each gate.
        edges: literals that the gates read; each gate comes after those that it reads.
        links: [inputs] the literal that each input is linked to; 0, the constant, for inputs without one.
        tags: [nodes] numbers that a symmetry keeps.

    Raises:
        ValueError: the arrays do not fit together.
    """

    cdef int32_t inputs, gates
    cdef object owned                   # the arrays
    cdef object lock                    # of each call
    cdef const int32_t *start
    cdef const int32_t *edge
    cdef const int32_t *link
    cdef const uint64_t *tag
    cdef uint64_t *color                # [nodes]
    cdef uint64_t *below                # [nodes] sum of what the readers of a node pass on
    cdef uint64_t *slot                 # colors that were counted; 0 if empty
    cdef int32_t *gate_slot             # gates by the sum of their literals; NO_NODE if empty
    cdef int32_t *stamp                 # [literals] the gate that was compared last
    cdef uint64_t mask                  # of slots
    cdef uint64_t gate_mask
    cdef int64_t visited                # edges and inputs, so far

    def __cinit__(self, const int32_t[::1] gate_starts not None, const int32_t[::1] edges not None,
                  const int32_t[::1] links not None, const uint64_t[::1] tags not None):
        cdef int32_t gate, i, nodes = <int32_t> tags.shape[0]
        self.inputs, self.gates = <int32_t> links.shape[0], <int32_t> gate_starts.shape[0] - 1
        if (self.gates < 0 or self.inputs < 1 or nodes != self.inputs + self.gates or gate_starts[0] != 0
                or gate_starts[self.gates] != edges.shape[0]):
            raise ValueError("the arrays of the graph do not fit together")
        for gate in range(self.gates):
            if gate_starts[gate] > gate_starts[gate + 1]:
                raise ValueError("the gates of the graph have invalid bounds")
        for gate in range(self.gates):
            for i in range(gate_starts[gate], gate_starts[gate + 1]):
                if not 0 <= edges[i] < 2 * (self.inputs + gate):
                    raise ValueError("a gate of the graph reads a node that does not come before it")
        for i in range(self.inputs):
            if not 0 <= links[i] < 2 * nodes:
                raise ValueError("an input of the graph is linked to a node that does not exist")
        self.lock = RLock()
        self.owned = (gate_starts, edges, links, tags)
        self.start, self.link, self.tag = &gate_starts[0], &links[0], &tags[0]
        self.edge = &edges[0] if edges.shape[0] else NULL
        self.mask = 2
        while self.mask < 2 * <uint64_t> self.inputs:
            self.mask *= 2
        self.gate_mask = 2
        while self.gate_mask < 2 * <uint64_t> self.gates:
            self.gate_mask *= 2
        self.color = <uint64_t *> malloc(8 * <size_t> nodes)
        self.below = <uint64_t *> malloc(8 * <size_t> nodes)
        self.slot = <uint64_t *> malloc(8 * self.mask)
        self.gate_slot = <int32_t *> malloc(4 * self.gate_mask)
        self.stamp = <int32_t *> calloc(2 * <size_t> nodes, 4)
        if (self.color == NULL or self.below == NULL or self.slot == NULL or self.gate_slot == NULL
                or self.stamp == NULL):
            raise MemoryError
        self.mask -= 1
        self.gate_mask -= 1
        self.list_gates()

    def __dealloc__(self):
        free(self.color)
        free(self.below)
        free(self.slot)
        free(self.gate_slot)
        free(self.stamp)

    @property
    def work(self):
        """Edges and inputs that were visited so far."""
        with self.lock:
            return self.visited

    cdef uint64_t gate_key(self, int32_t gate, const int32_t *image) noexcept nogil:
        """Return a number for the set of literals of a gate, or of their images: [nodes], nodes by node."""
        cdef uint64_t key = 0
        cdef int32_t i, node
        for i in range(self.start[gate], self.start[gate + 1]):
            node = self.edge[i] >> 1
            if image != NULL:
                node = image[node]
            key += mix64(2 * <uint64_t> node + (self.edge[i] & 1))
        return mix64(key)

    cdef void list_gates(self) noexcept nogil:
        cdef uint64_t place
        cdef int32_t gate
        for place in range(self.gate_mask + 1):
            self.gate_slot[place] = NO_NODE
        for gate in range(self.gates):
            place = self.gate_key(gate, NULL) & self.gate_mask
            while self.gate_slot[place] != NO_NODE:
                place = (place + 1) & self.gate_mask
            self.gate_slot[place] = gate

    cdef int32_t image_of_gate(self, int32_t gate, const int32_t *image) noexcept nogil:
        """Return the gate that reads the images of the literals of a gate, or NO_NODE."""
        cdef uint64_t place = self.gate_key(gate, image) & self.gate_mask
        cdef int32_t i, other, size = self.start[gate + 1] - self.start[gate]
        cdef bint same
        for i in range(self.start[gate], self.start[gate + 1]):
            self.stamp[2 * image[self.edge[i] >> 1] + (self.edge[i] & 1)] = gate + 1
        while self.gate_slot[place] != NO_NODE:
            other = self.gate_slot[place]
            same = self.start[other + 1] - self.start[other] == size
            for i in range(self.start[other], self.start[other + 1]):
                if not same:
                    break
                same = self.stamp[self.edge[i]] == gate + 1
            if same:
                return other
            place = (place + 1) & self.gate_mask
        return NO_NODE

    cdef void sweep(self, uint64_t *colors) noexcept nogil:
        """Replace the colors of the inputs by what they, the gates above them and those that read them tell."""
        cdef uint64_t *color = self.color
        cdef uint64_t *below = self.below
        cdef const int32_t *edge = self.edge
        cdef uint64_t sum
        cdef int32_t gate, i, node, literal
        for i in range(self.inputs):
            color[i], below[i] = colors[i], self.tag[i]
        for gate in range(self.gates):
            sum = 0
            for i in range(self.start[gate], self.start[gate + 1]):
                literal = edge[i]
                sum += mix64(signed(color[literal >> 1], literal))
            color[self.inputs + gate] = mix64(sum)
            below[self.inputs + gate] = self.tag[self.inputs + gate]
        for i in range(self.inputs):
            literal = self.link[i]
            below[literal >> 1] += mix64(signed(colors[i], literal) + LINKED)
        for gate in range(self.gates - 1, -1, -1):
            node = self.inputs + gate
            color[node] = mix64(color[node] + mix64(below[node]))
            for i in range(self.start[gate], self.start[gate + 1]):
                literal = edge[i]
                below[literal >> 1] += mix64(signed(color[node], literal))
        for i in range(self.inputs):
            literal = self.link[i]
            colors[i] = mix64(mix64(colors[i]) + mix64(below[i] ^ NEGATED)
                              + mix64(signed(color[literal >> 1], literal) + LINKED))
        self.visited = self.visited + 2 * <int64_t> self.start[self.gates] + self.inputs

    cdef int32_t count(self, const uint64_t *colors, uint64_t *sum) noexcept nogil:
        """Return the number of different colors, and a number for how often each occurs."""
        cdef int32_t i, found = 0
        cdef uint64_t place, color
        for place in range(self.mask + 1):
            self.slot[place] = 0
        sum[0] = 0
        for i in range(self.inputs):
            color = colors[i] | 1
            sum[0] += mix64(color)
            place = color >> 1 & self.mask
            while self.slot[place] != 0 and self.slot[place] != color:
                place = (place + 1) & self.mask
            found += self.slot[place] == 0
            self.slot[place] = color
        return found

    def refine(self, uint64_t[::1] colors not None):
        """Refine the colors [inputs] of the inputs in place, until inputs of one color are alike for one step.

        Returns:
            The number of different colors, and a number that depends only on how often each color occurs.
        """
        cdef uint64_t sum
        cdef int32_t before, after
        if colors.shape[0] != self.inputs:
            raise ValueError(f"{colors.shape[0]} colors; valid: {self.inputs}")
        with self.lock, nogil:
            after = self.count(&colors[0], &sum)
            while True:
                before = after
                self.sweep(&colors[0])
                after = self.count(&colors[0], &sum)
                if after <= before:
                    break
        return after, sum

    def extend(self, int32_t[::1] image not None):
        """Write the image of each gate behind those of the inputs.

        Args:
            image: [nodes] the images of the inputs, then room for those of the gates.

        Returns:
            True if each gate has an image that reads the images of what it reads.
        """
        cdef int32_t gate, i, found
        cdef bint maps = True
        if image.shape[0] != self.inputs + self.gates:
            raise ValueError(f"{image.shape[0]} images; valid: {self.inputs + self.gates}")
        for i in range(self.inputs):
            if not 0 <= image[i] < self.inputs:
                raise ValueError(f"the image of an input is {image[i]}; valid: 0 to {self.inputs - 1}")
        with self.lock, nogil:
            for i in range(2 * (self.inputs + self.gates)):
                self.stamp[i] = 0
            for gate in range(self.gates):
                found = self.image_of_gate(gate, &image[0])
                if found == NO_NODE:
                    maps = False
                    break
                image[self.inputs + gate] = self.inputs + found
            self.visited = self.visited + 2 * <int64_t> self.start[self.gates]
        return maps
