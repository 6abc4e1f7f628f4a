"""What holds on all views: accessibility, size, speed, colors, no layout shift, nothing beside the screen."""

import re

import pytest
from browser import AXE, DESK, PHONE, violations
from support import ROOT

import mcts
from mcts.game_rules import phrases_of
from mcts.pictures.themes import style_sheet

PAGE = ROOT / "bots/page"
MOST_BYTES = 160_000
GAMES = ("mnk", "points_ttt", "dice_ttt", "bidding_ttt", "bidding_3d_ttt", "tic_block", "three_player_ttt")


@pytest.mark.long
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_axe_finds_nothing(visit, size, theme):
    if not AXE.is_file():
        pytest.skip("axe-core is not installed: make page-lint")
    visitor = visit(size, color_scheme=theme, bypass_csp=True)
    page = visitor.page
    for fragment in ("", "new/mnk", "new/bidding_3d_ttt", "position/mnk?state=x../.o./..x_o", "match/none"):
        visitor.open(fragment)
        page.wait_for_load_state("networkidle")
        assert violations(page) == "[]", fragment
    for game in GAMES:
        visitor.begin(game, {})
        assert violations(page) == "[]", game
    page.click("#rules")
    page.wait_for_selector("dialog[open] .prose")
    assert page.locator("dialog figure svg").count() == 2
    assert violations(page) == "[]"
    page.keyboard.press("Escape")
    page.click("#share")
    page.wait_for_selector("dialog[open]")
    assert violations(page) == "[]"
    page.keyboard.press("Escape")
    for game in ("bidding_ttt", "mnk(m=8,n=8,k=5)"):  # with both strategies; with a net
        visitor.begin(game, {"o": "random"})
        page.click("#analyse")
        page.wait_for_selector("po-analysis .arms")
        assert violations(page) == "[]", game
    visitor.errors[:] = [error for error in visitor.errors if "404" not in error]


def test_the_page_is_small(visit):
    visitor = visit()
    session = visitor.context.new_cdp_session(visitor.page)
    session.send("Network.enable")
    received = []
    session.on("Network.loadingFinished", lambda event: received.append(event["encodedDataLength"]))
    visitor.open()
    visitor.page.wait_for_function("() => document.querySelectorAll('.card svg').length >= 7")
    visitor.page.click("a.card[href$='/mnk']")
    visitor.page.click("#start")
    visitor.page.wait_for_selector("po-board svg")
    assert 10_000 < sum(received) < MOST_BYTES


def test_a_game_is_found_by_its_words(visit):
    visitor = visit()
    page = visitor.page
    visitor.open()
    page.locator("h2", has_text="Classics").wait_for()
    field = page.get_by_label("Find a game")
    field.fill("connect THREE")
    assert page.locator(".card:visible h3").all_inner_texts() == ["Connect four for three"]
    assert page.locator(".group:visible").count() == 1
    field.fill("backgammon")
    assert page.locator(".card:visible").count() == 0
    field.fill("")
    assert page.locator(".card:visible").count() > 50


def test_modules_name_no_game_and_no_action():
    games = mcts.registered_games()
    kinds = {"mark", "drop", "move", "place", "play"}.union(*(phrases_of(mcts.game_info(name)) for name in games))
    kinds -= {"choose"}  # an event of the page, too
    assert {"bid", "pass", "throw"} <= kinds
    named = rf"\b({'|'.join(kinds)})\\\(|(===|!==|case|startsWith\() ?[\"']({'|'.join(kinds)})\b"
    for path in PAGE.glob("js/**/*.js"):
        text = path.read_text()
        assert [name for name in games if f'"{name}"' in text] == [], path
        assert not re.search(named, text), path


def test_actions_are_said_in_the_words_of_the_game(visit):
    visitor = visit()
    visitor.open()
    said = """async ([phrases, written, actions]) => {
        const {Words} = await import("/static/js/words.js");
        const words = new Words(phrases, written);
        return actions.map((action) => [words.short(action), words.ply({xplayer: action})]);
    }"""
    phrases = {"give": "gives {2} from {1}", "put": "puts {sum}", "roll": "The dice show {}", "shoot": "shoots at {}"}
    words = {
        "give(a,3)": ["give(a,3)", "x gives 3 from a"],
        "put(A1:3,E5:2)": ["A1:3 E5:2", "x puts 5 on 2 places"],
        "put(2,crown)": ["put 2 + crown", "x puts 2 with the crown"],
        "put()": ["nothing", "x puts 0 on 0 places"],
        "roll(2,5)": ["The dice show 2, 5", "The dice show 2, 5"],
        "shoot(1,2)": ["b1", "x shoots at b1"],
        "toString(1)": ["toString(1)", "x plays toString(1)"],
        "?": ["hidden", "x acts in secret"],
    }
    assert visitor.page.evaluate(said, [phrases, {"shoot(1,2)": "b1"}, list(words)]) == list(words.values())


