"""A plugin of pytest: runs some tests alone, in an order of their own.

The file in PLAYOUT_CHOSEN has the ids of the tests, or of functions without the parameters, one on a line.
"""

import os
from pathlib import Path

CHOSEN = "PLAYOUT_CHOSEN"


def pytest_collection_modifyitems(config, items):
    names = Path(os.environ[CHOSEN]).read_text(encoding="utf-8").splitlines()
    places = {name: place for place, name in enumerate(names)}
    found = [(places.get(item.nodeid, places.get(item.nodeid.partition("[")[0])), item) for item in items]
    config.hook.pytest_deselected(items=[item for place, item in found if place is None])
    chosen = [(place, item) for place, item in found if place is not None]
    items[:] = [item for _, item in sorted(chosen, key=lambda each: each[0])]
