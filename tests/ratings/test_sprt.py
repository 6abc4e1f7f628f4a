"""The sequential test: against published log likelihood ratios, and its error rates by simulation."""

import math
import random

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.optimize import brentq

from bots.arena.ratings.sprt import Sprt
from mcts.errors import ParameterError
from tests.helpers.likeliest import least_divergence


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
        ([10, 0, 0, 0, 0], (0, 300), "normalized", -14.8604),
        ([2, 5, 10, 5, 2], (0, 240), "normalized", -10.14),
        ([2, 5, 10, 5, 2], (0, 250), "normalized", -10.88),
        ([0, 0, 0, 0, 1000], (0, 5), "normalized", 20.14),
        ([0, 0, 0, 2, 998], (0, 5), "normalized", 20.13),
    ],
)
def test_known_ratios(counts, bounds, model, llr):
    assert Sprt(*bounds, model=model).llr(counts) == pytest.approx(llr, rel=0.01)


def test_decisions():
    test = Sprt(0, 5)
    assert (test.lower, test.upper) == pytest.approx((-2.9444, 2.9444), abs=1e-4)
    assert test.decide([0, 0, 0, 0, 0]) is None
    assert test.llr([0, 0, 0, 0, 0]) == 0
    assert test.decide([0, 0, 0, 0, 5550]) == "H1"
    assert test.decide([5550, 0, 0, 0, 0]) == "H0"
    assert Sprt(0, 2).decide([365, 16618, 36229, 16974, 390]) is None
    inner = math.nextafter(test.lower, 0), math.nextafter(test.upper, 0)
    assert [test.verdict(llr) for llr in (test.lower, *inner, test.upper)] == ["H0", None, None, "H1"]
    strict = Sprt(0, 5, alpha=0.01, beta=0.2)
    assert (strict.lower, strict.upper) == pytest.approx((math.log(0.2 / 0.99), math.log(0.8 / 0.01)))


def test_drawn_blocks_hardly_move_a_symmetric_test():
    assert Sprt(-5, 5).llr([0, 0, 1000, 0, 0]) == pytest.approx(0, abs=1e-9)
    assert -0.1 < Sprt(0, 5).llr([0, 0, 100, 0, 0]) < 0
    assert Sprt(-5, 5, model="logistic").llr([0, 0, 1000, 0, 0]) == pytest.approx(0, abs=1e-9)


def random_case(rng):
    """Counts of games or blocks and two hypotheses, many of them lopsided or far away."""
    results = int(rng.choice([3, 5, 5]))
    share = rng.dirichlet([rng.choice([0.1, 0.5, 1, 3])] * results)
    counts = rng.multinomial(rng.choice([1, 3, 10, 100, 1000, 30_000, 1_000_000]), share)
    elo0 = rng.choice([0, -5, rng.uniform(-30, 30), rng.uniform(-300, 300), rng.uniform(-1000, 1000)])
    return [int(count) for count in counts], float(elo0), float(elo0 + rng.choice([5, rng.uniform(0.5, 300)]))


@pytest.mark.parametrize("cases", [8, pytest.param(300, marks=pytest.mark.long)])
def test_ratios_of_random_counts_are_those_of_50_digits(cases):
    rng = np.random.default_rng(2)
    for _ in range(cases):
        counts, elo0, elo1 = random_case(rng)
        seen = [count or 1e-3 for count in counts]
        observed = [count / sum(seen) for count in seen]
        scores = [step / (len(counts) - 1) for step in range(len(counts))]
        unit = math.sqrt((len(counts) - 1) / 2) * math.log(10) / 800
        under0, under1 = (least_divergence(observed, scores, elo * unit) for elo in (elo0, elo1))
        llr = Sprt(elo0, elo1).llr(counts)
        assert llr == pytest.approx(sum(seen) * (under0 - under1), rel=1e-10, abs=1e-9), (counts, elo0, elo1)


@pytest.mark.parametrize("bounds", [(0, 5), (0, 300), (-1000, 0), (500, 1500), (-10_000, 10_000)])
def test_every_lopsided_result_has_a_ratio(bounds):
    test = Sprt(*bounds)
    for few in (0, 1, 2, 3, 4, 5, 10, 20, 50, 400):
        for counts in ([0, 0, 0, few, 1000 - few], [few, 0, 1000 - few, 0, 0], [0, 0, 0, 0, 10**9], [0, 0, 1, few, 0]):
            assert math.isfinite(test.llr(counts))
            assert math.isfinite(test.llr([counts[0], counts[2], counts[4]]))


def test_a_bot_that_loses_nearly_all_is_rejected():
    assert Sprt(0, 50).decide([98, 0, 0, 0, 2]) == "H0"
    assert Sprt(0, 50).decide([2, 0, 0, 0, 98]) == "H1"
    ratios = [Sprt(0, 5).llr([0, 0, 0, few, 1000 - few]) for few in range(0, 80)]
    assert ratios == sorted(ratios, reverse=True)  # each block that is worse lowers the ratio
    assert ratios[-1] > 10


def test_scores_of_blocks_of_any_game():
    test = Sprt(0, 60)
    pentanomial = {0.0: 10, 0.25: 20, 0.5: 40, 0.75: 25, 1.0: 8}
    assert test.llr_of_scores(pentanomial, games=2) == pytest.approx(test.llr([10, 20, 40, 25, 8]), rel=1e-12)
    small = {0.5 + (score - 0.5) / 10: count for score, count in pentanomial.items()}
    assert test.llr_of_scores(small, games=2) == pytest.approx(test.llr([10, 20, 40, 25, 8]), rel=1e-6)
    won = {0.5 + (score - 0.5) / 10: count for score, count in pentanomial.items() if score > 0.5}
    assert test.llr_of_scores(won, games=2) == pytest.approx(test.llr_of_scores({0.75: 25, 1.0: 8}, games=2), rel=1e-6)
    assert test.llr_of_scores({}, games=3) == 0
    assert test.verdict(test.llr_of_scores({0.55: 300, 0.45: 100}, games=6)) == "H1"
    assert test.verdict(test.llr_of_scores({0.51: 300}, games=3)) == "H1"
    assert test.verdict(test.llr_of_scores({0.55: 200, 0.45: 210}, games=6)) == "H0"


@given(st.lists(st.integers(0, 300), min_size=5, max_size=5), st.floats(-30, 30), st.floats(0.5, 30))
@settings(max_examples=60, deadline=None)
def test_swapping_the_bots_mirrors_the_test(counts, elo0, gap):
    for model in ("normalized", "logistic"):
        forward = Sprt(elo0, elo0 + gap, model=model).llr(counts)
        backward = Sprt(-elo0 - gap, -elo0, model=model).llr(counts[::-1])
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
    assume(abs(elo_here - elo) > 0.1)
    low, high = sorted((elo_here, elo))
    ratio = Sprt(low, high, model="logistic").llr(counts)
    assert ratio == pytest.approx(likelihood if high == elo else -likelihood, rel=1e-4, abs=1e-6)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((5, 0), ["elo0=5", "elo1=0", "below"]),
        ((1, 1), ["elo0=1", "below"]),
        ((0, math.inf), ["elo1=inf"]),
        ((-10_001, 0), ["elo0=-10001"]),
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
