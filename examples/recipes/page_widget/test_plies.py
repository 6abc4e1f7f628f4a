import shutil

from playwright.sync_api import expect, sync_playwright

from bots.web.process import ServerProcess

BEGIN = """async () => {
    const headers = {"Content-Type": "application/json"};
    const body = JSON.stringify({game: "mnk", seats: {}});
    return await (await fetch("/api/v1/matches", {method: "POST", headers, body})).json();
}"""


def test_it_counts_the_plies_of_a_match(tmp_path):
    with sync_playwright() as started, ServerProcess("--matches", str(tmp_path / "matches.db")) as server:
        browser = started.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page()
        page.goto(server.address)
        made = page.evaluate(BEGIN)
        page.goto(f"{server.address}#/match/{made['id']}?token={made['owner']}")
        expect(page.locator("po-plies")).to_have_text("Plies: 0")
        page.locator("[data-action='mark(2,2)']").click()
        expect(page.locator("po-plies")).to_have_text("Plies: 1")
        browser.close()
