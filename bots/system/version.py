"""The version of this package."""

from __future__ import annotations

import importlib.metadata
from functools import cache

UNKNOWN = ""
"""Version of a package that is not installed, and fingerprint of code that was not found."""


@cache
def package_version() -> str:
    """Return the installed version of this package; UNKNOWN if it is not installed."""
    try:
        return importlib.metadata.version("playout")
    except importlib.metadata.PackageNotFoundError:
        return UNKNOWN
