"""The tests of the npm package, with a worker of this machine's Python in place of that of WebAssembly."""

import os
import shutil
import subprocess
import sys

import pytest
from support import ROOT
from waiting import HANG_SECONDS

WORKER = """
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { parentPort } from "node:worker_threads";

const program = fileURLToPath(new URL("answers.py", import.meta.url));
const python = spawn(process.env.PLAYOUT_PYTHON, ["-P", program], { stdio: ["pipe", "pipe", "inherit"] });
createInterface({ input: python.stdout }).on("line", (line) => parentPort.postMessage(JSON.parse(line)));
parentPort.on("message", ({ number, request }) => python.stdin.write(`${JSON.stringify({ number, request })}\\n`));
"""
ANSWERS = """
import asyncio, json, os, subprocess, sys, threading
import mcts
sys.platform = "emscripten"  # as in Pyodide
from bots.web.local import started

def tell(number, answer):
    print(json.dumps({"number": number, **answer}), flush=True)

async def main():
    call = await started(None, False)
    loop = asyncio.get_running_loop()
    running = set()

    def begin(number, request):
        async def answer():
            report = lambda text: tell(number, {"progress": json.loads(text)})
            tell(number, json.loads(await call(json.dumps(request), report)))
        running.add(loop.create_task(answer()))

    def read():
        for line in sys.stdin:
            loop.call_soon_threadsafe(lambda given=json.loads(line): begin(**given))
        os._exit(0)  # the worker was ended

    threading.Thread(target=read, daemon=True).start()
    await asyncio.Event().wait()

asyncio.run(main())
"""


@pytest.mark.long
@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_the_package_plays_as_documented(tmp_path):
    shutil.copy(ROOT / "web/package/index.js", tmp_path / "index.js")
    (tmp_path / "package.json").write_text('{"type": "module"}')
    (tmp_path / "worker.js").write_text(WORKER)
    (tmp_path / "answers.py").write_text(ANSWERS)
    environment = {**os.environ, "PLAYOUT_GAMES": str(tmp_path / "index.js"), "PLAYOUT_PYTHON": sys.executable}
    command = ["node", "--test", str(ROOT / "tests/wasm/package.mjs")]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=HANG_SECONDS)
    assert done.returncode == 0, done.stdout + done.stderr
