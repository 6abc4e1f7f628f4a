"""A process that serves calls, and the pipes to and from it."""

from __future__ import annotations

from collections.abc import Callable
from multiprocessing.process import BaseProcess
from typing import Any

from .pipes import receiver_of, sender_to
from .start_method import ProcessContext, interrupts_held


class ChildProcess:
    """A process, and the ends of its pipes that this process has.

    Args:
        context: of the start method.
        most_bytes: length of the longest result.
        on_news: called in a thread when there is a result, or there will be no more.
    """

    process: BaseProcess

    def __init__(self, context: ProcessContext, most_bytes: int, on_news: Callable[[], object] = lambda: None) -> None:
        self._context = context
        their_calls, calls = context.Pipe(duplex=False)
        results, their_results = context.Pipe(duplex=False)
        self.ends, self._their_ends = (calls, results), (their_calls, their_results)
        self.calls, self.results = sender_to(calls), receiver_of(results, most_bytes, on_news)

    def start(self, serve: Callable[..., object], arguments: tuple[Any, ...], name: str) -> None:
        """Start the process, which calls `serve(calls, results, *arguments)` with its ends of the pipes."""
        self.process = self._context.Process(target=serve, args=(*self._their_ends, *arguments), name=name, daemon=True)
        try:
            with interrupts_held():
                self.process.start()
        finally:
            for end in self._their_ends:
                end.close()

    def close_pipes(self) -> None:
        """Close the pipes of a process that has ended."""
        self.calls.close()
        self.results.close()
