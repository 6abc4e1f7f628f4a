"""`playout ratings --all`: games of several tournaments and files rated together, with errors from whole blocks."""

import json
import shutil
import sqlite3

from bots.arena.report.json_data import report_to_dict
from bots.arena.results.pool import pool
from bots.arena.store.store import Store

THREADS = ("--executor", "threads")
PAIR = ["arena", "mnk", "random", "greedy", "--executor", "threads"]


def ratings(playout, *arguments):
    result = playout("ratings", "--all", *arguments, "--json")
    assert result.status == 0, result.err
    return json.loads(result.out)


def elos(data):
    return {bot["bot"]: (bot["elo"], bot["elo_error"], bot["games"]) for bot in data["bots"]}


def test_a_pool_of_one_tournament_is_that_tournament(playout):
    playout(*PAIR, "--games", "40")
    alone = json.loads(playout("ratings", "--json").out)
    pooled = ratings(playout)
    for key in ("game", "games", "blocks", "ratings", "pairings", "notes"):
        assert pooled[key] == alone[key]
    assert elos(pooled) == elos(alone)
    assert [source["games"] for source in pooled["sources"]] == [40]


def test_parts_of_a_tournament_pooled_are_the_whole(playout, tmp_path):
    """Errors too: they rest on the same blocks."""
    playout(*PAIR, "--games", "60", "--db", "whole.db")
    for name, keep in (("a.db", "block < 11"), ("b.db", "block >= 11")):
        shutil.copy(tmp_path / "whole.db", tmp_path / name)
        connection = sqlite3.connect(tmp_path / name)
        with connection:
            connection.execute(f"DELETE FROM games WHERE NOT ({keep})")
        connection.close()
    whole, parts = ratings(playout, "whole.db"), ratings(playout, "a.db", "b.db")
    assert elos(parts) == elos(whole)
    assert parts["ratings"] == whole["ratings"]
    assert parts["pairings"] == whole["pairings"]
    assert [source["games"] for source in parts["sources"]] == [38, 22]


def test_bots_that_never_met_are_connected_by_others_and_anchored(playout):
    threads = ["--executor", "threads", "--games"]
    playout(*PAIR, "--games", "40", "--db", "a.db", "--seed", "1")
    playout("arena", "mnk", "random", "mcts:simulations=20", *threads, "40", "--db", "a.db", "--seed", "2")
    playout("arena", "mnk", "greedy", "mcts:simulations=20", *threads, "20", "--db", "b.db", "--seed", "3")
    data = ratings(playout, "a.db", "b.db", "--anchor", "random=1000")
    found = elos(data)
    assert found["random"][0] == 1000
    assert {bot: games for bot, (_, _, games) in found.items()} == {
        "random": 80, "greedy": 60, "mcts(simulations=20)": 60,
    }  # fmt: skip
    assert all(error is not None and error > 0 for bot, (_, error, _) in found.items() if bot != "random")
    text = playout("ratings", "--all", "a.db", "b.db").out
    assert "100 games, 3 tournaments" in text
    assert text.count("From a.db, tournament ") == 2
    assert "20 games, begun 2" in text


def test_impossible_pools_are_refused_with_the_reason(playout):
    playout("arena", "points_ttt", "random", "greedy", *THREADS, "--games", "4")
    playout(*PAIR, "--games", "6")
    data = ratings(playout)
    (left_out,) = data["not_pooled"]
    assert (data["games"], left_out["game"], left_out["games"]) == (6, "points_ttt", 0)
    assert left_out["reason"].startswith("4 games of points_ttt, not of mnk(m=3,n=3,k=3)")
    assert "Not pooled arena.db, tournament" in playout("ratings", "--all").out
    assert ratings(playout, "--game", "points_ttt")["games"] == 4
    result = playout("ratings", "--all", "--game", "bidding_ttt")
    assert result.status == 2
    assert "valid: mnk(m=3,n=3,k=3), points_ttt" in result.err


def test_a_bot_under_other_limits_is_another_bot(playout):
    playout("arena", "mnk", "random", "mcts", *THREADS, "--games", "8", "--simulations", "5")
    playout("arena", "mnk", "random", "mcts", *THREADS, "--games", "8", "--limit", "2:simulations=50")
    found = {bot["bot"]: bot["games"] for bot in ratings(playout)["bots"]}
    assert len(found) == 4
    assert sum(name.startswith("mcts [simulations=") and name.endswith("]") for name in found) == 2
    assert found["random [no limit]"] == found["random [simulations=5]"] == 8


def test_games_in_several_files_count_once(playout, tmp_path):
    playout(*PAIR, "--games", "20", "--db", "a.db")
    shutil.copy(tmp_path / "a.db", tmp_path / "copy.db")
    playout(*PAIR, "--games", "30", "--db", "a.db")
    once, twice = ratings(playout, "a.db"), ratings(playout, "a.db", "copy.db", "a.db")
    assert elos(once) == elos(twice)
    assert "20 games are in several of these tournaments and count once." in twice["notes"]
    assert twice["not_pooled"][0]["reason"] == "all of its games are also in another of these tournaments"


def test_three_players_are_pooled_too(playout, tmp_path):
    command = ["arena", "three_player_ttt", "random", "greedy", "random", *THREADS, "--games", "9"]
    playout(*command, "--db", "a.db", "--seed", "1")
    playout(*command, "--db", "b.db", "--seed", "2", "--seat-orders", "all")
    with Store(str(tmp_path / "a.db"), True) as a, Store(str(tmp_path / "b.db"), True) as b:
        found = report_to_dict(pool([a, b]).report)
    assert found["games"] == 9 + 12
    assert found["blocks"] == 3 + 2


def test_bad_options_are_one_line(playout):
    playout(*PAIR, "--games", "2")
    for arguments, words in (
        (["--all", "none.db"], "none.db"),
        (["arena.db", "arena2.db"], "--all"),
        (["--game", "mnk"], "--game without --all"),
        (["--all", "--tournament", "1"], "cannot be given together"),
        (["--all", "--anchor", "nobody=3"], "unknown bot 'nobody'"),
    ):
        result = playout("ratings", *arguments)
        assert (result.status, result.out) == (2, "")
        assert words in result.err
        assert result.err.count("\n") == 1


def test_ratings_name_their_tournaments(playout):
    playout(*PAIR, "--games", "6", "--db", "x.db")
    last = playout("ratings", "x.db").out.rstrip().splitlines()[-1]
    assert last.startswith("From x.db, tournament ")
    assert ": 6 games, begun 20" in last
    assert last.endswith(" UTC")
