"""Puts the root folder behind the installed packages in the path, for the package `fuzz`."""

import sys

from support import ROOT

if str(ROOT) not in sys.path:
    sys.path.append(str(ROOT))
