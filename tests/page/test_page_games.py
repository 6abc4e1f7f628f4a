"""Every game is played to its end, by clicks and by keys alone, on a desk or on a phone."""

import random

import pytest
from browser import DESK, MOST_TURNS, PHONE, play_by_clicks, play_by_keys

GAMES = {
    "mnk": {"o": "level(1)"},
    "mnk(m=5,n=5,k=4)": {"x": "random"},
    "dark_mnk": {"o": "random"},
    "points_ttt": {"o": "random"},
    "dice_ttt": {"o": "random"},
    "bidding_ttt(coins=8)": {"o": "random"},
    "bidding_3d_ttt": {"blue": "spread"},
    "kuhn_poker": {"second": "random"},
    "liars_dice": {"first": "random"},
    "leduc_poker": {"first": "ismcts"},
    "oh_hell": {"first": "random", "third": "ismcts"},
    "colonel_blotto": {"second": "random"},
    "tic_block": {"obplayer": "random"},
    "three_player_ttt": {"oplayer": "random", "zplayer": "random"},
    "connect_four": {"yellow": "random"},
    "othello": {"white": "random"},
    "breakthrough": {"black": "random"},
    "nine_mens_morris": {"black": "random"},
    "tron": {"east": "random", "south": "random", "west": "random"},
    "goofspiel": {"second": "random"},
    "chinese_checkers": {"green": "random", "blue": "random"},
}
WAYS = {"clicks": play_by_clicks, "keys": play_by_keys}
QUICK = {("mnk", "clicks", "desk"), ("bidding_ttt(coins=8)", "keys", "phone"), ("connect_four", "keys", "phone")}


def cases():
    """Each game by clicks and by keys, one of them on a desk and one on a phone."""
    for number, game in enumerate(GAMES):
        for way, size in zip(WAYS, ("phone", "desk") if number % 2 else ("desk", "phone"), strict=True):
            marks = () if (game, way, size) in QUICK else pytest.mark.long
            yield pytest.param(game, way, size, marks=marks)


@pytest.mark.parametrize(("game", "way", "size"), list(cases()))
def test_a_game_is_played_to_its_end(visit, game, way, size):
    visitor = visit(DESK if size == "desk" else PHONE)
    made = visitor.begin(game, GAMES[game], seed="7")
    choose = random.Random(f"{game} {way} {size}").choice
    turns = 0
    while visitor.wait_for_turn():
        before = visitor.match(made)["version"]
        WAYS[way](visitor, choose)
        visitor.wait_for_change(before)
        turns += 1
        assert turns < MOST_TURNS
    match = visitor.match(made)
    assert match["is_over"]
    returns = dict(zip(match["players"], match["returns"], strict=True))
    best = [name.removesuffix("player") for name, value in returns.items() if value == max(returns.values())]
    shared = "Draw" if len(best) == len(match["players"]) else f"{' and '.join(best)} share first place"
    assert visitor.status() == (f"{best[0]} wins" if len(best) == 1 else shared)
    results = visitor.page.locator(".player .result").all_inner_texts()
    assert [float(text) for text in results] == [round(value, 1) for value in returns.values()]


@pytest.mark.long
def test_two_persons_play_on_one_device_behind_a_curtain(visit):
    visitor = visit()
    made = visitor.begin("bidding_3d_ttt", {})
    page = visitor.page
    page.click("[data-cell='A1']")
    page.click("[data-key=choose]")
    page.get_by_role("button", name="I am blue").wait_for()
    assert not page.is_visible("po-board")
    page.get_by_role("button", name="I am blue").click()
    page.wait_for_selector("po-amounts [data-key=choose]")
    assert page.locator(".amount").count() == 0
    page.click("[data-cell='B2']")
    page.click("[data-key=choose]")
    page.wait_for_selector("[data-cell='B2'] .po-f-blue")
    assert "B2:1" in page.inner_text("po-moves")
    assert "A1:1" not in page.content()  # red's bid, which blue does not know
    page.click("[data-key=choose]")
    page.get_by_role("button", name="I am red").click()
    page.wait_for_function("() => document.querySelector('po-moves').innerText.includes('A1:1')")
    assert "B2:1" not in page.content()
    assert visitor.match(made)["ply"] == 1
