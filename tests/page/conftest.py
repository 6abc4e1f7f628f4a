"""A browser and a server for the tests of a file."""

import pytest
from browser import CHROMIUM, DESK, Player, running_server
from nets import random_net

import mcts
from bots import arena


@pytest.fixture(scope="module")
def chromium():
    """A browser. Its event loop runs in this thread as long as it lives, so other tests must not come in between."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: pip install playwright")
    if CHROMIUM is None:
        pytest.skip("chromium is not installed: apt install chromium")
    with sync_api.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def database(tmp_path_factory):
    file = str(tmp_path_factory.mktemp("arena") / "arena.db")
    arena.run(arena.describe("mnk", ["random", "greedy"], games=4, seed=1), db=file, workers=1, executor="threads")
    return file


@pytest.fixture(scope="session")
def own_bot(tmp_path_factory):
    """Spec of a bot that the server adds, whose net is for mnk(m=6,n=6,k=4)."""
    file = tmp_path_factory.mktemp("nets") / "six.net"
    random_net(mcts.load_game("mnk(m=6,n=6,k=4)"), policies=1).save(file)
    return f"mcts(net={file})"


@pytest.fixture(scope="module")
def address(chromium, database, own_bot, tmp_path_factory):
    with running_server(tmp_path_factory.mktemp("served"), database, bots=[own_bot]) as server:
        yield server.address


@pytest.fixture
def visit(chromium, address):
    """Return a function that returns a new visitor of the page; none may have seen an error at the end."""
    visitors = []

    def new(size=DESK, **options):
        visitors.append(Player(chromium, address, size, **options))
        return visitors[-1]

    yield new
    for visitor in visitors:
        visitor.context.close()
        assert visitor.errors == []
