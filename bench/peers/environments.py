"""Environments of the other packages, made on demand and kept in a folder."""

import hashlib
import shutil
import subprocess
import sys
from pathlib import Path

import platformdirs

DONE = "installed.txt"
INSTALL_SECONDS = 900


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
    python = home / "bin" / "python"
    if (home / DONE).exists() and python.exists():
        return python
    shutil.rmtree(home, ignore_errors=True)  # an installation that was interrupted
    run_or_refuse([sys.executable, "-m", "venv", str(home)])
    pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    run_or_refuse([*pip, *requirements])
    (home / DONE).write_text(text)
    return python


def run_or_refuse(command):
    """Run a command. Raises NoPeerError if it fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=INSTALL_SECONDS)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NoPeerError(f"{command[0]}: {error}") from None
    if done.returncode:
        reason = (done.stderr.strip() or done.stdout.strip()).splitlines()
        raise NoPeerError(f"{' '.join(command[1:])} failed: {reason[-1] if reason else 'no message'}")
