"""What one does in a match beside playing: steps, undo, hints, resigning, branches, analysis."""

import re

import pytest
from browser import PHONE

import mcts


def play(visitor, made, *cells):
    """Play cells, and wait for the answers."""
    for cell in cells:
        assert visitor.wait_for_turn()
        before = visitor.match(made)["version"]
        visitor.page.click(f"[data-cell='{cell}']")
        visitor.wait_for_change(before)
    visitor.wait_for_turn()


def marks(visitor):
    return visitor.page.locator("po-board [data-cell]:has(> path), po-board [data-cell]:has(> circle)").count()


@pytest.fixture
def begun(visit):
    visitor = visit()
    made = visitor.begin("mnk(m=5,n=5,k=4)", {"o": "random"}, seed="3")
    play(visitor, made, "1,1", "5,5")
    return visitor, made


@pytest.mark.long
def test_plies_are_stepped_through(begun):
    visitor, _ = begun
    page = visitor.page
    assert marks(visitor) == 4
    page.click("[aria-label='One back']")
    page.wait_for_function("() => document.querySelector('.status').textContent === 'After move 3'")
    assert marks(visitor) == 3
    assert page.query_selector("po-board.playable") is None
    page.click("[aria-label='First position']")
    page.wait_for_function("() => document.querySelector('.status').textContent === 'After move 0'")
    assert marks(visitor) == 0
    page.locator(".ply").nth(1).click()
    page.wait_for_function("() => document.querySelector('.status').textContent === 'After move 2'")
    page.keyboard.press("End")
    page.wait_for_selector("po-board.playable")
    assert marks(visitor) == 4


def test_undo_and_redo(begun):
    visitor, made = begun
    before = visitor.match(made)
    visitor.page.click("#undo")
    visitor.wait_for_change(before["version"])
    assert marks(visitor) == 2
    visitor.page.click("#redo")
    visitor.wait_for_change(before["version"] + 1)
    visitor.wait_for_turn()
    assert marks(visitor) == 4
    assert visitor.match(made)["history"] == before["history"]


@pytest.mark.long
def test_a_hint_marks_a_legal_cell(begun):
    visitor, made = begun
    visitor.page.click("#hint")
    visitor.page.wait_for_selector("po-board .marked")
    action = visitor.page.get_attribute("po-board [data-cell]:has(> .marked)", "data-action")
    assert action in visitor.match(made)["legal"]["x"]
    assert re.search(r"Hint: [a-c]\d, value \d+$", visitor.page.inner_text(".toast"))


@pytest.mark.long
def test_a_hint_beside_an_analysis_is_its_best_action(visit):
    visitor = visit()
    visitor.begin("bidding_ttt(coins=8)", {"x": "random"}, seed="3")
    page = visitor.page
    asked = []
    page.on("request", lambda request: request.url.endswith("/hint") and asked.append(request.url))
    page.click("#analyse")
    page.wait_for_selector("po-analysis .arms")
    page.click("#hint")
    said = page.wait_for_selector(".toast").inner_text()
    assert re.match(r"Hint: bid \d", said)
    table = page.locator("po-analysis .arms", has_text=re.compile("^o"))
    assert said.split(",")[0].removeprefix("Hint: ") in table.inner_text()
    assert asked == []


@pytest.mark.long
def test_a_hint_beside_a_proven_analysis_is_the_cell_of_its_heat(visit):
    visitor = visit()
    visitor.begin("mnk", {"o": "random"}, seed="3")
    page = visitor.page
    page.click("#analyse")
    page.wait_for_selector("po-analysis .speed .proven")
    page.click("#hint")
    page.wait_for_selector("po-board .marked")
    assert page.locator("po-board .heat").all_text_contents() == ["100%"]
    assert page.locator("po-board [data-cell]:has(.marked):has(.heat)").count() == 1


@pytest.mark.long
def test_the_graph_of_a_won_game_ends_at_its_result(visit):
    visitor = visit()
    made = visitor.begin("mnk", {})
    for player, cell in zip("xoxox", ("1,1", "2,1", "1,2", "2,2", "1,3"), strict=True):
        body = {"player": player, "action": f"mark({cell})"}
        visitor.call("POST", f"/matches/{made['id']}/actions", body, made["owner"])
    graph = visitor.page.locator("po-graph svg")
    graph.wait_for()
    curve = graph.locator("path").get_attribute("d")
    last_x, last_y = map(float, curve.rpartition("L")[2].split())
    top = float(graph.locator("line.po-axis").last.get_attribute("y1"))  # that of 100
    assert last_y == pytest.approx(top, abs=0.1)
    now = graph.locator(".graph-now")
    assert [float(now.get_attribute(name)) for name in ("cx", "cy")] == pytest.approx([last_x, last_y], abs=0.1)
    lines = [[float(line.get_attribute(name)) for name in ("y1", "y2")] for line in graph.locator("line").all()]
    assert all(start == end for start, end in lines)


