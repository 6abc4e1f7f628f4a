"""Pretend to this project's code that the process runs on Windows or on macOS.

The code of the project sees the names of that system only: the functions, constants and modules that it lacks raise
AttributeError and ImportError. Other code, such as the standard library, sees the real system and works. With a file
`sitecustomize.py` that imports this module, every process pretends if PRETENDED_SYSTEM names a system.
"""

import builtins
import ctypes
import importlib
import multiprocessing
import multiprocessing.context
import os
import select
import signal
import subprocess
import sys
import types

VARIABLE = "PRETENDED_SYSTEM"
PACKAGES = {"bots", "mcts", "cext", "playout"}
WINDOWS, MACOS = "windows", "macos"
PLATFORMS = {WINDOWS: ("win32", "nt"), MACOS: ("darwin", "posix")}
NOT_ON_MACOS = {
    os: {"sched_getaffinity", "sched_setaffinity", "pidfd_open", "posix_fadvise", "memfd_create", "sched_getcpu"},
    signal: {"SIGPOLL", "SIGPWR", "sigtimedwait", "sigwaitinfo"},
    select: {"epoll"},
    ctypes: {"CDLL"},
}
NOT_ON_WINDOWS = {
    os: {
        "fork", "forkpty", "setsid", "setpgid", "getpgid", "killpg", "register_at_fork", "pread", "pwrite", "sysconf",
        "WNOHANG", "WIFEXITED", "waitid", "wait", "O_CLOEXEC", "O_NONBLOCK", "O_DIRECTORY", "mkfifo", "getuid",
        "geteuid", "getloadavg", "chown", "fchmod", "uname", "major", "minor", "openpty", "set_blocking",
        "get_blocking", "nice", "posix_spawn", "sched_yield", "confstr", "ttyname", "tcgetpgrp", "statvfs",
    },
    signal: {
        "SIGKILL", "SIGHUP", "SIGCHLD", "SIGALRM", "SIGPIPE", "SIGSTOP", "SIGCONT", "SIGUSR1", "SIGUSR2", "SIGQUIT",
        "SIG_BLOCK", "pthread_sigmask", "pthread_kill", "sigwait", "sigpending", "setitimer", "alarm", "siginterrupt",
    },
    select: {"poll"},
}  # fmt: skip
NO_MODULES_ON_WINDOWS = {
    "fcntl", "resource", "termios", "tty", "pty", "pwd", "grp", "curses", "readline", "syslog", "posix",
}  # fmt: skip


def is_ours(globals_of_caller):
    """Return True for the names of a module of the project."""
    return str((globals_of_caller or {}).get("__name__")).partition(".")[0] in PACKAGES


def restrict(module, missing, changed):
    """Hide names of a module from the project's code, and change others."""

    class Restricted(types.ModuleType):
        def __getattribute__(self, name):
            if (name in missing or name in changed) and is_ours(sys._getframe(1).f_globals):
                if name in changed:
                    return changed[name]
                raise AttributeError(f"module {module.__name__!r} has no attribute {name!r} on this system")
            return super().__getattribute__(name)

    module.__class__ = Restricted


def refuse_modules(names):
    """Let imports of modules fail in the project's code."""

    def refusing(original, globals_at):
        def find(name, *args, **kwargs):
            caller = globals_at(*args, **kwargs)
            if name.partition(".")[0] in names and is_ours(caller):
                raise ModuleNotFoundError(f"No module named {name!r}", name=name)
            return original(name, *args, **kwargs)

        return find

    builtins.__import__ = refusing(builtins.__import__, lambda scope=None, *rest, **more: scope)
    importlib.import_module = refusing(importlib.import_module, lambda *rest, **more: sys._getframe(2).f_globals)


def locking(descriptor, mode, count):
    """Do what `msvcrt.locking` does: lock bytes for an open file, from its position on."""
    import fcntl
    import struct

    kind = fcntl.F_UNLCK if mode == msvcrt.LK_UNLCK else fcntl.F_WRLCK
    start = os.lseek(descriptor, 0, os.SEEK_CUR)
    of_open_file = 37  # F_OFD_SETLK
    fcntl.fcntl(descriptor, of_open_file, struct.pack("hhqqhi", kind, os.SEEK_SET, start, count, 0, 0))


def open_read_write(path, flags, mode=0o777):
    """Open a file for writing too: Windows locks bytes of any open file, Linux of one that can be written to."""
    return os.open(path, flags | os.O_RDWR, mode)


msvcrt = types.ModuleType("msvcrt")
msvcrt.LK_NBLCK, msvcrt.LK_UNLCK, msvcrt.locking = 2, 0, locking


def pretend(system):
    """Pretend to run on WINDOWS or MACOS from now on."""
    platform, name = PLATFORMS[system]
    multiprocessing.set_start_method("spawn", force=True)
    missing = {module: set(names) for module, names in NOT_ON_MACOS.items()}
    if system == WINDOWS:
        for module, names in NOT_ON_WINDOWS.items():
            missing[module] = missing.get(module, set()) | names
        refuse_modules(NO_MODULES_ON_WINDOWS)
        sys.modules["msvcrt"] = msvcrt
    for module, names in missing.items():
        changed = {"name": name, **({"open": open_read_write} if system == WINDOWS else {})}
        restrict(module, names, changed if module is os else {})
    restrict(sys, set(), {"platform": platform})


if os.environ.get(VARIABLE):
    assert subprocess  # imported before anything is hidden
    pretend(os.environ[VARIABLE])
