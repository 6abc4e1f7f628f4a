"""Bots that misbehave on purpose, named by the path of their class in tests of the arena."""

import logging
import os
import signal
import sys
import time
from pathlib import Path

from bots import Bot
from bots.base import NO_LIMIT
from bots.errors import MEMORY, BotFailureError
from mcts.parameters import Choice, Integer

_log = logging.getLogger("troublesome")


class Troublesome(Bot):
    """Plays at random, but for its decision number `after`, counted from 0 in each game."""

    PARAMETERS = {"after": Integer(0, 0, 100)}  # noqa: RUF012

    def new_game(self, game, player, seed):
        super().new_game(game, player, seed)
        self.decisions = 0

    def choose(self, view, limit=NO_LIMIT):
        self.decisions += 1
        if self.decisions == self.parameters["after"] + 1:
            return self.trouble(view)
        return view.sample_action(self.random.getrandbits(64))


class Crasher(Troublesome):
    def trouble(self, view):
        raise RuntimeError("no idea\nwhat to do")


class Exiter(Troublesome):
    def trouble(self, view):
        sys.exit(3)


class Cheater(Troublesome):
    def trouble(self, view):
        return 4711


class Unprintable(Troublesome):
    """Answers with an object that fails at whatever is done with it."""

    def trouble(self, view):
        class Answer:
            def __repr__(self):
                raise RuntimeError("no text")

            def __eq__(self, other):
                raise RuntimeError("no comparison")

            __hash__ = None

        return Answer()


class Sleeper(Troublesome):
    """Answers, but late."""

    def trouble(self, view):
        time.sleep(0.3)
        return view.legal_actions()[0]


class Hanger(Troublesome):
    def trouble(self, view):
        while True:
            time.sleep(60)


class Killer(Troublesome):
    """Takes its process with it."""

    def trouble(self, view):
        os.kill(os.getpid(), signal.SIGKILL)


class KillerOnce(Troublesome):
    """Takes its process with it where the file named by TROUBLE_FILE is not there yet."""

    def trouble(self, view):
        path = Path(os.environ["TROUBLE_FILE"])
        if not path.exists():
            path.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return view.sample_action(self.random.getrandbits(64))


class CrasherTwice(Troublesome):
    """Crashes where the file named by TROUBLE_FILE says that it has not done so twice."""

    def trouble(self, view):
        path = Path(os.environ["TROUBLE_FILE"])
        if not path.exists() or path.read_text().count("failed") < 2:
            with path.open("a") as file:
                file.write("failed\n")
            raise RuntimeError("once more")
        return view.sample_action(self.random.getrandbits(64))


class Confessor(Troublesome):
    def trouble(self, view):
        raise BotFailureError(MEMORY, "too much", "line\n")


class Shouter(Troublesome):
    def trouble(self, view):
        _log.warning("shouting from %s", os.getpid())
        return view.sample_action(self.random.getrandbits(64))


class Unmakeable(Bot):
    """Can be made once in this process family: afterwards it fails, as where a worker lacks what the parent has."""

    made = 0

    def __init__(self, **given):
        super().__init__(**given)
        type(self).made += 1
        if type(self).made > 1:
            raise RuntimeError("cannot be made")


class NotABot:
    pass


class Dawdler(Troublesome):
    """Takes TROUBLE_SECONDS for a decision where that is set, and decides the same whatever it is."""

    def choose(self, view, limit=NO_LIMIT):
        time.sleep(float(os.environ.get("TROUBLE_SECONDS", "0")))
        return view.sample_action(self.random.getrandbits(64))


class Sleepyhead(Troublesome):
    """Hangs for so long only that a thread with it is not left over for ever."""

    def trouble(self, view):
        time.sleep(5)
        return view.sample_action(0)


class AfterTrouble(Bot):
    """Fails in about half of its games, and at the start of every later game if it is used once more."""

    KINDS = ("crash", "exit", "illegal", "memory", "start", "told", "value")
    PARAMETERS = {"kind": Choice("none", ("none", *KINDS))}  # noqa: RUF012
    has_failed = False

    def new_game(self, game, player, seed):
        if self.has_failed:
            raise RuntimeError("used once more after a failure")
        super().new_game(game, player, seed)
        self.fails = bool(seed & 1) and self.parameters["kind"] != "none"
        self.fail_in("start")

    def fail_in(self, *kinds):
        if self.fails and self.parameters["kind"] in kinds:
            self.has_failed = True
            raise RuntimeError("it fails in this game")

    def choose(self, view, limit=NO_LIMIT):
        self.fail_in("crash")
        kind = self.parameters["kind"]
        self.has_failed = self.fails and kind not in ("told", "value")
        if self.has_failed and kind == "exit":
            sys.exit(3)
        if self.has_failed and kind == "memory":
            raise BotFailureError(MEMORY, "too much")
        if self.has_failed:
            return 4711
        return view.sample_action(self.random.getrandbits(64))

    def inform(self, step):
        self.fail_in("told")

    def expected_return(self, player):
        self.fail_in("value")
        return 50.0

    def close(self):
        _log.info("%s: closed", self.parameters["kind"])
        if self.has_failed:
            sys.exit("it cannot even be closed")
