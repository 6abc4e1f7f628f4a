"""Bots that try to hang, falsify or end a tournament, named by the path of their class in tests of the arena.

Each plays at random in its first decision of a game, and attacks in its second, or where it says. Those that attack
where they are made do so once the file exists that the environment variable HOSTILE_PLAYS names: when games are played,
and not when the tournament is checked.
"""

import _thread
import atexit
import contextlib
import ctypes
import itertools
import logging
import math
import os
import signal
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path

from bots import Bot
from bots.base import NO_LIMIT
from bots.errors import BotFailureError
from mcts.parameters import Choice, Text

OF_TESTS = {int(name) for name in os.listdir("/dev/fd")} if os.path.exists("/dev/fd") else set()
"""File descriptors of the process that imports this module: pytest has pipes of its own."""


class Hostile(Bot):
    def new_game(self, game, player, seed):
        super().new_game(game, player, seed)
        self.decisions = 0

    def choose(self, view, limit=NO_LIMIT):
        self.decisions += 1
        return self.attack(view) if self.decisions == 2 else self.move(view)

    def move(self, view):
        return view.sample_action(self.random.getrandbits(64))

    def attack(self, view):
        return self.move(view)


ERRORS = {
    "keyboard_interrupt": lambda: KeyboardInterrupt(),
    "generator_exit": lambda: GeneratorExit(),
    "system_exit": lambda: SystemExit(0),
    "group": lambda: BaseExceptionGroup("many", [KeyboardInterrupt(), SystemExit()]),
    "mute": lambda: Mute(),
    "surrogate": lambda: ValueError("\ud800\udfff \x1b[2J \0"),
    "kind": lambda: BotFailureError("banana", "ripe"),
    "kind_object": lambda: BotFailureError({}, [], object()),
    "huge": lambda: BotFailureError("crash", "m" * 10**6, "l" * 10**6),
}


class Mute(Exception):
    def __str__(self):
        raise KeyboardInterrupt

    __repr__ = __str__


class Raiser(Hostile):
    """Raises an error of ERRORS."""

    PARAMETERS = {"error": Text("keyboard_interrupt")}  # noqa: RUF012

    def attack(self, view):
        raise ERRORS[self.parameters["error"]]()


class Curious(Hostile):
    """Logs the pipes and sockets of its process but those of the standard streams. It does no harm."""

    def attack(self, view):
        links = []
        for name in os.listdir("/dev/fd"):
            with contextlib.suppress(OSError):  # the descriptor of the listing itself
                links.append((int(name), os.readlink(f"/dev/fd/{name}")))
        connections = [link for number, link in links if number > 2 and link.startswith(("pipe:", "socket:"))]
        logging.getLogger("bots").warning("%d connections", len(connections))
        return self.move(view)


class SoreLoser(Hostile):
    """Ends its process where it is about to lose: after the first mark of the other one."""

    def choose(self, view, limit=NO_LIMIT):
        if view.player == 1 or self.decisions:
            os._exit(0)
        return super().choose(view, limit)


class Sudden(BaseException):
    """An error that no `except Exception` catches."""


def allocate():
    """Allocate without an end. The limit protects the machine that runs the tests."""
    import resource

    pages = int(Path("/proc/self/statm").read_text().split()[0])
    resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + (200 << 20), resource.RLIM_INFINITY))
    kept = []
    while True:
        kept.append(bytes(10_000_000))


def set_clocks(answer):
    """Let all clocks give the same answer."""
    for name in ("monotonic", "perf_counter", "time"):
        setattr(time, name, lambda: answer)


def ignore_signals():
    for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP, signal.SIGCHLD}:
        with contextlib.suppress(OSError):
            signal.signal(number, signal.SIG_IGN)


STRIKES = set()
"""Ids of processes in which a timer is to strike, for which `Slow` waits."""


def strike_later(error, seconds=0.02):
    """Set a timer that raises an error in the main thread, while another bot is to decide and not in a `Deed`."""

    def strike(number, frame):
        while frame is not None:
            if isinstance(frame.f_locals.get("self"), Deed):
                signal.setitimer(signal.ITIMER_REAL, seconds)
                return
            frame = frame.f_back
        STRIKES.clear()
        raise error

    signal.signal(signal.SIGALRM, strike)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    STRIKES.update({os.getpid()} if seconds < 1 else ())


def raise_(error):
    raise error


DEEDS = {
    "hang": lambda: time.sleep(100),
    "spin": lambda: [None for _ in itertools.count()],
    "error": lambda: raise_(RuntimeError("I cannot be made")),
    "keyboard_interrupt": lambda: raise_(KeyboardInterrupt()),
    "system_exit": lambda: raise_(SystemExit(0)),
    "base_exception": lambda: raise_(Sudden()),
    "exit": lambda: os._exit(0),
    "kill": lambda: os.kill(os.getpid(), signal.SIGKILL),
    "kill_parent": lambda: os.kill(os.getppid(), signal.SIGKILL),
    "allocate": allocate,
    "recursion": lambda: DEEDS["recursion"](),
    "close_files": lambda: os.closerange(0, 256),
    "fork": os.fork,
    "fork_unseen": lambda: ctypes.CDLL(None).fork(),
    "late_error": lambda: strike_later(RuntimeError("late")),
    "late_interrupt": lambda: strike_later(KeyboardInterrupt()),
    "late_exit": lambda: strike_later(SystemExit(0)),
    "later_exit": lambda: strike_later(SystemExit(0), 15.0),
    "timer_error": lambda: threading.Timer(0.02, raise_, [RuntimeError("late")]).start(),
    "timer_interrupt": lambda: threading.Timer(0.02, _thread.interrupt_main).start(),
    "timer_death": lambda: (STRIKES.add(os.getpid()), threading.Timer(0.02, os._exit, [0]).start()),
    "thread": lambda: threading.Thread(target=time.sleep, args=(600,)).start(),
    "at_exit": lambda: atexit.register(time.sleep, 600),
    "ignore_signals": ignore_signals,
    "clocks_nan": lambda: set_clocks(math.nan),
    "clocks_infinite": lambda: set_clocks(math.inf),
    "clocks_negative": lambda: set_clocks(-1.0),
    "clocks_text": lambda: set_clocks("noon"),
    "no_sleep": lambda: setattr(time, "sleep", None),
    "flood": lambda: os.write(1, b"flood\n" * 10_000),
}


