"""Measure workloads in another environment: run by its interpreter, by path, with the folder of the workloads.

Standard input has one name of a workload per line. The answer to each is one line of JSON: the time of a round in
seconds, or an error. The first line of the output describes the environment. Anything that a workload prints goes to
standard error.
"""

import contextlib
import importlib.util
import json
import os
import pkgutil
import platform
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

PACKAGE = "playout_workloads"


def load_workloads(folder):
    """Return name -> workload, and file -> error of the files that this installation is too old or too new for."""
    spec = importlib.util.spec_from_file_location(
        PACKAGE, folder / "__init__.py", submodule_search_locations=[str(folder)]
    )
    package = importlib.util.module_from_spec(spec)
    sys.modules[PACKAGE] = package
    spec.loader.exec_module(package)
    found, failed = {}, {}
    for name in sorted(module.name for module in pkgutil.iter_modules(package.__path__)):
        try:
            module = importlib.import_module(f"{PACKAGE}.{name}")
        except Exception as error:
            failed[name] = f"{type(error).__name__}: {error}"
            continue
        found.update({workload.name: workload for workload in getattr(module, "WORKLOADS", ())})
    return found, failed


def describe(found, failed):
    """Return the environment and its workloads as plain data."""
    from cext import _variant

    try:
        playout = version("playout")
    except PackageNotFoundError:
        playout = "unknown"
    return {
        "machine": {"python": platform.python_version(), "playout": playout, "machine_code": _variant.NAME},
        "quick": {name: workload.quick for name, workload in found.items()},
        "failed": failed,
    }


def main():
    """Answer requests until the end of standard input."""
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    found, failed = load_workloads(Path(sys.argv[1]))
    print(json.dumps(describe(found, failed)), file=answers)
    for line in sys.stdin:
        workload = found[line.rstrip("\n")]
        try:
            answer = {"seconds": workload.timed(workload.units)[0], "unit": workload.unit, "units": workload.units}
        except Exception as error:
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), file=answers)


with contextlib.suppress(KeyboardInterrupt):
    main()