@pytest.mark.long
def test_the_first_board_waits_for_few_answers(visit):
    visitor = visit()
    made = visitor.begin("mnk", {})
    visitor.open(f"match/{made['id']}")
    visitor.page.wait_for_selector("po-board svg")
    timings = visitor.page.evaluate("performance.getEntriesByType('resource').map((entry) => entry.toJSON())")
    board = visitor.page.evaluate("performance.getEntriesByName('board')[0].startTime")
    asked = [re.sub(r"^http://[^/]*/|#.*$", "", timing["name"]) for timing in timings if timing["startTime"] < board]
    named = re.findall(r'(?:href|src)="(static/[^"#]+)', (PAGE / "index.html").read_text())
    assert [name for name in asked if name not in named and not name.startswith("api/")] == []
    assert len([name for name in asked if name.startswith("api/")]) <= 4


@pytest.mark.long
@pytest.mark.parametrize("width", [320, 390, 768])
def test_nothing_lies_beside_the_screen(visit, width):
    visitor = visit({"width": width, "height": 800})
    for fragment in ("", "new/bidding_3d_ttt"):
        visitor.open(fragment)
        assert visitor.page.evaluate("document.documentElement.scrollWidth") <= width, fragment
    for game in ("bidding_3d_ttt", "three_player_ttt"):
        visitor.begin(game, {})
        assert visitor.page.evaluate("document.documentElement.scrollWidth") <= width, game


@pytest.mark.long
def test_nothing_shifts_while_one_plays(visit):
    visitor = visit()
    visitor.begin("mnk(m=5,n=5,k=4)", {"o": "random"}, seed="2")
    visitor.page.evaluate(
        """() => {
            window.shifts = [];
            new PerformanceObserver((list) => window.shifts.push(...list.getEntries().map((entry) => entry.value)))
                .observe({type: "layout-shift", buffered: true});
        }"""
    )
    for cell in ("1,1", "2,1", "3,1", "5,1"):
        if not visitor.wait_for_turn():
            break
        if visitor.page.get_attribute(f"[data-cell='{cell}']", "data-action"):
            # A shift counts only where it does not follow a real click at once.
            version = visitor.page.evaluate("Number(document.querySelector('.match').dataset.version)")
            click = "(cell) => cell.dispatchEvent(new MouseEvent('click', {bubbles: true}))"
            visitor.page.locator(f"[data-cell='{cell}']").evaluate(click)
            visitor.wait_for_change(version)
    visitor.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert sum(visitor.page.evaluate("window.shifts")) < 0.01


def test_the_colors_are_those_of_the_pictures():
    css = (PAGE / "css/page.css").read_text()
    names = {"surface": "paper", "edge": "edge", "ink": "ink", "muted": "muted", "edge-strong": "offered"}
    names |= {name: f"f-{name}" for name in ("blue", "orange", "green", "purple", "red", "gray", "yellow")}
    names |= {
        "white": "s-white",
        "black": "s-black",
        "coin": "coin",
        "coin-edge": "coinedge",
        "heat": "heat",
        "chosen": "chosen",
    }
    given = {name: pair for name, *pair in re.findall(r"--([\w-]+): light-dark\((#\w+), (#\w+)\);", css)}
    for number, theme in enumerate(("light", "dark")):
        sheet = style_sheet(theme, has_pieces=True)
        for name, kind in names.items():
            drawn = re.search(rf"\.po-{theme} \.po-{kind}\{{\w+:(#\w+)\}}", sheet)[1]
            assert given[name][number] == drawn, (theme, name)


@pytest.mark.long
def test_a_choice_of_colors_stays(visit):
    visitor = visit(color_scheme="light")
    visitor.open()
    visitor.page.wait_for_selector(".card svg")
    color = "getComputedStyle(document.querySelector('.card svg .po-cell')).fill"
    light = visitor.page.evaluate(color)
    visitor.page.click("#theme")
    visitor.page.click("#theme")  # light, then dark
    dark = visitor.page.evaluate(color)
    assert dark != light
    visitor.open()
    visitor.page.wait_for_selector(".card svg")
    assert visitor.page.evaluate(color) == dark


def test_modules_are_small_and_load_nothing_from_elsewhere():
    files = [path for path in PAGE.rglob("*") if path.is_file()]
    assert len(files) > 20
    for path in files:
        text = path.read_text()
        assert path.suffix == ".css" or len(text.splitlines()) <= 310, path
        assert path.suffix != ".js" or max(map(len, text.splitlines())) <= 120, path
        hosts = set(re.findall(r"https?://[^\s\"'`)]+", text)) - {"http://www.w3.org/2000/svg"}
        assert not hosts, path


def test_all_modules_are_asked_for_at_once():
    """The first board does not wait for one import after the other. Modules that it does not need come later."""
    index = (PAGE / "index.html").read_text()
    named = set(re.findall(r'<link rel="modulepreload" href="static/([^"]+)">', index))
    needed, todo = set(), ["js/main.js"]
    for module in todo:
        path = PAGE / module
        for found in re.findall(r'^import (?:.* from )?"(\..*)";$', path.read_text(), re.MULTILINE):
            other = str((path.parent / found).resolve().relative_to(PAGE))
            if other not in needed:
                needed.add(other)
                todo.append(other)
    assert len(needed) > 20
    assert named == needed
