"""Fixed-seed searches: equal to those recorded in bench/signature.json, with every machine code."""

import importlib.util
import json
import os
import subprocess
import sys

import pytest
from sampling import sweep
from support import ROOT
from waiting import HANG_SECONDS

import mcts
from cext import _variant
from mcts.options import PLAIN
from mcts.registry import native_games

SCRIPT = ROOT / "bench" / "signature.py"


@pytest.fixture(scope="module")
def signature():
    found = importlib.util.spec_from_file_location("signature_script", SCRIPT)
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


@sweep("build", _variant.available(), 1)
def test_every_search_equals_its_recorded_fingerprint(build):
    done = subprocess.run(
        [sys.executable, "-P", str(SCRIPT), "--check"],
        env={**os.environ, "PLAYOUT_VARIANT": build},
        capture_output=True,
        text=True,
        timeout=HANG_SECONDS,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_listed_game_and_every_option_has_cases(signature):
    cases = json.loads(SCRIPT.with_suffix(".json").read_text())["cases"]
    for name in native_games():
        if mcts.load_game(name).is_enumerable:
            assert any(case.startswith(mcts.load_game(name).spec) for case in cases)
    for name in ("selection", "joint_selection"):
        kind = mcts.MCTS.PARAMETERS[name]
        for option in set(kind.options) - {PLAIN.get(name, kind.default)}:
            assert any(f"mcts({name}={option})" in case for case in cases)


def test_another_search_has_another_fingerprint(signature):
    state = mcts.load_game("mnk(m=5,n=5,k=4)").new_initial_state()
    ways = [{}, {"exploration": 1.41}, {"selection": "puct"}, {"selection": "grave"}]
    assert len({signature.fingerprint(state, way) for way in ways}) == len(ways)


def test_different_searches_have_different_fingerprints(signature):
    moved = signature.differences({"a": "1", "b": "2", "c": "3"}, {"a": "1", "b": "4", "d": "5"})
    assert list(moved) == ["b: 2 before, 4 now", "c: 3 before, nothing now", "d: nothing before, 5 now"]
