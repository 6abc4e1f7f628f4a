"""Requests made up after the OpenAPI document: none makes the server fail, and every error has its form."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from waiting import HANG_SECONDS
from web_client import API, Played, Process

from bots import arena

pytestmark = pytest.mark.long

EXAMPLES = 30
SMALL = {"seconds": 0.02, "simulations": 20}
"""Values that keep searches short."""


@pytest.fixture(scope="module")
def process(tmp_path_factory):
    folder = tmp_path_factory.mktemp("schema")
    database = str(folder / "arena.db")
    arena.run(arena.describe("mnk", ["random", "greedy"], games=4), db=database, workers=1).close()
    with Process(folder / "matches.db", "--db", database) as process:
        yield process


def made_true(case, match, tournament, rng):
    """Give a request names that exist, so that it gets further than to the first check."""
    paths = case.path_parameters or {}
    if "match_id" in paths and rng.random() < 0.8:
        paths["match_id"] = match.id
        case.headers = {**(case.headers or {}), **match.headers}
    for key, value in (
        ("digest", tournament),
        ("name", "mnk"),
        ("number", rng.randrange(5)),
        ("ply", rng.randrange(4)),
    ):
        if key in paths and rng.random() < 0.8:
            paths[key] = value
    if isinstance(case.body, dict):
        for key in case.body:
            if key in SMALL and case.body[key] is not None:
                case.body[key] = SMALL[key]
        if "hint" in case.path:
            case.body["simulations"] = SMALL["simulations"]
    for where in (case.query, case.body if isinstance(case.body, dict) else None):
        for key, value in (("game", "mnk"), ("bot", "random"), ("player", rng.choice("xo")), ("action", "mark(2,2)")):
            if where and key in where and rng.random() < 0.6:
                where[key] = value


def check(answer, what):
    """Check that an answer is none of a failure, and has the form of errors if it is one."""
    assert answer.status_code < 500, (what, answer.text)
    if answer.status_code >= 400:
        error = answer.json()["error"]
        assert set(error) == {"code", "message", "valid"}, what
        assert error["code"], what
        assert error["message"].isprintable(), what


def ask(process, operation, tournament, statuses):
    """Send requests for one operation, and note the statuses of the answers by path."""
    from schemathesis.core import NOT_SET  # takes longer to import than most tests take

    match = Played.begin(process.client, "mnk", {"o": "random"})

    @settings(max_examples=EXAMPLES, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(case=operation.as_strategy(), rng=st.randoms(use_true_random=False))
    def one(case, rng):
        made_true(case, match, tournament, rng)
        what = (case.method, case.formatted_path, case.query, None if case.body is NOT_SET else case.body)
        answer = case.call(base_url=process.address.rstrip("/"), timeout=HANG_SECONDS)
        check(answer, what)
        statuses.setdefault(case.path, set()).add(answer.status_code)

    one()


def test_no_request_makes_the_server_fail(process):
    import schemathesis

    document = process.client.get(f"{API}/openapi.json").json()
    tournament = process.client.get(f"{API}/arena/tournaments").json()["last"]
    operations = [found.ok() for found in schemathesis.openapi.from_dict(document).get_all_operations()]
    assert len(operations) == sum(len(methods) for methods in document["paths"].values())
    statuses = {}
    for operation in operations:
        ask(process, operation, tournament, statuses)
    reached = [path for path, found in statuses.items() if {200, 201} & found]
    print(len(reached), "of", len(statuses), "paths have had a request that is accepted")
    assert len(reached) > 0.7 * len(statuses), sorted(set(statuses) - set(reached))
