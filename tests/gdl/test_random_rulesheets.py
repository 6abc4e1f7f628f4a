"""Random rulesheets: the network, compiled code and games side by side follow the interpreter in plain Python."""

import numpy as np
import pytest
from random_rulesheets import random_rulesheet
from rulesheets import load, means, play_beside_reference

GAMES = 2
"""Random games of a rulesheet, of at most five plies."""


@pytest.fixture
def sheet(tmp_path):
    """Write the rulesheet of a seed, and return its path."""

    def make(seed):
        path = tmp_path / f"sheet_{seed}.kif"
        path.write_text(random_rulesheet(seed))
        return path

    return make


@pytest.mark.parametrize("seeds", [range(120), pytest.param(range(120, 1200), marks=pytest.mark.long)], ids=str)
def test_networks_of_random_rules_follow_the_interpreter(sheet, seeds):
    for seed in seeds:
        path = sheet(seed)
        for game in range(GAMES):
            play_beside_reference(path, game, 8)


@pytest.mark.parametrize("compiles", ["never", "always"])
@pytest.mark.parametrize("seeds", [range(8), pytest.param(range(8, 60), marks=pytest.mark.long)], ids=str)
def test_games_of_random_rules_side_by_side_have_the_means_of_single_ones(sheet, monkeypatch, seeds, compiles):
    monkeypatch.setenv("PLAYOUT_COMPILE", compiles)
    for seed in seeds:
        state = load(sheet(seed)).new_initial_state()
        deviation = 50 / np.sqrt(4000)
        assert means(state, 20_000, "lanes") == pytest.approx(means(state, 4000, "playout"), abs=5 * deviation)
