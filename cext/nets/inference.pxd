"""Nets in C, inline. nets/inference.h defines everything here and describes the order of all sums."""
from libc.stdint cimport int32_t, uint16_t

cdef extern from "nets/inference.h" nogil:
    enum:
        MAX_LAYERS "PLAYOUT_MAX_LAYERS"         # with the outputs
        MAX_WIDTH "PLAYOUT_MAX_WIDTH"           # units of a hidden layer
        MAX_OUTPUTS "PLAYOUT_MAX_OUTPUTS"

    ctypedef struct net_t "playout_net_t":
        int32_t num_inputs
        int32_t num_layers
        int32_t num_outputs
        int32_t width[5]            # [MAX_LAYERS]
        int32_t stride[5]
        const float *bias[5]
        const float *weights[5]
        int32_t num_actions         # of all policies; 0 without one
        const float *action_bias
        const float *action_weights

    # units of the last hidden layer [MAX_WIDTH], from the inputs [num_inputs]
    void net_units "playout_net_units"(const net_t *net, const float *inputs, float *units) noexcept
    # outputs [num_outputs], in [0, 1], from these units
    void net_outputs "playout_net_outputs"(const net_t *net, const float *units, float *out) noexcept
    # weights of some actions in a policy, in [exp(-30), 1], from these units; first: number of action 0 of the policy
    void net_policy "playout_net_policy"(const net_t *net, const float *units, int32_t first, const uint16_t *actions,
                                         int32_t count, float *out) noexcept
