"""`Compiler`: rulesheets compiled in a process of its own, within limits of memory and time.

A rulesheet of a stranger is read by nobody but that process, which can be ended at any time. Its answer is plain data
of a bounded size, with no pickle in it, and the game checks every number of the network. So whatever a rulesheet does
to the compiler, this process gets a network or a message. To compile it again here would give that up.
"""

from __future__ import annotations

import json
import struct
import subprocess
import sys
import threading
from array import array
from contextlib import suppress
from dataclasses import fields
from typing import IO, Any

from mcts.errors import GameLoadError
from mcts.gdl.game import load_network
from mcts.gdl.network import Network

from ..system.features import IS_LINUX, IS_POSIX, KILL
from ..system.process_tree import die_with_parent
from ..system.untrusted import clean_line

LONGEST_SECONDS = 600
"""Time in which any rulesheet must be compiled."""
_GRACE_SECONDS = 3.0
"""Further time in which the process itself may say that it has used up its time."""
_MESSAGE = 1000
_LENGTH = struct.Struct("!q")
_TYPES = {"initial": "B", "gate_starts": "i", "edges": "i", "legal": "i", "following": "i"}
"""Type of the numbers of each array of a network."""


class Compiler:
    """A process that compiles one rulesheet after the other. When it has failed, the next call starts another one.

    Args:
        memory_mb: memory that a compilation may take, on Linux; None for any.
        most_bytes: size of the largest network as data; None for any.
    """

    def __init__(self, memory_mb: int | None = None, most_bytes: int | None = None) -> None:
        self._most_bytes = most_bytes
        self._command = [sys.executable, "-P", "-m", __name__, str(memory_mb or 0)]
        self._process: subprocess.Popen[bytes] | None = None
        self._is_wanted = True

    def start(self) -> subprocess.Popen[bytes]:
        """Start the process, unless it runs, and return it. Raises GameLoadError after `end`."""
        process = self._process
        if process is None or process.poll() is not None:
            if not self._is_wanted:
                raise GameLoadError("the rules are given up: they are not wanted")
            process = self._process = subprocess.Popen(
                self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
            )
        return process

    def compile(self, rules: str, seconds: int = LONGEST_SECONDS) -> Network:
        """Return the network of a rulesheet.

        Args:
            rules: the rulesheet.
            seconds: time in which it must be compiled. A process that does not stop by itself is ended.

        Raises:
            GameLoadError: the rulesheet is refused, its network is too large, or the process has ended.
        """
        process = self.start()
        assert process.stdin is not None
        assert process.stdout is not None
        timer = threading.Timer(seconds + _GRACE_SECONDS, process.kill)
        timer.daemon = True
        timer.start()
        answer = None
        try:
            with suppress(OSError, ValueError):  # ValueError: the pipe is closed
                _write(process.stdin, seconds.to_bytes(4, "big") + rules.encode("utf-8", "surrogatepass"))
                answer = _read(process.stdout, self._most_bytes)
        except GameLoadError:
            _end(process)  # the rest of the answer is in the pipe
            raise
        finally:
            timer.cancel()
        if answer is None:
            _end(process)
            raise GameLoadError("the rules are given up: they took too long, too much memory, or were not wanted")
        try:
            found = _read_answer(answer)
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            raise GameLoadError("the rules are given up: their network cannot be read") from None
        if isinstance(found, str):
            raise GameLoadError(clean_line(found, _MESSAGE))
        return found

    def end(self) -> None:
        """End the process at once. A call of `compile` in another thread raises GameLoadError."""
        self._is_wanted = False
        if self._process is not None:
            _end(self._process)


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with suppress(OSError):
                pipe.close()


def _answer_of(found: Network | str) -> bytes:
    """Return a network, or a message, as a line of JSON and the bytes of the arrays."""
    if isinstance(found, str):
        return json.dumps({"refused": found}).encode()
    parts = {field.name: getattr(found, field.name) for field in fields(Network)}
    arrays = {name: parts.pop(name) for name in _TYPES}
    symmetries = parts.pop("symmetries")
    lengths = {name: len(part) for name, part in arrays.items()}
    head = {"lengths": lengths, "symmetries": [len(symmetries), len(symmetries[0])], "rest": parts}
    data = b"".join(part.tobytes() for part in (*arrays.values(), *symmetries))
    return b"\n".join([json.dumps(head).encode(), data])


def _read_answer(answer: bytes) -> Network | str:
    """Return what `_answer_of` wrote. Raises ValueError, TypeError, KeyError or AttributeError for anything else."""
    head, _, data = answer.partition(b"\n")
    given = json.loads(head)
    if "refused" in given:
        return str(given["refused"])
    place = 0

    def read(kind: str, length: Any) -> array[int]:
        nonlocal place
        if type(length) is not int or not 0 <= length <= len(data) - place:
            raise ValueError(f"an array of {length} numbers")
        found = array(kind)
        end = place + length * found.itemsize
        found.frombytes(data[place:end])
        if len(found) != length:
            raise ValueError(f"{len(found)} numbers of an array of {length}")
        place = end
        return found

    arrays: dict[str, Any] = {name: read(kind, given["lengths"][name]) for name, kind in _TYPES.items()}
    count, size = given["symmetries"]
    symmetries = tuple(read("i", size) for _ in range(min(count, len(data))))
    return Network(**arrays, symmetries=symmetries, **{name: _as_tuple(part) for name, part in given["rest"].items()})


def _as_tuple(part: Any) -> Any:
    return tuple(map(_as_tuple, part)) if isinstance(part, list) else part


def _write(stream: IO[bytes], data: bytes) -> None:
    stream.write(_LENGTH.pack(len(data)) + data)
    stream.flush()


def _read(stream: IO[bytes], most_bytes: int | None = None) -> bytes | None:
    """Return what `_write` wrote; None at the end of the stream.

    Raises:
        GameLoadError: it has more bytes than allowed; they are left in the stream.
    """
    head = stream.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    size = _LENGTH.unpack(head)[0]
    if most_bytes is not None and size > most_bytes:
        raise GameLoadError(f"the network of the rules has {size:,} bytes; valid: up to {most_bytes:,}")
    data = stream.read(size)
    return data if len(data) == size else None


def _limit_memory(memory_mb: int) -> None:
    """Limit what this process may take in addition to what it has. Only Linux keeps such a limit."""
    if not IS_LINUX:
        return
    import resource

    with open("/proc/self/statm", encoding="ascii") as file:
        pages = int(file.read().split()[0])
    most = pages * resource.getpagesize() + (memory_mb << 20)
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


def _compiled(rules: str, seconds: int, memory_mb: int) -> bytes:
    """Return the answer about a rulesheet."""
    try:
        return _answer_of(load_network(rules, seconds))
    except GameLoadError as error:
        return _answer_of(str(error))
    except MemoryError:
        return _answer_of(f"the rules need more than {memory_mb} MB to be compiled")
    except RecursionError:
        return _answer_of("the rules are nested too deeply")
    finally:
        load_network.cache_clear()


def _serve(memory_mb: int) -> None:
    """Read rulesheets from stdin, and write their networks, or the reasons why they have none, to stdout."""
    die_with_parent(KILL)
    if IS_POSIX:
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if memory_mb:
        _limit_memory(memory_mb)
    while (request := _read(sys.stdin.buffer)) is not None:
        rules = request[4:].decode("utf-8", "replace")
        _write(sys.stdout.buffer, _compiled(rules, int.from_bytes(request[:4], "big"), memory_mb))


if __name__ == "__main__":
    _serve(int(sys.argv[1]))
