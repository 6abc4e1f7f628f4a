"""OpenSpiel's MCTSBot as an engine of the Universal Game Interface, for the game mnk.

usage: python -I openspiel_engine.py, in an environment that has open_spiel

Its settings are those of OpenSpiel's own example of the bot: uct_c 2, one rollout per simulation, solver on. The limits
are `go nodes N` and `go movetime MS`, which the bot knows itself. What is illegal by OpenSpiel's rules ends the engine
with an error. Besides the usual queries, `query actions` answers with all legal actions. This file imports nothing of
this project.
"""

import re
import sys

import pyspiel

UCT_C = 2.0
ROLLOUTS = 1
MEMORY_MB = 1000
MOST_SIMULATIONS = 2**31 - 1
GAME = re.compile(r"mnk\(m=(\d+),n=(\d+),k=(\d+)\)")
MARK = re.compile(r"mark\((\d+),(\d+)\)")


def say(text):
    """Write a line."""
    print(text, flush=True)


def fail(text):
    """Report an error and end the engine."""
    say(f"info string error {text}")
    sys.exit(f"openspiel engine: {text}")


class Engine:
    """The game, the state and the bot."""

    def __init__(self):
        self.seed = 1
        self.decisions = 0
        self.set_game("mnk(m=3,n=3,k=3)")

    def set_game(self, spec):
        """Load a game of Playout by its spec. OpenSpiel's own tic-tac-toe is faster than its mnk(m=3,n=3,k=3)."""
        found = GAME.fullmatch(spec)
        if found is None:
            fail(f"game {spec!r}; valid: mnk(m=M,n=N,k=K)")
        m, n, k = map(int, found.groups())
        self.columns = m
        self.game = pyspiel.load_game("tic_tac_toe" if m == n == k == 3 else f"mnk(m={m},n={n},k={k})")
        self.evaluator = pyspiel.RandomRolloutEvaluator(ROLLOUTS, self.seed)
        self.state = self.game.new_initial_state()

    def action_of(self, text):
        """Return the number of an action. Cells are numbered row by row."""
        found = MARK.fullmatch(text)
        row, column = map(int, found.groups()) if found else (0, 0)
        action = (row - 1) * self.columns + column - 1
        if not 1 <= column <= self.columns or action not in self.state.legal_actions():
            fail(f"action {text!r} is illegal here; legal: {' '.join(map(self.text_of, self.state.legal_actions()))}")
        return action

    def text_of(self, action):
        """Return the text of an action."""
        return f"mark({action // self.columns + 1},{action % self.columns + 1})"

    def set_position(self, words):
        """Play from the initial position."""
        if words[:1] != ["startpos"] or words[1:2] not in ([], ["moves"]):
            fail(f"position {' '.join(words)!r}; valid: startpos, or startpos moves M1 M2 ...")
        self.state = self.game.new_initial_state()
        for text in words[2:]:
            self.state.apply_action(self.action_of(text))

    def answer(self, query):
        """Return the answer to a query."""
        over = self.state.is_terminal()
        if query == "gameover":
            return str(over).lower()
        if query == "actions":
            return " ".join(map(self.text_of, self.state.legal_actions())) or "none"
        if query == "returns":  # on Playout's scale, from 0 to 100
            return " ".join(f"{50 + 50 * value:g}" for value in self.state.returns()) if over else "none"
        return "error"

    def choose(self, words):
        """Return the action of a new search."""
        limits = dict(zip(words[::2], words[1::2], strict=False))
        seconds = int(limits["movetime"]) / 1000 if "movetime" in limits else -1.0
        simulations = int(limits.get("nodes", MOST_SIMULATIONS if seconds > 0 else 1000))
        if simulations < 2:
            fail(f"nodes {simulations}; valid: at least 2, as fewer make no search")
        self.decisions += 1
        bot = pyspiel.MCTSBot(
            self.game,
            self.evaluator,
            UCT_C,
            simulations,
            MEMORY_MB,
            True,
            (self.seed + self.decisions) % 2**31,
            False,
            max_wall_clock_time=seconds,
        )
        return self.text_of(bot.step(self.state))

    def read(self, line):
        """Do what a line asks for. Return False to end."""
        command, _, rest = line.strip().partition(" ")
        if command == "ugi":
            say("id name OpenSpiel MCTSBot")
            say("option name game type string default mnk(m=3,n=3,k=3)")
            say("option name seed type string default 1")
            say("ugiok")
        elif command == "setoption":
            name, _, value = rest.removeprefix("name ").partition(" value ")
            if name == "game":
                self.set_game(value)
            elif name == "seed":
                self.seed, self.decisions = int(value) % 2**31, 0
                self.evaluator = pyspiel.RandomRolloutEvaluator(ROLLOUTS, self.seed)
        elif command == "uginewgame":
            self.state = self.game.new_initial_state()
        elif command == "isready":
            say("readyok")
        elif command == "position":
            self.set_position(rest.split())
        elif command == "query":
            say(f"response {self.answer(rest)}")
        elif command == "go":
            say(f"bestmove {self.choose(rest.split())}")
        return command != "quit"


def main():
    """Read lines until `quit` or the end of the input."""
    engine = Engine()
    for line in sys.stdin:
        if not engine.read(line):
            break


if __name__ == "__main__":
    main()
