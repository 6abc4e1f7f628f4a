"""The pictures of the documentation: each is drawn by a script, from the library and from stored results."""

import importlib
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

import pytest
from documents import all_pages, living_figures
from support import ROOT

IMAGES = ROOT / "docs" / "images"


def draw(*names, folder):
    """Run the script that draws."""
    return subprocess.run(
        [sys.executable, "-P", str(IMAGES / "draw.py"), "--folder", str(folder), *names], capture_output=True, text=True
    )


@pytest.mark.long
def test_every_picture_is_drawn_and_shown_and_those_without_plots_are_the_stored_ones(tmp_path):
    pytest.importorskip("matplotlib")
    done = draw(folder=tmp_path)
    assert done.returncode == 0, done.stderr
    drawn = {path.name: path.read_text() for path in tmp_path.iterdir()}
    shown = {name for page in all_pages() for name in re.findall(r"images/([\w.]+\.svg)", page.read_text())}
    assert set(drawn) <= shown & {path.name for path in IMAGES.glob("*.svg")}
    for text in drawn.values():
        ElementTree.fromstring(text)
    # Versions of matplotlib draw differently.
    compared = {name: text for name, text in drawn.items() if "matplotlib" not in text}
    assert len(compared) > 5
    assert [name for name, text in compared.items() if text != (IMAGES / name).read_text()] == []


def test_one_command_draws_all_stored_pictures(monkeypatch):
    for name in ("matplotlib", "PIL", "playwright.sync_api"):
        pytest.importorskip(name)
    monkeypatch.syspath_prepend(IMAGES)
    names = ("drawing", "make_page_pictures", "bench.pages.sections", "bench.truths")
    drawing, page, pages, truths = map(importlib.import_module, names)
    plots = {f"benchmarks_{name}.svg" for name, section in pages.SECTIONS.items() if section.plot is not None}
    (recipe,) = re.findall(r"^pictures:.*\n((?:\t.*\n)+)", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert "-m bench.pages\n" in recipe
    assert "-m bench.truths --plots\n" in recipe
    named = set(re.findall(r"docs/images/(\S+)", recipe))
    assert {path.name for path in IMAGES.glob("*.py")} <= named
    drawn = {*drawing.PICTURES, *page.names(), *plots, *truths.PLOTS, "arena.svg", "report.png", *named}
    assert {path.name for path in IMAGES.iterdir() if path.is_file()} == drawn


def test_figures_of_the_pages_are_defined_and_the_reverse(monkeypatch):
    pytest.importorskip("matplotlib")
    monkeypatch.syspath_prepend(IMAGES)
    stills = importlib.import_module("drawing").STILLS
    shown = {
        (name, page.stem)
        for page in all_pages()
        for name in re.findall(r"^```\{living\} (\w+)$", page.read_text(), re.MULTILINE)
    }
    assert {name for name, _ in shown} == set(living_figures())
    named = {f"{name}_{page}" if f"{name}_{page}" in stills else name for name, page in shown}
    assert named == set(stills)
    assert max(definition.count("\n") for definition in living_figures().values()) <= 60


@pytest.mark.long
@pytest.mark.parametrize("name", ["play_mnk", "proof", "mixed", "bounds"])
def test_a_picture_in_place_of_a_figure_is_drawn(name, monkeypatch):
    pytest.importorskip("matplotlib")
    monkeypatch.syspath_prepend(IMAGES)
    ElementTree.fromstring(importlib.import_module("drawing").STILLS[name]())


@pytest.mark.long
def test_an_unknown_picture_is_an_error(tmp_path):
    done = draw("no_such.svg", folder=tmp_path)
    assert done.returncode == 2
    assert "no picture no_such.svg; valid: openings_mnk.svg" in done.stderr
