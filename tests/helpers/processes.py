"""Processes that this one has started, directly or through others."""

import psutil


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
