"""The compiled modules, found by globbing; everything else stands in pyproject.toml.

A module with inner loops is built twice from the same C file: once for any x86-64, once for processors with AVX2 and
BMI2 into the folder `x86_64_v3`; a few are built for AVX-512 too, into `x86_64_v4` (see cext/_variant.py). Environment:

PLAYOUT_CHECKED=1      check divisions, add debug information, optimise little
PLAYOUT_SANITIZE=LIST  compile with -fsanitize=LIST, e.g. address,undefined
PLAYOUT_PORTABLE=1     use C11 alone, without the names of this compiler (see cext/primitives/compiler.h)
CC                     the C compiler, as in CC="ccache clang"; without it, ccache is used if it is installed
"""

import copy
import gc
import json
import os
import shutil
import sys
import sysconfig
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

CHECKED = os.environ.get("PLAYOUT_CHECKED", "") not in ("", "0")
SANITIZE = os.environ.get("PLAYOUT_SANITIZE", "")
PORTABLE = os.environ.get("PLAYOUT_PORTABLE", "") not in ("", "0")
SYSTEM, _, PROCESSOR = sysconfig.get_platform().rpartition("-")  # of the target, also when cross-compiling
V3, V4 = "x86_64_v3", "x86_64_v4"
VARIANTS = {V3: ["-march=x86-64-v3"], V4: ["-march=x86-64-v4", "-DPLAYOUT_VECTOR_BYTES=64"]}  # folder -> flags
# No contraction to fused multiply-add: the two builds and the plain-Python oracle must agree to the last bit.
# No errno and no traps: the compiler may then use vector square roots. Neither changes a result.
FLAGS = ["-ffp-contract=off", "-fno-math-errno", "-fno-trapping-math", "-Wno-unreachable-code"]
# The flags of the interpreter's own build often contain -g, which makes the modules four times as large.
# Their warnings cost time to find, and are for those who build with checks.
FLAGS += ["-O1", "-g"] if CHECKED else ["-O3", "-g0", "-w"]
if SYSTEM == "win":  # Microsoft's compiler
    FLAGS = ["/fp:precise", "/std:c11", "/Od" if CHECKED else "/O2"]
if PORTABLE:
    FLAGS += ["-DPLAYOUT_PORTABLE"]
LINK_FLAGS = ["-Wl,--strip-all"] if sys.platform == "linux" and not (CHECKED or SANITIZE) else []
if SANITIZE:
    FLAGS += [f"-fsanitize={SANITIZE}", "-fno-omit-frame-pointer", "-g"]
    LINK_FLAGS += [f"-fsanitize={SANITIZE}"]

# Kernels index C pointers, which no directive checks; the words around them index Python objects, safely.
DIRECTIVES = {
    "language_level": 3,
    "cdivision": not CHECKED,
    "embedsignature": True,
    "nonecheck": True,  # an attribute of None raises; no loop of a kernel reads one of an object
    "freethreading_compatible": True,  # see "Interpreters without a GIL" in docs/architecture.md
}
# Code that every module with memoryviews needs: Cython writes it into this module once, instead of into each of them.
SHARED = "cext._cyutility"
# Modules that are built once, with their optimisation: a second build gains nothing. Some have no inner loops, and
# gain nothing from -O3 either; the last ones wait for memory, for functions of modules that are built twice, or have
# loops without vectors and words of bits.
# Less would cost: -O1 without more inlining in `cext.game.game` 6 % of the instructions of steps from Python, and
# -Og in `cext._cyutility` 10 %.
ONCE = {
    "cext._cpu": "-O1",
    "cext._cyutility": "-O1",
    "cext.exact.random_walks": "-O1",
    "cext.exact.solved_states": "-O1",
    "cext.game.game": "-O1 -finline-functions -finline-small-functions -findirect-inlining -fpartial-inlining",
    "cext.gdl.circuit": "-O1",
    "cext.gdl.factoring": "-O1",
    "cext.gdl.instances": "-O1",
    "cext.gdl.joins": "-O1",
    "cext.gdl.library": "-O1",
    "cext.gdl.network_arrays": "-O1",
    "cext.games.common.symmetry": "-O1",
    "cext.primitives.in_use": "-O1",
    "cext.game.python_game": "-O1",
    "cext.search.policies.joint_selection_table": "-O1",
    "cext.search.policies.playout_table": "-O1",
    "cext.search.policies.policy": "-O1",
    "cext.search.root_record": "-Og",
    "cext.search.roots": "-Og",
    "cext.search.search": "-Og",
    "cext.search.search_memory": "-Og",
    "cext.search.policies.selection_table": "-O1",
    "cext.search.statistics": "-Og",
    "cext.exact.backward_induction": "-O3",
    "cext.exact.counterfactual_regret": "-O3",
    "cext.exact.outcome_sampling": "-O3",
    "cext.exact.sequence_form": "-O3",
    "cext.exact.stage_game": "-O3",
    "cext.exact.state_space": "-O3",
    "cext.games.dark_mnk": "-O3",
    "cext.games.kuhn_poker": "-O3",
    "cext.games.leduc_poker": "-O3",
    "cext.games.liars_dice": "-O3",
    "cext.search.compaction": "-O3",
    "cext.search.evaluation_batches": "-O3",
}
# Modules that are built for AVX-512 too: vectors of 64 bytes make few faster.
WIDEST = ("cext.gdl.wide_games",)

