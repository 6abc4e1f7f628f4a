"""Bids on tiles: gestures that build them, and rules that are checked while they are built."""

import random

import pytest

import mcts


def amounts(page):
    return {
        cell.get_attribute("data-cell"): int(cell.query_selector(".amount").get_attribute("data-amount"))
        for cell in page.query_selector_all("po-board [data-cell]:has(.amount)")
    }


def middle(page, selector):
    box = page.locator(selector).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page, source, target):
    page.mouse.move(*middle(page, source))
    page.mouse.down()
    page.mouse.move(*middle(page, target), steps=5)
    page.mouse.up()


@pytest.mark.long
def test_chips_by_click_wheel_drag_and_keys(visit):
    visitor = visit()
    visitor.begin("bidding_3d_ttt(chips=40)", {"blue": "miser"}, seed="1")
    page = visitor.page
    page.click("[data-cell='A1']")
    page.click("[data-cell='A1']")
    assert amounts(page) == {"A1": 2}
    page.click("[data-cell='A1']", button="right")
    assert amounts(page) == {"A1": 1}
    page.hover("[data-cell='B5']")
    for step, amount in ((-1, "1"), (-1, "2"), (-1, "3"), (1, "2")):
        page.mouse.wheel(0, 100 * step)
        page.wait_for_selector(f"[data-cell='B5'] .amount[data-amount='{amount}']")
    assert amounts(page) == {"A1": 1, "B5": 2}
    drag(page, "[data-drag='10']", "[data-cell='C9']")
    assert amounts(page) == {"A1": 1, "B5": 2, "C9": 10}
    drag(page, "[data-cell='C9']", "[data-cell='I1']")
    assert amounts(page) == {"A1": 1, "B5": 2, "I1": 10}
    drag(page, "[data-cell='I1']", ".status")
    assert amounts(page) == {"A1": 1, "B5": 2}
    page.focus("[data-cell='E5']")
    for key in ("1", "7", "+", "-", "-"):
        page.keyboard.press(key)
    assert amounts(page)["E5"] == 16
    page.keyboard.press("9")
    page.keyboard.press("9")
    assert amounts(page)["E5"] == 37  # all that are left
    page.keyboard.press("Backspace")
    assert amounts(page) == {"A1": 1, "B5": 2}
    page.keyboard.press("1")
    page.focus("[data-cell='H1']")
    page.keyboard.press("2")
    assert amounts(page) == {"A1": 1, "B5": 2, "E5": 1, "H1": 2}
    for tile in ("E5", "H1"):
        page.focus(f"[data-cell='{tile}']")
        page.keyboard.press("Delete")
    assert page.inner_text(".total").split()[0] == "3"
    page.click("[data-cell='D1']", force=True)  # red controls D
    assert amounts(page) == {"A1": 1, "B5": 2}


@pytest.mark.long
def test_the_last_bid_is_copied_where_its_tiles_are_open(visit):
    visitor = visit()
    made = visitor.begin("bidding_3d_ttt", {})
    for player, action in (("red", "bid(A1:3,B2:4)"), ("blue", "bid(A1:3,C3:1)")):
        body = {"player": player, "action": action}
        visitor.call("POST", f"/matches/{made['id']}/actions", body, made["owner"])
    visitor.open(f"match/{made['id']}")
    page = visitor.page
    page.click("[data-key=copy]")
    assert amounts(page) == {"A1": 3}  # equal bids left A1 open, and B2 is red's
    rows = page.locator(".spent tbody tr").all_inner_texts()
    assert [row.split() for row in rows] == [["red", "7", "73"], ["blue", "?", "?"]]


@pytest.mark.long
def test_the_rules_on_the_page_are_those_of_the_game(visit):
    visitor = visit()
    visitor.open()
    game = mcts.load_game("bidding_3d_ttt(chips=20)")
    rng = random.Random(5)
    tiles = [f"{board}{tile}" for board in "ABCDEFGHI" for tile in range(1, 10)]
    seen = set()
    for _ in range(60):
        state = game.new_initial_state()
        for _ in range(rng.randrange(3)):
            state.apply_actions(tuple(state.sample_action(player, rng.getrandbits(30)) for player in range(2)))
            if state.is_terminal():
                break
        if state.is_terminal():
            continue
        view = state.view(0)
        some = rng.sample(tiles[: rng.choice((9, 27, 81))], rng.randrange(1, 6))
        bid = {tile: rng.randrange(1, 6) for tile in some}
        text = "bid(" + ",".join(f"{tile}:{bid[tile]}" for tile in sorted(bid)) + ")"
        try:
            legal = view.is_legal(view.string_to_action(text))
        except mcts.IllegalActionError:
            legal = False
        allowed = visitor.page.evaluate(
            """async ([facts, bid]) => {
                const rules = await import("/static/js/controls/chip_rules.js");
                const tiles = Object.keys(bid);
                const open = tiles.every((tile) => rules.isOpen(facts, false, tile));
                return open && rules.whyWrong(new Map(Object.entries(bid)), facts, facts.chips[0]) === "";
            }""",
            [view.to_dict(), bid],
        )
        assert allowed == legal, (state.to_text(), text)
        seen.add((view.to_dict()["round"], legal))
    assert seen == {(number, legal) for number in (1, 2, 3) for legal in (True, False)}
