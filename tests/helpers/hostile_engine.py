"""Engines that attack whoever drives them, each in one way; `mock_engine.py` has those that are merely broken.

    python hostile_engine.py MODE [PATH]

Each plays tic-tac-toe over plain UGI until its attack. It uses nothing of the packages under test.
"""

import os
import random
import signal
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))  # where no folder of scripts is searched
from mock_engine import Engine

OUT = 1


def write(data):
    """Write bytes past all buffers of Python."""
    while data:
        data = data[os.write(OUT, data) :]


def sleep():
    time.sleep(1000)


class HostileEngine(Engine):
    def read(self, line):
        word = line.split()[:1]
        if word == ["ugi"] and hasattr(self, f"ugi_{self.mode}"):
            getattr(self, f"ugi_{self.mode}")()
        elif word == ["isready"] and hasattr(self, f"isready_{self.mode}") and self.moves == 1:
            getattr(self, f"isready_{self.mode}")()
        super().read(line)

    def trouble(self):
        getattr(self, f"go_{self.mode}", lambda: None)()

    # before the game

    def ugi_endless_options(self):
        while True:
            write(b"option name x type spin default 1 min 0 max 2\n" * 100)

    def ugi_huge_options(self):
        for number in range(1500):
            write(b"option name %d %s type combo%s\n" % (number, b"n" * 20_000, b" var z" * 2000))

    def ugi_strange_options(self):
        write(b"option\noption name\noption name type\noption name a type\noption name b type spin min x max\n")
        write(b"option name c type spin min %s max -%s\n" % (b"9" * 6000, b"9" * 6000))
        write(b"option name \x00\x1b[31m\xff type combo var\noption name d type d type e default default var var\n")

    def ugi_move_before_the_handshake(self):
        write(b"bestmove mark(1,1)\nreadyok\nreadyok\n")

    # before it is asked

    def isready_moves_before_it_is_asked(self):
        write(b"bestmove mark(1,1)\n")

    def isready_is_ready_for_ever(self):
        while True:
            write(b"readyok\n" * 1000)

    def isready_is_never_ready(self):
        sleep()

    # instead of a move

    def go_junk_bytes(self):
        write(bytes(random.Random(1).randbytes(3000)) + b"\n\x00\x00\n\xff\xfe\n")
        sleep()

    def go_escape_sequences(self):
        write(b"bestmove \x1b[2J\x1b]0;owned\x07\x9b31m\n")

    def go_nul(self):
        write(b"bestmove mark(1,1)\x00\n")

    def go_markup(self):
        write(b"bestmove [/red][link=file:///etc/passwd]x[/link]\n")

    def go_html(self):
        write(b"bestmove <script>alert(1)</script>\n")

    def go_surrogates(self):
        write(b"bestmove \xed\xa0\x80\xed\xbf\xbf\xf4\x90\x80\x80\n")

    def go_line_separators(self):
        write("bestmove\u2028mark(1,1)\u202emark\x85\n".encode())
        sleep()

    def go_a_long_move(self):
        write(b"bestmove " + b"z" * 50_000 + b"\n")

    def go_many_words(self):
        write(b"bestmove" + b" z" * 25_000 + b"\n")

    def go_a_huge_integer(self):
        write(b"bestmove mark(%s,1)\n" % (b"9" * 10_000))

    def go_an_integer_of_other_digits(self):
        write("bestmove mark(\u0661,\u0662)\n".encode())

    def go_endless_blank_lines(self):
        while True:
            write(b"\n" * 10_000)

    def go_carriage_returns(self):
        write(b"bestmove mark(1,1)\r" * 10)
        sleep()

    def go_drips(self):
        for letter in b"bestmove mark(1,1)" * 1000:
            write(bytes([letter]))
            time.sleep(0.03)

    def go_drips_lines(self):
        while True:
            write(b"info string not yet\n")
            time.sleep(0.01)

    def go_ends_within_a_line(self):
        write(b"bestmove mark(")
        os._exit(0)

    def go_ends_with_junk_on_stderr(self):
        os.write(2, random.Random(2).randbytes(50_000) + b"\x1b[31mThe End\x00")
        os._exit(7)

    def go_stops_itself(self):
        os.kill(os.getpid(), signal.SIGSTOP)

    def go_kills_its_group(self):
        os.killpg(0, signal.SIGKILL)

    def go_kills_its_parent(self):
        os.kill(os.getppid(), signal.SIGKILL)
        sleep()

    def go_leaves_a_child_with_its_output(self):
        if os.fork() == 0:
            for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGPIPE):
                signal.signal(number, signal.SIG_IGN)
            os.setsid()
            self.note([os.getpid()])
            sleep()
        while not os.path.exists(self.path):
            time.sleep(0.001)
        os._exit(0)

    def go_forks_and_both_answer(self):
        os.fork()

    # beside good moves

    def go_long_lines(self):
        write(b"info string " + b"z" * 50_000 + b"\n")

    def go_junk_in_info(self):
        write(b"info \x00\x1b[2J \xff\xfe score\ninfo score cp\ninfo score mate\ninfo score cp x\ninfo pv\n\n \n")

    def go_huge_scores(self):
        big = b"9" * 6000
        for score in (b"cp " + big, b"cp -" + big, b"mate " + big, b"cp nan", b"cp inf", b"cp 1e999", b"cp 0x10"):
            write(b"info depth %s nodes %s score %s\n" % (big, big, score))

    def go_carriage_returns_and_newlines(self):
        write(b"info string a\r\ninfo string b\r\r\n")


def main():
    mode, *rest = sys.argv[1:]
    engine = HostileEngine(mode, rest[0] if rest else None)
    if not any(hasattr(engine, f"{when}_{mode}") for when in ("ugi", "isready", "go")):
        sys.exit(f"no mode {mode}")
    while line := sys.stdin.readline():
        engine.read(line)


if __name__ == "__main__":
    main()
