/* Value nets: a few dense layers in float32, with the same bits from every machine code.
 *
 * The inputs are divided into blocks. The first layer is the bias and the sum of each block, in order; a program that
 * keeps the sums of blocks that do not change saves their share of the work, and gets the same bits. Hidden units are
 * max(0, sum). Outputs are 1 / (1 + exp(-sum)).
 *
 * Every sum has one order of adding, whatever the width of the vectors:
 * - of a block: its inputs in order;
 * - of a hidden unit after the first layer: the bias and the even inputs in order, plus the odd inputs in order;
 * - of an output: eight sums, of the inputs with the same number modulo 8, in order; then they are added in pairs. */
#ifndef PLAYOUT_INFERENCE_H
#define PLAYOUT_INFERENCE_H

#include <string.h>

#include "../vectors.h"

#define PLAYOUT_MAX_LAYERS 5            /* with the outputs */
#define PLAYOUT_MAX_WIDTH 1024          /* units of a hidden layer */
#define PLAYOUT_MAX_BLOCKS 256          /* of inputs */
#define PLAYOUT_MAX_OUTPUTS 8
#define PLAYOUT_FLOATS (PLAYOUT_VECTOR_BYTES / 4)
#define PLAYOUT_SUMS 8                  /* vectors of sums that are kept in registers */

typedef struct {
    int32_t num_inputs;
    int32_t num_blocks;
    int32_t num_layers;                 /* hidden layers and the outputs, at least 2 */
    int32_t num_outputs;
    int32_t block_begin[PLAYOUT_MAX_BLOCKS + 1];    /* inputs of block b: from block_begin[b] to block_begin[b + 1] */
    int32_t width[PLAYOUT_MAX_LAYERS];  /* units of each layer; the last one: outputs */
    int32_t stride[PLAYOUT_MAX_LAYERS]; /* of hidden layers: width, rounded up to a multiple of 8 */
    const float *bias[PLAYOUT_MAX_LAYERS];      /* [stride]; of outputs: [num_outputs] */
    /* of the first layer [num_inputs, stride]; of other hidden layers [stride of the layer before, stride]; of outputs
     * [num_outputs, stride of the layer before]. Numbers beyond the width are 0 */
    const float *weights[PLAYOUT_MAX_LAYERS];
} playout_net_t;

static PLAYOUT_ALWAYS_INLINE playout_vector_t playout_load_f32(const float *from)
{
    playout_vector_t v;
    memcpy(&v, from, sizeof v);
    return v;
}

static PLAYOUT_ALWAYS_INLINE void playout_store_f32(float *to, playout_vector_t v) { memcpy(to, &v, sizeof v); }

/* out[i] = sum of inputs[j] * weights[j][i], for `vectors` vectors of units. */
static PLAYOUT_ALWAYS_INLINE void playout_sum_tile(const float *weights, int32_t stride, const float *inputs, int32_t count,
                                                   float *out, const int vectors)
{
    playout_vector_t sum[PLAYOUT_SUMS];
    for (int v = 0; v < vectors; v++)
        sum[v] = playout_splat_f32(0.0f);
    for (int32_t j = 0; j < count; j++) {
        const playout_vector_t x = playout_splat_f32(inputs[j]);
        for (int v = 0; v < vectors; v++)
            sum[v] = playout_add_f32(sum[v],
                                     playout_mul_f32(x, playout_load_f32(weights + j * (size_t)stride + v * PLAYOUT_FLOATS)));
    }
    for (int v = 0; v < vectors; v++)
        playout_store_f32(out + v * PLAYOUT_FLOATS, sum[v]);
}

/* out[i] = max(0, bias[i] + sum of inputs[j] * weights[j][i]), for `vectors` vectors of units; count is even. */
static PLAYOUT_ALWAYS_INLINE void playout_layer_tile(const float *bias, const float *weights, int32_t stride,
                                                     const float *inputs, int32_t count, float *out, const int vectors)
{
    playout_vector_t even[PLAYOUT_SUMS / 2], odd[PLAYOUT_SUMS / 2];
    for (int v = 0; v < vectors; v++) {
        even[v] = playout_load_f32(bias + v * PLAYOUT_FLOATS);
        odd[v] = playout_splat_f32(0.0f);
    }
    for (int32_t j = 0; j < count; j += 2) {
        const playout_vector_t x = playout_splat_f32(inputs[j]), y = playout_splat_f32(inputs[j + 1]);
        const float *row = weights + j * (size_t)stride, *next = row + stride;
        for (int v = 0; v < vectors; v++) {
            even[v] = playout_add_f32(even[v], playout_mul_f32(x, playout_load_f32(row + v * PLAYOUT_FLOATS)));
            odd[v] = playout_add_f32(odd[v], playout_mul_f32(y, playout_load_f32(next + v * PLAYOUT_FLOATS)));
        }
    }
    for (int v = 0; v < vectors; v++)
        playout_store_f32(out + v * PLAYOUT_FLOATS, playout_positive_f32(playout_add_f32(even[v], odd[v])));
}

/* Write the sum of one block: out [stride of the first layer]. inputs: the numbers of this block. */
static inline void playout_net_sum_block(const playout_net_t *net, int32_t block, const float *inputs, float *out)
{
    const int32_t stride = net->stride[0], begin = net->block_begin[block], count = net->block_begin[block + 1] - begin;
    const float *weights = net->weights[0] + begin * (size_t)stride;
    int32_t i = 0;
    for (; i + PLAYOUT_SUMS * PLAYOUT_FLOATS <= stride; i += PLAYOUT_SUMS * PLAYOUT_FLOATS)
        playout_sum_tile(weights + i, stride, inputs, count, out + i, PLAYOUT_SUMS);
    for (; i < stride; i += PLAYOUT_FLOATS)
        playout_sum_tile(weights + i, stride, inputs, count, out + i, 1);
}

