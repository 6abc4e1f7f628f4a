"""Tournaments of a database, which the server reads while another process may write it."""

import pytest
from web_client import API, server

import bots
from bots import arena


@pytest.fixture(scope="module")
def database(tmp_path_factory):
    file = tmp_path_factory.mktemp("arena") / "arena.db"
    arena.run(arena.describe("mnk", ["random", "greedy"], games=8, seed=3), db=str(file), workers=1)
    return str(file)


def test_tournaments_of_a_database_are_shown(database):
    with server(database=database) as client:
        assert client.get(f"{API}/info").json()["has_database"] is True
        (listed,) = client.get(f"{API}/arena/tournaments").json()
        assert (listed["games"], listed["games_scheduled"], listed["bots"]) == (8, 8, ["random", "greedy"])
        found = client.get(f"{API}/arena/tournaments/{listed['id']}").json()
        assert found["report"]["games"] == 8
        assert client.get(f"{API}/arena/tournaments/0").json()["error"]["code"] == "unknown_tournament"


def test_a_server_without_a_database_says_so(tmp_path):
    with server() as client:
        for path in ("", "/1"):
            assert client.get(f"{API}/arena/tournaments{path}").json()["error"]["code"] == "no_database"
    with pytest.raises(bots.StoreError), server(database=str(tmp_path / "missing.db")):
        pass