class Deed(Hostile):
    """Does one of DEEDS, where it is made or where it attacks."""

    PARAMETERS = {"what": Text("hang"), "when": Choice("made", ("made", "played", "attack"))}  # noqa: RUF012

    def __init__(self, **given):
        super().__init__(**given)
        when = self.parameters["when"]
        if when == "made" or (when == "played" and os.path.exists(os.environ["HOSTILE_PLAYS"])):
            DEEDS[self.parameters["what"]]()

    def attack(self, view):
        if self.parameters["when"] == "attack":
            DEEDS[self.parameters["what"]]()
        return self.move(view)


class BadNewGame(Hostile):
    def new_game(self, game, player, seed):
        raise GeneratorExit


class BadListener(Hostile):
    def inform(self, step):
        raise SystemExit


class BadAttribute(Hostile):
    def __getattribute__(self, name):
        if name == "choose":
            raise KeyboardInterrupt
        return super().__getattribute__(name)


class Answer:
    """An answer whose conversion does something."""

    def __init__(self, action):
        self.action = action
        self.times = 0

    def __index__(self):
        return self.convert()

    __int__ = __index__


class ExitingAnswer(Hostile):
    def attack(self, view):
        class Exit(Answer):
            def convert(self):
                os._exit(0)

        return Exit(0)


class HangingAnswer(Hostile):
    def attack(self, view):
        class Hang(Answer):
            def convert(self):
                time.sleep(100)

        return Hang(0)


class ChangingAnswer(Hostile):
    """Answers with an action that is legal when it is converted first, and none later: it plays on."""

    def attack(self, view):
        class Change(Answer):
            def convert(self):
                self.times += 1
                return self.action if self.times == 1 else 4711

        return Change(self.move(view))


class BadClose(Hostile):
    """Fails, and then does something when it is closed."""

    PARAMETERS = {"how": Text("raise")}  # noqa: RUF012

    def attack(self, view):
        raise RuntimeError("I fail")

    def close(self):
        if self.parameters["how"] == "raise":
            raise KeyboardInterrupt
        if self.parameters["how"] == "exit":
            os._exit(0)
        time.sleep(100)


class FinalClose(Hostile):
    """Plays on, and hangs when it is closed at the end."""

    def close(self):
        time.sleep(100)


class LateAlarm(Hostile):
    """Sets a timer that ends the process, most likely while another is to decide."""

    def attack(self, view):
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_REAL, 0.02)
        STRIKES.add(os.getpid())
        return self.move(view)


class Scribbler(Hostile):
    """Writes junk into all pipes but the standard streams."""

    def attack(self, view):
        for descriptor in range(3, 256):
            try:
                if descriptor not in OF_TESTS and stat.S_ISFIFO(os.fstat(descriptor).st_mode):
                    os.write(descriptor, b"\x00\x00\x00\x08junkjunk" * 10)
            except OSError:
                pass
        return self.move(view)


class LogScribbler(Hostile):
    """Logs a line, and writes junk into the pipe of its worker's logs, which it has only if the worker was spawned."""

    def choose(self, view, limit=NO_LIMIT):
        if self.decisions == 0:
            logging.getLogger("hostile").warning("player %d decides", view.player)
        (handler,) = logging.getLogger().handlers
        with contextlib.suppress(BrokenPipeError):  # the arena has closed the pipe
            os.write(handler.queue._connection.fileno(), b"\x00\x00\x00\x08junkjunk" * 10)
        return super().choose(view, limit)


class Mother(Hostile):
    """Leaves children behind, named by the environment variable HOSTILE_MARK: one in a session of its own."""

    def new_game(self, game, player, seed):
        super().new_game(game, player, seed)
        for is_apart in (False, True):
            code = f"import time; time.sleep(600)  # {os.environ['HOSTILE_MARK']}"
            subprocess.Popen([sys.executable, "-S", "-c", code], start_new_session=is_apart)


class Printer(Hostile):
    """Prints in every way."""

    def choose(self, view, limit=NO_LIMIT):
        print("by print", "\x1b[2J")
        sys.stdout.buffer.write(b"by bytes\n")
        os.write(1, b"by write\n")
        return super().choose(view, limit)


class Unspeakable:
    def __str__(self):
        raise RuntimeError("no text")


class Shouter(Hostile):
    """Logs a word that is longer than anyone reads, and an object that cannot be written."""

    def attack(self, view):
        logging.getLogger("hostile").warning("x" * 50_000 + "\x1b[2J\0")
        logging.getLogger("hostile").warning("%s", Unspeakable())
        return self.move(view)


class Killer(Hostile):
    """Kills its process group."""

    def attack(self, view):
        os.killpg(0, signal.SIGKILL)
        return self.move(view)


class Slow(Hostile):
    """An innocent bot that takes some time, in which others may strike: until they have, where they are to."""

    def choose(self, view, limit=NO_LIMIT):
        time.sleep(0.03)
        while os.getpid() in STRIKES:
            time.sleep(0.01)
        return self.move(view)
