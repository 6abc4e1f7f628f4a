"""Runs one target under libFuzzer, with coverage of the Python code of the project and of its instrumented modules.

    python -m fuzz.drivers.libfuzzer TARGET [options of libFuzzer] [folders with inputs]

`python -m fuzz run` starts it with the right environment.
"""

from __future__ import annotations

import os
import sys

import atheris

from fuzz.registry import load_target

from .environment import PROGRAM


def main() -> None:
    """Run until the options of libFuzzer end it."""
    name = sys.argv.pop(1)
    sys.argv[0] = os.environ.get(PROGRAM, sys.argv[0])
    with atheris.instrument_imports(include=["mcts", "bots", "cext"]):
        target = load_target(name)
    atheris.Setup(sys.argv, target.run, enable_python_coverage=True)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
