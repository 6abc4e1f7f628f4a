"""Pictures of ratings and of matches."""

import xml.etree.ElementTree as ElementTree

import pytest

import bots
import mcts
from bots import arena

SVG = "{http://www.w3.org/2000/svg}"


def texts(svg):
    """Return the texts of a picture, which must be well-formed."""
    return ["".join(found.itertext()) for found in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def test_ratings_are_a_picture_with_a_row_for_each_bot():
    names = {"strong & <sure>": "mcts(simulations=50)", "simple": "greedy", "weak": "random"}
    with arena.run(arena.describe("mnk", names, games=20, seed=1), workers=1) as result:
        svg = result._repr_svg_()
        assert svg == result.to_svg() == arena.Result(result.report, list).to_svg()
        assert result.to_svg(theme="dark") != svg
        with pytest.raises(ValueError, match="size"):
            result.to_svg(size=1)
        found = texts(svg)
        for standing in result.standings:
            assert standing.bot in found
            elo = f"{result.ratings.values[standing.index]:+.0f}".replace("-", "\u2212")
            assert any(text.startswith(elo) for text in found)
        order = [found.index(standing.bot) for standing in result.standings]
        assert order == sorted(order)
        drawn = ElementTree.fromstring(svg)
        wide = float(drawn.get("viewBox").split()[2])
        assert all(float(one.get("x", 0)) + float(one.get("width")) <= wide for one in drawn.iter(f"{SVG}rect"))
        title = ElementTree.fromstring(svg).find(f"{SVG}title").text
        assert title == "Ratings in mnk(m=3,n=3,k=3): 60 games"


def test_ratings_of_bots_without_common_results_have_a_picture():
    with arena.run(arena.describe("mnk", ["mcts(simulations=400)", "random"], games=2, seed=1), workers=1) as result:
        assert len(texts(result.to_svg())) >= 2


def test_a_match_is_drawn_as_its_person_may_see_it():
    match = bots.Match("mnk", {"o": "random"}, seed=1)
    match.play("mark(2,2)")
    assert match._repr_svg_() == match.to_svg() == match.state.to_svg()
    hidden = bots.Match("bidding_3d_ttt", {"blue": "random"}, seed=1)
    hidden.play(hidden.view().action_to_string(hidden.view().sample_action(1)))
    assert hidden._repr_svg_() == hidden.to_svg(0) == hidden.view().to_svg()
    with pytest.raises(mcts.StateError, match="is its bot's"):
        hidden.to_svg("blue")
    both = bots.Match("bidding_3d_ttt", {}, seed=1)
    assert both._repr_svg_() is None
    assert both.to_svg("red", size=200) == both.view("red").to_svg(size=200)


def test_replay_writes_the_last_position(tmp_path, playout):
    match = bots.Match("mnk", {"o": "random"}, seed=1)
    match.play("mark(2,2)")
    match.save(tmp_path / "game.json")
    path = tmp_path / "end.svg"
    done = playout("replay", str(tmp_path / "game.json"), "-o", str(path))
    assert done.status == 0, done.err
    assert path.read_text().strip() == match.to_svg().strip()
    piped = playout("replay", str(tmp_path / "game.json"), "-o", "-")
    assert texts(piped.out)
    assert "mark(2,2)" in piped.err
