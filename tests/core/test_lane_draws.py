"""What lanes draw: permutations and numbers, from streams of their own, the same in vectors of every width."""

import json
import os
import subprocess
import sys
import sysconfig

import numpy as np
import pytest
from compilers import FLAGS, can_run

import cext

pytestmark = pytest.mark.long

MODULE = """
# cython: language_level=3
from libc.stdint cimport int32_t, uint64_t
from cext.primitives.lanes cimport LANES, MAX_ITEMS, draw_below, join_lanes, lanes_t, permute, seed_lanes, skip_draws
from cext.primitives.vectors cimport VECTOR_BYTES, get64, splat16, vector_t

cdef lane_bytes(const vector_t *vector):
    return [get64(vector, lane >> 3) >> (8 * (lane & 7)) & 0xFF for lane in range(VECTOR_BYTES)]

def permutations(uint64_t seed, int32_t items, int32_t rounds):
    '''Permutations of all lanes: [round][item][lane].'''
    cdef lanes_t lanes
    cdef vector_t ranks[MAX_ITEMS]
    found = [[[] for _ in range(items)] for _ in range(rounds)]
    for block in range(LANES // VECTOR_BYTES):
        seed_lanes(&lanes, seed, block)
        for number in range(rounds):
            permute(&lanes, items, ranks)
            for item in range(items):
                found[number][item] += lane_bytes(&ranks[item])
    return found

def numbers(uint64_t seed, int32_t bound, int32_t other, int32_t rounds, int32_t skipped):
    '''Numbers below `bound` in even lanes and `other` in odd lanes, both at most 256: [round][lane].'''
    cdef lanes_t lanes
    cdef vector_t even, odd
    found = [[] for _ in range(rounds)]
    for block in range(LANES // VECTOR_BYTES):
        seed_lanes(&lanes, seed, block)
        skip_draws(&lanes, skipped)
        for number in range(rounds):
            even = splat16(bound)
            odd = splat16(other)
            draw_below(&lanes, &even, &odd)
            even = join_lanes(even, odd)
            found[number] += lane_bytes(&even)
    return found

def wide_numbers(uint64_t seed, int32_t bound, int32_t rounds):
    '''Numbers below `bound` in the even lanes of the first block.'''
    cdef lanes_t lanes
    cdef vector_t even, odd
    found = []
    seed_lanes(&lanes, seed, 0)
    for number in range(rounds):
        even = odd = splat16(bound)
        draw_below(&lanes, &even, &odd)
        found += [get64(&even, 0) >> 16 * i & 0xFFFF for i in range(4)]
    return found
"""
REPORT = """
import json, sys, lane_draws
calls = json.load(sys.stdin)
print(json.dumps([getattr(lane_draws, name)(*arguments) for name, *arguments in calls]))
"""
CALLS = [
    *(("permutations", 5, items, 40) for items in (0, 1, 2, 4, 9, 10, 25, 33, 64)),
    ("permutations", 6, 3, 4000),
    ("numbers", 7, 251, 10, 3000, 0),
    ("numbers", 7, 251, 10, 10, 3),
    ("wide_numbers", 8, 40_000, 2000),
]


@pytest.fixture(scope="module")
def drawn(tmp_path_factory):
    """Branch of the headers -> what the calls return there."""
    folder = tmp_path_factory.mktemp("draws")
    (folder / "lane_draws.pyx").write_text(MODULE)
    include = os.path.dirname(cext.get_include())
    environment = {**os.environ, "PYTHONPATH": include}
    subprocess.run(
        [sys.executable, "-m", "cython", "-I", include, "lane_draws.pyx"], cwd=folder, check=True, env=environment
    )
    found = {}
    for branch, flags in FLAGS.items():
        if not can_run(flags):
            continue
        (folder / branch).mkdir()
        target = folder / branch / f"lane_draws{sysconfig.get_config_var('EXT_SUFFIX')}"
        paths = [f"-I{sysconfig.get_path('include')}", f"-I{cext.get_include()}"]
        strict = ["-O1", "-Werror=incompatible-pointer-types"]  # newer compilers refuse these by default
        command = ["cc", *strict, "-shared", "-fPIC", *flags, *paths, "lane_draws.c", "-o", str(target)]
        subprocess.run(command, cwd=folder, check=True)
        path = os.pathsep.join([str(folder / branch), include])
        done = subprocess.run(
            [sys.executable, "-c", REPORT],
            input=json.dumps(CALLS),
            env={**os.environ, "PYTHONPATH": path},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        found[branch] = json.loads(done.stdout)
    return found


def result(drawn, *call):
    return np.array(drawn["c11"][CALLS.index(call)])


def test_every_width_draws_the_same(drawn):
    assert all(calls == drawn["c11"] for calls in drawn.values())


@pytest.mark.parametrize("items", [1, 2, 4, 9, 10, 25, 33, 64])
def test_each_lane_has_permutations_of_its_own(drawn, items):
    ranks = result(drawn, "permutations", 5, items, 40)
    assert ranks.shape == (40, items, 64)
    assert (np.sort(ranks, axis=1) == np.arange(items)[:, None]).all()
    if items >= 25:
        assert len({tuple(ranks[number, :, lane]) for number in range(40) for lane in range(64)}) == 40 * 64
    if items >= 9:
        # each item has each rank equally often: a sum of squares within five sigma of that of chi-squared
        counts = np.array([np.bincount(ranks[:, item].ravel(), minlength=items) for item in range(items)])
        expected = 40 * 64 / items
        freedom = (items - 1) ** 2
        assert abs(((counts - expected) ** 2).sum() / expected - freedom) < 5 * np.sqrt(2 * freedom) + items


def test_all_permutations_are_equally_frequent_in_each_lane(drawn):
    ranks = result(drawn, "permutations", 6, 3, 4000)
    codes = ranks[:, 0] * 9 + ranks[:, 1] * 3 + ranks[:, 2]
    for lane in range(64):
        values, counts = np.unique(codes[:, lane], return_counts=True)
        assert len(values) == 6
        assert ((counts - 4000 / 6) ** 2).sum() / (4000 / 6) < 35  # of 64 values with 5 degrees of freedom


def test_numbers_are_below_their_bounds_and_even(drawn):
    numbers = result(drawn, "numbers", 7, 251, 10, 3000, 0)
    for lanes, bound in ((numbers[:, ::2], 251), (numbers[:, 1::2], 10)):
        counts = np.bincount(lanes.ravel())
        expected = lanes.size / bound
        assert len(counts) == bound
        assert abs(((counts - expected) ** 2).sum() / expected - (bound - 1)) < 5 * np.sqrt(2 * (bound - 1))
    skipping = result(drawn, "numbers", 7, 251, 10, 10, 3)
    assert (skipping[:7] == numbers[3:10]).all()


def test_bounds_that_reject_many_draws_give_even_numbers(drawn):
    """2^16 modulo 40,000 is 25,536: without rejections, the numbers below 25,536 would be too frequent."""
    numbers = result(drawn, "wide_numbers", 8, 40_000, 2000)
    assert numbers.max() < 40_000
    counts = np.histogram(numbers, bins=8, range=(0, 40_000))[0]
    assert ((counts - 1000) ** 2).sum() / 1000 < 30