@pytest.mark.long
def test_notices_do_not_stay_over_the_next_view(begun):
    visitor, _ = begun
    page = visitor.page
    page.click("#hint")
    page.wait_for_selector(".toast")
    page.click("#share")
    assert "this machine alone" in page.inner_text("dialog")
    page.evaluate("location.hash = '#/new/mnk'")
    page.wait_for_selector("#start")
    assert page.query_selector(".toast, dialog[open]") is None


@pytest.mark.long
def test_a_forced_action_is_played_by_itself_and_undo_goes_past_it(visit):
    visitor = visit()
    made = visitor.begin("points_ttt", {"o": "random"}, seed="2")
    page = visitor.page
    for _ in range(2):
        page.click("[data-cell='1,1']")
        assert page.wait_for_selector(".toast").inner_text() == "x passes: nothing else is legal."
        page.wait_for_selector(".ply:has-text('pass')")  # the note may be that of the first time
        page.wait_for_selector("po-board.playable")
        history = visitor.match(made)["history"]
        assert [ply["x"] for ply in history if "x" in ply] == ["mark(1,1)", "pass"]
        page.click("#undo")
        page.wait_for_selector(".plies .empty")
        page.wait_for_selector("po-board.playable")
        assert visitor.match(made)["ply"] == 0
        page.click("#redo")
        page.wait_for_function("count => document.querySelectorAll('.ply').length === count", arg=len(history))
        assert visitor.match(made)["history"] == history
        page.click("#undo")
        page.wait_for_selector(".plies .empty")


@pytest.mark.long
def test_the_first_page_is_short_on_a_phone(visit):
    visitor = visit(PHONE)
    visitor.open()
    visitor.page.wait_for_function("() => document.querySelectorAll('.card svg').length >= 7")
    assert visitor.page.evaluate("document.documentElement.scrollHeight") < 2 * PHONE["height"]


@pytest.mark.long
def test_players_have_names_for_people(visit):
    visitor = visit()
    visitor.begin("three_player_ttt", {"zplayer": "random"})
    assert visitor.page.locator(".player-name strong").all_inner_texts() == ["x", "o", "z"]
    assert visitor.page.locator(".player .who").last.inner_text() == "random, at most 0.05 s"
    assert "player" not in visitor.page.inner_text("main").replace("players", "")


@pytest.mark.long
def test_resigning_asks_first(begun):
    visitor, made = begun
    visitor.page.click("#resign")
    visitor.page.get_by_role("button", name="Play on").click()
    assert not visitor.match(made)["is_over"]
    visitor.page.click("#resign")
    visitor.page.click("#confirm-resign")
    visitor.page.wait_for_function("() => document.querySelector('.status').textContent === 'o wins'")
    assert visitor.match(made)["resigned"] == ["x"]


def check_shares(page, column):
    """Check that the candidates are in the order of a column, which has shares of 100 %. Return these."""
    cells = page.locator(f"po-analysis td.part:nth-child({column})").all_inner_texts()
    shares = [float(text.rstrip(" %")) for text in cells]
    assert shares == sorted(shares, reverse=True)
    assert 0 < sum(shares) <= 100.5
    return shares


def test_an_analysis_runs_until_it_is_stopped_and_shows_the_policy_of_its_net(visit):
    visitor = visit()
    visitor.begin("mnk(m=8,n=8,k=5)", {"o": "random"}, seed="3")
    page = visitor.page
    page.click("#analyse")
    page.wait_for_selector("po-analysis .speed")
    simulations = "Number(document.querySelector('po-analysis .speed span')?.textContent.replace(/\\D/g, ''))"
    first = page.evaluate(simulations)
    page.wait_for_function(f"first => {simulations} > first", arg=first)
    assert page.locator("po-analysis .bar").count() == 2
    assert page.locator("po-board .heat").count() > 1
    check_shares(page, 2)
    page.hover("po-analysis tbody tr")
    assert page.locator("po-board .marked").count() == 1
    # The net that comes with the package, of which the analysis has the policy.
    source = page.locator("po-analysis .segments")
    source.get_by_text("Net").click()
    shares = check_shares(page, 3)
    game = mcts.load_game("mnk(m=8,n=8,k=5)")
    priors = sorted(mcts.MCTS(game).net.priors(game.new_initial_state()).values(), reverse=True)
    assert shares == pytest.approx([100 * prior for prior in priors[: len(shares)]], abs=0.051)
    assert page.locator("po-board .heat").count() == 64
    source.get_by_text("Search").click()
    check_shares(page, 2)
    page.click("#analyse")
    assert source.is_hidden()
    page.wait_for_selector("po-analysis .speed", state="detached")
    assert page.locator("po-board .heat").count() == 0


