/* Nets: a few dense layers in float32, with the same bits from every machine code.
 *
 * Hidden units are max(0, sum). Outputs, the values, are 1 / (1 + exp(-sum)). A net may have a policy as well: a sum
 * for each action of the game, from the same hidden units.
 *
 * Every sum has one order of adding, whatever the width of the vectors:
 * - of a unit of the first layer: the bias plus the sum of the inputs in order;
 * - of another hidden unit: the bias and the even inputs in order, plus the odd inputs in order;
 * - of an output or an action: eight sums, of the inputs with the same number modulo 8, in order; then they are added in
 *   pairs.
 * Inputs and units that are 0 are left out. As no sum is -0, that changes no bit. */
#ifndef PLAYOUT_INFERENCE_H
#define PLAYOUT_INFERENCE_H

#include <float.h>
#include <string.h>

#include "../primitives/vectors.h"

#define PLAYOUT_MAX_LAYERS 5            /* with the outputs */
#define PLAYOUT_MAX_WIDTH 1024          /* units of a hidden layer */
#define PLAYOUT_MAX_OUTPUTS 8
#define PLAYOUT_FLOATS (PLAYOUT_VECTOR_BYTES / 4)
#define PLAYOUT_SUMS 8                  /* vectors of sums that are kept in registers */
#define PLAYOUT_LISTED 256              /* numbers of which those that are not 0 are listed at once, as bytes */

typedef struct {
    int32_t num_inputs;
    int32_t num_layers;                 /* hidden layers and the outputs, at least 2 */
    int32_t num_outputs;
    int32_t width[PLAYOUT_MAX_LAYERS];  /* units of each layer; the last one: outputs */
    int32_t stride[PLAYOUT_MAX_LAYERS]; /* of hidden layers: width, rounded up to a multiple of 8 */
    const float *bias[PLAYOUT_MAX_LAYERS];      /* [stride]; of outputs: [num_outputs] */
    /* of the first layer [num_inputs, stride]; of other hidden layers [stride of the layer before, stride]; of outputs
     * [num_outputs, stride of the layer before]. Numbers beyond the width are 0 */
    const float *weights[PLAYOUT_MAX_LAYERS];
    int32_t num_actions;                /* of all policies; 0 without one */
    const float *action_bias;           /* [num_actions] */
    const float *action_weights;        /* [num_actions, stride of the last hidden layer] */
} playout_net_t;

static PLAYOUT_ALWAYS_INLINE playout_vector_t playout_load_f32(const float *from)
{
    playout_vector_t v;
    memcpy(&v, from, sizeof v);
    return v;
}

static PLAYOUT_ALWAYS_INLINE void playout_store_f32(float *to, playout_vector_t v) { memcpy(to, &v, sizeof v); }

/* Return bits: bit i is set where the i-th of 4 numbers is not `x`, 0 or 1. */
static PLAYOUT_ALWAYS_INLINE uint32_t playout_others4(const float *numbers, float x)
{
#ifdef PLAYOUT_SSE2
    return (uint32_t)_mm_movemask_ps(_mm_cmpneq_ps(_mm_loadu_ps(numbers), _mm_set1_ps(x)));
#else
    uint32_t bits = 0;
    for (int i = 0; i < 4; i++)
        bits |= (uint32_t)(numbers[i] != x) << i;
    return bits;
#endif
}

/* Append begin + i for each of 4 bits i that is set, in order. Return their number. 4 places are written. */
static PLAYOUT_ALWAYS_INLINE int32_t playout_append4(uint8_t *listed, int32_t begin, uint32_t bits)
{
    static const uint8_t set_bits[16][4] = {{0}, {0}, {1}, {0, 1}, {2}, {0, 2}, {1, 2}, {0, 1, 2}, {3}, {0, 3}, {1, 3},
                                            {0, 1, 3}, {2, 3}, {0, 2, 3}, {1, 2, 3}, {0, 1, 2, 3}};
    uint32_t found;
    memcpy(&found, set_bits[bits], sizeof found);
    found += (uint32_t)begin * 0x01010101u;     /* each is below 256 */
    memcpy(listed, &found, sizeof found);
    return playout_popcount64(bits);
}

/* sum[i] += inputs[j] * weights[j][i] for the listed inputs j, in order, and `vectors` vectors of units. inputs: NULL if
 * all that are listed are 1. */
