"""Fuzzing from the command line: `python -m fuzz --help`."""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from .drivers.environment import BUILD, PROGRAM, ROOT, environment, has_engine, is_built
from .registry import FOLDER, MAX_BYTES, RSS_MB, TIMEOUT_SECONDS, missing, store_inputs, stored_inputs, target_names

FOUND = ROOT / "build" / "fuzz-found"
"""Folder of the inputs that crash, hang or break a rule, and below it of the growing corpora."""
LOG = "libfuzzer.log"
LIMITS = [
    f"-timeout={TIMEOUT_SECONDS}",
    f"-rss_limit_mb={RSS_MB}",
    f"-malloc_limit_mb={RSS_MB // 2}",
    f"-max_len={MAX_BYTES}",
]


def main() -> None:
    """Run the command that the command line names."""
    parser = argparse.ArgumentParser(prog="python -m fuzz", description="Fuzzing of everything that is not trusted.")
    commands = parser.add_subparsers(dest="command", required=True)
    listing = commands.add_parser("list", help="list the targets")
    listing.set_defaults(function=list_targets)
    run = commands.add_parser("run", help="fuzz targets, one after the other")
    run.add_argument("targets", nargs="*", metavar="TARGET", help="default: all")
    run.add_argument("--seconds", type=float, default=10.0, help="seconds for each target (default: 10)")
    run.add_argument("--hours", type=float, help="hours of all targets together, instead of --seconds")
    run.add_argument("--jobs", type=int, default=1, help="targets at the same time (default: 1)")
    replay = commands.add_parser("replay", help="run the stored corpus, or given files, without fuzzing")
    replay.add_argument("target", nargs="?", metavar="TARGET", help="default: all")
    replay.add_argument("files", nargs="*", metavar="FILE", help="inputs; default: the corpus")
    merge = commands.add_parser(
        "merge", help="replace the stored corpus by the smallest inputs that cover what was found"
    )
    merge.add_argument("targets", nargs="*", metavar="TARGET", help="default: all")
    run.set_defaults(function=run_targets)
    replay.set_defaults(function=replay_corpus)
    merge.set_defaults(function=merge_corpus)
    given = parser.parse_args()
    for name in getattr(given, "targets", None) or filter(None, [getattr(given, "target", None)]):
        if name not in target_names():
            parser.error(f"unknown target {name!r}; valid: {', '.join(target_names())}")
    sys.exit(given.function(given))


def list_targets(given: argparse.Namespace) -> int:
    """Print the targets with their purposes."""
    for name in target_names():
        print(f"{name}: {(FOLDER / 'targets' / f'{name}.py').read_text().splitlines()[0].strip(chr(34))}")
    return 0


def run_targets(given: argparse.Namespace) -> int:
    """Fuzz, and return 1 after a finding."""
    if not has_engine():
        print(
            "atheris is not installed (pip install atheris): only the corpus is run, without fuzzing", file=sys.stderr
        )
        return replay_corpus(argparse.Namespace(target=None, files=[]))
    names = given.targets or target_names()
    jobs = min(given.jobs, len(names))
    seconds = given.seconds if given.hours is None else 3600 * given.hours * jobs / len(names)
    waiting, failed = [*names], []
    running: dict[str, subprocess.Popen[bytes] | str] = {}
    while waiting or running:
        while waiting and len(running) < jobs:
            name = waiting.pop(0)
            running[name] = start(name, seconds)
        name = next(iter(running))
        process = running.pop(name)
        if isinstance(process, str):
            print(f"{name}: {process}", flush=True)
            continue
        process.wait()
        text = (FOUND / name / LOG).read_text(errors="replace")
        print(summary(name, text, process.returncode), flush=True)
        if process.returncode:
            failed.append(name)
            print(tail(text), flush=True)
    if failed:
        print(f"found something: {', '.join(failed)}; the inputs are in {FOUND}", file=sys.stderr)
    return bool(failed)


