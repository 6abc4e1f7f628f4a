"""One other package: its adapter, and the interpreter that runs it."""

import contextlib
import importlib
import json
import pkgutil
import subprocess
from pathlib import Path

from . import adapters, ttt_rules
from .environments import NoPeerError

CHILD = Path(__file__).with_name("child.py")


def all_names():
    """Return the names of all adapters."""
    return sorted(module.name for module in pkgutil.iter_modules(adapters.__path__))


def load_adapter(name):
    """Return the module of an adapter, with its cases."""
    adapter = importlib.import_module(f"{adapters.__name__}.{name}")
    if not hasattr(adapter, "CASES"):
        adapter.CASES = ttt_rules.cases(getattr(adapter, "REMARK", ""))
    return adapter


class Peer:
    """A running interpreter with one package.

    Args:
        adapter: module of its adapter.
        python: interpreter in the environment of the package.

    Raises:
        NoPeerError: the package cannot be imported.
    """

    def __init__(self, adapter, python):
        self.cases = adapter.CASES
        self.package = adapter.REQUIREMENTS[0].split("=")[0]
        # -I: no folder of this project may come before the installed packages.
        self._process = subprocess.Popen(
            [str(python), "-I", str(CHILD), adapter.__file__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            versions = {name.replace("_", "-"): version for name, version in json.loads(self._answer()).items()}
        except NoPeerError:
            self.close()
            raise
        self.version = versions.get(self.package.replace("_", "-"), "of unknown version")

    def seconds(self, case, count, exploration):
        """Return the time of one measurement in seconds. Raises NoPeerError."""
        try:
            print(count, exploration, case, file=self._process.stdin, flush=True)
        except BrokenPipeError:
            raise self._gone() from None
        answer = self._answer()
        try:
            return float(answer)
        except ValueError:
            raise NoPeerError(f"{self.package} answered {answer.strip()!r}; valid: a time in seconds") from None

    def _answer(self):
        line = self._process.stdout.readline()
        if not line:
            raise self._gone()
        return line

    def _gone(self):
        status = self._process.wait()
        return NoPeerError(f"the interpreter of {self.package} has ended with status {status}; its error is above")

    def close(self):
        """End the interpreter."""
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait()
