"""Environments of the other packages, made on demand and kept in a folder."""

import hashlib
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import platformdirs

DONE = "installed.txt"
INSTALL_SECONDS = 900
PYTHON = Path("bin", "python")


class NoPeerError(Exception):
    """A package cannot be installed or measured. The message has the reason."""


def default_folder():
    """Return the folder of environments in the cache of the user."""
    return Path(platformdirs.user_cache_dir("playout")) / "bench_peers"


def interpreter_with(requirements, folder):
    """Install requirements into an environment of their own and return its interpreter.

    Args:
        requirements: as for pip.
        folder: folder of all environments.

    Raises:
        NoPeerError: something cannot be installed.
    """
    text = "\n".join([sys.version, *requirements])
    home = Path(folder).absolute() / f"{requirements[0].split('=')[0]}-{hashlib.sha256(text.encode()).hexdigest()[:12]}"
    if not (home / DONE).exists():
        home.parent.mkdir(parents=True, exist_ok=True)
        # Another process may make the same environment, and either may be interrupted: only finished ones get the name.
        with tempfile.TemporaryDirectory(dir=home.parent) as temporary:
            made = Path(temporary) / home.name
            run_or_refuse([sys.executable, "-m", "venv", str(made)])
            pip = [str(made / PYTHON), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
            run_or_refuse([*pip, *requirements])
            (made / DONE).write_text(text)
            if not (home / DONE).exists():
                shutil.rmtree(home, ignore_errors=True)
            try:
                made.rename(home)
            except OSError as error:
                if not (home / DONE).exists():
                    raise NoPeerError(f"{made} cannot be moved to {home}: {error.strerror}") from None
    return home / PYTHON


def run_or_refuse(command):
    """Run a command. Raises NoPeerError if it fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=INSTALL_SECONDS)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NoPeerError(f"{command[0]}: {error}") from None
    if done.returncode:
        reason = (done.stderr.strip() or done.stdout.strip()).splitlines()
        raise NoPeerError(f"{' '.join(command[1:])} failed: {reason[-1] if reason else 'no message'}")
