"""What this platform has: in a browser there are no threads and no other programs, and no processor time is counted."""

import sys
import time

HAS_THREADS = sys.platform not in ("emscripten", "wasi")
thread_time = getattr(time, "thread_time", time.perf_counter)
"""Return the processor time of the calling thread in seconds; where none is counted, the time that passes."""
