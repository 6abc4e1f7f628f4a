"""`Net`, a net in memory."""
cimport cython

from libc.math cimport isfinite
from libc.stdint cimport int32_t, int64_t, uint16_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from ..game.game cimport State
from ..game.game_table cimport game_t
from .inference cimport MAX_LAYERS, MAX_OUTPUTS, MAX_WIDTH, net_outputs, net_policy, net_units

from array import array

from ..arguments import shown, whole_number_in

cdef enum:
    GROUP = 8                   # units are stored in groups of this size
    CACHE_LINE = 64
    INPUTS = 1 << 16
    WEIGHTS = 1 << 24
    ACTIONS = 1 << 16

MOST_LAYERS = MAX_LAYERS
MOST_WIDTH = MAX_WIDTH
MOST_OUTPUTS = MAX_OUTPUTS
MOST_INPUTS = INPUTS
MOST_WEIGHTS = WEIGHTS
MOST_ACTIONS = ACTIONS


def check_sizes(inputs, widths, actions=0):
    """Check the sizes of a net, before memory is allocated for it.

    Args:
        inputs: number of inputs.
        widths: number of units in each layer, the outputs last.
        actions: number of actions of the policy; 0 without one.

    Returns:
        The number of weights and biases.

    Raises:
        ValueError: a size out of range. The message has the valid ones.
    """
    if not 2 <= len(widths) <= MAX_LAYERS:
        raise ValueError(f"a net has {len(widths)} layers with the outputs; valid: 2 to {MAX_LAYERS}")
    whole_number_in("inputs", inputs, 1, INPUTS, ValueError)
    for size in widths[:-1]:
        whole_number_in("units of a hidden layer", size, 1, MAX_WIDTH, ValueError)
    whole_number_in("outputs", widths[-1], 1, MAX_OUTPUTS, ValueError)
    whole_number_in("actions of a policy", actions, 0, ACTIONS, ValueError)
    weights = (widths[-2] + 1) * actions
    for width in widths:
        weights += (inputs + 1) * width
        inputs = width
    if weights > WEIGHTS:
        raise ValueError(f"a net has {weights} weights; valid: up to {WEIGHTS}")
    return weights


cdef int32_t in_groups(int32_t width) noexcept nogil:
    """Return a width rounded up to whole groups of units."""
    return (width + GROUP - 1) // GROUP * GROUP


cdef int copy_row(const float[::1] given, float *to) except -1:
    """Copy numbers. Raises ValueError if one is not finite."""
    cdef Py_ssize_t i
    for i in range(given.shape[0]):
        if not isfinite(given[i]):
            raise ValueError(f"a weight is {given[i]}; valid: finite numbers")
        to[i] = given[i]
    return 0


cdef int copy_outputs(const float[:, ::1] weights, float *to, int32_t rows) except -1:
    """Copy the weights of the outputs or of the policy, those of each output or action together."""
    cdef Py_ssize_t row, output
    for row in range(weights.shape[0]):
        for output in range(weights.shape[1]):
            if not isfinite(weights[row, output]):
                raise ValueError(f"a weight is {weights[row, output]}; valid: finite numbers")
            to[output * rows + row] = weights[row, output]
    return 0


cdef int check_shape(const float[:, ::1] weights, what, int32_t rows, int32_t columns) except -1:
    """Raise ValueError if weights have another shape."""
    if weights.shape[0] != rows or weights.shape[1] != columns:
        raise ValueError(f"the weights {what} have the shape {weights.shape[0]}, {weights.shape[1]}; "
                         f"valid: {rows}, {columns}")
    return 0


