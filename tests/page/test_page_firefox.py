"""The page in Firefox: a game in turns by keys, and sealed bids by clicks, are played to their ends."""

import random

import pytest
from browser import MOST_TURNS, play_by_clicks, play_by_keys, running_server
from firefox import FIREFOX, FirefoxPlayer, running_firefox


@pytest.fixture(scope="module")
def player(database, tmp_path_factory):
    pytest.importorskip("websockets", reason="websockets is not installed: pip install websockets")
    if FIREFOX is None:
        pytest.skip("firefox is not installed: apt install firefox-esr")
    folder = tmp_path_factory.mktemp("firefox")
    (folder / "profile").mkdir()
    with running_server(folder, database) as server, running_firefox(folder / "profile") as page:
        yield FirefoxPlayer(page, server.address)


@pytest.mark.long
@pytest.mark.parametrize(
    ("game", "seats", "play"),
    [
        ("mnk", {"o": "level(1)"}, play_by_keys),
        ("bidding_ttt", {"o": "random"}, play_by_clicks),
        ("bidding_3d_ttt", {"blue": "spread"}, play_by_clicks),
    ],
)
def test_a_game_is_played_to_its_end_in_firefox(player, tmp_path, game, seats, play):
    made = player.begin(game, seats, seed="7")
    choose = random.Random(game).choice
    turns = 0
    while player.wait_for_turn():
        before = player.match(made)["version"]
        play(player, choose)
        player.wait_for_change(before)
        turns += 1
        assert turns < MOST_TURNS
    match = player.match(made)
    assert match["is_over"]
    returns = dict(zip(match["players"], match["returns"], strict=True))
    best = [name for name, value in returns.items() if value == max(returns.values())]
    assert player.status() == (f"{best[0]} wins" if len(best) == 1 else "Draw")
    (tmp_path / "end.png").write_bytes(player.page.screenshot())
    assert player.errors == []
