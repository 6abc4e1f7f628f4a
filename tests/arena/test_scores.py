"""What counts in a tournament: wins, or returns where the game says so."""

import json
from collections import Counter
from dataclasses import replace

import pytest
from games_by_path import CountDown
from page_reader import Page

import mcts
from bots import arena
from bots.arena.description import describe
from bots.arena.ratings.blocks import Scoring
from bots.arena.ratings.elo import estimate_normalized
from bots.arena.results.pool import pool
from bots.arena.results.queries import extension_refusals
from bots.arena.results.tally import Tally
from bots.arena.runner import run_tournament
from bots.arena.store.store import TEMPORARY, Store
from bots.arena.tournament.schedule import Tournament
from bots.errors import TournamentError
from bots.players.common.levels import read_tables, setting_at, write_tables
from bots.studies.calibration import Calibration, calibrate
from bots.studies.training.verdict import counts_of, elo_of, sequential_verdict
from mcts.learning.game_learner import GameLearner, Recipe
from mcts.registry import registered_games

TIGHT = "poker_bots.Tight"
SHEET = """; title: Purse
{head}
(role a)
(role b)
(<= (legal ?r (take 1)) (role ?r) (not (true over)))
(<= (legal ?r (take 2)) (role ?r) (not (true over)))
(<= (next over) (does a (take ?n)))
(<= (next (has ?r ?n)) (does ?r (take ?n)))
(<= (goal ?r 10) (true (has ?r 1)))
(<= (goal ?r 70) (true (has ?r 2)))
(<= terminal (true over))
"""


class Purse(CountDown):
    """Counts by how much."""

    score = "returns"


class Odd(CountDown):
    """Has no valid score."""

    def score(self):
        return 1


def test_games_whose_bots_maximise_their_own_return_count_returns():
    found = {name for name in registered_games() if mcts.game_info(name).score == "returns"}
    assert found == {"kuhn_poker", "leduc_poker", "oh_hell", "three_player_ttt"}
    for spec in ("kuhn_poker(players=3)", "oh_hell(players=2)", "three_player_ttt(torus=true)"):
        assert mcts.load_game(spec).score == "returns"
    assert mcts.load_game("mnk").score == "wins"


@pytest.mark.parametrize(
    ("head", "score"),
    [("; score: returns", "returns"), ("; score: wins", "wins"), ("; score: by J. S. Bach", "wins"), ("", "wins")],
)
def test_a_rulesheet_names_its_score_in_its_head(tmp_path, head, score):
    path = tmp_path / "purse.kif"
    path.write_text(SHEET.format(head=head))
    assert mcts.load_game(str(path)).score == score
    assert describe(str(path), ["random", "random"], games=2).score == score


def test_a_class_names_its_score():
    assert (Purse().score, CountDown().score) == ("returns", "wins")
    assert Purse().info.score == "returns"
    with pytest.raises(mcts.ParameterError, match=r"score is <function .*>; valid: wins, returns"):
        Odd()


def test_the_bot_that_wins_more_chips_is_above_the_one_that_wins_more_hands():
    of = arena.describe("leduc_poker", {"random": "random", "tight": TIGHT}, games=200)
    assert of.score == "returns"
    with arena.run(of, executor="threads") as result:
        best, other = result.standings
        assert (best.bot, result.ratings.unit) == ("tight", "points")
        assert best.results.wins < other.results.wins
        assert best.rating_lower > 0 > other.rating_upper
        assert best.rating - other.rating == pytest.approx(2 * best.mean_return)
        (pairing,) = result.pairings
        assert pairing.points == pytest.approx(-2 * best.mean_return)
        assert pairing.elo.elo == pairing.elo.nelo < 0
        data = result.to_dict()
        assert data["score"] == "returns"
        assert data["bots"][0]["difference"] == round(best.rating, 4)
        assert "elo" not in data["bots"][0]
        assert data["pairings"][0]["difference"] == round(pairing.points, 4)
        text = str(result)
        assert text.startswith("leduc_poker: 200 games, seed 0, mean returns count\n")
        assert "difference ± 95 %" in text
        assert "Elo" not in text
        assert "Returns took" not in text


