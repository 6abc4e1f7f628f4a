"""The compiled functions of `bench.native`, for tests."""

import sys

from support import ROOT

if str(ROOT) not in sys.path:
    sys.path.append(str(ROOT))  # last: the packages are imported where they are installed

from bench.native import compare_games, find_ending_actions, play_recorded

__all__ = ["compare_games", "find_ending_actions", "play_recorded"]
