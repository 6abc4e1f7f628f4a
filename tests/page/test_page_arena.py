"""Tournaments on the page: their list, one while it runs, its games, and leaderboards."""

import pytest
from browser import AXE, PHONE, violations

from bots import arena

MARKS = "po-board [data-cell]:has(> path), po-board [data-cell]:has(> circle)"


def test_a_game_of_a_tournament_is_replayed_and_analysed(visit):
    visitor = visit()
    visitor.open("tournaments")
    page = visitor.page
    page.locator("a.tournament", has_text="greedy").last.click()
    page.wait_for_selector(".ratings tbody tr")
    assert sorted(page.locator(".ratings tbody .bot").all_inner_texts()) == ["greedy", "random"]
    assert page.locator(".last-games tbody tr").count() == 4
    assert page.locator("h2").all_inner_texts() == [
        "Ratings",
        "Each against each",
        "Who is better",
        "Seats",
        "Length of games",
        "Last games",
    ]
    assert page.locator(".seats tbody tr").count() == 4
    page.click(".last-games tbody a")
    page.wait_for_selector("po-board svg")
    plies = page.locator(".ply").count()
    assert page.locator(MARKS).count() == plies > 4
    page.click("[aria-label='First position']")
    page.wait_for_function("() => document.querySelector('.status').textContent.endsWith('after move 0')")
    assert page.locator(MARKS).count() == 0
    page.get_by_role("button", name="Analyse").click()
    page.wait_for_selector(".tools")
    assert page.locator(".ply").count() == plies
    page.click(".top-link >> text=Tournaments")
    page.click(".chip")
    page.wait_for_selector(".ratings tbody tr")
    assert page.locator(".cross tbody td span").count() >= 2


def test_returns_that_count_are_shown_in_points(visit, database):
    of = arena.describe("leduc_poker", ["random", "greedy"], games=200, seed=1)
    with arena.run(of, db=database, workers=1, executor="threads") as result:
        best = result.standings[0]
    visitor = visit()
    visitor.open("ratings/leduc_poker")
    page = visitor.page
    page.wait_for_selector(".ratings tbody tr")
    headings = page.locator(".ratings thead th").all_inner_texts()
    assert [text.lower() for text in headings[2:5]] == ["difference", "95 % interval", "mean return"]
    assert page.locator(".ratings tbody .bot").first.inner_text() == best.bot
    assert float(page.locator(".ratings tbody .elo").first.inner_text()) == pytest.approx(best.rating, abs=0.005)
    assert float(page.locator(".ratings .points").first.inner_text().split()[0]) == pytest.approx(
        best.mean_return, abs=0.005
    )
    cells = [float(text.replace("\u2212", "-")) for text in page.locator("#cross tbody td span").all_inner_texts()]
    assert cells == pytest.approx([2 * best.mean_return, -2 * best.mean_return], abs=0.005)


@pytest.mark.long
def test_a_tournament_is_watched_while_it_runs(visit, database):
    tournament = arena.describe("points_ttt", ["random", "greedy", "mcts(simulations=5)"], games=20, seed=9)

    def interrupt(_records):
        raise KeyboardInterrupt

    arena.run(tournament, db=database, workers=1, executor="threads", on_records=interrupt)
    visitor = visit(PHONE, bypass_csp=True)
    visitor.open("tournaments")
    page = visitor.page
    page.locator("a.tournament", has_text="Points").first.click()
    page.wait_for_selector("progress")
    assert " of 60 games" in page.inner_text(".progress")
    arena.run(tournament, db=database, workers=1, executor="threads")
    page.wait_for_function("() => document.querySelector('.progress').textContent === '60 games'")
    assert page.locator(".ratings tbody tr").count() == 3
    points = [float(text.split()[0].replace("½", ".5")) for text in page.locator(".points").all_inner_texts()]
    assert sum(points) == 60
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    if not AXE.is_file():
        return
    address = page.url.partition("#/")[2]
    for fragment in (address, "tournaments", "ratings/points_ttt", f"{address}/3"):
        visitor.open(fragment)
        page.wait_for_selector("main h1")
        assert violations(page) == "[]", fragment
