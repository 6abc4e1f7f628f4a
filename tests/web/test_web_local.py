"""The routes as a static site calls them: the answers of the server, without FastAPI, pydantic, threads and sockets."""

import json

from support import HELPERS, ROOT, run_python
from web_client import API, server

RULES = {"text": (ROOT / "mcts/rulesheets/tic_tac_toe.kif").read_text(), "name": "mine.kif"}
CALLS = [
    ("GET", "/games", None),
    ("GET", "/games/mnk(m%3D4)", None),
    ("GET", "/games/points_ttt/rules", None),
    ("GET", "/bots?game=kuhn_poker", None),
    ("POST", "/bots/check", {"game": "mnk", "bot": "mcts:simulations=50"}),
    ("POST", "/positions", {"game": "mnk", "plies": [{"x": "mark(2,2)"}]}),
    ("POST", "/games", RULES),
    ("POST", "/matches", {"game": "bidding_ttt", "seats": {"x": None}, "seconds": 1}),
    ("GET", "/matches/ID/plies/0?player=o", None),
    ("POST", "/matches/ID/actions", {"player": "x", "action": "bid(1)", "version": 0}),
    ("POST", "/matches/ID/check", {"player": "o", "action": "bid(99)"}),
    ("POST", "/matches/ID/undo", {}),
    ("GET", "/matches/ID?player=o", None),
    ("GET", "/matches/ID/plies/x", None),
    ("POST", "/matches/ID/actions", {"player": "x"}),
    ("POST", "/matches/ID/actions", {"player": "x", "action": "bid(1)", "more": 1}),
    ("POST", "/matches/ID/actions", {"player": "x", "action": 1}),
    ("GET", "/matches/none", None),
    ("GET", "/games/chess", None),
]
IN_BROWSER = """
import asyncio, json, subprocess, sys
from urllib.parse import parse_qsl
import mcts
from waiting import until
sys.platform = "emscripten"  # as in Pyodide
from bots.web.local import Local, MemoryDatabase

async def main():
    local, made, told = Local(MemoryDatabase()), {}, []

    async def ask(method, path, body=None):
        path, _, query = path.replace("ID", made.get("id", "")).partition("?")
        status, text, _ = await local.request(method, path, dict(parse_qsl(query)), made.get("owner"), body)
        found = json.loads(text)
        made.update(found if "owner" in found else {})
        return [status, found]

    for call in json.loads(sys.argv[1]):
        told.append(await ask(*call))
    await ask("POST", "/matches", {"game": "mnk", "seats": {"o": "random"}})
    frames = []
    post = lambda text: frames.append(json.loads(text))
    socket = asyncio.create_task(local.socket(1, f"/matches/{made['id']}/live", post))
    await asyncio.sleep(0)
    local.frame(1, json.dumps({"type": "hello", "token": made["owner"]}))
    local.frame(1, json.dumps({"type": "analyse", "id": 5}))
    await until(lambda: any(frame.get("done") for frame in frames))
    await ask("POST", "/matches/ID/actions", {"player": "x", "action": "mark(2,2)"})
    while (await ask("GET", "/matches/ID"))[1]["ply"] < 2:
        await asyncio.sleep(0)
    before = await ask("GET", "/matches/ID")
    local.service.matches._release(local.service.matches.in_memory[-1])  # it is read again
    assert await ask("GET", "/matches/ID") == before
    local.frame(1, None)
    await socket
    await local.service.close()
    print(json.dumps({"told": told, "frames": [frame["type"] for frame in frames]}))

asyncio.run(main())
"""


def test_the_answers_are_those_of_the_server():
    done = json.loads(run_python(IN_BROWSER, json.dumps(CALLS), PYTHONPATH=str(HELPERS)))
    assert {"match", "analysis"} == set(done["frames"])
    made = {}
    with server(own_rules=True) as client:
        for (method, path, body), (status, local) in zip(CALLS, done["told"], strict=True):
            headers = {"Authorization": f"Bearer {made.get('owner')}"}
            answer = client.request(method, API + path.replace("ID", made.get("id", "")), json=body, headers=headers)
            found = answer.json()
            assert answer.status_code == (201 if status == 200 and answer.status_code == 201 else status), path
            if "owner" in found:
                made = found
                assert found.keys() == local.keys()
                found, local = found["match"], local["match"]
            for one in (found, local):
                if isinstance(one, dict) and one.get("error"):
                    del one["error"]["message"]
                if isinstance(one, dict) and "persons_here" in one:
                    del one["id"]
            assert found == local, path
