import concurrent.futures

from bots.arena.play.executor import ArenaExecutor


class Serial(ArenaExecutor):
    """Runs every task at once, in the thread that submits it."""

    slots = 1

    @classmethod
    def open(cls, workers, address=""):
        return cls()

    def submit(self, fn, /, *args, **kwargs):
        future = concurrent.futures.Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except BaseException as error:
            future.set_exception(error)
        return future
