"""The version of this package."""

from __future__ import annotations

import importlib.metadata
import re
from functools import cache

UNKNOWN = ""
"""Version of a package that is not installed, and fingerprint of code that was not found."""


@cache
def package_version() -> str:
    """Return the installed version of this package; UNKNOWN if it is not installed."""
    try:
        text = importlib.metadata.distribution("playout").read_text("METADATA") or ""
    except importlib.metadata.PackageNotFoundError:
        return UNKNOWN
    found = re.search(r"^Version: (.+)$", text, re.MULTILINE)  # `version` would import the parser of letters
    return UNKNOWN if found is None else found[1]