static PLAYOUT_ALWAYS_INLINE void playout_add_listed(const float *weights, int32_t stride, const float *inputs,
                                                     const uint8_t *listed, int32_t count, float *sum, const int vectors)
{
    playout_vector_t kept[PLAYOUT_SUMS];
    for (int v = 0; v < vectors; v++)
        kept[v] = playout_load_f32(sum + v * PLAYOUT_FLOATS);
    for (int32_t i = 0; i < count; i++) {
        const playout_vector_t x = playout_splat_f32(inputs == NULL ? 1.0f : inputs[listed[i]]);
        const float *row = weights + listed[i] * (size_t)stride;
        for (int v = 0; v < vectors; v++) {
            const playout_vector_t weight = playout_load_f32(row + v * PLAYOUT_FLOATS);
            kept[v] = playout_add_f32(kept[v], inputs == NULL ? weight : playout_mul_f32(x, weight));
        }
    }
    for (int v = 0; v < vectors; v++)
        playout_store_f32(sum + v * PLAYOUT_FLOATS, kept[v]);
}

/* The same for all whole groups of `vectors` vectors from unit `begin` on. Return the first unit behind them. */
static PLAYOUT_ALWAYS_INLINE int32_t playout_add_groups(const float *weights, int32_t stride, const float *inputs,
                                                        const uint8_t *listed, int32_t count, float *sum, int32_t begin,
                                                        const int vectors)
{
    const int32_t step = vectors * PLAYOUT_FLOATS;
    weights += begin;       /* moved from group to group: with an index, GCC keeps an address for each vector */
    sum += begin;
    for (; begin + step <= stride; begin += step) {
        if (inputs == NULL)
            playout_add_listed(weights, stride, NULL, listed, count, sum, vectors);
        else
            playout_add_listed(weights, stride, inputs, listed, count, sum, vectors);
        weights += step;
        sum += step;
    }
    return begin;
}

/* The same for all units of a layer. */
static inline void playout_add_rows(const float *weights, int32_t stride, const float *inputs, const uint8_t *listed,
                                    int32_t count, float *sum)
{
    int32_t done = playout_add_groups(weights, stride, inputs, listed, count, sum, 0, PLAYOUT_SUMS);
    done = playout_add_groups(weights, stride, inputs, listed, count, sum, done, PLAYOUT_SUMS / 2);
    playout_add_groups(weights, stride, inputs, listed, count, sum, done, 1);
}

/* Write the sums of the inputs in the first layer [its stride], without the bias. */
static inline void playout_net_sum_inputs(const playout_net_t *net, const float *inputs, float *sums)
{
    const int32_t stride = net->stride[0], count = net->num_inputs;
    uint8_t listed[PLAYOUT_LISTED];
    memset(sums, 0, sizeof(float) * stride);
    for (int32_t first = 0; first < count; first += PLAYOUT_LISTED) {
        const int32_t size = count - first < PLAYOUT_LISTED ? count - first : PLAYOUT_LISTED;
        const float *from = inputs + first, *rows = net->weights[0] + first * (size_t)stride;
        int32_t length = 0, j = 0;
        uint32_t bits, others = 0;      /* others: not 0 and not 1 */
        for (; j + 4 <= size; j += 4) {
            bits = playout_others4(from + j, 0.0f);
            others |= bits & playout_others4(from + j, 1.0f);
            length += playout_append4(listed + length, j, bits);
        }
        for (; j < size; j++) {
            listed[length] = (uint8_t)j;
            length += from[j] != 0.0f;
            others |= from[j] != 0.0f && from[j] != 1.0f;
        }
        playout_add_rows(rows, stride, others ? from : NULL, listed, length, sums);
    }
}

/* exp(y) for y from -30 to 30. The polynomial is that of expf in Cephes (Moshier 1989), accurate to 1e-7. */
static inline float playout_exp(float y)
{
    float power, scale;
    uint32_t bits;
    const int32_t n = (int32_t)(y * 1.44269504f + (y < 0.0f ? -0.5f : 0.5f));
    y = y - (float)n * 0.693359375f;
    y = y + (float)n * 2.12194440e-4f;
    power = 1.9875691500e-4f;
    power = power * y + 1.3981999507e-3f;
    power = power * y + 8.3334519073e-3f;
    power = power * y + 4.1665795894e-2f;
    power = power * y + 1.6666665459e-1f;
    power = power * y + 5.0000001201e-1f;
    power = power * (y * y) + y + 1.0f;
    bits = (uint32_t)(n + 127) << 23;
    memcpy(&scale, &bits, sizeof scale);
    return power * scale;
}

/* 1 / (1 + exp(-x)), 0.5 for NaN. */
static inline float playout_logistic(float x)
{
    const float limit = 30.0f;
    if (!(x == x))
        return 0.5f;
    return 1.0f / (1.0f + playout_exp(x > limit ? -limit : x < -limit ? limit : -x));
}

