"""Bots that try to hang, falsify or end a tournament, named by the path of their class in tests of the arena.

Each plays at random in its first decision of a game, and attacks in its second, or where it says.
"""

import contextlib
import ctypes
import logging
import os
import signal
import stat
import subprocess
import sys
import threading
import time

from bots import Bot
from bots.base import NO_LIMIT
from bots.errors import BotFailureError
from mcts.parameters import Text

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


class SoreLoser(Hostile):
    """Ends its process where it is about to lose: after the first mark of the other one."""

    def choose(self, view, limit=NO_LIMIT):
        if view.player == 1 or self.decisions:
            os._exit(0)
        return super().choose(view, limit)


class BadInit(Bot):
    """Can be made by the process that checks the tournament, and ends any other."""

    checked_in = os.getpid()

    def __init__(self, **given):
        super().__init__(**given)
        if os.getpid() != self.checked_in:
            os._exit(3)


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


class Closer(Hostile):
    """Closes all file descriptors."""

    def attack(self, view):
        os.closerange(0, 256)
        return self.move(view)


class LateAlarm(Hostile):
    """Sets a timer that ends the process, most likely while another is to decide."""

    def attack(self, view):
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_REAL, 0.02)
        return self.move(view)


class LateError(Hostile):
    """Sets a timer that raises an error, most likely while another is to decide."""

    def attack(self, view):
        def strike(number, frame):
            raise KeyboardInterrupt

        signal.signal(signal.SIGALRM, strike)
        signal.setitimer(signal.ITIMER_REAL, 0.02)
        return self.move(view)


class Forker(Hostile):
    """Comes back from its decision twice."""

    def attack(self, view):
        os.fork()
        return self.move(view)


class ForkerUnseen(Hostile):
    """The same, by the C library."""

    def attack(self, view):
        ctypes.CDLL(None).fork()
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


class Saboteur(Hostile):
    """Ends the process from a thread, a little later."""

    def attack(self, view):
        threading.Timer(0.02, os._exit, (0,)).start()
        return self.move(view)


class Slow(Hostile):
    """An innocent bot that takes some time, in which others may strike."""

    def choose(self, view, limit=NO_LIMIT):
        time.sleep(0.03)
        return self.move(view)
