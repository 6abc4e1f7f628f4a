"""Makes the folder `bench` importable. The packages are still found where they are installed."""

import sys

from support import ROOT

if str(ROOT) not in sys.path:
    sys.path.append(str(ROOT))