cdef class Net:
    """A net: hidden layers of max(0, sum), outputs of 1 / (1 + exp(-sum)), and a policy if it has one.

    Args:
        layers: for each layer, the outputs last, (biases float32 [width], weights float32 [inputs, width]), both
            contiguous.
        policy: (biases float32 [actions], weights float32 [units of the last hidden layer, actions]), both contiguous;
            or None.

    Raises:
        ValueError: sizes that do not fit or are out of range; numbers that are not finite.
    """

    def __cinit__(self, layers, policy=None):
        cdef net_t *net = &self.net
        cdef int64_t room = 0
        cdef int32_t layer, rows, row
        cdef const float[::1] biases
        cdef const float[:, ::1] weights
        cdef float *at
        memset(net, 0, sizeof(net_t))
        # Plain objects, which are the same whenever they are read.
        layers = [(memoryview(given), memoryview(weighted)) for given, weighted in layers]
        widths = [len(given) for given, _ in layers]
        heads = [] if policy is None else [(memoryview(policy[0]), memoryview(policy[1]))]
        inputs = len(layers[0][1]) if layers else 0
        check_sizes(inputs, widths, len(heads[0][0]) if heads else 0)
        net.num_layers = <int32_t> len(layers)
        net.num_inputs = <int32_t> inputs
        net.num_outputs = <int32_t> widths[-1]
        rows = net.num_inputs
        for layer in range(net.num_layers):
            net.width[layer] = <int32_t> widths[layer]
            net.stride[layer] = in_groups(net.width[layer])
            room += <int64_t> (rows + 1) * net.stride[layer]
            rows = net.stride[layer]
        if heads:
            net.num_actions = <int32_t> len(heads[0][0])
            room += <int64_t> (net.stride[net.num_layers - 2] + 1) * net.num_actions
        self.memory = <float *> calloc(room * sizeof(float) + CACHE_LINE, 1)
        if self.memory == NULL:
            raise MemoryError
        at = <float *> (<uint64_t> (<char *> self.memory + CACHE_LINE - 1) & ~<uint64_t> (CACHE_LINE - 1))
        rows = net.num_inputs
        for layer in range(net.num_layers):
            biases, weights = layers[layer]
            check_shape(weights, f"of layer {layer + 1}", net.num_inputs if layer == 0 else net.width[layer - 1],
                        net.width[layer])
            net.bias[layer] = at
            copy_row(biases, at)
            at += net.stride[layer]
            net.weights[layer] = at
            if layer < net.num_layers - 1:
                for row in range(weights.shape[0]):
                    copy_row(weights[row], at + <int64_t> row * net.stride[layer])
                at += <int64_t> rows * net.stride[layer]
            else:
                copy_outputs(weights, at, rows)
                at += <int64_t> rows * net.num_outputs
            if layer < net.num_layers - 1:
                rows = net.stride[layer]
        if heads:
            biases, weights = heads[0]
            check_shape(weights, "of the policy", net.width[net.num_layers - 2], net.num_actions)
            net.action_weights = at
            copy_outputs(weights, at, rows)
            at += <int64_t> rows * net.num_actions
            net.action_bias = at
            copy_row(biases, at)

    def __dealloc__(self):
        free(self.memory)

    @property
    def num_inputs(self):
        """Number of inputs."""
        return self.net.num_inputs

    @property
    def num_outputs(self):
        """Number of outputs."""
        return self.net.num_outputs

    @property
    def num_actions(self):
        """Number of actions of the policy; 0 without one."""
        return self.net.num_actions

    @cython.boundscheck(False)
    @cython.wraparound(False)
    def evaluate(self, const float[:, ::1] inputs not None, float[:, ::1] outputs not None, float[:, ::1] priors=None):
        """Write the outputs of each row of inputs, in [0, 1]. An output that is not a number becomes 0.5.

        Args:
            inputs: [rows, num_inputs].
            outputs: [rows, num_outputs]; receives the result.
            priors: [rows, num_actions]; receives the weights of all actions in the policy, exp(sum - greatest sum), at
                least exp(-30). None: they are not computed.

        Raises:
            ValueError: another shape.
        """
        cdef Py_ssize_t row
        cdef float units[MAX_WIDTH]
        cdef uint16_t[::1] actions
        if (inputs.shape[1] != self.net.num_inputs or outputs.shape[1] != self.net.num_outputs
                or inputs.shape[0] != outputs.shape[0]):
            raise ValueError(f"inputs [{inputs.shape[0]}, {inputs.shape[1]}] and outputs [{outputs.shape[0]}, "
                             f"{outputs.shape[1]}]; valid: [rows, {self.net.num_inputs}] and "
                             f"[rows, {self.net.num_outputs}]")
        if priors is not None:
            if (priors.shape[0], priors.shape[1]) != (inputs.shape[0], self.net.num_actions):
                raise ValueError(f"priors [{priors.shape[0]}, {priors.shape[1]}]; "
                                 f"valid: [{inputs.shape[0]}, {self.net.num_actions}]")
            actions = array("H", range(self.net.num_actions))
        with nogil:
            for row in range(inputs.shape[0]):
                net_units(&self.net, &inputs[row, 0], units)
                net_outputs(&self.net, units, &outputs[row, 0])
                if priors is not None and self.net.num_actions:
                    net_policy(&self.net, units, 0, &actions[0], self.net.num_actions, &priors[row, 0])

    def priors(self, State state not None, actions, int32_t first=0):
        """Return the priors of some actions in a state, each above 0. They add up to 1.

        Args:
            state: of a game whose encoding has num_inputs numbers.
            actions: at least one.
            first: number of action 0 in the policy, which may be of several players.

        Raises:
            ValueError: an encoding of another size; no action, or one that is not in the policy.
            OverflowError: an action beyond 0 to 65,535.
        """
        cdef float units[MAX_WIDTH]
        cdef float[::1] inputs = array("f", bytes(sizeof(float) * self.net.num_inputs))
        cdef uint16_t[::1] listed = array("H", actions)
        cdef Py_ssize_t i
        cdef int64_t last = -1
        cdef const game_t *game
        state.enter()
        try:
            game = &state.game.table
            if game.encode == NULL or game.encoding_size != self.net.num_inputs:
                raise ValueError(f"an encoding of {game.encoding_size} numbers; valid: {self.net.num_inputs}")
            game.encode(game, state.data, &inputs[0])
            state.game.reraise()
        finally:
            state.leave()
        for i in range(listed.shape[0]):
            last = max(last, <int64_t> first + listed[i])
        if first < 0 or not 0 <= last < self.net.num_actions:
            raise ValueError(f"the actions {shown(actions)} from number {first}; valid: at least one, all of the "
                             f"{self.net.num_actions} of the policy")
        weights = array("f", bytes(sizeof(float) * listed.shape[0]))
        cdef float[::1] out = weights
        net_units(&self.net, &inputs[0], units)
        net_policy(&self.net, units, first, &listed[0], <int32_t> listed.shape[0], &out[0])
        total = sum(weights)
        return [weight / total for weight in weights]
