"""The sequential test: against published log likelihood ratios, and its error rates by simulation."""

import math
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import brentq

from bots.arena.ratings.sprt import Sprt
from mcts.errors import ParameterError


@pytest.mark.parametrize(
    ("counts", "bounds", "model", "llr"),
    [
        ([365, 16618, 36229, 16974, 390], (0, 2), "normalized", 2.25),
        ([127, 4883, 10712, 5150, 104], (-1.75, 0.25), "normalized", 3.01),
        ([0, 0, 0, 0, 5550], (0, 5), "normalized", 111.80),
        ([223, 9863, 21279, 10037, 246], (0.5, 2.5), "logistic", -3.07),
        ([871, 26175, 55983, 26678, 821], (0, 2), "logistic", -4.98),
        ([36027, 68692, 36433], (0, 2), "normalized", 0.92),
        ([72, 10, 0, 0, 0], (-1000, -500), "normalized", -2.966),
        ([77, 1, 0, 0, 0], (-1000, -500), "normalized", -2.952),
    ],
)
def test_published_ratios(counts, bounds, model, llr):
    assert Sprt(*bounds, model=model).llr(counts) == pytest.approx(llr, rel=0.01)


def test_decisions():
    test = Sprt(0, 5)
    assert (test.lower, test.upper) == pytest.approx((-2.9444, 2.9444), abs=1e-4)
    assert test.decide([0, 0, 0, 0, 0]) is None
    assert test.llr([0, 0, 0, 0, 0]) == 0
    assert test.decide([0, 0, 0, 0, 5550]) == "H1"
    assert test.decide([5550, 0, 0, 0, 0]) == "H0"
    assert Sprt(0, 2).decide([365, 16618, 36229, 16974, 390]) is None
    strict = Sprt(0, 5, alpha=0.01, beta=0.2)
    assert (strict.lower, strict.upper) == pytest.approx((math.log(0.2 / 0.99), math.log(0.8 / 0.01)))


def test_drawn_blocks_hardly_move_a_symmetric_test():
    assert Sprt(-5, 5).llr([0, 0, 1000, 0, 0]) == pytest.approx(0, abs=1e-9)
    assert -0.1 < Sprt(0, 5).llr([0, 0, 100, 0, 0]) < 0
    assert Sprt(-5, 5, model="logistic").llr([0, 0, 1000, 0, 0]) == pytest.approx(0, abs=1e-9)


def test_undefined_ratios_are_undecided():
    test = Sprt(500, 1500)
    assert test.llr([0, 0, 1, 0, 0]) is None
    assert test.decide([0, 0, 1, 0, 0]) is None


@given(st.lists(st.integers(0, 300), min_size=5, max_size=5), st.floats(-30, 30), st.floats(0.5, 30))
@settings(max_examples=60, deadline=None)
def test_swapping_the_bots_mirrors_the_test(counts, elo0, gap):
    for model in ("normalized", "logistic"):
        forward = Sprt(elo0, elo0 + gap, model=model).llr(counts)
        backward = Sprt(-elo0 - gap, -elo0, model=model).llr(counts[::-1])
        assert (forward is None) == (backward is None)
        if forward is not None:
            assert forward == pytest.approx(-backward, rel=1e-6, abs=1e-6)


@given(st.lists(st.integers(1, 300), min_size=5, max_size=5), st.floats(-30, 30))
@settings(max_examples=40, deadline=None)
def test_the_ratio_is_that_of_a_general_optimiser(counts, elo):
    """The likelihood of a hypothesis, maximised by Lagrange multipliers, against a search along the constraint."""
    mean = 1 / (1 + 10 ** (-elo / 400))
    scores = np.arange(5) / 4
    observed = np.array(counts) / sum(counts)
    theta = brentq(
        lambda at: float(sum(observed * (scores - mean) / (1 + at * (scores - mean)))),
        -1 / (1 - mean) + 1e-9,
        1 / mean - 1e-9,
        xtol=1e-14,
    )
    likelihood = sum(counts) * float(sum(observed * np.log(1 / (1 + theta * (scores - mean)))))
    # the other bound is where the observed mean is: its likelihood is that of what was observed
    here = float(sum(observed * scores))
    elo_here = 400 * math.log10(here / (1 - here))
    if abs(elo_here - elo) > 0.1:
        low, high = sorted((elo_here, elo))
        ratio = Sprt(low, high, model="logistic").llr(counts)
        assert ratio == pytest.approx(likelihood if high == elo else -likelihood, rel=1e-4, abs=1e-6)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((5, 0), ["elo0=5", "elo1=0", "below"]),
        ((1, 1), ["elo0=1", "below"]),
        ((0, math.inf), ["elo1=inf"]),
        ((math.nan, 1), ["elo0=nan"]),
        ((0, 1e6, 0.05, 0.05, "logistic"), ["elo1=1e+06"]),
        ((0, 5, 0), ["alpha=0", "above 0"]),
        ((0, 5, 0.05, 0.5), ["beta=0.5", "below 0.5"]),
        ((0, 5, 0.05, 0.05, "bayes"), ["'bayes'", "normalized, logistic"]),
    ],
)
def test_bad_bounds_are_refused(arguments, words):
    with pytest.raises(ParameterError) as caught:
        Sprt(*arguments)
    assert all(word in str(caught.value) for word in words)


@pytest.mark.parametrize("counts", [[1, 2], [1, 2, 3, 4], [1, -1, 2], [math.nan, 1, 2], []])
def test_bad_counts_are_refused(counts):
    with pytest.raises(ParameterError, match=r"counts"):
        Sprt(0, 5).llr(counts)


