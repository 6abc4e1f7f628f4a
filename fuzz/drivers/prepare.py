"""Writes what libFuzzer needs for a target: its seeds and stored inputs, and its tokens as a dictionary.

    python -m fuzz.drivers.prepare TARGET FOLDER

Prints the module without which the target cannot run, if it is missing, and writes nothing then.
"""

from __future__ import annotations

import sys
from pathlib import Path

from fuzz.registry import load_target, missing, stored_inputs


def main() -> None:
    """Write the files into the folder that the command line names."""
    name, folder = sys.argv[1], Path(sys.argv[2])
    if module := missing(name):
        print(module)
        return
    target = load_target(name)
    (folder / "seeds").mkdir(parents=True, exist_ok=True)
    (folder / "corpus").mkdir(exist_ok=True)
    (folder / "tokens.dict").write_text(target.dictionary())
    seeds = {str(place): seed for place, seed in enumerate(target.seeds)}
    for found, data in (seeds | stored_inputs(name)).items():
        (folder / "seeds" / found).write_bytes(data)


if __name__ == "__main__":
    main()
