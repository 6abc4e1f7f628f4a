"""Features of the operating system on which the other modules decide."""

from __future__ import annotations

import os
import signal
import sys

IS_LINUX = sys.platform == "linux"
"""True if the kernel has child subreapers, signals at the end of a parent, and the files of processes in /proc."""
IS_POSIX = os.name == "posix"
HAS_FORK = hasattr(os, "fork")
HAS_SESSIONS = hasattr(os, "setsid")
HAS_SIGNAL_MASKS = hasattr(signal, "pthread_sigmask")
KILL: int = getattr(signal, "SIGKILL", signal.SIGTERM)
"""Signal that no process can handle. On Windows `os.kill` ends a process with every signal."""
