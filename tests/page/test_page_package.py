"""The element `playout-board` of the npm package, and the static site, with workers of this file."""

import json
import shutil

import pytest
from support import ROOT

from bots.commands.export_site import command as export_site
from bots.system.version import package_version

SITE = "http://package.test/"
PAGE = '<!doctype html><script type="module" src="board.js"></script><playout-board game="corners"></playout-board>'
HOSTILE = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10" onload="ran.push('onload')">
<script>ran.push("script")</script><style>.cell { fill: red }</style>
<foreignObject><iframe xmlns="http://www.w3.org/1999/xhtml" srcdoc="x"/></foreignObject>
<image href="/picture.png" onerror="ran.push('onerror')"/>
<a href="javascript:ran.push('link')"><text>a link</text></a>
<g data-cell="1,1" onclick="ran.push('onclick')"><title>1,1</title><rect class="cell" width="9" height="9"/></g>
</svg>"""
STATE = {
    "players": ["x", "o"],
    "waitsFor": ["x"],
    "legalActions": {"x": ["mark(1,1)"]},
    "clicks": {"x": {"mark(1,1)": [["1,1"]]}},
    "isOver": False,
    "svg": HOSTILE,
}
WORKER = f"""
let state = {json.dumps(STATE)};
onmessage = ({{ data: {{ number, request }} }}) => {{
    if (request.path?.endsWith("/actions")) {{
        state = {{ ...state, isOver: true, returns: [100, 0], waitsFor: [], legalActions: {{}}, clicks: {{}} }};
    }}
    const answer = {{ status: 200, data: {{ id: "a", owner: "b", spec: "corners", players: ["x", "o"] }} }};
    postMessage({{ number, result: request.do === "state" ? state : answer }});
}};
"""


@pytest.fixture
def package(tmp_path):
    """A folder as `web/build.py` makes it, whose worker answers with a hostile picture."""
    for name in ("web/package/index.js", "web/package/board.js", "bots/page/js/controls/clicks.js"):
        shutil.copy(ROOT / name, tmp_path)
    (tmp_path / "index.html").write_text(PAGE)
    (tmp_path / "worker.js").write_text(WORKER)
    return tmp_path


def served(context, folder):
    """Return a page on the files of a folder, and the list of the files that it asks for."""
    asked = []

    def answer(route):
        name = route.request.url.removeprefix(SITE)
        asked.append(name)
        route.fulfill(path=folder / (name or "index.html")) if (folder / name).exists() else route.abort()

    context.route(f"{SITE}**", answer)
    return context.new_page(), asked


def test_a_picture_of_the_board_runs_and_loads_nothing(chromium, package):
    context = chromium.new_context()
    errors = []
    page, asked = served(context, package)
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.add_init_script("window.ran = []")
    page.goto(SITE)
    page.click("playout-board [data-cell].choosable")
    page.locator("playout-board p", has_text="x: 100, o: 0").wait_for()
    board = "document.querySelector('playout-board').shadowRoot"
    names = page.evaluate(f"[...{board}.querySelectorAll('#board *')].map((one) => one.localName)")
    assert names == ["svg", "style", "g", "title", "rect"]
    assert page.evaluate(f"getComputedStyle({board}.querySelector('rect')).fill") == "rgb(255, 0, 0)"
    assert page.evaluate("ran") == []
    assert sorted(asked) == ["", "board.js", "clicks.js", "index.js", "worker.js"]
    assert errors == []
    context.close()


def test_a_static_site_shows_its_games_before_the_worker_answers(chromium, package, tmp_path):
    (package / "worker.js").write_text("onmessage = () => {};")
    (package / "playout.data").write_bytes(b"")
    (package / "package.json").write_text(json.dumps({"name": "playout-games", "version": package_version()}))
    export_site(str(tmp_path / "site"), str(package))
    context = chromium.new_context()
    page, _ = served(context, tmp_path / "site")
    page.goto(SITE)
    page.locator(".card", has_text="Chess").locator("svg [data-cell='a1']").wait_for()
    page.get_by_text("Play your own rules").wait_for()
    context.close()
