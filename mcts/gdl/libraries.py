"""Shared libraries of networks, compiled by the C compiler of this machine into the cache folder of the user.

PLAYOUT_COMPILE tells when: `auto`, the default, compiles a game that is in use for a few seconds, in the background;
`always` compiles before the first step; `never` uses no library. A game without a library plays the same, but slower.
"""

from __future__ import annotations

import atexit
import hashlib
import os
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import threading
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from cext._cpu import has_x86_64_v3, has_x86_64_v4
from cext.errors import ParameterError
from cext.gdl.game import NetworkGame

from ..primitives.files import cache_folder, keep_within
from ..primitives.in_use import HAS_THREADS
from . import c_code
from .network import Network

MODES = ("auto", "always", "never")
DELAY = 3.0
"""Seconds for which a game must exist before it is compiled in the background."""
SECONDS = 60
"""Limit of the time of one compilation."""
MEMORY = 2_000_000
"""Limit of the memory of the compiler, in KB."""
MAX_BYTES = 256 << 20
"""Limit of the size of the cache."""
FLAGS = ["-O1", "-fPIC", "-shared", "-fvisibility=hidden", "-w", "-x", "c"]
COMPILERS = ("cc", "gcc", "clang")
SUFFIX = ".so"
NEW = ".new"
LOCK = ".lock"
THREAD = "playout-compile"

_lock = threading.Lock()
_turn = threading.Lock()  # of one compilation in the background at a time
_waiting: dict[str, list[weakref.ref[NetworkGame]]] = {}
_running: set[int] = set()
_failed: set[str] = set()


def mode() -> str:
    """Return the value of PLAYOUT_COMPILE.

    Raises:
        ParameterError: it is not one of MODES.
    """
    given = os.environ.get("PLAYOUT_COMPILE") or MODES[0]
    if given not in MODES:
        raise ParameterError(f"PLAYOUT_COMPILE is {given!r}; valid: {', '.join(MODES)}")
    return given


def folder() -> Path:
    """Return the folder of libraries, which may not exist."""
    return cache_folder("libraries")


def use_library(game: NetworkGame, network: Network) -> None:
    """Let a game use the library of its network, as soon as there is one."""
    when = mode()
    if when == "never" or sys.platform == "win32" or not HAS_THREADS:
        return
    order = game.node_numbers
    name = _name_of(network, order)
    if _try(game, name):
        return
    if when == "always":
        if _make(game, network, order, name):
            _try(game, name)
        return
    with _lock:
        if name in _failed:
            return
        _waiting.setdefault(name, []).append(weakref.ref(game))
        if len(_waiting[name]) > 1:
            return
    threading.Thread(target=_make_later, args=(network, order, name), name=THREAD, daemon=True).start()


def _name_of(network: Network, order: list[int]) -> str:
    """Return the name of the library: a digest of all that its code depends on."""
    digest = hashlib.sha256(f"{c_code.VERSION} {FLAGS} {_machine_flags()} {sys.platform} {os.uname().machine}".encode())
    for array in (network.initial, network.gate_starts, network.edges, network.legal, network.following):
        digest.update(f"{len(array)} ".encode() + array.tobytes())
    sizes = [len(moves) for moves in network.moves]
    rest = (order, sizes, network.num_view_gates, network.num_next_gates, network.terminal, network.goals, network.idle)
    digest.update(repr((*rest, network.constant_sum, network.reaches)).encode())
    return digest.hexdigest()[:32]


def _machine_flags() -> list[str]:
    return ["-march=x86-64-v4"] if has_x86_64_v4() else ["-march=x86-64-v3"] if has_x86_64_v3() else []


def _is_own(path: Path, kind: int) -> bool:
    """Return True if only this user can write to a file or folder."""
    try:
        found = path.lstat()
    except OSError:
        return False
    return stat.S_IFMT(found.st_mode) == kind and found.st_uid == os.getuid() and not found.st_mode & 0o022


