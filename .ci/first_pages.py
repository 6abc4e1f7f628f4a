"""Runs what a newcomer types: the commands and the Python of the README and of the pages docs/start*.md.

    .venv/bin/python .ci/first_pages.py

Each page begins in a fresh clone of its own below build/, with the .venv that `make` has filled. Its lines run in
order, as they stand there, and its Python too; in the README those of the section Install come first. `make arena` and
`make test` are parts of .ci/run of their own.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "build" / "first_pages"
README = ROOT / "README.md"
PAGES = [README, *sorted((ROOT / "docs").glob("start*.md"))]
BLOCK = re.compile(r"^```(sh|python)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
IN_TEXT = re.compile(r"`((?:source|pip|playout serve) [^`]*)`")
"""Commands in sentences."""
PARTS = ("make arena", "make test")
"""Commands that are parts of .ci/run."""
ACTIVATE = "source .venv/bin/activate"
SERVES = re.compile(r"playout serve\b.*")
ALTERNATIVES = {"pip install .", "make wasm"}
"""Commands that do the same as one of make in an environment of the reader's own, or that need root: `make
release-check` runs these."""


def commands_of(page):
    """Return the languages and texts of what a page tells to run: lines of a shell and blocks of Python, in order."""
    text = page.read_text(encoding="utf-8")
    if page == README:
        before, _, after = text.partition("\n## Install\n")
        text = f"{after}\n{before}"
    found = []
    for part in re.split(r"(^```\w+\n.*?^```$)", text, flags=re.MULTILINE | re.DOTALL):
        block = BLOCK.fullmatch(part)
        if block is None:
            found += [("sh", command) for command in IN_TEXT.findall(part) if command not in ALTERNATIVES]
        elif block[1] == "python":
            found.append(("python", block[2]))
        else:
            found += [("sh", line.partition("  #")[0].strip()) for line in block[2].splitlines()]
    return [(language, re.sub(r"\s+", " ", command) if language == "sh" else command) for language, command in found]


def run_page(page, done):
    """Run a page in a new clone, without the commands that earlier pages have run."""
    clone = FOLDER / page.stem
    shutil.rmtree(clone, ignore_errors=True)
    subprocess.run(["git", "clone", "--quiet", "--shared", ROOT, clone], check=True)
    (clone / ".venv").symlink_to(ROOT / ".venv")
    commands = commands_of(page)
    before = ["set -e"]
    if ("sh", ACTIVATE) not in commands:  # the page says "After the installation"
        before.append(ACTIVATE)
    for language, command in commands:
        if command in PARTS or (command in done and command != ACTIVATE):
            continue
        done.add(command)
        print(f"{page.relative_to(ROOT)}: {command.splitlines()[0]}", flush=True)
        if command == ACTIVATE:
            before.append(command)
        elif command == "make":
            run(["set -e"], command, ROOT)
        elif SERVES.fullmatch(command):
            serve(before, command, clone)
        else:
            line = f"python - <<'END'\n{command}END" if language == "python" else command
            run(before, line, clone)


def environment():
    """Return the environment of a shell that knows nothing of this run. No browser is opened."""
    own = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PLAYOUT_", "VIRTUAL"))}
    parts = [part for part in own["PATH"].split(os.pathsep) if Path(part) != ROOT / ".venv" / "bin"]
    return {**own, "PATH": os.pathsep.join(parts), "BROWSER": "true"}


def run(before, command, folder):
    done = subprocess.run(
        ["bash", "-c", "\n".join([*before, command])], cwd=folder, env=environment(), stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", check=False,
    )  # fmt: skip
    if done.returncode:
        sys.exit(f"{done.stdout[-8000:]}\n.ci/first_pages.py: status {done.returncode} from {command}")


def serve(before, command, folder):
    """Start a server, ask for its page, and end it by Ctrl-C."""
    lines = "\n".join([*before, f"exec {command}"])
    with subprocess.Popen(
        ["bash", "-c", lines], cwd=folder, env=environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True, errors="replace",
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    ) as server:  # fmt: skip
        said = ""
        try:
            for line in server.stdout:
                said += line
                address = re.search(r"http://[\w.:\[\]]+\d/?", line)
                if address:
                    with urllib.request.urlopen(address[0], timeout=60) as answer:
                        page = answer.read().decode()
                    break
            else:
                sys.exit(f"{said}\n.ci/first_pages.py: no address from {command}")
        finally:
            server.send_signal(signal.SIGINT)
        said += server.stdout.read()
    if "<html" not in page.lower() or server.returncode not in (0, 130):
        sys.exit(f"{said}\n{page[:500]}\n.ci/first_pages.py: status {server.returncode} from {command}")


if __name__ == "__main__":
    ran = set()
    for each in PAGES:
        run_page(each, ran)
