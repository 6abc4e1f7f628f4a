"""Play games on a page with the npm package, from a folder that a plain web server serves, in Chromium and Firefox.

It also runs all figures of the documentation on one page.

    python tests/wasm/page.py FOLDER

FOLDER has the folder `playout-games`. The page has the one line of HTML of the README, with other games. Then the page
of `playout serve`, as a static site, plays too.
"""

from __future__ import annotations

import argparse
import functools
import html
import http.server
import random
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, Request, sync_playwright

from bots.arena.ratings.elo import estimate_elo

sys.path += [str(Path(__file__).parents[2] / folder) for folder in ("tests/helpers", "docs/images")]

from browser import Player, play_by_clicks
from documents import DOCS, living_figures
from drawing import POSITIONS
from firefox import FIREFOX, running_firefox
from waiting import let_pass, stopwatch

from bots.commands.export_site import command as export_site

GAMES = ("mnk", "othello", "bidding_ttt", "three_player_ttt", "leduc_poker", "tic_block", "dice_ttt", "breakthrough")
SITE_GAMES = ("mnk", "bidding_ttt", "leduc_poker", "connect_four")
RULES = Path(__file__).parents[2] / "mcts/rulesheets"
SLOW = "(role a) " + " ".join(f"(n {number})" for number in range(70_000)) + "(<= (legal a (m ?x ?y)) (n ?x) (n ?y))"
"""Rules whose compilation takes longer than the page waits, by its clock in the test."""
MOST_TURNS = 200
MOST_MILLISECONDS = 50
"""Longest task of a page while its worker searches."""
HEAD = '<!doctype html><title>A page</title><link rel="icon" href="data:,">'
ASKED = "performance.getEntriesByType('resource').map((one) => one.name)"
VITE = "8.3.8"


def page_of(package: Path, game: str) -> str:
    """Return a page with the line of the README, for a game."""
    line = next(line for line in (package / "README.md").read_text().splitlines() if "<playout-board" in line)
    return HEAD + re.sub(r'game="\w+" level="\d+"', f'game="{game}" level="2"', line)


def watched(page: Page, address: str) -> list[str]:
    """Return a list that gets the errors of a page, and the addresses of other servers that it asks."""
    found: list[str] = []

    def look(request: Request) -> None:
        if not request.url.startswith((address, "blob:")):
            found.append(request.url)

    page.on("pageerror", lambda error: found.append(str(error)))
    page.on("console", lambda said: said.type == "error" and found.append(said.text))
    page.on("request", look)
    return found


NEXT = """turn => {
    const board = document.querySelector("playout-board:not([aria-busy])");
    if (!board) return "busy";
    if (!board.match) throw new Error(board.shadowRoot.querySelector("p").textContent);
    if (board.match.isOver) return "over";
    const found = (selector) => [...board.shadowRoot.querySelectorAll(selector)];
    const choices = found("#actions button").filter((one) => !/^(Undo|New game)$/.test(one.textContent));
    const cells = found("[data-cell].choosable:not(.picked)");
    const chosen = choices.length ? choices[turn % choices.length] : cells[(7 * turn) % cells.length];
    const shape = chosen.querySelector(":scope > rect") ?? chosen;
    shape.scrollIntoView({ block: "center", behavior: "instant" });
    const box = shape.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
}"""
"""Returns where to click next."""


def next_place(page: Any, turn: int) -> Any:
    """Return what NEXT does, as soon as the board is not busy."""
    while (place := page.evaluate(NEXT, turn)) == "busy":
        let_pass(0.02)
    return place


def play(page: Any) -> int:
    """Play the game of a page to its end by clicks. Return the number of turns."""
    for turn in range(MOST_TURNS):
        place = next_place(page, turn)
        if place == "over":
            return turn
        page.mouse.click(*place)
    raise AssertionError(f"no end after {MOST_TURNS} turns")


