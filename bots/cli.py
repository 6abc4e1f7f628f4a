"""Entry point of the command `playout`.

This module imports almost nothing before `main` runs, so that Ctrl-C during slow imports also prints one line.
"""

from __future__ import annotations

import contextlib
import os
import sys

from .system.exit_status import FAILED, INTERRUPTED, USAGE_ERROR

_LONGEST_MESSAGE = 2000
_ASCII = {"\u00b1": "+-", "\u00d7": "x", "\u2026": "...", "\u2013": "-", "\u2212": "-", "\u2265": ">=", "\u2264": "<="}
"""Replacements in encodings without these characters."""


def main() -> None:
    """Run the command in `sys.argv` and exit with its status. Expected errors print one line on stderr."""
    try:
        _prepare_streams()
        status = _run(sys.argv[1:])
        sys.stdout.flush()
    except KeyboardInterrupt:
        _complain("interrupted")
        status = INTERRUPTED
    except BrokenPipeError:  # the reader of stdout has closed it, as in `playout games | head`
        _discard_stdout()
        status = FAILED
    except OSError as error:
        where = "" if error.filename is None else f" {os.fsdecode(error.filename)!r}"
        _complain(f"cannot read or write{where}: {error.strerror or error}")
        _discard_stdout()
        status = FAILED
    except MemoryError:
        _complain("out of memory")
        status = FAILED
    sys.exit(status)


def _run(arguments: list[str]) -> int:
    """Run a command line and return its exit status."""
    for argument in arguments:
        if not _is_argument(argument):
            _complain(f"{argument!r} contains a character that is not allowed in arguments; valid: other text")
            return USAGE_ERROR
    if arguments == ["--version"]:  # fast, without importing the parser of options
        from importlib.metadata import version

        print(f"playout {version('playout')}")
        return 0
    from .commands.application import CommandError, run

    try:
        return run(arguments)
    except CommandError as error:
        _complain(str(error))
        return USAGE_ERROR


def _is_argument(text: str) -> bool:
    """Return True if a text can come from a shell: it has no NUL and fits the encoding of the system."""
    try:
        return b"\0" not in os.fsencode(text)
    except UnicodeEncodeError:
        return False


def _complain(message: str) -> None:
    """Print an error as one line of printable characters, even if it quotes a value with other characters."""
    line = " ".join(message.split())
    line = "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in line)
    if len(line) > _LONGEST_MESSAGE:
        line = f"{line[:_LONGEST_MESSAGE]}... ({len(line):,} characters)"
    with contextlib.suppress(OSError):
        print(f"playout: {line}", file=sys.stderr, flush=True)


def _prepare_streams() -> None:
    """Make the standard streams usable: open, and without errors for characters outside their encoding."""
    if sys.stdin is None:
        sys.stdin = open(os.devnull)  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115
    if sys.stdout is None:
        raise OSError("standard output is closed")
    for stream, errors in ((sys.stdin, "surrogateescape"), (sys.stdout, _readable_errors())):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors=errors)


def _readable_errors() -> str:
    """Register an error handler that writes common characters in ASCII and others as escapes; return its name."""
    import codecs

    def replace(error: UnicodeError) -> tuple[str, int]:
        assert isinstance(error, UnicodeEncodeError)
        letters = error.object[error.start : error.end]
        return "".join(_ASCII.get(letter) or ascii(letter)[1:-1] for letter in letters), error.end

    codecs.register_error("playout.readable", replace)
    return "playout.readable"


def _discard_stdout() -> None:
    """Redirect stdout to the null device, so that the interpreter's last flush cannot fail."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


if __name__ == "__main__":
    main()
