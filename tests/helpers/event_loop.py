"""Coroutines in tests."""

import asyncio
from concurrent.futures import ThreadPoolExecutor


def run_apart(coroutine):
    """Run a coroutine in the event loop of a new thread: the browser of other tests keeps a loop in this one."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, coroutine).result()
