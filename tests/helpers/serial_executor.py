"""An executor as another package might define it: it runs every task at once, in the thread that submits it."""

import concurrent.futures

from bots.arena.play.executor import ArenaExecutor


class SerialExecutor(ArenaExecutor):
    """Executor of one task at a time, with an address that it keeps."""

    NAME = "serial"
    ADDRESS = "LABEL"
    slots = 1

    def __init__(self, address):
        self.address = address
        self.num_calls = 0

    @classmethod
    def open(cls, workers, address=""):
        return cls(address)

    def submit(self, fn, /, *args, **kwargs):
        self.num_calls += 1
        future = concurrent.futures.Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except BaseException as error:
            future.set_exception(error)
        return future
