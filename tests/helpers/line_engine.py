"""An engine that answers with given lines.

    python line_engine.py '{"go": [["info score cp 30", "bestmove e2e4"], ["bestmove d2d4"]]}'

The argument maps the first word of a command to answers, one for each time, of which the last is repeated. In place of
a line, null ends the engine with exit code 7, and a list of one line is written again and again. The words of
the handshakes of UCI and GTP are answered as the protocols say unless they are in the map. It uses nothing of the
packages under test.
"""

import itertools
import json
import sys

UCI = {"uci": [["id name lines", "uciok"]], "isready": [["readyok"]]}
GTP = {"list_commands": [["= name", "list_commands", ""]], "": [["=", ""]]}
"""The key "" is for all other commands."""


def main():
    given = json.loads(sys.argv[1])
    answers = {**(GTP if sys.argv[2:] == ["gtp"] else UCI), **given}
    for command in sys.stdin:
        words = command.split()
        if sys.argv[2:] == ["gtp"]:
            words = words[1:]
        if words[:1] == ["quit"]:
            break
        left = answers.get(words[0], answers.get("", []))
        for text in left.pop(0) if len(left) > 1 else left[0] if left else []:
            if text is None:
                sys.exit(7)
            for line in itertools.repeat(text[0]) if isinstance(text, list) else [text]:
                sys.stdout.buffer.write(line.encode("latin-1") + b"\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