/* total[i] = start[i] + the sums of some blocks, in order, for `vectors` vectors of units. */
static PLAYOUT_ALWAYS_INLINE void playout_add_tile(const float *start, const float *const *sums, int32_t count, int32_t at,
                                                   float *total, const int vectors)
{
    playout_vector_t sum[PLAYOUT_SUMS];
    for (int v = 0; v < vectors; v++)
        sum[v] = playout_load_f32(start + at + v * PLAYOUT_FLOATS);
    for (int32_t block = 0; block < count; block++)
        for (int v = 0; v < vectors; v++)
            sum[v] = playout_add_f32(sum[v], playout_load_f32(sums[block] + at + v * PLAYOUT_FLOATS));
    for (int v = 0; v < vectors; v++)
        playout_store_f32(total + at + v * PLAYOUT_FLOATS, sum[v]);
}

/* Add the sums of some blocks to `start`, the bias of the first layer or a total of the blocks before them. Blocks must be
 * added in order, or the last bits differ from playout_net_value. `total` may be `start`. */
static inline void playout_net_add(const playout_net_t *net, const float *start, const float *const *sums, int32_t count,
                                   float *total)
{
    int32_t i = 0;
    for (; i + PLAYOUT_SUMS * PLAYOUT_FLOATS <= net->stride[0]; i += PLAYOUT_SUMS * PLAYOUT_FLOATS)
        playout_add_tile(start, sums, count, i, total, PLAYOUT_SUMS);
    for (; i < net->stride[0]; i += PLAYOUT_FLOATS)
        playout_add_tile(start, sums, count, i, total, 1);
}

/* 1 / (1 + exp(-x)), 0.5 for NaN. The polynomial is that of expf in Cephes (Moshier 1989), accurate to 1e-7. */
static inline float playout_logistic(float x)
{
    const float limit = 30.0f;
    float y, power, scale;
    int32_t n;
    uint32_t bits;
    if (!(x == x))
        return 0.5f;
    y = x > limit ? -limit : x < -limit ? limit : -x;
    n = (int32_t)(y * 1.44269504f + (y < 0.0f ? -0.5f : 0.5f));
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
    return 1.0f / (1.0f + power * scale);
}

/* Write the outputs [num_outputs], in [0, 1], from the total of the first layer [stride of the first layer]. */
static inline void playout_net_finish(const playout_net_t *net, const float *total, float *out)
{
    float first[PLAYOUT_MAX_WIDTH], second[PLAYOUT_MAX_WIDTH];
    float *from = first, *to = second, *other;
    const int32_t last = net->num_layers - 1;
    for (int32_t i = 0; i < net->stride[0]; i += PLAYOUT_FLOATS)
        playout_store_f32(from + i, playout_positive_f32(playout_load_f32(total + i)));
    for (int32_t layer = 1; layer < last; layer++) {
        const int32_t stride = net->stride[layer], count = net->stride[layer - 1];
        int32_t i = 0;
        for (; i + PLAYOUT_SUMS / 2 * PLAYOUT_FLOATS <= stride; i += PLAYOUT_SUMS / 2 * PLAYOUT_FLOATS)
            playout_layer_tile(net->bias[layer] + i, net->weights[layer] + i, stride, from, count, to + i,
                               PLAYOUT_SUMS / 2);
        for (; i < stride; i += PLAYOUT_FLOATS)
            playout_layer_tile(net->bias[layer] + i, net->weights[layer] + i, stride, from, count, to + i, 1);
        other = from;
        from = to;
        to = other;
    }
    for (int32_t output = 0; output < net->num_outputs; output++) {
        const int32_t count = net->stride[last - 1];
        const float *weights = net->weights[last] + output * (size_t)count;
        float lanes[8];
        playout_vector_t sums[8 / PLAYOUT_FLOATS];
        for (int v = 0; v < 8 / PLAYOUT_FLOATS; v++)
            sums[v] = playout_splat_f32(0.0f);
        for (int32_t i = 0; i < count; i += 8)
            for (int v = 0; v < 8 / PLAYOUT_FLOATS; v++) {
                const int32_t at = i + v * PLAYOUT_FLOATS;
                sums[v] = playout_add_f32(sums[v], playout_mul_f32(playout_load_f32(from + at), playout_load_f32(weights + at)));
            }
        for (int v = 0; v < 8 / PLAYOUT_FLOATS; v++)
            playout_store_f32(lanes + v * PLAYOUT_FLOATS, sums[v]);
        out[output] = playout_logistic(net->bias[last][output] + (((lanes[0] + lanes[4]) + (lanes[2] + lanes[6]))
                                                                  + ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]))));
    }
}

/* Write the outputs [num_outputs], in [0, 1], from the inputs [num_inputs]. */
static inline void playout_net_value(const playout_net_t *net, const float *inputs, float *out)
{
    float total[PLAYOUT_MAX_WIDTH], sum[PLAYOUT_MAX_WIDTH];
    const float *start = net->bias[0], *const sums = sum;
    for (int32_t block = 0; block < net->num_blocks; block++) {
        playout_net_sum_block(net, block, inputs + net->block_begin[block], sum);
        playout_net_add(net, start, &sums, 1, total);
        start = total;
    }
    playout_net_finish(net, total, out);
}

#endif
