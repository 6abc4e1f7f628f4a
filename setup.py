"""The compiled modules, found by globbing; everything else stands in pyproject.toml.

Each module is built twice from the same C file: once for any x86-64, once for processors with AVX2 and BMI2 into the
folder `x86_64_v3` (see cext/_variant.py). Environment:

PLAYOUT_CHECKED=1      check divisions, add debug information, optimise little
PLAYOUT_SANITIZE=LIST  compile with -fsanitize=LIST, e.g. address,undefined
"""

import copy
import json
import os
import platform
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

CHECKED = os.environ.get("PLAYOUT_CHECKED", "") not in ("", "0")
SANITIZE = os.environ.get("PLAYOUT_SANITIZE", "")
V3_FOLDER = "x86_64_v3"
V3_FLAGS = ["-march=x86-64-v3"]
# No contraction to fused multiply-add: the two builds and the plain-Python oracle must agree to the last bit.
# No errno and no traps: the compiler may then use vector square roots. Neither changes a result.
FLAGS = ["-ffp-contract=off", "-fno-math-errno", "-fno-trapping-math", "-Wno-unreachable-code"]
FLAGS += ["-O1", "-g"] if CHECKED else ["-O3"]
LINK_FLAGS = []
if SANITIZE:
    FLAGS += [f"-fsanitize={SANITIZE}", "-fno-omit-frame-pointer", "-g"]
    LINK_FLAGS += [f"-fsanitize={SANITIZE}"]

# Kernels index C pointers, which no directive checks; the words around them index Python objects, safely.
DIRECTIVES = {
    "language_level": 3,
    "cdivision": not CHECKED,
    "embedsignature": True,
    "nonecheck": True,  # an attribute of None raises; no loop of a kernel reads one of an object
}
# Both variants are wanted from these; _cpu chooses between them and is needed before.
ONCE = {"cext._cpu"}


def plain_extensions():
    """One Extension for every .pyx below cext."""
    names = sorted(Path("cext").rglob("*.pyx"))
    return cythonize(
        [
            Extension(
                ".".join(path.with_suffix("").parts),
                [str(path)],
                include_dirs=["cext"],
                extra_compile_args=FLAGS,
                extra_link_args=LINK_FLAGS,
            )
            for path in names
        ],
        compiler_directives=DIRECTIVES,
        nthreads=os.cpu_count() or 1,
    )


def with_variants(extensions):
    """The same modules again, for newer processors, under the folder of that variant."""
    twice = list(extensions)
    for extension in extensions:
        if extension.name in ONCE:
            continue
        twin = copy.copy(extension)
        twin.name = extension.name.replace("cext.", f"cext.{V3_FOLDER}.", 1)
        twin.extra_compile_args = FLAGS + V3_FLAGS
        twice.append(twin)
    return twice


class BuildExt(build_ext):
    """Builds in parallel, with a folder of object files for each variant (they share their C files)."""

    def finalize_options(self):
        super().finalize_options()
        self.parallel = self.parallel or os.cpu_count()

    def build_extension(self, extension):
        command = copy.copy(self)
        if extension.name.endswith(".build_info"):
            flags = " ".join([os.environ.get("CFLAGS", ""), *extension.extra_compile_args]).strip()
            extension.define_macros = [("PLAYOUT_FLAGS", json.dumps(flags))]
        if f".{V3_FOLDER}." in extension.name:
            command.build_temp = os.path.join(self.build_temp, V3_FOLDER)
        build_ext.build_extension(command, extension)

    def copy_extensions_to_source(self):
        for extension in self.extensions:
            Path(*extension.name.split(".")[:-1]).mkdir(parents=True, exist_ok=True)
        super().copy_extensions_to_source()


extensions = plain_extensions()
if platform.machine().lower() in ("x86_64", "amd64") and os.name == "posix":
    extensions = with_variants(extensions)
setup(ext_modules=extensions, cmdclass={"build_ext": BuildExt})
