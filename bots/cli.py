"""Entry point of the command `playout`.

This module imports next to nothing before `main` runs: Ctrl-C during the slow imports also ends with one line.
"""

from __future__ import annotations

import contextlib
import os
import sys

from .exit_status import FAILED, INTERRUPTED, USAGE_ERROR

_LONGEST_MESSAGE = 2000
_ASCII = {"\u00b1": "+-", "\u00d7": "x", "\u2026": "...", "\u2013": "-", "\u2212": "-", "\u2265": ">=", "\u2264": "<="}
"""Spellings for encodings that lack these characters."""


def main() -> None:
    """Run the command of `sys.argv` and exit with its status. Expected errors are one line on stderr."""
    try:
        _prepare_streams()
        status = _run(sys.argv[1:])
        sys.stdout.flush()
    except KeyboardInterrupt:
        _complain("interrupted")
        status = INTERRUPTED
    except BrokenPipeError:  # the reader of stdout has gone, as in `playout games | head`
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
    """The exit status of a command line."""
    for argument in arguments:
        if not _is_argument(argument):
            _complain(f"{argument!r} contains a character that no file name can have; valid: other text")
            return USAGE_ERROR
    if arguments == ["--version"]:  # without the imports of an option's parser: scripts ask for it
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
    """True where a shell could have given a text: it has no NUL, and the system's encoding has its characters."""
    try:
        return b"\0" not in os.fsencode(text)
    except UnicodeEncodeError:
        return False


def _complain(message: str) -> None:
    """Print an error as one line of printable characters, whatever bad value it quotes."""
    line = " ".join(message.split())
    line = "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in line)
    if len(line) > _LONGEST_MESSAGE:
        line = f"{line[:_LONGEST_MESSAGE]}... ({len(line):,} characters)"
    with contextlib.suppress(OSError):
        print(f"playout: {line}", file=sys.stderr, flush=True)


def _prepare_streams() -> None:
    """Make the standard streams usable: all there, and none that fails at a character outside its encoding."""
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
    """The name of an error handler that writes common characters in ASCII and others as escapes."""
    import codecs

    def replace(error: UnicodeError) -> tuple[str, int]:
        assert isinstance(error, UnicodeEncodeError)
        letters = error.object[error.start : error.end]
        return "".join(_ASCII.get(letter) or ascii(letter)[1:-1] for letter in letters), error.end

    codecs.register_error("playout.readable", replace)
    return "playout.readable"


def _discard_stdout() -> None:
    """Keep the interpreter from flushing what is left into a stream that cannot take it."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


if __name__ == "__main__":
    main()
