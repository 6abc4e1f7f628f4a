"""The page of `playout serve` in Chromium: a running server, pages that record their errors, and players of games."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from support import ROOT, environment
from waiting import HANG_SECONDS

from bots.web.process import ServerProcess

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
AXE = ROOT / "build/page-tools/node_modules/axe-core/axe.min.js"
DESK, PHONE = {"width": 1280, "height": 860}, {"width": 390, "height": 844}
MOST_TURNS = 120
DROP = """([name, text]) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([text], name));
    const drop = new DragEvent("drop", {dataTransfer, bubbles: true, cancelable: true});
    document.querySelector("main").dispatchEvent(drop);
}"""
"""Drops a file on the page, from its name and text."""


def running_server(folder, database, games=(), bots=()):
    """A server of its own process with further games and bots. It keeps matches in a folder, and shows a database."""
    files = ("--matches", str(folder / "matches.db"), "--db", database)
    offered = [word for game in games for word in ("--game", game)] + [word for bot in bots for word in ("--bot", bot)]
    return ServerProcess(*offered, *files, environment=environment())


class Player:
    """One browser context on the page, with what tests ask it."""

    def __init__(self, browser, address, size=None, **options):
        size = size or DESK
        is_phone = size["width"] < 600
        self.context = browser.new_context(viewport=size, is_mobile=is_phone, has_touch=is_phone, **options)
        self.address = address
        self.page = self.context.new_page()
        self.page.set_default_timeout(1000 * HANG_SECONDS)
        self.errors = []
        """Errors on the console, which include violations of the policy, and exceptions."""
        self.page.on("console", lambda said: said.type in ("error", "warning") and self.errors.append(said.text))
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))

    def open(self, fragment=""):
        self.page.goto("about:blank")
        self.page.goto(f"{self.address}#/{fragment}")
        self.page.wait_for_selector("main .view")

    def call(self, method, path, body=None, token=None):
        """The answer of the server to a request of this browser."""
        return self.page.evaluate(
            """async ([method, path, body, token]) => {
                const headers = {"Content-Type": "application/json"};
                if (token) headers.Authorization = `Bearer ${token}`;
                const answer = await fetch(`/api/v1${path}`, {method, headers, body: body && JSON.stringify(body)});
                return await answer.json();
            }""",
            [method, path, body, token],
        )

    def begin(self, game, seats, **more):
        """Begin a match, and open it as its owner."""
        self.open()
        made = self.call("POST", "/matches", {"game": game, "seats": seats, "seconds": 0.05, **more})
        assert "error" not in made, made
        tokens = {name: made[name] for name in ("owner", "seats", "spectator")}
        self.page.evaluate(
            "known => localStorage.setItem('playout.matches', JSON.stringify([known]))",
            {"id": made["id"], "tokens": tokens, "at": 1},
        )
        self.open(f"match/{made['id']}")
        self.page.wait_for_selector("po-board svg")
        return made

    def match(self, made):
        return self.call("GET", f"/matches/{made['id']}", token=made["owner"])

    def status(self):
        return self.page.inner_text(".status")

    def wait_for_turn(self):
        """Wait until a person decides or the match is over. Return True if it continues."""
        self.page.wait_for_function(
            """() => /wins|Draw|share first/.test(document.querySelector(".status")?.textContent ?? "")
                || document.querySelector("po-board.playable")"""
        )
        return self.page.query_selector("po-board.playable") is not None

    def wait_for_change(self, version):
        """Wait until another version of the match is shown."""
        self.page.wait_for_function(
            "version => Number(document.querySelector('.match')?.dataset.version) > version", arg=version
        )

    def said(self):
        return self.page.inner_text("#said")


def play_by_clicks(player, choose):
    """Play one decision by clicks. `choose` selects one of some things."""
    page = player.page
    if page.is_visible("po-amounts") and page.is_visible("[data-key=clear]"):
        tiles = page.locator("po-board [data-cell].open")
        for turn in range(3):
            tiles.nth(choose(range(turn * 5, turn * 5 + 5)) % tiles.count()).click()
        if page.is_disabled("[data-key=choose]"):
            page.click("[data-key=clear]")
        if page.is_disabled("[data-key=choose]"):  # all has to be put somewhere
            number = page.locator("po-amounts input[type=number]").first
            number.fill(number.get_attribute("max"))
        page.click("[data-key=choose]")
    elif page.is_visible("po-amounts"):
        number = "po-amounts input[type=number]"
        least, most = (int(page.locator(number).first.get_attribute(end)) for end in ("min", "max"))
        page.fill(number, str(choose(range(least, most + 1))))
        if page.is_disabled("[data-key=choose]"):
            page.fill(number, str(most))
        page.click("[data-key=choose]")
    elif cells := page.query_selector_all("po-board [data-cell].open"):
        choose(cells).click()
        while cells := page.query_selector_all("po-board [data-cell].target"):
            choose(cells).click()
        if page.is_visible("po-ask"):
            page.locator("po-ask button").first.click()
    elif page.is_visible("po-actions select"):
        page.locator("po-actions .primary").click()
    else:
        page.locator("po-actions button").first.click()


def play_by_keys(player, choose):
    """Play one decision by keys alone, from wherever the focus is."""
    page = player.page
    if page.is_visible("po-amounts") and page.is_visible("[data-key=clear]"):
        tab_to(page, "po-board [data-cell]")
        for key in choose((["ArrowRight", "2"], ["ArrowDown", "1", "2"], ["ArrowDown", "ArrowRight", "Enter", "+"])):
            page.keyboard.press(key)
        if page.is_disabled("[data-key=choose]"):
            tab_to(page, "po-amounts input[type=range]")
            page.keyboard.press("End")
        tab_to(page, "[data-key=choose]")
        page.keyboard.press("Enter")
    elif page.is_visible("po-amounts"):
        tab_to(
            page,
            "po-amounts input[type=range]" if page.is_enabled("po-amounts input[type=range]") else "[data-key=choose]",
        )
        for _ in range(choose(range(3))):
            page.keyboard.press("ArrowRight")
        if page.is_disabled("[data-key=choose]"):
            page.keyboard.press("End")
        tab_to(page, "[data-key=choose]")
        page.keyboard.press("Enter")
    elif page.query_selector("po-board [data-cell].open"):
        tab_to(page, "po-board [data-cell]")
        reach_cell(page, ".open")
        page.keyboard.press(choose(("Enter", "Space")))
        while page.query_selector("po-board .target"):
            reach_cell(page, ".target")
            page.keyboard.press("Enter")
        if page.is_visible("po-ask"):
            page.keyboard.press("Enter")
    else:
        tab_to(page, "po-actions button")
        page.keyboard.press("Enter")


def tab_to(page, selector):
    """Press Tab until the focus is on an element."""
    press_until(page, "Tab", selector, 60)


def reach_cell(page, kind):
    """Press Page Down until the focus is on a cell of a kind."""
    press_until(page, "PageDown", kind, 400)


def press_until(page, key, selector, most):
    """Press a key until the focus is on an element, at most so many times."""
    for _ in range(most):
        if page.evaluate("selector => document.activeElement?.matches(selector) ?? false", selector):
            return
        page.keyboard.press(key)
    raise AssertionError(f"{key} does not reach {selector}")


def violations(page):
    """What axe-core finds wrong on a page: rule and elements."""
    page.evaluate(Path(AXE).read_text())
    found = page.evaluate("async () => (await axe.run(document, {resultTypes: ['violations']})).violations")
    return json.dumps([[one["id"], [node["html"][:200] for node in one["nodes"]]] for one in found], indent=1)