def test_an_override_counts_hands_and_notes_that_returns_differ_by_more():
    of = arena.describe("leduc_poker", {"random": "random", "tight": TIGHT}, games=200, score="wins")
    with arena.run(of, executor="threads") as result:
        assert [standing.bot for standing in result.standings] == ["random", "tight"]
        assert "Elo ± 95 %" in str(result)
        (note,) = [note for note in result.notes if note.startswith("Returns took ")]
        assert "count only who had the higher one" in note
    of = arena.describe("mnk", ["random", "greedy"], games=4, score="returns")
    with arena.run(of, executor="threads") as result:
        assert result.to_dict()["score"] == "returns"
        assert not any(note.startswith("Returns took ") for note in result.notes)


def test_an_unknown_score_is_refused():
    with pytest.raises(TournamentError, match="unknown score 'chips'; valid: wins, returns"):
        arena.describe("mnk", ["random", "random"], score="chips")


def test_a_sequential_test_of_returns_is_in_normalized_elo():
    with pytest.raises(
        TournamentError, match="normalized Elo, not model=logistic; valid: model=normalized, or the score"
    ):
        describe("leduc_poker", ["random", "random"], sprt="0,5,model=logistic")
    assert describe("leduc_poker", ["random", "random"], sprt="0,5,model=logistic", score="wins").sprt.elo1 == 5.0


@pytest.mark.parametrize(("score", "decision"), [("returns", "accepted"), ("wins", "rejected")])
def test_a_sequential_test_accepts_the_bot_that_wins_more_chips(score, decision):
    of = describe("leduc_poker", [TIGHT, "random"], games=2000, sprt="0,100", score=score)
    with arena.run(of, executor="threads", workers=1) as result:
        test = result.test
        assert test.decision == decision
        assert (test.pentanomial is None) == (score == "returns")
        assert test.blocks == result.report.blocks < 1000
        assert (test.score > 0.5) == (score == "returns")
        assert json.loads(json.dumps(test.to_dict()))["blocks"] == test.blocks
        assert decision in test.describe_state()
        mean = "mean score 0.5" in test.describe_state()
        assert mean == (score == "returns")


def test_three_players_are_rated_by_their_returns():
    of = arena.describe("three_player_ttt", ["random", "greedy", "random"], games=60, seed=2)
    with arena.run(of, executor="threads") as result:
        assert result.ratings.model == "Least squares"
        assert result.standings[0].bot == "greedy"
        assert result.standings[0].rating_lower > 0
        assert sum(result.ratings.values) == pytest.approx(0.0, abs=1e-9)
        means = {standing.index: standing.mean_return for standing in result.standings}
        # All play the same games, so the differences of mean returns are those of the ratings.
        assert result.ratings.values[1] - result.ratings.values[0] == pytest.approx(means[1] - means[0])
        for pairing in result.pairings:
            assert pairing.points == pytest.approx(means[pairing.first] - means[pairing.second])
            scores = Scoring("returns", 100.0).counts(result.report.block_counts, pairing.first, pairing.second)
            assert pairing.elo == estimate_normalized(scores, of.block_size)


def test_the_description_keeps_the_score_and_the_digest_of_wins():
    wins = Tournament("mnk(m=3,n=3,k=3)", 2, ("greedy", "random"), 5, 3)
    assert wins.digest == "136c9b9a9bdab74a"
    assert "score" not in wins.to_dict()
    assert Tournament.from_dict(wins.to_dict()) == wins
    returns = Tournament("mnk(m=3,n=3,k=3)", 2, ("greedy", "random"), 5, 3, score="returns")
    assert returns.to_dict()["score"] == "returns"
    assert Tournament.from_dict(returns.to_dict()) == returns
    assert returns.digest != wins.digest


def test_a_tournament_that_was_stored_without_a_score_counts_wins(tmp_path):
    path = str(tmp_path / "old.db")
    old = Tournament("leduc_poker", 2, ("random", TIGHT), 100)
    with Store(path) as store:
        run_tournament(old, executor="threads", store=store)
        new = describe("leduc_poker", ["random", TIGHT], games=200)
        (refusal,) = extension_refusals(store, new)
        assert refusal.endswith("its score is wins, not returns; valid: --score wins.")
        found = arena.open(path)
        assert (found.to_dict()["score"], found.standings[0].bot) == ("wins", "random")
        with arena.open(path, model="least_squares") as by_returns:
            assert (by_returns.to_dict()["score"], by_returns.standings[0].bot) == ("returns", TIGHT)
        run_tournament(new, executor="threads", store=store)
        report = pool([store]).report
        assert report.score == "returns"
        assert "The scores of these tournaments differ; returns count, as in the last played one." in report.notes