# The comment by which Cython begins what comes after the functions of a module, and what is written before it.
REST = "/* #### Code section: module_exttypes ### */"
LOWERED = """#if defined(__GNUC__) && !defined(__clang__) && defined(__OPTIMIZE__)
#pragma GCC optimize ("O1")
#endif
"""


def extension_of(name, source):
    """Return the Extension of one module."""
    flags = FLAGS if CHECKED or name not in ONCE else [*FLAGS, *ONCE[name].split()]
    return Extension(name, [source], include_dirs=["cext"], extra_compile_args=flags, extra_link_args=LINK_FLAGS)


def lower_rest(path):
    """Let GCC optimise less what follows the functions of a module: its types, its start and what Cython adds.

    It is half of the code of most modules, and none of it has loops.
    """
    text = path.read_text(encoding="utf-8")
    if LOWERED not in text and REST in text:
        path.write_text(text.replace(REST, LOWERED + REST, 1), encoding="utf-8")


def plain_extensions():
    """One Extension for every .pyx below cext and one for what they share, the longest compilation first."""
    gc.disable()  # the workers of Cython are forked; a third of their time would be the search for garbage
    paths = sorted(Path("cext").rglob("*.pyx"))
    extensions = cythonize(
        [extension_of(".".join(path.with_suffix("").parts), str(path)) for path in paths]
        + [extension_of(SHARED, SHARED.replace(".", "/") + ".c")],
        compiler_directives=DIRECTIVES,
        shared_utility_qualified_name=SHARED,
        nthreads=os.cpu_count() or 1,
    )
    gc.enable()
    for extension in extensions:
        if ONCE.get(extension.name, "-O3") == "-O3" and not CHECKED:
            lower_rest(Path(extension.sources[0]))
    return sorted(extensions, key=lambda extension: -os.path.getsize(extension.sources[0]))


def with_variants(extensions):
    """The same modules again, for newer processors, under the folder of each variant."""
    built = []
    for extension in extensions:
        built.append(extension)
        if extension.name not in ONCE:
            built.append(for_variant(extension, V3))
        if extension.name in WIDEST:
            built.append(for_variant(extension, V4))
    return built


def for_variant(extension, folder):
    twin = copy.copy(extension)
    twin.name = extension.name.replace("cext.", f"cext.{folder}.", 1)
    twin.extra_compile_args = FLAGS + VARIANTS[folder]
    return twin


class BuildExt(build_ext):
    """Builds in parallel, with a folder of object files for each variant (they share their C files)."""

    def finalize_options(self):
        super().finalize_options()
        self.parallel = self.parallel or os.cpu_count()

    def build_extensions(self):
        ccache = shutil.which("ccache")
        if ccache and "CC" not in os.environ and self.compiler.compiler_type == "unix":
            self.compiler.compiler_so = [ccache, *self.compiler.compiler_so]
        super().build_extensions()
        self.delete_others()

    def delete_others(self):
        """Delete compiled modules of former builds, such as the second build of a module that is now built once."""
        built = {Path(self.get_ext_fullpath(extension.name)).resolve() for extension in self.extensions}
        suffix = sysconfig.get_config_var("EXT_SUFFIX")
        for path in Path(self.get_ext_fullpath("cext.any")).parent.rglob(f"*{suffix}"):
            if path.resolve() not in built:
                path.unlink()

    def build_extension(self, extension):
        command = copy.copy(self)
        if extension.name.endswith(".build_info"):
            flags = " ".join([os.environ.get("CFLAGS", ""), *extension.extra_compile_args]).strip()
            extension.define_macros = [("PLAYOUT_FLAGS", json.dumps(flags))]
        folder = extension.name.removeprefix("cext.").partition(".")[0]
        if folder in VARIANTS:
            command.build_temp = os.path.join(self.build_temp, folder)
        build_ext.build_extension(command, extension)

    def copy_extensions_to_source(self):
        for extension in self.extensions:
            Path(*extension.name.split(".")[:-1]).mkdir(parents=True, exist_ok=True)
        super().copy_extensions_to_source()


extensions = plain_extensions()
if PROCESSOR == "x86_64":  # Windows names it amd64
    extensions = with_variants(extensions)
setup(ext_modules=extensions, cmdclass={"build_ext": BuildExt})
