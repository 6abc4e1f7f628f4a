"""Play games on a page with the npm package, from a folder that a plain web server serves, in Chromium.

    python web/test_page.py FOLDER

FOLDER has the folder `playout-games`. The page has the one line of HTML of the README, with other games.
"""

from __future__ import annotations

import argparse
import functools
import http.server
import re
import shutil
import tempfile
import threading
import time
from pathlib import Path

from playwright.sync_api import Page, Request, sync_playwright

GAMES = ("mnk", "othello", "bidding_ttt", "three_player_ttt", "leduc_poker", "tic_block", "dice_ttt", "breakthrough")
MOST_TURNS = 200


def page_of(package: Path, game: str) -> str:
    """Return a page with the line of the README, for a game."""
    line = next(line for line in (package / "README.md").read_text().splitlines() if "<playout-board" in line)
    return "<!doctype html><title>A game</title>" + re.sub(r'game="\w+" level="\d+"', f'game="{game}" level="2"', line)


def watched(page: Page, address: str) -> list[str]:
    """Return a list that gets the errors of a page, and the addresses of other servers that it asks."""
    found: list[str] = []

    def look(request: Request) -> None:
        if not request.url.startswith((address, "blob:")):
            found.append(request.url)

    page.on("pageerror", lambda error: found.append(str(error)))
    page.on("request", look)
    return found


def play(page: Page) -> int:
    """Play the game of a page to its end by clicks. Return the number of turns."""
    board = page.locator("playout-board:not([aria-busy])")
    for turn in range(MOST_TURNS):
        board.wait_for()
        if page.evaluate("document.querySelector('playout-board').match.isOver"):
            return turn
        cell = board.locator("[data-cell].choosable:not(.picked)")
        choice = board.locator("#actions button").filter(has_not_text=re.compile("^(Undo|New game)$"))
        if choice.count():
            choice.nth(turn % choice.count()).click()
        else:
            cell.nth(7 * turn % cell.count()).click()
    raise AssertionError(f"no end after {MOST_TURNS} turns")


def main() -> None:
    """Play the games."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    package = parser.parse_args().folder / "playout-games"
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as browsers:
        shutil.copytree(package, Path(folder, "playout-games"))
        handler = functools.partial(Quiet, directory=folder)
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}/"
        browser = browsers.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for game in GAMES:
            Path(folder, "index.html").write_text(page_of(package, game))
            page = browser.new_page()
            errors = watched(page, address)
            began = time.monotonic()
            page.goto(address)
            page.locator("playout-board:not([aria-busy])").wait_for()
            said = page.locator("playout-board p").inner_text()
            assert page.locator("playout-board svg").count(), said
            loaded = time.monotonic() - began
            turns = play(page)
            assert not errors, errors
            print(f"{game}: {turns} turns, first position after {loaded:.1f} s", flush=True)
            page.close()
        browser.close()
        server.shutdown()
    print(f"{len(GAMES)} games played in Chromium")


class Quiet(http.server.SimpleHTTPRequestHandler):
    """A server of files that prints nothing."""

    def log_message(self, *given: object) -> None:
        """Print nothing."""


if __name__ == "__main__":
    main()
