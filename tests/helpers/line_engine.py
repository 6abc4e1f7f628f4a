"""An engine that answers with given lines.

    python line_engine.py '{"go": [["info score cp 30", "bestmove e2e4"], ["bestmove d2d4"]]}'

The argument maps the first word of a command to answers, one for each time, of which the last is repeated. The words of
the handshakes of UCI and GTP are answered as the protocols say unless they are in the map. It uses nothing of the
packages under test.
"""

import json
import sys

UCI = {"uci": [["id name lines", "uciok"]], "isready": [["readyok"]]}
GTP = {"list_commands": [["= name", "list_commands", ""]], "": [["=", ""]]}
"""The key "" is for all other commands."""


def main():
    given = json.loads(sys.argv[1])
    answers = {**(GTP if sys.argv[2:] == ["gtp"] else UCI), **given}
    for line in sys.stdin:
        words = line.split()
        if sys.argv[2:] == ["gtp"]:
            words = words[1:]
        if words[:1] == ["quit"]:
            break
        left = answers.get(words[0], answers.get("", []))
        for text in left.pop(0) if len(left) > 1 else left[0] if left else []:
            sys.stdout.buffer.write(text.encode("latin-1") + b"\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