def play_games(page: Any, address: str, package: Path, games: Sequence[str]) -> None:
    """Play games on a page of a browser, which loads it anew for each."""
    for game in games:
        (package.parent / "index.html").write_text(page_of(package, game))
        passed = stopwatch()
        page.goto(address)
        next_place(page, 0)
        loaded = passed()
        print(f"{game}: {play(page)} turns, first position after {loaded:.1f} s", flush=True)


def play_site(browser: Any, address: str) -> None:
    """Play games on the page of a static site: also by rules of one's own, and after a worker that hangs."""
    visitor = Player(browser, address)
    page = visitor.page
    elsewhere = watched(page, address)
    for game in SITE_GAMES:
        passed = stopwatch()
        visitor.open(f"new/{game}")
        page.click("#start")
        print(f"{game} on the site: the first answer after {play_match(visitor, passed):.1f} s", flush=True)
    page.reload()
    page.wait_for_selector(".end svg")  # the browser has kept the match
    page.click("#share")
    assert not page.locator("text=Invite").count()
    page.goto(page.get_by_label("The record").input_value())
    page.wait_for_selector("po-board svg")
    visitor.open("rules")
    page.set_input_files("#rules-file", RULES / "tic_tac_toe.kif")
    page.click("#start")
    play_match(visitor, stopwatch())
    visitor.open("new/othello")
    page.click("#start")
    visitor.wait_for_turn()
    page.click("po-analysis button")
    page.wait_for_selector("text=Candidates")
    page.click("#hint")
    page.wait_for_selector(".toast")
    visitor.open("tournaments")
    page.wait_for_selector("text=tournaments need a server")
    assert not visitor.errors + elsewhere, visitor.errors + elsewhere
    visitor.open("rules")
    page.clock.install()
    page.fill("#rules-text", SLOW)
    page.click("#play-rules")
    page.clock.run_for(3000)
    page.clock.run_for(32000)
    page.wait_for_selector("text=did not answer for 30 seconds")
    page.set_input_files("#rules-file", RULES / "tic_tac_toe.kif")
    page.clock.resume()
    page.wait_for_selector("#start")
    visitor.context.close()


def play_match(visitor: Player, passed: Callable[[], float]) -> float:
    """Play the match that begins to its end. Return the time until the first answer of the other player."""
    choose, answered = random.Random(1).choice, 0.0
    visitor.page.wait_for_selector("po-board svg")
    while visitor.wait_for_turn():
        answered = answered or (passed() if visitor.page.locator(".ply").count() else 0.0)
        version = int(visitor.page.get_attribute(".match", "data-version"))
        play_by_clicks(visitor, choose)
        visitor.wait_for_change(version)
    return answered or passed()


LONG_TASKS = """() => {
    window.longTasks = [];
    new PerformanceObserver((list) => list.getEntries().forEach((one) => longTasks.push(one.duration)))
        .observe({ type: "longtask" });
}"""


def page_of_figures(package: Path) -> str:
    """Return a page with all figures of the documentation, and the rulesheet that one of them reads."""
    rules = (DOCS / "rulesheets.md").read_text().split("```text\n")[1].split("```")[0]
    figures = "".join(
        f'<figure class="living" data-figure="{name}" data-game="mnk"'
        f' data-position="{html.escape(POSITIONS.get(name, ""))}"></figure>'
        for name in living_figures()
    )
    script = '<script type="module" src="_static/figures.js"></script>'
    return f"{HEAD}<pre>{rules.replace('<', '&lt;')}</pre>{figures}{script}"