def _try(game: NetworkGame, name: str) -> bool:
    path = folder() / (name + SUFFIX)
    if not (_is_own(path.parent, stat.S_IFDIR) and _is_own(path, stat.S_IFREG)):
        return False
    with suppress(OSError):
        game.use_library(path)
        os.utime(path)
        return True
    return False


def _make_later(network: Network, order: list[int], name: str) -> None:
    time.sleep(DELAY)
    with _lock:
        game = next(filter(None, (reference() for reference in _waiting[name])), None)
        if game is None:
            del _waiting[name]
            return
    with _turn:
        made = _make(game, network, order, name)
    with _lock:
        games = [reference() for reference in _waiting.pop(name)]
    used = [_try(game, name) for game in games if game is not None] if made else [False]
    if not all(used):
        with _lock:
            _failed.add(name)


def _make(game: NetworkGame, network: Network, order: list[int], name: str) -> bool:
    """Compile a network, without steps if they do not make games faster; return True if the cache has its library."""
    compiler = next(filter(None, map(shutil.which, COMPILERS)), None)
    if compiler is None:
        return False
    try:
        place = folder()
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not _is_own(place, stat.S_IFDIR):
            return False
        made = place / (name + SUFFIX)
        before = _time_of(made)
        with _alone(place):
            return _time_of(made) != before or _make_file(game, network, order, compiler, made)
    except OSError:
        return False


def _time_of(path: Path) -> int | None:
    """Return when a file was made; None if there is none."""
    return path.stat().st_mtime_ns if path.exists() else None


@contextmanager
def _alone(place: Path) -> Iterator[None]:
    """Wait until no other process compiles: those of a tournament want the same library at the same time."""
    import fcntl

    with place.with_suffix(LOCK).open("wb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _make_file(game: NetworkGame, network: Network, order: list[int], compiler: str, made: Path) -> bool:
    _prune(made.parent)
    handle, new = tempfile.mkstemp(suffix=NEW, dir=made.parent)
    os.close(handle)
    try:
        for steps in c_code.STEPS:
            code = c_code.write_c(network, order, has_x86_64_v3(), steps)
            if code is not None and _compile(compiler, code, new) and (not steps or game.gains_from(new)):
                os.chmod(new, 0o600)
                os.replace(new, made)
                return True
    finally:
        Path(new).unlink(missing_ok=True)
    return False


def _compile(compiler: str, code: str, target: str) -> bool:
    """Run the compiler, within its limits and after other work."""
    limited = f'ulimit -v {MEMORY}; exec nice "$@"'
    command = ["sh", "-c", limited, "sh", compiler, *FLAGS, *_machine_flags(), "-o", target, "-"]
    quiet = subprocess.DEVNULL
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=quiet, stderr=quiet, start_new_session=True, cwd=Path(target).parent
    )
    _running.add(process.pid)
    try:
        process.communicate(code.encode(), timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return False
    finally:
        _stop(process.pid)
        process.wait()
        if process.stdin is not None:
            with suppress(OSError):  # the compiler has not read all of it
                process.stdin.close()
        _running.discard(process.pid)
    return process.returncode == 0


def _stop(group: int) -> None:
    with suppress(OSError):
        os.killpg(group, signal.SIGKILL)


@atexit.register
def _stop_all() -> None:
    for group in list(_running):
        _stop(group)


def _forget() -> None:
    """Leave to the parent process what its threads compile, in a process that has just been forked."""
    global _lock, _turn
    _lock, _turn = threading.Lock(), threading.Lock()
    _waiting.clear()
    _running.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)


def _prune(place: Path) -> None:
    """Delete what was not used for longest until the cache is within its limit, and what compilers have left."""
    for path in place.iterdir():
        with suppress(OSError):
            if path.suffix == NEW and time.time() - path.stat().st_mtime > 2 * SECONDS:
                path.unlink()
    keep_within(place, SUFFIX, MAX_BYTES)
