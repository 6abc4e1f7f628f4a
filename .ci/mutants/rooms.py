"""Copies of the checkout, each with an environment of its own, in which a fault is put in and the tests run."""

import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
FOLDER = ROOT / "build" / "mutants"
PACKAGES = ("cext", "mcts", "bots", "playout")
SITE = Path(sysconfig.get_paths()["purelib"]).relative_to(ROOT / ".venv")
COMPILE_SECONDS = 1200
UNSET = ("PYTHONPATH", "PYTHONDONTWRITEBYTECODE", "COVERAGE_PROCESS_CONFIG")


class Room:
    """One copy of the tracked files and of the build, with an environment.

    The environment has its own three packages. It takes all other packages from the environment of the checkout.
    """

    def __init__(self, name):
        self.path = FOLDER / name
        self.packages = self.path / ".venv" / SITE

    def make(self):
        """Copy everything. Takes some seconds."""
        shutil.rmtree(self.path, ignore_errors=True)
        listed = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=ROOT, capture_output=True, check=True, text=True,
        )  # fmt: skip
        names = [name for name in listed.stdout.split("\0") if name and (ROOT / name).exists()]
        names += [str(path.relative_to(ROOT)) for path in (ROOT / "cext").rglob("*.c")]
        for name in dict.fromkeys(names):
            copy(ROOT / name, self.path / name)
        for folder in (ROOT / "build").glob("lib*"), (ROOT / "build").glob("temp*"):
            for each in folder:
                shutil.copytree(each, self.path / "build" / each.name, copy_function=shutil.copy2)
        self.make_environment()

    def make_environment(self):
        """Make `.venv`, with the programs of the checkout's and three packages of its own."""
        environment = self.path / ".venv"
        venv.create(environment, symlinks=True, with_pip=False)
        (self.packages / "others.pth").write_text(f"import site; site.addsitedir({str(ROOT / '.venv' / SITE)!r})\n")
        for package in PACKAGES:
            shutil.copytree(ROOT / ".venv" / SITE / package, self.packages / package, copy_function=shutil.copy2)
        for program in (ROOT / ".venv" / "bin").iterdir():
            target = environment / "bin" / program.name
            if not target.exists() and program.read_bytes().startswith(b"#!"):
                target.write_text(program.read_text().replace(f"{ROOT}/.venv/", f"{environment}/"))
                target.chmod(0o755)

    @property
    def environ(self):
        """Environment variables of the tests."""
        variables = {key: value for key, value in os.environ.items() if key not in UNSET}
        path = os.pathsep.join([str(self.path / ".venv" / "bin"), os.environ["PATH"]])
        return {**variables, "PATH": path, "PYTHONSAFEPATH": "1", "PYTHONPATH": str(Path(__file__).parent)}

    def put(self, fault):
        """Put a fault into the copy. Return None, or the last lines of the compiler, which refuses it."""
        for path in (self.path / fault.path, self.packages / fault.path):
            path.write_text(fault.text, encoding="utf-8")
            shutil.rmtree(path.parent / "__pycache__", ignore_errors=True)
        return self.compile() if fault.is_compiled else None

    def take_back(self, fault):
        """Restore the files that a fault has changed."""
        source = ROOT / fault.path
        copy(source, self.path / fault.path)
        copy(source, self.packages / fault.path)
        shutil.rmtree((self.packages / fault.path).parent / "__pycache__", ignore_errors=True)
        if fault.is_compiled:
            installed = ROOT / ".venv" / SITE
            for folder, pattern in (("cext", "**/*.c"), ("build", "lib*/**/*.so"), ("build", "temp*/**/*.o")):
                copy_changed(ROOT / folder, self.path / folder, pattern)
            copy_changed(installed / "cext", self.packages / "cext", "**/*.so")

    def compile(self):
        """Compile what has changed, and install it. Return None or the last lines of the compiler."""
        done = subprocess.run(
            [sys.executable, "setup.py", "-q", "build_ext"], cwd=self.path, check=False, text=True, errors="replace",
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, timeout=COMPILE_SECONDS,
            env={**os.environ, "PYTHONSAFEPATH": ""},
        )  # fmt: skip
        if done.returncode:
            return done.stdout[-1500:]
        (built,) = (self.path / "build").glob("lib*")
        copy_changed(built / "cext", self.packages / "cext", "**/*.so")
        return None


def copy(source, target):
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy2(source, target)


def copy_changed(source, target, pattern):
    """Copy the files below a folder whose copies are missing or have another time or size."""
    for path in source.glob(pattern):
        old, new = target / path.relative_to(source), path.stat()
        if not old.exists() or (old.stat().st_size, old.stat().st_mtime_ns) != (new.st_size, new.st_mtime_ns):
            copy(path, old)
