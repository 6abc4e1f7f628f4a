"""The modules of the page that need no browser, under node."""

import shutil
import subprocess
from pathlib import Path

import pytest
from support import ROOT
from waiting import HANG_SECONDS

NODE = shutil.which("node")


@pytest.mark.skipif(NODE is None, reason="needs Node.js")
def test_the_model_of_a_match_keeps_what_the_reader_chose_and_ends_every_request(tmp_path):
    shutil.copytree(ROOT / "bots/page/js", tmp_path / "js")
    (tmp_path / "package.json").write_text('{"type": "module"}')
    program = Path(__file__).with_name("match_model.mjs")
    done = subprocess.run(
        [NODE, program, tmp_path / "js"], capture_output=True, text=True, timeout=HANG_SECONDS, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
