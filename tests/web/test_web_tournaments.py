"""Tournaments of a database, which the server reads while another process may write it."""

import sqlite3
import sys

import pytest
from waiting import no_hang, wait_until
from web_client import API, server

import bots
from bots import arena
from bots.game import Record

ARENA = f"{API}/arena"


def play(file, players, **more):
    return arena.run(arena.describe("mnk", players, seed=3, **more), db=str(file), workers=1, executor="threads")


@pytest.fixture(scope="module")
def database(tmp_path_factory):
    file = tmp_path_factory.mktemp("arena") / "arena.db"
    play(file, ["random", "greedy", "mcts(simulations=5)"], games=8, opening_plies=1)
    play(file, ["random", "greedy"], games=4, on_failure="crash=abort")
    return str(file)


@pytest.fixture(scope="module")
def client(database):
    with server(database=database) as client:
        yield client


def got(client, path, status=200, **query):
    answer = client.get(f"{ARENA}/{path}", params=query)
    assert answer.status_code == status, answer.text
    return answer.json()


def test_tournaments_are_listed_with_their_progress(client):
    assert client.get(f"{API}/info").json()["has_database"] is True
    listed = got(client, "tournaments")
    first, second = listed["tournaments"]
    assert (first["games"], first["games_scheduled"], first["bots"][0]) == (24, 24, "random")
    assert second["bots"] == ["random", "greedy"]
    assert listed["last"] == second["id"]
    assert first["refused"] is None


def test_a_tournament_has_ratings_points_and_its_last_games(client, database):
    head = got(client, "tournaments")["tournaments"][0]
    found = got(client, f"tournaments/{head['id']}")
    assert found["is_over"]
    report = found["report"]
    expected = arena.open(database, head["id"]).to_dict()
    assert report["ratings"]["los"] == expected["ratings"]["los"]
    assert report["pairings"] == expected["pairings"]
    for bot, same in zip(report["bots"], expected["bots"], strict=True):
        assert bot.pop("points") == same["wins"] + same["draws"] / 2
        assert bot == same
    assert sum(bot["wins"] + bot["draws"] + bot["losses"] for bot in expected["bots"]) == 2 * 24
    assert [game["number"] for game in found["last_games"]] == list(range(23, 3, -1))


def test_games_are_listed_and_replayed(client, database):
    digest = got(client, "tournaments")["tournaments"][0]["id"]
    with arena.open(database, digest) as result:
        stored = {game.record.number: game.record for game in result.records()}
    assert [game["number"] for game in got(client, f"tournaments/{digest}/games", before=5, count=3)["games"]] == [
        4,
        3,
        2,
    ]
    game = got(client, f"tournaments/{digest}/games/7")
    assert [seat["return"] for seat in game["seats"]] == list(stored[7].returns)
    record = Record.from_dict(game["record"])
    assert " ".join(next(iter(ply.actions.values())) for ply in record.plies[record.opening :]) == stored[7].moves
    last = got(client, f"tournaments/{digest}/games/7/plies/{len(record.plies)}")
    assert last["waits_for"] == []
    assert last["svg"].startswith("<svg")
    assert last["actions"] == dict(record.plies[-1].actions)
    assert got(client, f"tournaments/{digest}/games/7/plies/0")["actions"] is None
    assert got(client, f"tournaments/{digest}/games/7/plies/99", 404)["error"]["code"] == "no_such_ply"
    assert got(client, f"tournaments/{digest}/games/24", 404)["error"]["code"] == "unknown_game_number"


def test_the_leaderboard_rates_all_tournaments_of_a_game(client):
    found = got(client, "leaderboard")
    (game,) = found["games"]
    assert (game["tournaments"], game["games"]) == (2, 28)
    assert found["game"] == game["game"]
    assert found["report"]["games"] == 28
    assert {bot["bot"] for bot in found["report"]["bots"]} == {"random", "greedy", "mcts(simulations=5)"}
    assert len(found["tournaments"]) == 2
    assert got(client, "leaderboard", game="mnk") == found
    assert got(client, "leaderboard", 404, game="points_ttt")["error"]["valid"] == [game["game"]]
    assert got(client, "leaderboard", 422, game="os.path")["error"]["code"] == "unknown_game"


def test_an_answer_has_a_tag_until_a_game_is_played(tmp_path):
    file = tmp_path / "arena.db"
    play(file, ["random", "greedy"], games=8).close()
    with server(database=str(file)) as client:
        path = f"{ARENA}/tournaments/{got(client, 'tournaments')['tournaments'][0]['id']}"
        before = client.get(path)
        tag = {"If-None-Match": f'"other", {before.headers["etag"]}'}
        again = client.get(path, headers=tag)
        assert (again.status_code, again.content) == (304, b"")
        assert again.headers["etag"] == before.headers["etag"]
        play(file, ["random", "greedy"], games=20).close()
        wait_until(lambda: got(client, "tournaments")["tournaments"][0]["games"] == 20)
        # The former id shows the shorter tournament, whose games are the same.
        assert client.get(path, headers=tag).status_code in (200, 304)
        longer = f"{ARENA}/tournaments/{got(client, 'tournaments')['tournaments'][0]['id']}"
        after = client.get(longer, headers=tag)
        assert after.status_code == 200
        assert after.json()["games"] == 20


