"""Let a bot play a game with itself over the Universal Game Interface: `playout ugi` in a process."""

import subprocess

command = ["playout", "ugi", "mnk", "mcts(simulations=2000)", "--seed", "1"]
with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1) as engine:

    def send(line: str) -> None:
        assert engine.stdin is not None
        engine.stdin.write(line + "\n")

    def ask(line: str, answer: str) -> str:
        """Send a line, and return the rest of the first line that begins with the word `answer`."""
        assert engine.stdout is not None
        send(line)
        for heard in engine.stdout:
            word, _, rest = heard.strip().partition(" ")
            if word == answer:
                return rest
        raise RuntimeError("the engine has ended")

    moves: list[str] = []
    send("uginewgame")
    ask("isready", "readyok")
    send("position startpos")
    while ask("query gameover", "response") == "false":
        moves.append(ask("go", "bestmove"))
        send("position startpos moves " + " ".join(moves))
    print(" ".join(moves), ask("query result", "response"))
    send("quit")
