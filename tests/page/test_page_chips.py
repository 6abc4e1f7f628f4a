"""Amounts on places: gestures that build them, and rules that are checked while they are built."""

import pytest


def amounts(page):
    return {
        cell.get_attribute("data-cell"): int(cell.query_selector(".amount").get_attribute("data-amount"))
        for cell in page.query_selector_all("po-board [data-cell]:has(.amount)")
    }


@pytest.mark.long
def test_chips_by_click_wheel_and_keys(visit):
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


@pytest.mark.long
def test_a_bid_that_breaks_a_rule_cannot_be_chosen(visit):
    visitor = visit()
    visitor.begin("bidding_3d_ttt", {"blue": "miser"}, seed="1")
    page = visitor.page
    for tile in ("A1", "A2", "A3"):
        assert page.is_enabled("[data-key=choose]")
        page.click(f"[data-cell='{tile}']")
    assert page.inner_text("po-amounts .problem") == "At most 2 of A1, A2 and A3."
    assert page.is_disabled("[data-key=choose]")
    page.fill("po-amounts input[type=number]", "0")
    assert page.is_enabled("[data-key=choose]")


@pytest.mark.long
def test_amounts_of_several_places_make_one_action(visit):
    visitor = visit()
    visitor.begin("colonel_blotto", {"second": "random"}, seed="1")
    page = visitor.page
    numbers = page.locator("po-amounts input[type=number]")
    for at, (amount, problem) in enumerate((("5", "5 in all"), ("3", "8 in all"), ("2", ""))):
        numbers.nth(at).fill(amount)
        assert page.inner_text("po-amounts .problem") == (f"{problem}, and 10 are allowed." if problem else "")
    page.click("[data-key=choose]")
    page.wait_for_function("() => document.querySelector('po-moves').innerText.includes('spread(5,3,2)')")
