"""Vectors of bytes and words: every branch of the header and every width agree with numpy."""

import subprocess

import numpy as np
import pytest
from compilers import COMPILERS, FLAGS, compile_strictly, skip_unless_usable

BYTES = 4096
# name -> the same by numpy, on arrays of the type; masks have all bits of an element.
BINARY = {
    "both": (np.uint64, lambda a, b: a & b),
    "either": (np.uint64, lambda a, b: a | b),
    "differ": (np.uint64, lambda a, b: a ^ b),
    "without": (np.uint64, lambda a, b: a & ~b),
    "add8": (np.uint8, lambda a, b: a + b),
    "sub8": (np.uint8, lambda a, b: a - b),
    "same8": (np.uint8, lambda a, b: np.where(a == b, 0xFF, 0)),
    "more8": (np.int8, lambda a, b: np.where(a > b, -1, 0)),
    "max8": (np.uint8, np.maximum),
    "min8": (np.uint8, np.minimum),
    "add16": (np.uint16, lambda a, b: a + b),
    "sub16": (np.uint16, lambda a, b: a - b),
    "low16": (np.uint16, lambda a, b: a * b),
    "high16": (np.uint16, lambda a, b: a.astype(np.uint32) * b >> 16),
    "same16": (np.uint16, lambda a, b: np.where(a == b, 0xFFFF, 0)),
    "more16": (np.int16, lambda a, b: np.where(a > b, -1, 0)),
    "below16": (np.uint16, lambda a, b: np.where(a < b, 0xFFFF, 0)),
    "add64": (np.uint64, lambda a, b: a + b),
}
TERNARY = {
    "odd": lambda a, b, c: a ^ b ^ c,
    "most": lambda a, b, c: a & b | a & c | b & c,
    "owed": lambda a, b, c: ~a & b | ~a & c | b & c,
    "join": lambda a, b, c: a | b & c,
}
SHIFTS = {
    "up16": (np.uint16, lambda a, n: a << np.uint16(n)),
    "down16": (np.uint16, lambda a, n: a >> np.uint16(n)),
    "up64": (np.uint64, lambda a, n: a << np.uint64(n)),
    "turn64": (np.uint64, lambda a, n: a << np.uint64(n) | a >> np.uint64(64 - n)),
}
PROGRAM = r"""
#include <stdio.h>
#include <string.h>
#include "primitives/vectors.h"
#define BYTES 4096
#define EACH for (int i = 0; i < BYTES; i += PLAYOUT_VECTOR_BYTES)
static unsigned char first[BYTES], second[BYTES];
static playout_vector_t at(const unsigned char *from) { playout_vector_t v; memcpy(&v, from, sizeof v); return v; }
static playout_vector_t before(int i) { return at(first + (i + BYTES - 64) % BYTES); }
static void put(playout_vector_t v) { fwrite(&v, sizeof v, 1, stdout); }
int main(void)
{
    unsigned long long counts = 0, any = 0;
    playout_vector_t word = playout_splat8(0);
    if (fread(first, BYTES, 1, stdin) != 1 || fread(second, BYTES, 1, stdin) != 1)
        return 1;
OPERATIONS
    EACH put(playout_splat8(first[i - i % 64]));
    EACH put(playout_splat16(first[i - i % 64] * 257));
    EACH counts += (unsigned)playout_count8(playout_more8(at(first + i), at(second + i)));
    EACH any += (unsigned)playout_any(playout_splat8(0));
    playout_put64(&word, 1, 0x00FF0000FF00FF00u);
    any += playout_get64(&word, 0) == 0 && playout_get64(&word, 1) == 0x00FF0000FF00FF00u && playout_any(word);
    fwrite(&counts, sizeof counts, 1, stdout);
    fwrite(&any, sizeof any, 1, stdout);
    return 0;
}
"""


def inputs():
    """Return two arrays of bytes: random ones, and many that are equal or extreme."""
    rng = np.random.default_rng(3)
    extreme = rng.choice(np.array([0, 1, 2, 127, 128, 254, 255], np.uint8), (2, BYTES // 2))
    return np.concatenate([rng.integers(0, 256, (2, BYTES // 2), np.uint8), extreme], axis=1)


def expected():
    """Return what the program writes."""
    first, second = inputs()
    parts = [of(first.view(kind), second.view(kind)).astype(kind) for kind, of in BINARY.values()]
    parts += [of(first.view(kind), n).astype(kind) for kind, of in SHIFTS.values() for n in (1, 5, 15)]
    third = np.roll(first, 64)
    parts += [of(first, second, third) for of in TERNARY.values()]
    starts = np.repeat(first[::64], 64)
    parts += [starts, starts.astype(np.uint8)]
    parts.append(np.array([(first.view(np.int8) > second.view(np.int8)).sum(), 1], np.uint64))
    return b"".join(part.tobytes() for part in parts)


@pytest.mark.sample(2)
@pytest.mark.parametrize("branch", FLAGS)
@pytest.mark.parametrize("compiler", COMPILERS)
def test_all_branches_do_what_numpy_does(compiler, branch, tmp_path):
    skip_unless_usable(COMPILERS[compiler], FLAGS[branch])
    lines = [f"    EACH put(playout_{name}(at(first + i), at(second + i)));" for name in BINARY]
    lines += [f"    EACH put(playout_{name}(at(first + i), {n}));" for name in SHIFTS for n in (1, 5, 15)]
    lines += [f"    EACH put(playout_{name}(at(first + i), at(second + i), before(i)));" for name in TERNARY]
    source = PROGRAM.replace("OPERATIONS", "\n".join(lines))
    program = compile_strictly(source, tmp_path, COMPILERS[compiler], FLAGS[branch])
    found = subprocess.run([program], input=inputs().tobytes(), capture_output=True, check=True).stdout
    assert found == expected()
