"""Processes that this one has started, directly or through others, and coroutines in a thread of their own."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

import psutil


def run_apart(coroutine):
    """Run a coroutine in the event loop of a new thread: the browser of other tests keeps a loop in this one."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, coroutine).result()


def descendants():
    """Return the processes below this one."""
    return psutil.Process().children(recursive=True)


def new_descendants(before):
    """Return the processes below this one that are neither in a list nor below one in it.

    A browser that another test has opened starts and ends processes at any time.
    """
    known = set(before)
    return [process for process in descendants() if process not in known and known.isdisjoint(_ancestors(process))]


def _ancestors(process):
    try:
        return process.parents()
    except psutil.NoSuchProcess:
        return []
