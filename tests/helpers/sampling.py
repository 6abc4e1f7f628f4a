"""Samples of parametrised tests: few cases a day in the short suite, all cases in the long one."""

import random
from collections import defaultdict

import pytest
from hypothesis import given


def mark_unsampled(items, seed, is_long):
    """Mark as long what the short suite leaves out of the tests that have the mark `sample`.

    `@pytest.mark.sample(number)` draws so many cases of a parametrised test; cases that are long anyway are not drawn.

    Args:
        items: collected tests.
        seed: text of the draw, which is independent for each test; "all" draws all cases.
        is_long: mark all cases, so that the long suite does not depend on the seed.
    """
    sweeps = defaultdict(list)
    for item in items:
        if item.get_closest_marker("sample") and not item.get_closest_marker("long"):
            sweeps[item.nodeid.partition("[")[0]].append(item)
    for name, cases in sweeps.items():
        (number,) = cases[0].get_closest_marker("sample").args
        count = len(cases) if seed == "all" else min(number, len(cases))
        drawn = [] if is_long else random.Random(f"{seed} {name}").sample(cases, count)
        for case in cases:
            if case not in drawn:
                case.add_marker(pytest.mark.long)


def drawn(for_every, *strategies):
    """Return a decorator that runs a test on drawn arguments in each game of a sweep.

    Args:
        for_every: decorator of tests that take the spec of a game.
        strategies: one for each argument, or a function from the spec to one.
    """

    def decorate(check):
        def test(spec):
            given(*(each(spec) if callable(each) else each for each in strategies))(check)()

        test.__name__, test.__doc__, test.__module__ = check.__name__, check.__doc__, check.__module__
        return for_every(test)

    return decorate


def sweep(names, cases, number):
    """Return a decorator that parametrises a test, and draws so many of its cases for the short suite."""
    return lambda test: pytest.mark.sample(number)(pytest.mark.parametrize(names, cases)(test))
