"""Games in Python with a fault in a rare state, and a bot that pretends that a game has one."""

import mcts
from bots import Bot

RARE = (2, 1, 0, 2, 1)


class Sound(mcts.PythonGame):
    """Two players in turns choose one of three, six times; the parity of the sum decides."""

    name, players, num_actions, utility_sum = "sound", ("first", "second"), 3, 1.0

    def initial_state(self):
        return ()

    def acting_players(self, state):
        return () if len(state) == 6 else len(state) % 2

    def legal_actions(self, state, player):
        return [0, 1, 2]

    def next_state(self, state, joint):
        return (*state, joint[len(state) % 2])

    def returns(self, state):
        return [float(sum(state) % 2), float(1 - sum(state) % 2)]

    def to_dict(self, state):
        return {"chosen": list(state)}

    def from_dict(self, given):
        return tuple(given["chosen"])


class Raises(Sound):
    """Raises where the rare state would follow."""

    name = "raises"

    def next_state(self, state, joint):
        after = super().next_state(state, joint)
        if after == RARE:
            raise KeyError("forgotten")
        return after


class Stuck(Sound):
    """Has no action in the rare state."""

    name = "stuck"

    def legal_actions(self, state, player):
        return [] if state == RARE else [0, 1, 2]


class Ends(Sound):
    """Gives the rare end returns that are too high."""

    name = "ends"

    def returns(self, state):
        return [2.0, 0.0] if state[:4] == RARE[:4] else super().returns(state)


class Wordless(Sound):
    """Has no text for an action after two rare ones. Searches need none, but referees do."""

    name = "wordless"

    def action_to_string(self, state, player, action):
        return {0: "zero", 1: "one", 2: None if state == RARE[:2] else "two"}[action].upper()


class Secret(Raises):
    """Nobody sees the choices of the other."""

    name = "secret"

    def observation(self, state, player):
        return len(state)


class Blind(Secret):
    """Cannot say what a player sees after the rare choices."""

    name = "blind"

    def next_state(self, state, joint):
        return Sound.next_state(self, state, joint)

    def observation(self, state, player):
        if state == RARE:
            raise LookupError("dark")
        return len(state)


FAULTY = (Raises, Stuck, Ends, Wordless, Secret, Blind)


def marked(steps):
    """Return an error as one of the code of a game, with steps that lead to it."""
    error = RuntimeError("the game is broken")
    error.failed_play = steps
    return error


class Pretender(Bot):
    """Raises an error that names a legal play without a fault, an illegal play, or something else."""

    CLAIMS = (
        ((0, -1), (-1, 1)), ((7, -1),), ((0, 0),), ((0,),), ("a",), "all", None, ((2**40, -1),), [[0, -1]] * 20_000,
    )  # fmt: skip
    number = 0

    def choose(self, view, limit=None):
        Pretender.number += 1
        raise marked(self.CLAIMS[Pretender.number % len(self.CLAIMS)])


class Saboteur(Bot):
    """Breaks the game in its own process."""

    def choose(self, view, limit=None):
        def next_state(game, state, joint):
            raise KeyError("broken by a bot")

        Sound.next_state = next_state
        return view.legal_actions()[0]
