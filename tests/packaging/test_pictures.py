"""The pictures of the documentation: each is drawn by a script, from the library and from stored results."""

import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

import pytest
from documents import all_pages
from support import ROOT

IMAGES = ROOT / "docs" / "images"


def draw(*names, folder):
    """Run the script that draws."""
    return subprocess.run(
        [sys.executable, "-P", str(IMAGES / "draw.py"), "--folder", str(folder), *names], capture_output=True, text=True
    )


@pytest.fixture(scope="module")
def drawn(tmp_path_factory):
    pytest.importorskip("matplotlib")
    folder = tmp_path_factory.mktemp("images")
    done = draw(folder=folder)
    assert done.returncode == 0, done.stderr
    return folder


def test_every_picture_is_drawn_and_shown(drawn):
    names = {path.name for path in drawn.iterdir()}
    assert names <= {path.name for path in IMAGES.glob("*.svg")}
    shown = {name for page in all_pages() for name in re.findall(r"images/([\w.]+\.svg)", page.read_text())}
    assert names <= shown


def test_pictures_without_plots_are_those_of_the_repository(drawn):
    compared = 0
    for path in drawn.iterdir():
        text = path.read_text()
        ElementTree.fromstring(text)
        if "matplotlib" not in text:  # whose versions draw differently
            assert text == (IMAGES / path.name).read_text(), path.name
            compared += 1
    assert compared > 10


def test_an_unknown_picture_is_an_error(tmp_path):
    done = draw("no_such.svg", folder=tmp_path)
    assert done.returncode == 2
    assert "no picture no_such.svg; valid: game_bidding_3d_ttt.svg" in done.stderr
