"""Says in one sentence what this machine lacks to build Playout, before a compiler or pip says it in a hundred.

Has to run on versions of Python that are too old (from 3.6 on), to say so.
"""

import os
import shlex
import shutil
import sys

MINIMUM = (3, 11)


def missing():
    """What is missing, as a sentence with its remedy, or None."""
    if sys.version_info[:2] < MINIMUM:
        wanted, found = (".".join(map(str, version)) for version in (MINIMUM, sys.version_info[:3]))
        return f"Python {wanted} or newer is needed, {sys.executable} is {found}; name another: make PYTHON=python3.12"
    lacks, packages = [], []
    try:
        import ensurepip  # noqa: F401
        import venv  # noqa: F401
    except ImportError as error:
        lacks.append(f"{sys.executable} has no module {error.name}")
        packages.append("python3-venv")
    import sysconfig

    compiler = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")[0]
    if shutil.which(compiler) is None:
        lacks.append(f"no C compiler: {compiler!r} is not found (CC names another)")
        packages.append("gcc")
    headers = [sysconfig.get_path(kind) for kind in ("include", "platinclude")]
    if not any(os.path.exists(os.path.join(folder, "Python.h")) for folder in headers):
        lacks.append(f"no Python.h in {headers[0]}")
        packages.append("python3-dev")
    return f"{'; '.join(lacks)}; on Debian: apt install {' '.join(packages)}" if lacks else None


def main():
    lack = missing()
    if lack:
        sys.exit("playout cannot be built here: " + lack)


if __name__ == "__main__":
    main()
