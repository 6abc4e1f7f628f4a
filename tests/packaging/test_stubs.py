"""Stubs of compiled modules: they agree with the modules."""

import importlib
import os
import subprocess
import sys
from pathlib import Path

import pytest
from support import ROOT
from waiting import HANG_SECONDS

import cext

FOLDERS = [ROOT / "cext" / folder for folder in ("", "primitives", "game", "search", "exact", "games/common")]
COMPILED = sorted(
    ".".join(path.relative_to(ROOT).with_suffix("").parts) for folder in FOLDERS for path in folder.glob("*.pyx")
)
STUBBED = [name for name in COMPILED if (ROOT / Path(*name.split(".")).with_suffix(".pyi")).is_file()]
# What Cython adds to every module, constructors that only refuse or whose arguments Cython does not show, and class
# attributes of PythonGame that a subclass may define as properties.
NOT_IN_STUBS = r"""
.*\.__test__
.*\.__pyx_capi__
.*\.__reduce_cython__
.*\.__setstate_cython__
cext\.[a-z_.]+\.[A-Za-z]+\.__init__
cext\.game\.python_game\.PythonGame\.(num_actions|encoding_size)
"""


@pytest.mark.parametrize("name", sorted({*COMPILED} - {*STUBBED}))
def test_a_compiled_module_without_a_stub_has_no_names_for_python(name):
    names = vars(importlib.import_module(name)).items()
    assert [own for own, what in names if own[0] != "_" and getattr(what, "__module__", name) == name] == []


@pytest.mark.long
def test_stubs_match_the_compiled_modules(tmp_path):
    allowed = tmp_path / "allowed"
    allowed.write_text(NOT_IN_STUBS)
    options = ["--allowlist", str(allowed), "--ignore-unused-allowlist", "--ignore-disjoint-bases", "--concise"]
    # mypy finds an installed package by itself, and one in a source folder where it is told to look.
    folder = Path(cext.__file__).parent.parent
    told = {} if folder.name == "site-packages" else {"PYTHONPATH": str(folder), "MYPYPATH": str(folder)}
    done = subprocess.run(
        [sys.executable, "-m", "mypy.stubtest", *options, *STUBBED],
        cwd=tmp_path,
        env={**os.environ, **told, "MYPY_CACHE_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=HANG_SECONDS,
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("package", ["cext", "mcts", "bots", "playout"])
def test_packages_are_marked_as_typed(package):
    assert (ROOT / package / "py.typed").is_file()
