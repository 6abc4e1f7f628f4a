"""C compilers and flags that select the branches of the headers, for tests that compile against them."""

import os
import shutil
import subprocess
import sysconfig

import pytest

import cext

COMPILERS = {"this": (sysconfig.get_config_var("CC") or "cc").split()[0], "gcc": "gcc", "clang": "clang"}
STRICT = ["-std=c11", "-O2", "-Wall", "-Wextra", "-Werror", "-Wno-unused-function"]
FLAGS = {
    "builtins": [],
    "v3": ["-march=x86-64-v3"],
    "v4": ["-march=x86-64-v4", "-DPLAYOUT_VECTOR_BYTES=64"],
    "c11": ["-DPLAYOUT_PORTABLE"],
}
"""Branch of the headers -> flags that select it."""


def can_run(flags):
    """Return True if this processor has the instructions that flags select."""
    march, _, code = (flags or [""])[0].partition("=")
    return march != "-march" or code.replace("-", "_") in cext._variant.available()


def skip_unless_usable(compiler, flags):
    """Skip the test if a compiler is missing, or this processor cannot run its program."""
    if shutil.which(compiler) is None or os.name != "posix":
        pytest.skip(f"no compiler {compiler!r}")
    if not can_run(flags):
        pytest.skip("this processor does not have these instructions")


def compile_strictly(source, folder, compiler, flags):
    """Compile a C program against the headers of cext, without a warning. Return its path."""
    (folder / "check.c").write_text(source)
    program = folder / "check"
    include = f"-I{cext.get_include()}"
    command = [compiler, *STRICT, include, *flags, "check.c", "-o", str(program), "-lm", "-pthread"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return program
