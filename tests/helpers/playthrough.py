"""Record one random game of every game and main variant as a text that people can read and tests compare.

usage: python tests/helpers/playthrough.py [--write]

Prints the specs whose recordings differ from those in tests/data/playthroughs.txt, or writes the file. A recording
shows each state before its joint action: how it is drawn and written, who acts, the legal actions, and what each player
sees. The seed of a spec is fixed, so a difference means that the game itself has changed.
"""

import argparse
import random
import re
import sys
import textwrap
import zlib
from pathlib import Path

import mcts
from bots.benchmark.workloads import playouts

FILE = Path(__file__).parent.parent / "data" / "playthroughs.txt"
# Variants beside those that flags and choices make: column numbers of two digits, a board that is not square, no coins.
MORE_SPECS = ["mnk(m=11,n=2,k=3)", "mnk(m=4,n=5,k=4)", "bidding_ttt(coins=0)", "bidding_3d_ttt(chips=12)"]
MOST_PLIES = 40
"""Longer games are recorded so far."""
SHOWN_ACTIONS = 12
"""Longer lists of legal actions show so many, half of them from each end."""


def specs():
    """Canonical specs of the recorded variants: every game by default, with each value of its flags and choices."""
    return sorted({*playouts.specs(), *(mcts.load_game(spec).spec for spec in MORE_SPECS)})


def recorded():
    """Spec -> recording, as the file has them."""
    parts = re.split(r"^(?=game: )", FILE.read_text(), flags=re.MULTILINE)[1:]
    return {part.partition("\n")[0].removeprefix("game: "): part.rstrip() + "\n" for part in parts}


def recording(spec):
    """Return the text of the random game that the spec's own seed leads to."""
    game = mcts.load_game(spec)
    rng = random.Random(zlib.crc32(game.spec.encode()))
    state = game.new_initial_state()
    parts = [f"game: {game.spec}", f"players: {', '.join(game.players)}", f"state text: {game.text_form}"]
    ply = 0
    while not state.is_terminal() and ply < MOST_PLIES:
        joint = random_joint(state, rng)
        parts += ["", f"# ply {ply}", *_describe(state), *_actions(state, joint)]
        state.apply_actions(joint)
        ply += 1
    parts += ["", f"# end after {ply} plies", *_describe(state)]
    if state.is_terminal():
        parts += [f"returns: {_by_player(game, [f'{value:g}' for value in state.returns()])}"]
    return "\n".join(parts) + "\n"


def random_action(state, player, rng):
    """Return a random legal action, NOOP for a player who has nothing to decide."""
    if player in state.acting_players() and not state.game.is_enumerable:
        return state.sample_action(player, rng.getrandbits(64))
    return rng.choice(state.legal_actions(player))


def random_joint(state, rng):
    """Return a random legal action for every player, or a random outcome of chance as a joint action."""
    if state.is_chance():
        return [*[mcts.NOOP] * state.game.num_players, state.sample_outcome(rng.getrandbits(64))]
    return [random_action(state, player, rng) for player in range(state.game.num_players)]


def _describe(state):
    """Lines with the drawing, the text, and the views that differ from the state."""
    lines = textwrap.indent(str(state), "    ").splitlines()
    lines += [f"text: {state.to_text()}"]
    views = [state.view(player) for player in range(state.game.num_players)]
    if all(view.to_dict() == state.to_dict() and str(view) == str(state) for view in views):
        return [*lines, "every player sees everything"]
    for name, view in zip(state.game.players, views, strict=True):
        drawn = zip(str(view).splitlines(), str(state).splitlines(), strict=True)
        lines += [f"{name} sees: {view.to_text()}", *(f"    {seen}" for seen, whole in drawn if seen != whole)]
    return lines


def _actions(state, joint):
    """Lines with who acts, the legal actions of each, and the joint action."""
    game = state.game
    if state.is_chance():
        total = sum(weight for _, weight in state.chance_weights())
        each = [f"{state.action_to_string(mcts.CHANCE, one)} {weight}" for one, weight in state.chance_weights()]
        chosen = state.action_to_string(mcts.CHANCE, joint[mcts.CHANCE])
        return [f"chance decides, with weights of {total}: {', '.join(each)}", f"outcome: {chosen}"]
    lines = [f"acting: {', '.join(game.players[player] for player in state.acting_players())}"]
    for player in state.acting_players():
        if game.is_enumerable:
            texts = [state.action_to_string(player, action) for action in state.legal_actions(player)]
            lines += [f"legal for {game.players[player]} ({len(texts)}): {_shortened(texts)}"]
        else:
            texts = [state.action_to_string(player, state.sample_action(player, seed)) for seed in range(3)]
            lines += [f"legal for {game.players[player]} (not listed), three samples: {' '.join(texts)}"]
    chosen = [state.action_to_string(player, action) for player, action in enumerate(joint)]
    return [*lines, f"joint action: {_by_player(game, chosen)}"]


def _shortened(texts):
    half = SHOWN_ACTIONS // 2
    return " ".join(texts if len(texts) <= SHOWN_ACTIONS else [*texts[:half], "...", *texts[-half:]])


def _by_player(game, words):
    return ", ".join(f"{name} {word}" for name, word in zip(game.players, words, strict=True))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true", help="write the file instead of naming the specs that differ")
    write = parser.parse_args().write
    texts, known = {spec: recording(spec) for spec in specs()}, recorded()
    differing = sorted(spec for spec in texts.keys() | known.keys() if texts.get(spec) != known.get(spec))
    for spec in differing:
        print(spec)
    if write:
        FILE.write_text("\n".join(texts[spec] for spec in sorted(texts)))
    sys.exit(bool(differing) and not write)


if __name__ == "__main__":
    main()
