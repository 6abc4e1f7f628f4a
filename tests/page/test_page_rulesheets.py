"""Rulesheets on the page: of the library, and of one's own; they are started, played, shared, and saved."""

import json

import pytest
from browser import DROP, PHONE, play_by_clicks
from rulesheets import path_of
from support import ROOT

NUMBERS = " ".join(f"(n {number})" for number in range(1000))
HOSTILE = f"""(role a) {NUMBERS} (goal a 100) (terminal)
(<= (legal a (m ?x ?y ?z)) (n ?x) (n ?y) (n ?z))
"""


def play_to_the_end(visitor):
    """Play a match by the first cells that can be chosen."""
    while visitor.wait_for_turn():
        before = int(visitor.page.get_attribute(".match", "data-version"))
        play_by_clicks(visitor, lambda cells: cells[0])
        visitor.wait_for_change(before)


def save_record(visitor, path):
    """Save the record of a match by the dialog of sharing, and return the link to its position."""
    visitor.page.click("#share")
    with visitor.page.expect_download() as download:
        visitor.page.click("#save-record")
    download.value.save_as(path)
    return visitor.page.get_by_label("This position").input_value()


@pytest.mark.long
def test_a_rulesheet_is_started_from_its_card_and_played(visit, tmp_path):
    visitor = visit()
    page = visitor.page
    visitor.open()
    page.locator(".card", has_text="Tic-tac-toeTwo players").click()
    page.locator(".setup-text h1", has_text="Tic-tac-toe").wait_for()
    page.locator(".rules-box > summary").click()
    page.locator(".rules-box", has_text="three marks").wait_for()
    assert not page.get_by_text("(role x)").is_visible()
    page.locator(".rules-box .prose summary").click()
    assert page.get_by_text("(role x)").is_visible()
    page.click("#start")
    page.wait_for_selector("po-board .open")
    assert page.locator(".player .who").all_inner_texts() == ["you", "level 3, at most 1 s"]
    play_to_the_end(visitor)
    page.wait_for_selector("po-graph svg")
    position = save_record(visitor, tmp_path / "record.json")
    assert json.loads((tmp_path / "record.json").read_text())["game"] == "tic_tac_toe"
    plies = page.locator(".ply").count()
    page.get_by_role("button", name="Close").click()
    page.goto(position)
    page.get_by_role("heading", name="Tic-tac-toe").wait_for()
    visitor.open()
    assert page.locator(".recent li").first.inner_text().startswith("Tic-tac-toe")
    page.set_input_files("#record", tmp_path / "record.json")
    page.wait_for_selector("po-board svg")
    assert page.locator(".ply").count() == plies
    assert str(ROOT) not in page.content()


def test_a_dropped_rulesheet_is_played_shared_and_recorded(visit, tmp_path):
    visitor = visit(PHONE)
    page = visitor.page
    visitor.open()
    page.evaluate(DROP, ["corners.kif", path_of("tic_tac_toe").read_text().replace("Tic-tac-toe", "Three marks")])
    page.locator(".setup-text h1", has_text="Three marks").wait_for()
    page.click("#start")
    page.wait_for_selector("po-board .open")
    play_to_the_end(visitor)
    position = save_record(visitor, tmp_path / "record.json")
    record = json.loads((tmp_path / "record.json").read_text())
    assert record["game"].startswith("corners.kif(sha256=")
    guest = visit()
    guest.page.goto(position)
    guest.page.get_by_role("heading", name="Three marks").wait_for()
    guest.open()
    guest.page.set_input_files("#record", tmp_path / "record.json")
    guest.page.wait_for_selector("po-board svg")
    assert guest.page.locator(".ply").count() == len(record["plies"])


@pytest.mark.long
def test_wrong_rules_are_refused_with_their_line(visit):
    visitor = visit()
    page = visitor.page
    visitor.open("rules")
    page.fill("#rules-text", "(role x)\n(role o)\n(init (cell 1 b)\n")
    page.click("#play-rules")
    page.click("text=Go to line 3")
    chosen = "[document.activeElement.selectionStart, document.activeElement.selectionEnd]"
    assert page.evaluate(chosen) == [18, 34]
    assert "never closed" in page.inner_text(".own-rules .problem")
    visitor.errors[:] = [error for error in visitor.errors if "422" not in error]


@pytest.mark.long
def test_a_hostile_rulesheet_is_refused_in_words(visit):
    visitor = visit()
    page = visitor.page
    visitor.open()
    page.evaluate(DROP, ["hostile.kif", HOSTILE])
    page.wait_for_selector(".own-rules .problem")
    assert "instances" in page.inner_text(".own-rules .problem")
    visitor.errors[:] = [error for error in visitor.errors if "422" not in error]
