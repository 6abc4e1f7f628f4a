"""Links and records: what one hands to others."""

import json

import pytest
from browser import DROP

import mcts

pytestmark = pytest.mark.long
READ_SIZES = """() => {
    const read = Blob.prototype.text;
    window.readSizes = [];
    Blob.prototype.text = function () {
        readSizes.push(this.size);
        return read.call(this);
    };
}"""
"""Notes the bytes of each file that the page reads."""


def links(page):
    page.click("#share")
    page.wait_for_selector("dialog[open]")
    found = {one.get_attribute("aria-label"): one.input_value() for one in page.locator(".share-link input").all()}
    page.get_by_role("button", name="Close").click()
    return found


def test_two_browsers_play_each_other_and_a_third_watches(visit):
    host, guest, watcher = visit(), visit(), visit()
    made = host.begin("mnk", {})
    found = links(host.page)
    for visitor, label in ((guest, "Invite someone to play o"), (watcher, "Let someone watch")):
        visitor.page.goto(found[label])
        visitor.page.wait_for_selector("po-board svg")
        assert "token" not in visitor.page.url
        assert made["owner"] not in visitor.page.evaluate("JSON.stringify(localStorage)")
    assert guest.page.query_selector("po-board.playable") is None  # it is x's turn
    host.page.click("[data-cell='2,2']")
    guest.page.wait_for_selector("po-board.playable [data-cell='2,2'] .po-s-blue")
    watcher.page.wait_for_selector("[data-cell='2,2'] .po-s-blue")
    assert watcher.page.query_selector("po-board.playable") is None
    guest.page.click("[data-cell='1,1']")
    watcher.page.wait_for_selector("[data-cell='1,1'] .po-s-orange")
    assert host.match(made)["history"] == [{"x": "mark(2,2)"}, {"o": "mark(1,1)"}]


def test_an_owner_deletes_a_match_and_a_guest_only_forgets_it(visit):
    host, guest = visit(), visit()
    made = host.begin("mnk", {})
    guest.page.goto(links(host.page)["Invite someone to play o"])
    guest.page.wait_for_selector("po-board svg")
    guest.open()
    guest.page.get_by_role("button", name="Remove from this list").click()
    guest.page.locator(".recent li").wait_for(state="detached")
    assert guest.call("GET", f"/matches/{made['id']}", token=made["owner"])["id"] == made["id"]
    host.open()
    host.page.get_by_role("button", name="Delete this match").click()
    host.page.click("#confirm-delete")
    host.page.locator(".recent li").wait_for(state="detached")
    headers = {"Authorization": f"Bearer {made['owner']}"}
    assert host.page.request.get(f"{host.address}api/v1/matches/{made['id']}", headers=headers).status == 404


def test_a_link_to_a_position_leads_to_a_match_from_there(visit):
    visitor = visit()
    made = visitor.begin("points_ttt", {"o": "random"}, start="x.o/o.x/.o._2,-1_x_0")
    address = links(visitor.page)["This position"]
    visitor.page.goto("about:blank")
    visitor.page.goto(address)
    visitor.page.get_by_role("link", name="Play from here").click()
    visitor.page.click("#start")
    visitor.page.wait_for_selector("po-board svg")
    assert visitor.page.locator("po-board [data-cell]:has(> circle)").count() == 3
    known = visitor.page.evaluate("JSON.parse(localStorage.getItem('playout.matches'))[0]")
    assert known["id"] != made["id"]
    match = visitor.call("GET", f"/matches/{known['id']}", token=known["tokens"]["owner"])
    assert match["notation"] == "x.o/o.x/.o._2,-1_x_0"


def test_a_record_is_saved_and_opened_again(visit, tmp_path):
    visitor = visit()
    visitor.begin("mnk", {})
    for cell in ("2,2", "1,1", "3,3"):
        before = visitor.page.locator(".ply").count()
        visitor.page.click(f"[data-cell='{cell}']")
        visitor.page.wait_for_function("before => document.querySelectorAll('.ply').length > before", arg=before)
    visitor.page.click("#share")
    visitor.page.wait_for_selector("dialog[open]")
    with visitor.page.expect_download() as download:
        visitor.page.click("#save-record")
    path = tmp_path / "game.json"
    download.value.save_as(path)
    assert [ply["actions"] for ply in json.loads(path.read_text())["plies"]] == [
        {"x": "mark(2,2)"}, {"o": "mark(1,1)"}, {"x": "mark(3,3)"},
    ]  # fmt: skip
    visitor.open()
    visitor.page.set_input_files("#record", path)
    visitor.page.wait_for_selector("po-board svg")
    assert visitor.page.locator(".ply").count() == 3


