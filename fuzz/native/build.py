"""Builds the rules of the games for fuzzing: with coverage counters and sanitizers, into a folder of their own.

    python -m fuzz.native.build FOLDER

FOLDER then contains copies of the installed packages, in which the compiled modules of MODULES are replaced by ones
that count for libFuzzer (see coverage.c), and `fuzz_tables`, which drives the tables of the games. The compiler is that
of the ordinary build; libFuzzer and the runtime of the sanitizers come with atheris.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import setuptools  # provides the distutils that setup.py uses
from Cython.Build import cythonize

from distutils.core import run_setup  # isort: skip

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("cext", "mcts", "bots", "playout")
MODULES = (
    "cext.game.game",
    "cext.game.game_table",
    "cext.game.python_game",
    "cext.games.*",
    "cext.exact.solved_states",
)
"""Modules that read what is not trusted, and the rules. The others are copies of the installed ones."""
DRIVER = Path(__file__).with_name("fuzz_tables.pyx")
COUNTS = ["-fsanitize-coverage=trace-pc,trace-cmp"]
# The installed libraries of the sanitizers are not linked: atheris loads its own, which libFuzzer knows.
CHECKS = ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined", "-fno-omit-frame-pointer"]
PLAIN = ["-O1", "-g"]


def main() -> None:
    """Build into the folder that the command line names."""
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = Path(sys.argv[1]).absolute()
    os.chdir(ROOT)
    copy_installed(folder / "lib")
    counters = compile_counters(folder)
    build(instrumented(counters), folder)


def copy_installed(lib: Path) -> None:
    """Copy the installed packages, which are compiled from these sources."""
    installed = Path(sysconfig.get_path("platlib"))
    for name in PACKAGES:
        if not (installed / name).is_dir():
            sys.exit(f"{installed} has no {name}: run make first")
        shutil.copytree(installed / name, lib / name, dirs_exist_ok=True, ignore=others)


def others(folder: str, names: list[str]) -> list[str]:
    """Return the names that are not copied: the other build of each module, and the modules that are built here."""
    package = ".".join(Path(folder).parts[Path(folder).parts.index("site-packages") + 1 :])
    return [
        name
        for name in names
        if name.startswith("x86_64_v") or (name.endswith(".so") and is_built(f"{package}.{name.split('.')[0]}"))
    ]


def is_built(module: str) -> bool:
    """Return True if a module is one of MODULES."""
    return any(fnmatch(module, name) for name in MODULES)


def compile_counters(folder: Path) -> str:
    """Compile coverage.c, and return the path of its object file."""
    made = folder / "coverage.o"
    compiler = (os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc").split()
    source = Path(__file__).with_name("coverage.c")
    subprocess.run([*compiler, "-O2", "-fPIC", "-c", str(source), "-o", str(made)], check=True)
    return str(made)


def instrumented(counters: str) -> list[setuptools.Extension]:
    """Return the extensions of MODULES as setup.py describes them, and the driver, with other flags."""
    described = run_setup("setup.py", ["--quiet"], stop_after="init").ext_modules
    found = [module for module in described if is_built(module.name)]
    model = next(module for module in found if module.name == "cext.game.game")
    driver = setuptools.Extension(
        "fuzz_tables",
        [str(DRIVER.relative_to(ROOT))],
        include_dirs=[*model.include_dirs, "."],
        extra_compile_args=list(model.extra_compile_args),
    )
    found += cythonize(
        [driver], include_path=["."], compiler_directives={"language_level": 3}, build_dir="build/fuzz/c"
    )
    for module in found:
        module.extra_compile_args = [*module.extra_compile_args, *PLAIN, *COUNTS, *CHECKS]
        module.extra_objects = [counters]
        module.extra_link_args = []  # keeps the names of functions, for reports
    return found


def build(extensions: list[setuptools.Extension], folder: Path) -> None:
    """Compile and link extensions below `folder`."""
    distribution: Any = run_setup("setup.py", ["--quiet"], stop_after="init")
    distribution.ext_modules = extensions
    command = distribution.get_command_obj("build_ext")
    command.build_lib, command.build_temp = str(folder / "lib"), str(folder / "objects")
    command.ensure_finalized()
    command.run()


if __name__ == "__main__":
    main()