def test_the_command_and_its_file_take_a_score(playout, tmp_path):
    (tmp_path / "of.toml").write_text('game = "leduc_poker"\nbots = ["random", "random"]\ngames = 4\nscore = "wins"\n')
    data = json.loads(playout("arena", "--config", "of.toml", "--no-db", "--json").out)
    assert data["score"] == "wins"
    data = json.loads(playout("arena", "--config", "of.toml", "--score", "returns", "--no-db", "--json").out)
    assert data["score"] == "returns"
    refused = playout("arena", "mnk", "random", "random", "--score", "chips")
    assert (refused.status, "valid: wins, returns" in refused.err) == (2, True)
    assert "score: returns" in playout("check", "leduc_poker", "--games", "3").out


def test_tables_of_stored_tournaments_show_points(playout, tmp_path):
    assert playout("arena", "leduc_poker", "random", "greedy", "random", "--games", "20").status == 0
    shown = " ".join(playout("ratings", columns=140).out.split())
    assert "Mean return in whole blocks, row minus column" in shown
    assert "Won/drawn/lost" not in shown
    assert playout("report", "-o", "page.html").status == 0
    page = Page((tmp_path / "page.html").read_text()).data
    assert page["facts"]["What counts"] == "mean returns"
    assert all(bot["difference"] is not None for bot in page["results"]["bots"])
    assert ", points, " in page["facts"]["Ratings"]


def test_a_tally_stops_by_the_scores_of_blocks():
    of = describe("leduc_poker", [TIGHT, "random"], games=2000, sprt="0,100")
    outcome = run_tournament(of, executor="threads")
    again = Tally(of)
    for game in outcome.store.games(outcome.key):
        again.add(game.record)
    assert again.stopped == outcome.tally.stopped
    assert again.stopped.startswith("H1 is accepted (100 normalized Elo)")
    assert Counter(again.blocks) == outcome.tally.blocks
    ratio = of.sprt.llr_of_scores(Scoring("returns", 26.0).counts(again.blocks), of.block_size)
    assert again.stopped.endswith(f"log likelihood ratio {ratio:.2f}")
    assert of.block_size == 2


def test_levels_are_measured_by_normalized_elo():
    game = mcts.load_game("kuhn_poker")
    levels = [setting_at(game, level / 9, 100) for level in range(10)]
    description = Calibration("kuhn_poker", games=20, seed=1)
    with Store(TEMPORARY) as store:
        found = calibrate(description, store, executor="threads", levels=levels)
        match = next(match for match in found.matches if match.weaker is None)
        outcome = run_tournament(description.match(match.stronger, None, 1), executor="threads", store=store)
    assert outcome.nothing_played
    expected = estimate_normalized(Scoring("returns", 4.0).counts(outcome.tally.blocks), 2)
    assert match.elo == pytest.approx(expected.nelo)
    table = found.table
    assert table.score == "returns"
    text = write_tables({"kuhn_poker": table})
    assert read_tables(text, "x") == {"kuhn_poker": table}
    assert 'score": "' not in write_tables({"kuhn_poker": replace(table, score="wins")})
    with pytest.raises(mcts.ParameterError, match="has the score 'chips'; valid: wins, returns"):
        read_tables(text.replace('"returns"', '"chips"'), "x")


def test_a_net_is_kept_by_its_returns_where_they_count():
    """It wins a little in most games, and loses much in a few."""
    shares = ([0.6, 0.6] * 3 + [0.0, 0.2]) * 20
    assert sequential_verdict(shares) is True
    assert sequential_verdict(shares, "returns") is False
    assert elo_of(shares).elo > 0 > elo_of(shares, "returns").elo
    assert sequential_verdict([], "returns") is None
    assert elo_of([], "returns") is None


def test_a_training_counts_as_its_game_says():
    for spec, score in (("three_player_ttt", "returns"), ("mnk", "wins")):
        assert GameLearner(mcts.load_game(spec)).recipe.score == score
    assert GameLearner(mcts.load_game("mnk"), Recipe(score="returns")).recipe.score == "returns"
    with pytest.raises(ValueError, match="score='chips'; valid: wins, returns"):
        GameLearner(mcts.load_game("mnk"), Recipe(score="chips"))


def test_pairs_of_games_are_counted_by_their_points():
    lost, drawn, won = 0.0, 0.5, 1.0
    shares = [lost, lost, drawn, drawn, won, lost, drawn, won, won, won, lost, 0.3]
    assert counts_of(shares) == [2, 0, 2, 1, 1]
    assert counts_of([]) == [0] * 5
