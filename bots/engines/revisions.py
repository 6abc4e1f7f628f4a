"""Engines built from revisions of a git repository, each in a worktree of its own that is kept.

A build is a folder in the user's cache, named by its commit and its command. A file beside it says that it is whole;
without that file the next process builds it from the beginning. A lock lets one process at a time build it.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from mcts.primitives.files import cache_folder

from ..errors import BotError
from ..system.file_locks import OPEN_FLAGS, try_lock, unlock
from ..system.untrusted import clean_line
from .program import ERR, OUT, STATUS, Program

FOLDER = "revisions"
"""Of the user's cache."""
LINES_SHOWN = 20
"""Lines of the output of a failed build."""
KEPT = 1 << 16
"""Bytes kept from the end of each output."""
LOOK_SECONDS = 0.1
"""Time between two looks at a lock or a program."""
LABEL_LENGTH = 60
HASH_SHOWN = 10
_HASH = re.compile(rb"[0-9a-f]{40,64}")
_SCRIPT = 'unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE; exec "$@" </dev/null'
"""Runs a program without input, and without what a hook of git says about another repository."""

Tell = Callable[[str], object]


@dataclass(frozen=True)
class Revision:
    """A commit of a repository, and the text that names it."""

    repository: str
    text: str
    commit: str
    """Its whole hash."""

    @property
    def label(self) -> str:
        """A name for display: the beginning of the hash, and the text if it is not the hash."""
        text = "" if self.commit.startswith(self.text) else self.text
        return clean_line(f"{self.commit[:HASH_SHOWN]} {text}", LABEL_LENGTH).strip()

    def built(self, command: str, tell: Tell) -> Path:
        """Return the folder of the revision, in which a command has run. Only the first call runs it.

        Args:
            command: a command line for the shell; empty for none.
            tell: called with lines about what happens.

        Raises:
            BotError: the command fails, after its last lines were told, or the folder cannot be made.
        """
        cache = cache_folder(FOLDER).absolute()
        folder = cache / f"{self.commit}-{hashlib.sha256(command.encode()).hexdigest()[:8]}"
        whole = folder.with_suffix(".built")
        try:
            cache.mkdir(mode=0o700, parents=True, exist_ok=True)
            with _alone(folder.with_suffix(".lock"), lambda: tell(f"{self.label}: another process builds it")):
                if folder.is_dir() and whole.exists():
                    tell(f"{self.label}: built before, in {folder}")
                    return folder
                whole.unlink(missing_ok=True)
                if folder.exists():
                    shutil.rmtree(folder)
                tell(f"{self.label}: {command or 'no build'}, in {folder}")
                self._build(folder, command, tell)
                whole.touch()
        except OSError as error:
            raise BotError(f"{self.label} cannot be built in {folder}: {error}") from None
        return folder

    def _build(self, folder: Path, command: str, tell: Tell) -> None:
        """Make the worktree, and run the command in it."""
        # Without hooks, and by force where a folder was deleted and is still registered.
        words = ["-c", f"core.hooksPath={os.devnull}", "worktree", "add", "--force", "--detach", str(folder)]
        problem, output = _run("git", "-C", self.repository, *words, self.commit)
        if problem:
            raise BotError(f"git makes no worktree of {self.label}: {_last_line(output[ERR]) or problem}")
        problem, output = _run("sh", "-c", f"exec 2>&1\n{command}", folder=str(folder))
        if problem:
            for line in output[OUT].decode(errors="backslashreplace").splitlines()[-LINES_SHOWN:]:
                tell(f"  {clean_line(line)}")
            raise BotError(f"the build of {self.label} has failed, {clean_line(command)!r} in {folder}: {problem}")


def find_revision(repository: str, text: str) -> Revision:
    """Return the commit that a text such as `HEAD~1`, `main` or a hash names.

    Raises:
        BotError: there is no such repository or revision.
    """
    words = ["rev-parse", "--verify", "--end-of-options", f"{text}^{{commit}}"]
    problem, output = _run("git", "-C", repository, *words)
    commit = output[OUT].strip()
    if problem or not _HASH.fullmatch(commit):
        raise BotError(
            f"revision {text!r} of {repository!r} is not found: {_last_line(output[ERR]) or problem}; "
            "valid: a git repository and a revision of it, such as HEAD~1, main or a hash"
        )
    return Revision(repository, text, commit.decode())


def _run(*command: str, folder: str = "") -> tuple[str, dict[str, bytes]]:
    """Run a program to its end. Return the reason if it has failed, and the end of each of its outputs.

    However this ends, all processes of the program end with it.
    """
    program = Program(["sh", "-c", _SCRIPT, "sh", *command], folder)
    found = {OUT: b"", ERR: b"", STATUS: b""}
    running = set(found)
    try:
        while running:
            for stream, piece in program.take(running, False, LOOK_SECONDS):
                found[stream] = (found[stream] + piece)[-KEPT:]
                if not piece:
                    running.discard(stream)
    finally:
        program.end()
    status = _last_line(found[STATUS])
    return ("" if status == "exit 0" else f"it ended with status {status.removeprefix('exit ')}"), found


def _last_line(output: bytes) -> str:
    lines = output.decode(errors="backslashreplace").strip().splitlines()
    return clean_line(lines[-1]) if lines else ""


@contextmanager
def _alone(path: Path, on_wait: Callable[[], object]) -> Iterator[None]:
    """Hold the lock of a file. Call `on_wait` once if another process has it."""
    descriptor = os.open(path, os.O_CREAT | os.O_RDWR | OPEN_FLAGS, 0o600)
    try:
        if not try_lock(descriptor):
            on_wait()
            while not try_lock(descriptor):
                time.sleep(LOOK_SECONDS)
        try:
            yield
        finally:
            unlock(descriptor)
    finally:
        os.close(descriptor)
