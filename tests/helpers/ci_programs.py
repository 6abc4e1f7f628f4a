"""The programs in .ci as modules."""

import importlib.util

from support import ROOT

CI = ROOT / ".ci"


def ci_program(name):
    """Return a program in .ci as a module; None in a source distribution, which has none."""
    path = CI / f"{name}.py"
    if not path.exists():
        return None
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
