"""Made-up requests after the OpenAPI document: no answer has a status of 500 and up, and every error has its form."""

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from web_client import API, Played, Process

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def process(tmp_path_factory):
    with Process(tmp_path_factory.mktemp("schema") / "matches.db") as process:
        yield process


@pytest.fixture
def document(process):
    return schemathesis.openapi.from_url(f"{process.address}api/v1/openapi.json")


schema = schemathesis.pytest.from_fixture("document")


@schema.parametrize()
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
def test_no_request_makes_the_server_fail(process, case):
    headers = {}
    if "match_id" in (case.path_parameters or {}):
        match = Played.begin(process.client, "mnk", {"o": "random"})
        case.path_parameters["match_id"] = match.id
        headers = match.headers
    answer = case.call(headers=headers)
    case.validate_response(answer, checks=(not_a_server_error,))
    if answer.status_code >= 400 and API in case.formatted_path:
        error = answer.json()["error"]
        assert set(error) == {"code", "message", "valid"}
        assert error["message"]