/* Write the units of the last hidden layer [its stride] from the inputs [num_inputs]. */
static inline void playout_net_units(const playout_net_t *net, const float *inputs, float *units)
{
    float first[PLAYOUT_MAX_WIDTH], second[PLAYOUT_MAX_WIDTH], even[PLAYOUT_MAX_WIDTH], odd[PLAYOUT_MAX_WIDTH];
    uint8_t evens[PLAYOUT_LISTED], odds[PLAYOUT_LISTED];
    const int32_t last = net->num_layers - 1;
    float *from = last == 1 ? units : first, *to;
    playout_net_sum_inputs(net, inputs, from);
    for (int32_t i = 0; i < net->stride[0]; i += PLAYOUT_FLOATS)
        playout_store_f32(from + i, playout_positive_f32(playout_add_f32(playout_load_f32(net->bias[0] + i),
                                                                         playout_load_f32(from + i))));
    for (int32_t layer = 1; layer < last; layer++) {
        const int32_t stride = net->stride[layer], count = net->stride[layer - 1];
        memcpy(even, net->bias[layer], sizeof(float) * stride);
        memset(odd, 0, sizeof(float) * stride);
        for (int32_t begin = 0; begin < count; begin += PLAYOUT_LISTED) {
            const int32_t size = count - begin < PLAYOUT_LISTED ? count - begin : PLAYOUT_LISTED;
            const float *rows = net->weights[layer] + begin * (size_t)stride;
            int32_t num_evens = 0, num_odds = 0;
            for (int32_t j = 0; j < size; j += 4) {
                const uint32_t bits = playout_others4(from + begin + j, 0.0f);
                num_evens += playout_append4(evens + num_evens, j, bits & 5);
                num_odds += playout_append4(odds + num_odds, j, bits & 10);
            }
            playout_add_rows(rows, stride, from + begin, evens, num_evens, even);
            playout_add_rows(rows, stride, from + begin, odds, num_odds, odd);
        }
        to = layer == last - 1 ? units : from == first ? second : first;
        for (int32_t i = 0; i < stride; i += PLAYOUT_FLOATS)
            playout_store_f32(to + i, playout_positive_f32(playout_add_f32(playout_load_f32(even + i),
                                                                           playout_load_f32(odd + i))));
        from = to;
    }
}

/* Return the sum of units[i] * weights[i]. count: a multiple of 8. */
static inline float playout_dot(const float *units, const float *weights, int32_t count)
{
    float lanes[8];
    playout_vector_t sums[8 / PLAYOUT_FLOATS];
    for (int v = 0; v < 8 / PLAYOUT_FLOATS; v++)
        sums[v] = playout_splat_f32(0.0f);
    for (int32_t i = 0; i < count; i += 8)
        for (int v = 0; v < 8 / PLAYOUT_FLOATS; v++) {
            const int32_t at = i + v * PLAYOUT_FLOATS;
            sums[v] = playout_add_f32(sums[v], playout_mul_f32(playout_load_f32(units + at), playout_load_f32(weights + at)));
        }
    for (int v = 0; v < 8 / PLAYOUT_FLOATS; v++)
        playout_store_f32(lanes + v * PLAYOUT_FLOATS, sums[v]);
    return ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) + ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]));
}

/* Write the outputs [num_outputs], in [0, 1], from the units of the last hidden layer. */
static inline void playout_net_outputs(const playout_net_t *net, const float *units, float *out)
{
    const int32_t last = net->num_layers - 1, count = net->stride[last - 1];
    for (int32_t output = 0; output < net->num_outputs; output++)
        out[output] = playout_logistic(net->bias[last][output]
                                       + playout_dot(units, net->weights[last] + output * (size_t)count, count));
}

/* Write the weights of some actions in a policy, in [exp(-30), 1]: exp(sum - greatest sum). Where that is not a number,
 * exp(-30). units: of the last hidden layer. first: number of action 0 of the policy. */
static inline void playout_net_policy(const playout_net_t *net, const float *units, int32_t first,
                                      const uint16_t *actions, int32_t count, float *out)
{
    const int32_t stride = net->stride[net->num_layers - 2];
    float greatest = -FLT_MAX;
    for (int32_t i = 0; i < count; i++) {
        out[i] = net->action_bias[first + actions[i]]
                 + playout_dot(units, net->action_weights + (first + actions[i]) * (size_t)stride, stride);
        greatest = out[i] > greatest ? out[i] : greatest;
    }
    for (int32_t i = 0; i < count; i++) {
        const float less = out[i] - greatest;
        out[i] = playout_exp(less >= -30.0f ? less : -30.0f);
    }
}

#endif
