"""Play any game against a level in a terminal: python console.py [GAME] [LEVEL]

Type an action, as in mark(2,2), or an empty line for the action of a hint. The end of the input resigns.
"""

import sys

import playout


def play(spec: str, level: int) -> None:
    you, *others = playout.load_game(spec).players
    with playout.Match(spec, dict.fromkeys(others, f"level({level})"), seed=7) as match:
        while not match.is_over:
            print(f"{match}\n{you}: ", end="", flush=True)  # the drawing hides what the person may not see
            line = sys.stdin.readline()
            if not line:
                match.resign(you)
                break
            try:
                for ply in match.play(line.strip() or match.hint(seconds=0.1, player=you), you):
                    print("  ".join(f"{name} {action}" for name, action in ply.items()))
            except playout.PlayoutError as error:
                print(f"sorry: {error}")  # one line with the bad action and the valid ones; nothing has changed
        print(f"\n{match}\nreturns: {match.returns}")


if __name__ == "__main__":
    play(sys.argv[1] if len(sys.argv) > 1 else "points_ttt", int(sys.argv[2]) if len(sys.argv) > 2 else 4)