@pytest.mark.long
def test_bids_are_opened_and_said_when_all_have_bid(visit):
    visitor = visit()
    visitor.begin("bidding_ttt(coins=8)", {"o": "random"}, seed="1")
    visitor.page.fill("po-amounts input[type=number]", "3")
    visitor.page.click("[data-key=choose]")
    visitor.page.wait_for_selector(".reveal")
    assert re.search(r"x\s+3", visitor.page.inner_text(".reveal"))
    visitor.page.wait_for_function("() => /x bids 3; o bids/.test(document.querySelector('#said').textContent)")


@pytest.mark.long
def test_bids_that_are_not_allowed_cannot_be_sealed(visit):
    visitor = visit(PHONE)
    visitor.begin("bidding_ttt(coins=8)", {"o": "random"}, seed="1")
    for wrong in ("9", "1.5", "", "-1"):
        visitor.page.fill("po-amounts input[type=number]", wrong)
        assert visitor.page.is_disabled("[data-key=choose]"), wrong
    visitor.page.fill("po-amounts input[type=number]", "8")
    assert visitor.page.is_enabled("[data-key=choose]")


@pytest.mark.long
def test_a_match_that_does_not_exist_says_so(visit):
    visitor = visit()
    visitor.open("match/0123456789abcdef")
    assert "cannot be shown" in visitor.page.inner_text("main")
    visitor.errors[:] = [error for error in visitor.errors if "Failed to load resource" not in error]


@pytest.mark.parametrize(
    ("game", "bot", "levels"), [("mnk", "mcts", ["5", "1", "5"]), ("kuhn_poker", "cfr", ["6", "1", "6"])]
)  # of the even levels of the game: the one offered first, the lowest, and the next
def test_the_strongest_opponent_stands_above_the_levels(visit, game, bot, levels):
    visitor = visit()
    page = visitor.page
    with page.expect_response(lambda response: "/bots?" in response.url):
        visitor.open(f"new/{game}")
    slider = page.locator(".seat input[type=range]:visible")
    slider.focus()
    said = [slider.get_attribute("aria-valuetext")]
    for key in ("Home", "ArrowRight"):
        page.keyboard.press(key)
        said.append(slider.get_attribute("aria-valuetext"))
    assert said == levels
    page.keyboard.press("End")
    assert slider.get_attribute("aria-valuetext") == page.locator(".level output:visible").inner_text() == "strongest"
    page.click("#start")
    page.wait_for_selector(".player .who")
    assert any(text.startswith(bot) for text in page.locator(".player .who").all_inner_texts())


def test_the_coach_judges_a_move_and_takes_it_back(visit):
    visitor = visit()
    state = mcts.load_game("connect_four").new_initial_state()
    for column in (4, 1, 4, 1):
        state.apply_action(state.string_to_action(state.current_player(), f"drop({column})"))
    made = visitor.begin("connect_four", {"yellow": "random"}, seed="5", start=state.to_text())
    page = visitor.page
    judged = []
    page.on("request", lambda request: request.url.endswith("/coach") and judged.append(request.url))
    play(visitor, made, "4,4")
    assert page.get_attribute("#coach", "aria-pressed") == "false"
    assert judged == []
    page.click("#coach")
    page.wait_for_selector("#coach[aria-pressed=true]")
    play(visitor, made, "7,6")
    page.wait_for_selector("#take-back")
    said = page.locator("section[aria-label=Coach] p").all_inner_texts()
    assert re.fullmatch(r"g cost \d+ points\.", said[0])
    assert said[1] == "Better: d wins: four in a row."
    assert page.locator("po-board [data-cell='4,3'] .marked").count() == 1
    page.click("#take-back")
    page.wait_for_function("() => document.querySelectorAll('.ply').length === 2")
    assert page.locator("po-board .marked").count() == 0