def run_figures(page: Any, address: str, package: Path) -> None:
    """Press the button of each figure and move its first slider: what it shows changes, and the page never waits."""
    shutil.copytree(DOCS / "_static", package.parent / "_static")
    (package.parent / "_static" / package.name).symlink_to(package)
    (package.parent / "index.html").write_text(page_of_figures(package))
    page.goto(address)
    assert not [one for one in page.evaluate(ASKED) if package.name in one], "loaded before it is wanted"
    page.evaluate(LONG_TASKS)
    for name in living_figures():
        passed = stopwatch()
        figure = page.locator(f"figure[data-figure={name}]")
        figure.get_by_role("button", name="Run").click()
        figure.locator(":scope:not([aria-busy])").wait_for()
        first = figure.locator(".output").inner_text()
        shown = passed()
        assert len(first) > 10, f"{name} shows {first}"
        if name == "elo":
            found = estimate_elo([40, 30, 60])
            assert f"Elo {found.elo:.1f}, from {found.lower:.1f} to {found.upper:.1f}" in first, (first, found)
        slider = figure.get_by_role("slider").first
        slider.focus()
        for _ in range(3):
            slider.press("ArrowLeft")
        figure.locator(":scope:not([aria-busy])").wait_for()
        assert figure.locator(".output").inner_text() != first, f"{name} does not change"
        assert not figure.locator(".error").count(), figure.locator(".output").inner_text()
        print(f"figure {name}: shown after {shown:.1f} s", flush=True)
    late = [duration for duration in page.evaluate("longTasks") if duration > MOST_MILLISECONDS]
    assert not late, f"tasks of {late} milliseconds"


def built_with_vite(package: Path, folder: Path) -> Path:
    """Return the folder of the site that Vite builds from the example of the README."""
    example = (package / "README.md").read_text().partition("## With a bundler")[2]
    config, code = re.findall(r"```js\n(.*?)```", example, re.DOTALL)
    folder.mkdir()
    npm = functools.partial(subprocess.run, cwd=folder, check=True, stdout=subprocess.DEVNULL)
    npm(["npm", "pack", "--silent", str(package.resolve())])
    (archive,) = folder.glob("*.tgz")
    (folder / "package.json").write_text('{"private": true, "type": "module"}')
    (folder / "vite.config.js").write_text(config)
    (folder / "main.js").write_text(code + "document.title = `began ${m.game}`;\n")
    (folder / "index.html").write_text('<!doctype html><script type="module" src="/main.js"></script>')
    shutil.copytree(package, folder / "public" / "playout-games")
    npm(["npm", "install", "--no-audit", "--no-fund", f"vite@{VITE}", str(archive)])
    npm(["npx", "vite", "build", "--logLevel", "error"])
    return folder / "dist"


def address_of(folder: Path) -> str:
    """Return the address of a server of the files of a folder, which runs until the program ends."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}/"


def main() -> None:
    """Play the games."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    package = parser.parse_args().folder / "playout-games"
    with tempfile.TemporaryDirectory() as folder:
        served = Path(folder, "site", "playout-games")
        shutil.copytree(package, served)
        address = address_of(served.parent)
        built = address_of(built_with_vite(package, Path(folder, "vite")))
        with sync_playwright() as browsers:
            browser = browsers.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
            page = browser.new_page()
            errors = watched(page, address)
            play_games(page, address, served, GAMES)
            run_figures(page, address, served)
            assert not errors, errors
            page.goto(built)
            page.wait_for_function("document.title.startsWith('began connect_four')")
            page.close()
            export_site(f"{folder}/host/games", str(package))
            play_site(browser, f"{address_of(Path(folder, 'host'))}games/")
            browser.close()
        print(f"{len(GAMES)} games played in Chromium, one begun that Vite has built, and a static site")
        if FIREFOX is None:
            print("Firefox is not installed")
        else:
            profile = Path(folder, "profile")
            profile.mkdir()
            with running_firefox(profile) as page:
                play_games(page, address, served, GAMES[:3])
                assert not page.errors, page.errors
            print("3 games played in Firefox")


class Quiet(http.server.SimpleHTTPRequestHandler):
    """A server of files that prints nothing."""

    def log_message(self, *given: object) -> None:
        """Print nothing."""


if __name__ == "__main__":
    main()
