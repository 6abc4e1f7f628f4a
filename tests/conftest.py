"""Settings of the whole suite: hypothesis draws the same examples in every run, and slow machines fail nothing."""

import signal

from hypothesis import HealthCheck, settings

settings.register_profile(
    "playout",
    derandomize=True,
    deadline=None,
    max_examples=30,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("playout")

# A suite that a script starts in the background inherits that Ctrl-C is ignored, and so would all that its tests start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
