"""An engine that plays tic-tac-toe at random over plain UGI, and misbehaves in one way if it is asked to.

    python mock_engine.py MODE [PATH]

MODE is one of MODES; PATH is where modes that start processes write the pids. It uses nothing of the packages under
test, and none of their additions to the protocol. Trouble comes at the start or at the second move.
"""

import os
import random
import signal
import subprocess
import sys
import time

MODES = (
    "random", "ends_at_start", "dies_at_start", "silent_at_start", "garbage_at_start", "ends_in_a_move",
    "dies_in_a_move", "silent", "obeys_stop", "garbage", "nothing", "nonsense", "illegal", "slow", "floods_stdout",
    "one_long_line", "floods_stderr", "floods_both_and_plays", "ignores_quit", "forks", "escapes", "fork_storm",
    "allocates", "allocates_in_children", "closes_stdout", "closes_stdin", "answers_twice", "options",
)  # fmt: skip


CELLS = [f"mark({row},{column})" for row in (1, 2, 3) for column in (1, 2, 3)]


class Engine:
    def __init__(self, mode, path):
        self.mode = mode
        self.path = path
        self.taken = []
        self.random = random.Random(0)
        self.moves = 0

    def say(self, line):
        sys.stdout.write(line + "\n")
        sys.stdout.flush()

    def read(self, line):
        command, _, rest = line.strip().partition(" ")
        if command == "ugi":
            self.trouble_at_start()
            self.say("id name mock")
            self.say("option name seed type string default 0")
            self.say("option name Clear Hash type button")
            if self.mode == "options":
                self.say("option name Hash type spin default 16 min 1 max 1024")
                self.say("option name Style type combo default Solid var Solid var Wild Attack")
                self.say("option name Use Book type check default false")
                self.say("option name Book File type string default <empty>")
            self.say("ugiok")
        elif command == "setoption":
            name, _, value = rest.removeprefix("name ").partition(" value ")
            if name == "seed":
                self.random.seed(int(value))
        elif command == "uginewgame":
            self.moves = 0
        elif command == "isready":
            self.say("readyok")
        elif command == "position":
            words = rest.split()
            if words[0] != "startpos":
                sys.exit("unknown position")
            self.taken = words[2:]
        elif command == "go":
            self.moves += 1
            if self.moves == 2:
                self.trouble()
            self.say(f"info nodes 1 string {self.mode}")
            self.say(f"bestmove {self.move()}")
        elif command == "quit" and self.mode != "ignores_quit":
            sys.exit()

    def move(self):
        return self.random.choice([cell for cell in CELLS if cell not in self.taken])

    def trouble_at_start(self):
        if self.mode == "ends_at_start":
            sys.stderr.write("no licence found\n")
            sys.exit(3)
        elif self.mode == "dies_at_start":
            os.kill(os.getpid(), signal.SIGSEGV)
        elif self.mode == "silent_at_start":
            time.sleep(1000)
        elif self.mode == "garbage_at_start":
            self.say("Welcome! How about a nice game of chess?")
            time.sleep(1000)
        elif self.mode == "ignores_quit":
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            signal.signal(signal.SIGHUP, signal.SIG_IGN)

    def trouble(self):
        if self.mode == "ends_in_a_move":
            sys.stderr.write("assertion failed in line 7\n")
            sys.exit(9)
        elif self.mode == "dies_in_a_move":
            os.kill(os.getpid(), signal.SIGABRT)
        elif self.mode == "silent":
            time.sleep(1000)
        elif self.mode == "obeys_stop":
            while sys.stdin.readline().strip() != "stop":
                pass
        elif self.mode == "garbage":
            while True:
                self.say("e2e4?? \x00\x1b[31m")
                time.sleep(0.05)
        elif self.mode == "nothing":
            self.say("bestmove")
        elif self.mode == "nonsense":
            self.say("bestmove Qxf7#")
        elif self.mode == "illegal":
            self.say("bestmove " + self.taken[0])
        elif self.mode == "slow":
            time.sleep(20)
        elif self.mode == "floods_stdout":
            while True:
                sys.stdout.write("info string " + "z" * 1000 + "\n")
        elif self.mode == "one_long_line":
            while True:
                sys.stdout.write("z" * 1000)
        elif self.mode == "floods_stderr":
            while True:
                sys.stderr.write("z" * 999 + "\n")
        elif self.mode == "floods_both_and_plays":
            for _ in range(3000):
                sys.stdout.write("info string " + "z" * 1000 + "\n")
                sys.stderr.write("z" * 999 + "\n")
        elif self.mode in ("forks", "escapes", "fork_storm"):
            self.start_processes()
        elif self.mode == "allocates":
            kept = [bytearray(os.urandom(1)) * (4 << 20) for _ in range(30)]
            time.sleep(1000)
            sys.exit(len(kept))
        elif self.mode == "allocates_in_children":
            for _ in range(4):
                if os.fork() == 0:
                    kept = bytearray(os.urandom(1)) * (30 << 20)
                    time.sleep(1000)
                    sys.exit(len(kept))
            time.sleep(1000)
        elif self.mode == "closes_stdout":
            os.close(1)
            time.sleep(1000)
        elif self.mode == "closes_stdin":
            os.close(0)
            sys.stderr.write("input closed\n")
            time.sleep(1000)
        elif self.mode == "answers_twice":
            self.say("bestmove " + self.move())

    def start_processes(self):
        """Children that outlive this process if nobody ends them; they ignore all that can be ignored."""
        stubborn = "import signal, time; [signal.signal(n, signal.SIG_IGN) for n in (1, 2, 15)]; time.sleep(1000)"
        if self.mode == "forks":
            children = [subprocess.Popen([sys.executable, "-c", stubborn]).pid for _ in range(3)]
            self.note(children)
        elif self.mode == "escapes":
            if os.fork() == 0:
                os.setsid()
                if os.fork() == 0:
                    os.setsid()
                    self.note([os.getpid()])
                    os.execv(sys.executable, [sys.executable, "-c", stubborn])
                os._exit(0)
            os.wait()
        else:
            for _ in range(30):
                if os.fork() == 0:
                    os.setsid()
                    for _ in range(3):
                        os.fork()
                    self.note([os.getpid()])
                    time.sleep(1000)

    def note(self, pids):
        with open(self.path, "a") as file:
            file.write("".join(f"{pid}\n" for pid in pids))


def main():
    mode, *rest = sys.argv[1:]
    engine = Engine(mode, rest[0] if rest else None)
    while line := sys.stdin.readline():
        engine.read(line)
    if mode == "ignores_quit":
        time.sleep(1000)


if __name__ == "__main__":
    main()