def test_files_that_are_not_records_are_refused_in_words(visit, tmp_path):
    visitor = visit()
    visitor.open()
    path = tmp_path / "wrong.json"
    path.write_text("not json")
    visitor.page.set_input_files("#record", path)
    assert "wrong.json is not JSON" in visitor.page.wait_for_selector(".toast").inner_text()


def test_large_files_are_read_no_further_than_the_server_takes_them(visit, tmp_path):
    visitor = visit()
    page = visitor.page
    made = visitor.begin("mnk", {})
    for player, action in (("x", "mark(2,2)"), ("o", "mark(1,1)")):
        visitor.call("POST", f"/matches/{made['id']}/actions", {"player": player, "action": action}, made["owner"])
    record = json.dumps(visitor.call("GET", f"/matches/{made['id']}/record", token=made["owner"]))
    visitor.open()
    page.evaluate(READ_SIZES)
    caps = visitor.call("GET", "/info")["caps"]
    large, lines = tmp_path / "large.json", tmp_path / "games.jsonl"
    large.write_bytes(b"[" * (3 << 20))
    page.set_input_files("#record", large)
    assert page.wait_for_selector(".toast").inner_text() == "large.json has 3.0 MB; this server takes at most 1.0 MB."
    lines.write_text(f"{record}\n" * (2 * caps["body_bytes"] // len(record)))
    page.set_input_files("#record", lines)
    page.wait_for_selector("po-board svg")
    assert page.locator(".ply").count() == 2
    page.evaluate(DROP, ["large.kif", ";" * (7 << 20)])
    page.wait_for_selector(".own-rules .problem")
    assert page.inner_text(".own-rules .problem") == "large.kif has 7.0 MB; this server takes at most 6.0 MB."
    assert page.input_value("#rules-text") == ""
    assert page.evaluate("readSizes") == [caps["body_bytes"], caps["body_bytes"]]


def test_a_net_of_ones_own_is_an_opponent(visit, own_bot):
    """It is proposed where it plays: in one variant of the game."""
    visitor = visit()
    visitor.open("new/mnk")
    page = visitor.page
    bot = page.locator(".seat").nth(1).locator("input[type=text]")
    page.wait_for_function("() => document.querySelector('.seat datalist option')")
    assert bot.input_value() == "mcts"
    page.get_by_text("Parameters").click()
    for name, value in (("m", "6"), ("n", "6"), ("k", "4")):
        page.get_by_label(name, exact=True).fill(value)
        page.keyboard.press("Tab")
    page.wait_for_function("own => document.querySelectorAll('.seat input[type=text]')[1].value === own", arg=own_bot)
    page.locator(".seat").nth(1).get_by_text("Bot", exact=True).click()
    page.click("#start")
    page.wait_for_selector("po-board.playable")
    assert "mcts(net=six.net)" in page.locator("po-players").inner_text()
    page.click("#analyse")
    page.wait_for_selector("po-analysis .arms")
    assert page.locator("po-analysis .segments").get_attribute("title") == "Net of mcts(net=six.net)"
    page.click("po-board [data-cell='1,1']")  # the tree has a picture with such a cell, too
    page.wait_for_function("() => document.querySelectorAll('.ply').length === 2")


def test_the_setup_begins_what_is_chosen(visit):
    visitor = visit()
    visitor.open("new/mnk")
    page = visitor.page
    page.get_by_text("four in a row").click()
    seats = page.locator(".seat")
    seats.nth(0).get_by_text("Bot", exact=True).click()
    seats.nth(0).locator("input[type=text]").fill("no_such_bot")
    page.click("#start")
    assert "no_such_bot" in page.wait_for_selector(".seat .problem:not(:empty)").inner_text()
    seats.nth(0).locator("input[type=text]").fill("mcts:simulations=50")
    seats.nth(1).get_by_text("Person", exact=True).click()
    page.get_by_text("0.1 s", exact=True).click()
    page.click("#start")
    page.wait_for_selector("po-board.playable")
    known = page.evaluate("JSON.parse(localStorage.getItem('playout.matches'))[0]")
    match = visitor.call("GET", f"/matches/{known['id']}", token=known["tokens"]["owner"])
    assert mcts.load_game(match["game"]) == mcts.load_game("mnk(m=5,n=5,k=4)")
    assert [seat["bot"] for seat in match["seats"]] == ["mcts(simulations=50)", None]
    assert match["limit"]["seconds"] == 0.1
    visitor.errors[:] = [error for error in visitor.errors if "422" not in error]