def many_ratios(test, counts):
    """`Sprt.llr` of many counts [runs, results] by plain iteration, which is fast enough for simulations."""
    counts = np.where(counts == 0, 1e-3, counts)
    results = counts.shape[1]
    total = counts.sum(axis=1, keepdims=True)
    observed = counts / total
    scores = np.arange(results) / (results - 1)
    found = []
    for elo in (test.elo0, test.elo1):
        p = observed
        for _ in range(5):
            if test.model == "logistic":
                phi = np.broadcast_to(scores - 1 / (1 + 10 ** (-elo / 400)), p.shape)
            else:
                t = elo * math.sqrt((results - 1) / 2) * math.log(10) / 800
                mean = (p * scores).sum(axis=1, keepdims=True)
                deviation = np.sqrt((p * (scores - mean) ** 2).sum(axis=1, keepdims=True))
                phi = scores - 0.5 - t * deviation / 2 * (1 + ((scores - mean) / deviation) ** 2)
            low, high = -1 / phi.max(axis=1, keepdims=True), -1 / phi.min(axis=1, keepdims=True)
            theta = np.zeros_like(low)
            for _ in range(35):
                ratio = phi / (1 + theta * phi)
                value = (observed * ratio).sum(axis=1, keepdims=True)
                low, high = np.where(value > 0, theta, low), np.where(value > 0, high, theta)
                newton = theta + value / (observed * ratio**2).sum(axis=1, keepdims=True)
                before, theta = theta, np.where((newton > low) & (newton < high), newton, (low + high) / 2)
                if np.abs(theta - before).max() < 1e-6:
                    break
            p = observed / (1 + theta * phi)
            if test.model == "logistic":
                break
        found.append(p)
    return (total * observed * np.log(found[1] / found[0])).sum(axis=1)


def results_at(elo, model, base):
    """The distribution `base`, tilted to an Elo."""
    scores = np.arange(len(base)) / (len(base) - 1)

    def tilted(tilt):
        p = np.array(base) * np.exp(tilt * scores)
        return p / p.sum()

    def miss(tilt):
        p = tilted(tilt)
        mean = float(p @ scores)
        if model == "logistic":
            return mean - 1 / (1 + 10 ** (-elo / 400))
        deviation = math.sqrt(float(p @ (scores - mean) ** 2) * (len(base) - 1) / 2)
        return (mean - 0.5) / deviation - elo * math.log(10) / 800

    return tilted(brentq(miss, -5, 5))


def simulated(test, truth, runs, seed, every=3, cap=4000):
    """Numbers of runs that accept H0 and H1, and the mean number of blocks."""
    rng = np.random.default_rng(seed)
    counts = np.zeros((runs, len(truth)))
    running = np.arange(runs)
    decided = {"H0": 0, "H1": 0}
    blocks = 0
    while len(running) and blocks < cap:
        counts[running] += rng.multinomial(every, truth, size=len(running))
        blocks += every
        if blocks < 10:
            continue  # a handful of blocks may have no solution: those are looked at one by one below
        ratios = many_ratios(test, counts[running])
        decided["H0"] += int((ratios <= test.lower).sum())
        decided["H1"] += int((ratios >= test.upper).sum())
        running = running[(ratios > test.lower) & (ratios < test.upper)]
    assert not len(running)
    return decided


@pytest.mark.parametrize("model", ["normalized", "logistic"])
def test_the_fast_ratios_of_the_simulations_are_those_of_the_test(model):
    rng = np.random.default_rng(8)
    test = Sprt(0, 60, model=model)
    counts = np.array(
        [rng.multinomial(n, [0.1, 0.2, 0.35, 0.25, 0.1]) for n in (10, 20, 60, 200, 1000) for _ in range(20)]
    )
    slow = [test.llr([int(count) for count in row]) for row in counts]
    assert many_ratios(test, counts) == pytest.approx(slow, rel=1e-4, abs=1e-4)


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("test", "base"),
    [
        (Sprt(0, 60), [0.1, 0.2, 0.4, 0.2, 0.1]),
        (Sprt(-20, 40, alpha=0.1, beta=0.05), [0.02, 0.2, 0.5, 0.25, 0.03]),
        (Sprt(0, 50, model="logistic"), [0.1, 0.2, 0.4, 0.2, 0.1]),
        (Sprt(0, 80), [0.3, 0.4, 0.3]),
    ],
    ids=["normalized", "uneven rates", "logistic", "trinomial"],
)
def test_error_rates(test, base):
    """With Wald's bounds, error rates are a little below alpha and beta, since the last step overshoots them."""
    runs = 200
    for hypothesis, elo, rate in (("H1", test.elo0, test.alpha), ("H0", test.elo1, test.beta)):
        wrong = simulated(test, results_at(elo, test.model, base), runs, seed=11)[hypothesis]
        tolerance = 3 * math.sqrt(rate * (1 - rate) / runs)
        assert 0.3 * rate < wrong / runs < rate + tolerance


@pytest.mark.long
def test_error_rates_of_the_test_itself_block_by_block():
    test = Sprt(0, 200)
    rng = random.Random(2)
    for wrong, elo in (("H1", 0), ("H0", 200)):
        truth = list(results_at(elo, "normalized", [0.15, 0.2, 0.3, 0.2, 0.15]))
        mistakes = 0
        for _ in range(300):
            counts = [0] * 5
            while (decision := test.decide(counts)) is None:
                counts[rng.choices(range(5), truth)[0]] += 1
            mistakes += decision == wrong
        assert mistakes / 300 < 0.05 + 3 * math.sqrt(0.05 * 0.95 / 300)
