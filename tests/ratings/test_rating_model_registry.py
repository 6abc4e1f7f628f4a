"""Rating models are one file each: those of the package by name, those of other packages by the path of their class."""

import importlib
import json
import math
import pkgutil
from collections import Counter

import pytest
from page_reader import Page
from winner_only import WinnerOnly

from bots import arena
from bots.arena.ratings import models
from bots.arena.ratings.blocks import GameOutcome
from bots.arena.ratings.model_registry import default_rating_model, load_rating_model, rating_model_names
from bots.arena.ratings.rating_model import RatingModel
from bots.arena.ratings.ratings import rate
from mcts import ParameterError

OUTSIDE = "winner_only.WinnerOnly"


def test_every_file_of_the_folder_is_a_model():
    names = [found.name for found in pkgutil.iter_modules(models.__path__)]
    assert rating_model_names() == sorted(names) == ["bradley_terry", "least_squares", "plackett_luce"]
    for name in names:
        model = load_rating_model(name)
        assert isinstance(model, RatingModel)
        assert type(model) is importlib.import_module(f"{models.__name__}.{name}").MODEL
    assert [default_rating_model(players).TITLE for players in (2, 3)] == ["Bradley-Terry", "Plackett-Luce"]
    assert [default_rating_model(players, "returns").TITLE for players in (2, 3)] == ["Least squares"] * 2


@pytest.mark.parametrize("name", ["", "elo", "no.such.Model", "bots.arena.ratings.elo.EloEstimate", "winner_only.None"])
def test_an_unknown_model_is_refused_with_the_valid_names(name):
    with pytest.raises(ParameterError, match="bradley_terry, least_squares, plackett_luce, or the path of a class"):
        load_rating_model(name)


def test_a_model_from_outside_rates_by_its_own_likelihood():
    """Three bots that play all games together: the worth of each is its share of the wins."""
    wins = {0: 50, 1: 30, 2: 20}
    counts = Counter()
    for bot, times in wins.items():
        low = sorted({0, 1, 2} - {bot})
        returns = [0.0, 0.0, 0.0]
        returns[bot], returns[low[0]] = 2.0, 1.0  # the model ignores second and third place
        counts[(GameOutcome((0, 1, 2), tuple(returns)),)] = times
    found = rate(3, counts, seat_effect=False, model=load_rating_model(OUTSIDE))
    assert found.model == "Winner only"
    for one, other in ((0, 1), (1, 2)):
        expected = 400 * math.log10(wins[one] / wins[other])
        assert found.values[one] - found.values[other] == pytest.approx(expected, abs=1e-4)
    plain = rate(3, counts, seat_effect=False)
    assert plain.model == "Plackett-Luce"
    assert plain.values != pytest.approx(found.values, abs=1)


def test_for_two_players_without_draws_it_is_bradley_terry():
    counts = Counter({(GameOutcome((0, 1), (1.0, 0.0)),): 7, (GameOutcome((0, 1), (0.0, 1.0)),): 3})
    found, expected = (rate(2, counts, model=load_rating_model(name)) for name in (OUTSIDE, "bradley_terry"))
    assert found.values == pytest.approx(expected.values)
    assert found.errors == pytest.approx(expected.errors)


def test_reports_in_text_json_and_page_use_the_model(playout, tmp_path):
    words = ("random", "greedy", "random", "--games", "12", "--score", "wins")
    assert playout("arena", "three_player_ttt", *words).status == 0
    data = json.loads(playout("ratings", "--model", OUTSIDE, "--json").out)
    assert data["ratings"]["model"] == WinnerOnly.TITLE
    default = json.loads(playout("ratings", "--json").out)
    assert default["ratings"]["model"] == "Plackett-Luce"
    elos = [[bot["elo"] for bot in found["bots"]] for found in (data, default)]
    assert elos[0] != elos[1]
    with arena.open(tmp_path / "arena.db", model=OUTSIDE) as result:
        assert result.to_dict()["ratings"] == data["ratings"]
        assert [round(standing.rating, 4) for standing in result.standings] == elos[0]
    assert playout("ratings", "--model", OUTSIDE, columns=200).out != playout("ratings", columns=200).out
    pooled = json.loads(playout("ratings", "--all", "--model", OUTSIDE, "--json").out)
    assert pooled["ratings"]["model"] == WinnerOnly.TITLE
    assert playout("report", "--model", OUTSIDE, "-o", "page.html").status == 0
    assert WinnerOnly.TITLE in Page((tmp_path / "page.html").read_text()).text
    refused = playout("ratings", "--model", "glicko")
    assert refused.status == 2
    assert "unknown rating model 'glicko'; valid: bradley_terry, least_squares, plackett_luce" in refused.err