def test_a_running_tournament_is_followed(tmp_path):
    from bots.arena.store.store import Store

    played = tmp_path / "played.db"
    with play(played, ["random", "greedy"], games=20) as result:
        tournament = result.tournament
    file = str(tmp_path / "arena.db")
    with Store(str(played), read_only=True) as source, Store(file) as writer:
        key = writer.open_tournament(tournament)
        with server(database=file) as client:
            seen = []
            for stored in source.games(1):
                writer.add(key, stored.record)
                if stored.record.number % 10 == 9:
                    writer.flush()
                    path, number = f"tournaments/{tournament.digest}", stored.record.number
                    wait_until(lambda path=path, number=number: got(client, path)["games"] > number)
                    now = got(client, path)
                    seen.append((now["games"], now["is_over"], now["report"]["games"]))
    assert seen == [(10, False, 10), (20, True, 20)]


def test_a_server_without_a_database_says_so(tmp_path):
    with server() as client:
        for path in ("tournaments", "tournaments/1", "leaderboard", "tournaments/1/games"):
            assert got(client, path, 404)["error"]["code"] == "no_database"
    with pytest.raises(bots.StoreError), server(database=str(tmp_path / "missing.db")):
        pass


# Databases from anywhere


@pytest.fixture
def copy(database, tmp_path):
    """A function that changes a copy of the database by statements and serves it."""

    def changed(*statements):
        file = tmp_path / "changed.db"
        with sqlite3.connect(database) as source, sqlite3.connect(file) as target:
            source.backup(target)
            for statement in statements:
                target.execute(statement)
        target.close()
        return server(database=str(file))

    return changed


def test_nothing_that_a_database_names_is_imported(tmp_path, monkeypatch):
    marker = tmp_path / "imported"
    (tmp_path / "a_game_of_a_database.py").write_text(
        f"from cext.games.dice_ttt import DiceTtt\nopen({str(marker)!r}, 'w').close()\nclass Mine(DiceTtt): pass\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    file = tmp_path / "arena.db"
    game = "a_game_of_a_database.Mine"
    arena.run(arena.describe(game, ["random", "greedy"], games=2), db=str(file), workers=1, executor="threads").close()
    marker.unlink()
    del sys.modules["a_game_of_a_database"]
    with server(database=str(file)) as client:
        (head,) = got(client, "tournaments")["tournaments"]
        assert "--game" in head["refused"]
        for path in ("", "/games", "/games/0", "/games/0/plies/0"):
            assert got(client, f"tournaments/{head['id']}{path}", 409)["error"]["code"] == "refused_game"
        assert got(client, "leaderboard", 404)["error"]["code"] == "no_games"
        assert not marker.exists()
    with server(database=str(file), games=(game,)) as client:
        assert got(client, f"tournaments/{head['id']}")["report"]["games"] == 2
        assert got(client, "leaderboard")["report"]["games"] == 2


def test_damage_is_told_without_the_path(copy, tmp_path):
    with copy("UPDATE games SET returns = '[1, 2, 3]' WHERE number = 3") as client:
        digest = got(client, "tournaments")["tournaments"][0]["id"]
        error = got(client, f"tournaments/{digest}", 409)["error"]
        assert error["code"] == "bad_database"
        assert "column returns" in error["message"]
        assert str(tmp_path) not in error["message"]
    with copy("UPDATE tournaments SET spec = '{' WHERE id = 1") as client:
        assert got(client, "tournaments", 409)["error"]["code"] == "bad_database"


def test_a_view_that_never_ends_is_given_up(copy, monkeypatch):
    monkeypatch.setattr("bots.web.tournaments.tournaments.READ_SECONDS", 0.2)
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT 1 AS tournament FROM n"
    with copy("DROP TABLE games", f"CREATE VIEW games AS {endless}") as client:
        with no_hang():
            error = got(client, "tournaments", 409)["error"]
        assert "too long to read" in error["message"]


def test_huge_values_are_refused(copy):
    with copy("UPDATE tournaments SET spec = hex(zeroblob(20000000)) WHERE id = 1") as client:
        assert got(client, "tournaments", 409)["error"]["code"] == "bad_database"


def test_too_many_tournaments_and_games_are_refused(copy, monkeypatch):
    monkeypatch.setattr("bots.web.tournaments.refreshed.LEAST_SECONDS", 0.0)  # no answer is given again
    monkeypatch.setattr("bots.web.tournaments.refreshed.SHARE", 0.0)
    with copy() as client:
        digest = got(client, "tournaments")["tournaments"][0]["id"]
        monkeypatch.setattr("bots.web.tournaments.tournament_data.MOST_GAMES", 20)
        assert got(client, f"tournaments/{digest}", 409)["error"]["code"] == "too_large"
        monkeypatch.setattr("bots.web.tournaments.tournament_data.MOST_BOTS", 2)
        assert got(client, "leaderboard", 409)["error"]["code"] == "too_large"
        monkeypatch.setattr("bots.web.tournaments.tournaments.MOST_TOURNAMENTS", 1)
        assert "2 tournaments" in got(client, f"tournaments/{digest}/games", 409)["error"]["message"]
