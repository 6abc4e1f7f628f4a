"""Runs workloads under callgrind and reads the counts from its files."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from cext import _cpu

FOLDER = Path(__file__).parent
ROOT = FOLDER.parent.parent
MARKERS = FOLDER / "markers.c"
CORE_MODULE = Path(_cpu.__file__)
CORE_FOLDER = CORE_MODULE.parent
C_LIBRARIES = re.compile(r"/lib[cm](\.so\.6|-[\d.]+\.so)$")
TRIGGER = "desc: Trigger: Client Request: "
CALLGRIND = [
    "--tool=callgrind",
    "--instr-atstart=no",
    "--compress-strings=no",
    "--compress-pos=no",
    "--dump-line=no",
]


class CountingError(Exception):
    """Instructions cannot be counted here. The message has the reason."""


def build_markers(folder):
    """Compile markers.c and return the library. Raises CountingError."""
    compiler = shutil.which(os.environ.get("CC", "cc"))
    if compiler is None:
        raise CountingError("no C compiler was found; set CC, or install one as cc")
    library = Path(folder) / "markers.so"
    done = subprocess.run(
        [compiler, "-shared", "-fPIC", "-O1", str(MARKERS), "-o", str(library)], capture_output=True, text=True
    )
    if done.returncode:
        raise CountingError(f"{compiler} cannot compile {MARKERS.name}: {done.stderr.strip()[-1000:]}")
    return library


def start(names, variant, markers, folder):
    """Start a process that counts the workloads with one machine code. Raises CountingError.

    Args:
        names: names of workloads.
        variant: the machine code, as for PLAYOUT_VARIANT.
        markers: library returned by `build_markers`.
        folder: an empty folder for the files of callgrind.
    """
    valgrind = shutil.which("valgrind")
    if valgrind is None:
        raise CountingError("valgrind is missing; on Debian: apt install valgrind")
    # The order of sets, the resolution of symbols and the number of threads of libraries must not depend on the run.
    settings = {
        "PLAYOUT_VARIANT": variant,
        "PYTHONHASHSEED": "0",
        "PYTHONPATH": str(ROOT),
        "LD_BIND_NOW": "1",
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
    }
    command = [valgrind, *CALLGRIND, f"--callgrind-out-file={folder}/out", sys.executable, "-P"]
    return subprocess.Popen(
        [*command, "-m", f"{__package__}.measured", str(markers), *names],
        env={**os.environ, **settings},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def finish(names, process, folder):
    """Wait for a process of `start` and return name -> column -> instructions. Raises CountingError."""
    output, _ = process.communicate()
    if process.returncode:
        raise CountingError(f"valgrind ended with status {process.returncode}:\n{output.strip()[-2000:]}")
    counts = dict(read_counts(path) for path in Path(folder).glob("out.*"))
    if missing := set(names) - counts.keys():
        raise CountingError(f"callgrind wrote no counts of {', '.join(sorted(missing))}")
    return {name: counts[name] for name in names}


def read_counts(path):
    """Return the name and the counts of one file of callgrind.

    `core` are the instructions of the compiled modules and of the C library. `all` includes the interpreter and other
    libraries, whose instructions depend on how they were built.
    """
    name, object_name, core, every = None, "", 0, 0
    with open(path) as file:
        lines = iter(file)
        for line in lines:
            if line.startswith("ob="):
                object_name = line[3:].strip()
            elif line.startswith("calls="):
                next(lines)  # the cost of the callee, which has its own lines
            elif line.startswith(TRIGGER):
                name = line[len(TRIGGER) :].strip()
            elif line[:1].isdigit():
                count = int(line.split()[1])
                every += count
                core += count if is_core(object_name) else 0
    if name is None:
        raise CountingError(f"{path} names no workload")
    return name, {"core": core, "all": every}


def is_core(path):
    """Return True for the file of a compiled module or of the C library."""
    return path.startswith(f"{CORE_FOLDER}/") or C_LIBRARIES.search(path) is not None
