"""Settings of the whole suite: hypothesis draws the same examples in every run, and slow machines fail nothing."""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "playout",
    derandomize=True,
    deadline=None,
    max_examples=30,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("playout")
