"""The search tree of an analysis: it grows, is opened by pointer and by keys, and shows positions."""

import re

import pytest
from browser import AXE, PHONE, violations
from waiting import wait_until

ROWS = "[...document.querySelectorAll('.tree-row')].map(row => [row.ariaLevel, row.textContent])"


def begin(visitor, game, seats, **more):
    visitor.begin(game, seats, **more)
    visitor.page.click("#analyse")
    visitor.page.wait_for_selector(".tree-row")
    return visitor.page


def rows(page):
    return [(int(level), text) for level, text in page.evaluate(ROWS)]


def visits(page, action):
    """Visits of the first row with an action in words."""
    text = page.locator(".tree-row > .unseen", has_text=action).first.text_content()
    return int(re.search(r"([\d,]+) visit", text)[1].replace(",", ""))


def test_the_tree_grows_and_is_opened_by_keys(visit):
    visitor = visit()
    page = begin(visitor, "mnk(m=5,n=5,k=4)", {"o": "random"})
    best = re.match(r"x plays [a-c]\d", rows(page)[0][1])[0]
    before = visits(page, best)
    page.wait_for_function("() => document.querySelectorAll('.node-picture [data-cell] path').length === 1")
    page.focus(".tree-row[tabindex='0']")
    page.keyboard.press("ArrowRight")
    page.wait_for_selector(".tree-row[aria-level='2']")
    assert page.evaluate("document.activeElement.ariaExpanded") == "true"
    wait_until(lambda: visits(page, best) > before, "the tree does not grow")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.ariaLevel") == "2"
    page.wait_for_selector(".node-picture [data-cell] circle")
    page.wait_for_function("() => document.querySelectorAll('.node .bar').length === 2")
    page.wait_for_function("() => !document.querySelector('.node .bars').innerText.includes('\\u2013')")
    page.keyboard.press("Enter")
    page.wait_for_selector(".tree-row[aria-level='3']")
    page.keyboard.press("ArrowLeft")
    assert page.query_selector(".tree-row[aria-level='3']") is None
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    assert page.query_selector(".tree-row[aria-level='2']") is None
    page.keyboard.press("End")
    page.keyboard.press("Enter")  # shows all actions
    assert len(rows(page)) == 25
    assert page.evaluate("document.activeElement.ariaPosInSet") == "9"
    page.focus("button.line-step:nth-child(2)")
    page.wait_for_selector(".peek [data-cell] circle")
    page.keyboard.press("Escape")
    assert page.is_hidden(".peek")
    page.click("#analyse")
    assert page.is_hidden("po-tree")


@pytest.mark.long
@pytest.mark.parametrize(
    ("game", "seats", "acts", "bars"),
    [("bidding_ttt(coins=4)", {"o": "random"}, 2, 2), ("three_player_ttt", {"zplayer": "random"}, 1, 3)],
)
def test_trees_of_all_kinds_on_a_phone(visit, game, seats, acts, bars):
    visitor = visit(PHONE, bypass_csp=True)
    page = begin(visitor, game, seats, assist=True)
    assert page.locator(".tree-row").first.locator(".act").count() == acts
    page.locator(".tree-row").first.click()
    page.wait_for_selector(".tree-row[aria-level='2']")
    page.locator(".tree-row[aria-level='2']").first.click()
    page.wait_for_selector(".tree-row[aria-level='3']")
    page.wait_for_function(f"() => document.querySelectorAll('.node .bar').length === {bars}")
    page.wait_for_selector(".node-picture svg")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    if AXE.is_file():
        assert violations(page) == "[]"


@pytest.mark.long
def test_positions_that_are_proven_at_once(visit):
    visitor = visit()
    visitor.begin("mnk", {"o": "random"}, start="xx./oo./..._x")
    page = visitor.page
    page.click("#analyse")
    page.wait_for_selector("po-analysis .proven")
    assert page.locator("po-analysis .course path").count() == 2
    assert page.inner_text("po-analysis .bar-value") == "100.0"
    page.wait_for_function("() => document.querySelector('.tree-empty').textContent.includes('without a search')")
    visitor.begin("bidding_ttt(coins=3)", {"o": "random"}, start="x.o/.x./..._4,2_o_-")
    page.click("#analyse")  # over before the tree can be asked for
    page.wait_for_selector(".tree-row")


def see_growth(page, times):
    """Wait until the page has shown more simulations some times."""
    simulations = "document.querySelector('po-analysis .speed span')?.textContent"  # which may be in thousands
    for _ in range(times):
        page.wait_for_function(f"now => {simulations} !== now", arg=page.evaluate(simulations))


@pytest.mark.long
def test_nothing_shifts_while_the_tree_grows(visit):
    visitor = visit()
    page = begin(visitor, "mnk(m=8,n=8,k=5)", {"o": "random"})
    page.locator(".tree-row").first.click()
    page.wait_for_selector(".tree-row[aria-level='2']")
    see_growth(page, 1)
    page.evaluate(
        """() => {
            window.shifts = [];
            new PerformanceObserver((list) => window.shifts.push(...list.getEntries().map((entry) => entry.value)))
                .observe({type: "layout-shift"});
        }"""
    )
    see_growth(page, 5)
    assert sum(page.evaluate("window.shifts")) < 0.01


@pytest.mark.long
def test_many_keys_at_once_keep_the_socket(visit):
    visitor = visit()
    page = begin(visitor, "mnk(m=6,n=6,k=4)", {"o": "random"})
    page.focus(".tree-row[tabindex='0']")
    for _ in range(12):
        for key in ("ArrowRight", "ArrowDown", "ArrowDown", "ArrowLeft", "ArrowUp"):
            page.keyboard.press(key)
    see_growth(page, 1)
    assert page.is_hidden(".offline")