def start(name: str, seconds: float) -> subprocess.Popen[bytes] | str:
    """Start libFuzzer for a target; return the reason if it cannot run. The corpus grows in a folder of its own."""
    folder = FOUND / name
    variables = environment(instrumented=is_built())
    prepare = [sys.executable, "-m", "fuzz.drivers.prepare", name, str(folder)]
    lacking = subprocess.run(prepare, env=variables, stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
    if lacking:
        return f"not run: there is no module {lacking}; python -m fuzz.native.build {BUILD} makes it"
    options = [
        *LIMITS,
        "-len_control=20",
        "-detect_leaks=0",
        f"-max_total_time={max(1, round(seconds))}",
        "-print_final_stats=1",
        f"-artifact_prefix={folder}/",
    ]
    if (folder / "tokens.dict").stat().st_size:  # libFuzzer refuses an empty one
        options.append(f"-dict={folder / 'tokens.dict'}")
    inputs = [str(folder / "corpus"), str(folder / "seeds")]
    command = [sys.executable, "-m", "fuzz.drivers.libfuzzer", name, *options, *inputs]
    with (folder / LOG).open("wb") as log:  # a pipe that nobody reads would stop it
        return subprocess.Popen(command, env=variables, stdout=log, stderr=subprocess.STDOUT)


def summary(name: str, text: str, status: int) -> str:
    """Return one line about a run: executions, coverage, and how it ended."""
    figures = dict(line.removeprefix("stat::").split(":", 1) for line in text.splitlines() if line.startswith("stat::"))
    covered = [line for line in text.splitlines() if line.startswith("#") and " cov: " in line]
    first, last = (line.split(" cov: ")[1].split()[0] for line in (covered[0], covered[-1])) if covered else ("?", "?")
    runs = figures.get("number_of_executed_units", "?").strip()
    return f"{name}: {runs} executions, coverage {first} -> {last}, {'found something' if status else 'nothing found'}"


def tail(text: str) -> str:
    """Return the end of the output of libFuzzer, without the lines of its progress."""
    return "\n".join([line for line in text.splitlines() if not line.startswith(("#", "INFO", "stat::"))][-60:])


def replay_corpus(given: argparse.Namespace) -> int:
    """Run the corpus, or files."""
    failed = 0
    variables = environment(instrumented=False)
    for name in [given.target] if given.target else target_names():
        if missing(name):
            print(f"{name}: not run: it needs the instrumented build")
            continue
        failed |= subprocess.run(
            [sys.executable, "-m", "fuzz.drivers.replay", name, *given.files], env=variables
        ).returncode
    return failed


def merge_corpus(given: argparse.Namespace) -> int:
    """Let libFuzzer choose the smallest inputs that keep the coverage of the stored corpus and of what was found."""
    for name in given.targets or target_names():
        with tempfile.TemporaryDirectory() as made:
            program, kept, known = Path(made, "program"), Path(made, "kept"), Path(made, "known")
            kept.mkdir()
            known.mkdir()
            for found, data in stored_inputs(name).items():
                (known / found).write_bytes(data)
            folders = [
                folder for folder in (known, FOUND / name / "corpus") if folder.is_dir() and any(folder.iterdir())
            ]
            if not folders:
                continue
            program.write_text(f'#!/bin/sh\nexec {sys.executable} -m fuzz.drivers.libfuzzer {name} "$@"\n')
            program.chmod(0o755)
            done = subprocess.run(
                [program, "-set_cover_merge=1", *LIMITS, kept, *folders],
                env=environment(instrumented=is_built()) | {PROGRAM: str(program)},
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                errors="replace",
            )
            if done.returncode:
                print(f"{name}: the corpus is unchanged, as libFuzzer failed\n{tail(done.stdout)}", file=sys.stderr)
                return 1
            store_inputs(name, {path.name[:16]: path.read_bytes() for path in kept.iterdir()})
        stored = stored_inputs(name)
        print(f"{name}: {len(stored)} inputs, {sum(map(len, stored.values())):,} bytes")
    return 0


if __name__ == "__main__":
    main()
