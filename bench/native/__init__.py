"""Compiled functions that only tests and benchmarks call: `laboratory.pyx`, built against the installed package.

The module is compiled into build/native when this package is first imported, and again when its sources or the
installed declarations have changed. A failed build raises its error.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

import cext

SOURCES = Path(__file__).parent
ROOT = SOURCES.parent.parent
CORE = Path(cext.get_include())
SUFFIX = sysconfig.get_config_var("EXT_SUFFIX")


def load() -> Any:
    """Return the compiled module."""
    digest = hashlib.sha256()
    for path in sorted([*SOURCES.iterdir(), *CORE.rglob("*.pxd"), *CORE.rglob("*.h")]):
        if path.suffix in (".pyx", ".pxd", ".h"):
            digest.update(path.read_bytes())
    target = ROOT / "build" / "native" / digest.hexdigest()[:16] / f"laboratory{SUFFIX}"
    if not target.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        build(target)
    spec: Any = importlib.util.spec_from_file_location("laboratory", target)
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


def build(target: Path) -> None:
    """Compile the module. Several processes may do so at once: the file appears complete."""
    from Cython.Build import cythonize
    from setuptools import Distribution, Extension

    with tempfile.TemporaryDirectory(dir=target.parent) as folder:
        flags = [] if os.name == "nt" else ["-O1", "-w", "-ffp-contract=off"]
        extension = Extension("laboratory", [str(SOURCES / "laboratory.pyx")], [str(CORE)], extra_compile_args=flags)
        directives = {"language_level": 3, "cdivision": True, "freethreading_compatible": True}
        extensions = cythonize(
            [extension],
            include_path=[str(CORE.parent), str(SOURCES)],
            compiler_directives=directives,
            build_dir=folder,
            quiet=True,
        )
        command: Any = Distribution({"ext_modules": extensions}).get_command_obj("build_ext")
        command.build_lib = command.build_temp = folder
        command.ensure_finalized()
        command.run()
        os.replace(Path(folder) / target.name, target)


_module = load()
compare_games = _module.compare_games
find_ending_actions = _module.find_ending_actions
play_recorded = _module.play_recorded
fix_opponent = _module.fix_opponent
MOST_BIDS = _module.MOST_BIDS
MOST_CHIPS = _module.MOST_CHIPS
