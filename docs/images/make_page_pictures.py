"""Make the pictures of the page in the documentation, in Chromium.

    python docs/images/make_page_pictures.py                  # all of them
    python docs/images/make_page_pictures.py page_tree.png    # some of them

It needs playout with the extra `web`, the package playwright, and chromium (on Debian: apt install chromium).
"""

import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

from playwright.sync_api import Page, sync_playwright

from bots.web.process import ServerProcess

sys.path.insert(0, str(Path(__file__).parent))

from draw import chosen_pictures

CHIPS = (
    "2_64,65_rr......./........./..b..b.../........./........./........./.r......./........./........._...r.b..."
    "_A1:4,A2:4,G1:4,G2:4_A2:1,C3:5,C6:5,G1:4_rr......./........./..b..b.../........./........./........./.r......./"
    "........./........."
)
BOARDS = {
    "mnk": ("mnk", "xxo/.x./o.o_x"),
    "points_ttt": ("points_ttt", "x.o/o.x/.o._2,-1_x_0"),
    "dice_ttt": ("dice_ttt", '{"board":"x..xo.o..","row":3,"to_move":"x"}'),
    "bidding_ttt": ("bidding_ttt(coins=3)", "x.o/.x./..._4,2_o_-"),
    "tic_block": ("tic_block", "xxx/oo./..._50,0_x.../ox../.o../...._-"),
    "three_player_ttt": ("three_player_ttt", "x.o../.xz../o.xz./..o.z/....._xplayer"),
    "bidding_3d_ttt": ("bidding_3d_ttt", CHIPS),
}
"""Name of a picture -> game and position."""


class Visitor:
    """A browser on the page of a server.

    Args:
        page: an empty tab.
        address: of the server.
    """

    def __init__(self, page: Page, address: str) -> None:
        self.page = page
        self.address = address

    def open(self, fragment: str) -> None:
        """Open a view."""
        self.page.goto("about:blank")
        self.page.goto(f"{self.address}#/{fragment}")
        self.page.wait_for_selector("main .view")

    def ask(self, path: str, body: dict[str, Any] | None = None) -> Any:
        """Return the answer of the server to a request."""
        given = None if body is None else json.dumps(body).encode()
        headers = {"Content-Type": "application/json"}
        with urlopen(Request(f"{self.address}api/v1{path}", data=given, headers=headers)) as answer:
            return json.load(answer)

    def begin(self, game: str, seats: dict[str, str], **more: Any) -> dict[str, Any]:
        """Begin a match and open it."""
        made: dict[str, Any] = self.ask("/matches", {"game": game, "seats": seats, "seconds": 0.1, **more})
        self.open(f"match/{made['id']}?token={made['owner']}")
        self.page.wait_for_selector("po-board svg")
        self.page.wait_for_timeout(600)  # until marks have grown
        return made


def draw_chips(visitor: Visitor, path: Path) -> None:
    """Show a bid on tiles while it is built."""
    visitor.page.set_viewport_size({"width": 1100, "height": 800})
    visitor.begin("bidding_3d_ttt", {"blue": "miser"}, start=CHIPS)
    for tile, chips in {"G3": "4", "E1": "2", "E5": "7", "E9": "5"}.items():
        visitor.page.focus(f"[data-cell='{tile}']")
        visitor.page.keyboard.press(chips)
    visitor.page.wait_for_timeout(300)
    visitor.page.screenshot(path=path)


def draw_end(visitor: Visitor, path: Path) -> None:
    """Show the end of a game with the graph of its values and its costliest move."""
    visitor.page.set_viewport_size({"width": 1100, "height": 860})
    plies = [{"x": "mark(2,2)"}, {"o": "mark(1,2)"}, {"x": "mark(1,1)"}, {"o": "mark(2,1)"}, {"x": "mark(3,3)"}]
    made = visitor.begin("mnk", {})
    for ply in plies:
        ((player, action),) = ply.items()
        body = {"player": player, "action": action}
        request = Request(
            f"{visitor.address}api/v1/matches/{made['id']}/actions",
            data=json.dumps(body).encode(),
            headers={"Content-Type": "application/json", "Authorization": f"Bearer {made['owner']}"},
        )
        urlopen(request).close()
    visitor.page.wait_for_selector("po-graph .costs")
    visitor.page.wait_for_timeout(600)
    visitor.page.screenshot(path=path)


def draw_tree(visitor: Visitor, path: Path) -> None:
    """Show an analysis with open nodes of its tree."""
    visitor.page.set_viewport_size({"width": 1100, "height": 1150})
    visitor.begin("mnk(m=5,n=5,k=4)", {"o": "random"}, start="...../..o../..x../...../....._x")
    visitor.page.click("#analyse")
    visitor.page.wait_for_selector(".tree-row")
    visitor.page.wait_for_timeout(2500)
    visitor.page.locator(".tree-row").first.click()
    visitor.page.wait_for_selector(".tree-row[aria-level='2']")
    for key in ("ArrowRight", "ArrowRight"):
        visitor.page.keyboard.press(key)
    visitor.page.wait_for_selector(".tree-row[aria-level='3']")
    visitor.page.keyboard.press("ArrowRight")
    visitor.page.wait_for_timeout(2500)
    visitor.page.locator(".tree-panel").screenshot(path=path)


def draw_tournament(visitor: Visitor, path: Path) -> None:
    """Show a tournament."""
    visitor.page.set_viewport_size({"width": 1100, "height": 880})
    listed = visitor.ask("/arena/tournaments")
    visitor.open(f"tournament/{listed['last']}")
    visitor.page.wait_for_selector(".ratings tbody tr")
    visitor.page.wait_for_timeout(300)
    visitor.page.screenshot(path=path)


def draw_board(name: str, visitor: Visitor, path: Path) -> None:
    """Show the boards and players of a game."""
    game, state = BOARDS[name]
    visitor.page.set_viewport_size({"width": 560, "height": 640})
    visitor.begin(game, {}, start=state)
    visitor.page.locator(".table").screenshot(path=path)


PICTURES = {
    "page_chips.png": draw_chips,
    "page_end.png": draw_end,
    "page_tree.png": draw_tree,
    "page_tournament.png": draw_tournament,
}


def names() -> list[str]:
    """Return the file names of all pictures."""
    return [*PICTURES, *(f"page_{name}.png" for name in BOARDS)]


@contextmanager
def running_server() -> Iterator[str]:
    """Run a server with a small tournament, and give its address."""
    with tempfile.TemporaryDirectory() as folder:
        database = f"{folder}/arena.db"
        playout = [sys.executable, "-P", "-m", "bots.cli"]
        players = ["random", "greedy", "mcts:simulations=30", "mcts:simulations=100", "mcts:simulations=300"]
        subprocess.run([*playout, "arena", "points_ttt", *players, "--games", "20", "--db", database], check=True)
        with ServerProcess("--db", database, "--matches", f"{folder}/matches.db") as server:
            yield server.address


def main() -> None:
    """Make the pictures."""
    chosen, folder = chosen_pictures(__doc__, names())
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    with running_server() as address, sync_playwright() as started:
        browser = started.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        for name in chosen:
            visitor = Visitor(browser.new_page(color_scheme="light"), address)
            if name in PICTURES:
                PICTURES[name](visitor, folder / name)
            else:
                draw_board(name.removeprefix("page_").removesuffix(".png"), visitor, folder / name)
            visitor.page.close()
        browser.close()


if __name__ == "__main__":
    main()
