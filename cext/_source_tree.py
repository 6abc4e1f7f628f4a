"""Imports from a source tree that is not compiled, such as the root folder of a clone, which Python searches first.

The installed compiled package is used instead. An installed package does not need this module.
"""

import sys
from collections.abc import Iterable
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

_FOLDER = Path(__file__).resolve().parent
_PACKAGES = (_FOLDER.name, "mcts", "bots", "playout")


def compiled_path(package_path: Iterable[str]) -> list[str]:
    """Return `package_path` if this folder is compiled, else the folder of the installed package.

    In the second case the other packages of this source tree are also imported from there, in this process and its
    children.

    Raises:
        ImportError: no compiled package is installed, or its version differs from this source tree.
    """
    if _is_compiled(_FOLDER):
        return list(package_path)
    root = _FOLDER.parent
    site = _installed()
    if site is None:
        raise ImportError(
            f"{root} is a source tree that is not compiled, and Playout is not installed for {sys.executable}; "
            f"run `make` in that folder and use its .venv/bin/python, or `pip install {root}`"
        )
    if any(
        (site / name / "__init__.py").read_bytes() != (root / name / "__init__.py").read_bytes() for name in _PACKAGES
    ):
        raise ImportError(
            f"{root} is a source tree that is not compiled and of another version than the package in {site}; "
            "run `make` in that folder, or start Python in another folder or with -P"
        )
    for name in _PACKAGES[1:]:
        if name in sys.modules:
            sys.modules[name].__path__ = [str(site / name)]
    at = next((i for i, entry in enumerate(sys.path) if Path(entry).resolve() == root), 0)
    sys.path.insert(at, str(site))
    return [str(site / _FOLDER.name)]


def _is_compiled(folder: Path) -> bool:
    return any((folder / f"_cpu{suffix}").exists() for suffix in EXTENSION_SUFFIXES)


def _installed() -> Path | None:
    """Return the folder of the search path that has the compiled packages, if any."""
    for entry in sys.path:
        folder = Path(entry).resolve()
        if _is_compiled(folder / _FOLDER.name) and all((folder / name / "__init__.py").is_file() for name in _PACKAGES):
            return folder
    return None
