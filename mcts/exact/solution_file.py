"""Solutions on disk: one file each, mapped into memory when it is used, and believed only after it has been checked.

Numbers are little-endian. The file is

| bytes | what |
| --- | --- |
| 8 | `PLAYSOLN` |
| 4 | format version, uint32 |
| 4 | length of the header, uint32 |
| 32 | BLAKE2b of the header |
| as long as said | the header, JSON: see `header_of` |
| up to the next multiple of 64 | zeros |
| 8 * words * states | keys: uint64 [states, words], ascending, the last word counting most |
| 8 * states | values to the first player: float64 [states] |

A key is made of the bytes of a state, reduced and canonical: the bits that `bits` lists (8 * byte + bit), the first the
lowest of the first word. All other bits are those of `base`. Keys and values depend on the game alone: a game solved
twice gives the same file to the byte.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import logging
import os
import random
import re
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cext.arguments import shown
from cext.errors import StateError
from cext.exact.solved_states import SolvedStates, state_bytes
from cext.game import Game
from cext.matrix_game import matrix_game

MAGIC = b"PLAYSOLN"
FORMAT_VERSION = 1
"""Raised whenever the format changes, or what the solver finds."""
SUFFIX = ".solution"
_ALIGNMENT = 64
_DIGEST_BYTES = 32
_FIXED_BYTES = len(MAGIC) + 4 + 4 + _DIGEST_BYTES
_FINGERPRINT_GAMES = 32
_FINGERPRINT_STEPS = 64
_CHECKED_GAMES = 8
_SLACK = 1e-6
"""By how much a value may differ from what follows it, as a share of the range of returns: roundings of mixtures."""

log = logging.getLogger(__name__)


class SolutionFileError(Exception):
    """Why a file is not to be believed."""


@dataclass(frozen=True)
class SolutionStatistics:
    """What is known of a solved game besides its values."""

    num_states: int
    num_saddle: int
    num_mixed: int
    max_error: float


def rules_fingerprint(game: Game) -> str:
    """A hash of how a game plays and of how its states stand in memory, from fixed random games."""
    digest = hashlib.blake2b(game.spec.encode(), digest_size=16)
    rng = random.Random(1)
    for _ in range(_FINGERPRINT_GAMES):
        state = game.new_initial_state()
        for _ in range(_FINGERPRINT_STEPS):
            digest.update(state_bytes(state))
            digest.update(state_bytes(state.canonical()[0]))
            if state.is_terminal():
                digest.update(repr(state.returns()).encode())
                break
            legal = [state.legal_actions(player) for player in range(game.num_players)]
            digest.update(repr(legal).encode())
            state.apply_actions([rng.choice(actions) for actions in legal])
    return digest.hexdigest()


def path_of(folder: Path, game: Game) -> Path:
    """Where the solution of a game stands in a cache folder."""
    readable = re.sub(r"[^A-Za-z0-9]+", "-", game.spec).strip("-")[:80]
    return folder / f"{readable}-{hashlib.blake2b(game.spec.encode(), digest_size=4).hexdigest()}{SUFFIX}"


def header_of(game: Game, solved: SolvedStates, facts: SolutionStatistics) -> dict[str, Any]:
    """What stands in the header of a file."""
    return {
        "game": game.spec,
        "rules": rules_fingerprint(game),
        "reduces": bool(solved.reduces),
        "base": solved.base.tobytes().hex(),
        "bits": [int(bit) for bit in solved.bits],
        "states": len(solved),
        "words": int(solved.keys.shape[1]),
        "num_states": facts.num_states,
        "num_saddle": facts.num_saddle,
        "num_mixed": facts.num_mixed,
        "max_error": facts.max_error,
        "payload": _digest(solved.keys, solved.values),
    }


def _digest(keys: Any, values: Any) -> str:
    digest = hashlib.blake2b(digest_size=_DIGEST_BYTES)
    digest.update(keys.data)
    digest.update(values.data)
    return digest.hexdigest()


def write_solution(path: Path, game: Game, solved: SolvedStates, facts: SolutionStatistics) -> None:
    """Write a file, all of it or none: under another name first, then renamed.

    Raises:
        OSError: it cannot be written.
    """
    header = json.dumps(header_of(game, solved, facts), sort_keys=True, separators=(",", ":")).encode()
    head = MAGIC + FORMAT_VERSION.to_bytes(4, "little") + len(header).to_bytes(4, "little")
    head += hashlib.blake2b(header, digest_size=_DIGEST_BYTES).digest() + header
    head += bytes(-len(head) % _ALIGNMENT)
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(prefix=path.stem, suffix=".part", dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(head)
            file.write(solved.keys.data)
            file.write(solved.values.data)
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(0o644)
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def read_solution(path: Path, game: Game) -> tuple[SolvedStates, SolutionStatistics]:
    """Map a file into memory, after checking every byte of it.

    Raises:
        SolutionFileError: the file is damaged, of another format, or not of this game and these rules.
        OSError: it cannot be read.
    """
    header, start = _read_header(path)
    try:
        return _read_body(path, game, header, start)
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise SolutionFileError(f"its header makes no sense: {shown(error)}") from None


def _read_body(path: Path, game: Game, header: dict[str, Any], start: int) -> tuple[SolvedStates, SolutionStatistics]:
    """What follows a header, checked against it and the game. Raises SolutionFileError, OSError."""
    if header["game"] != game.spec:
        raise SolutionFileError(f"it is of {shown(header['game'])}")
    if header["rules"] != rules_fingerprint(game):
        raise SolutionFileError("it was made for other rules")
    states, words = _count(header, "states", 1), _count(header, "words", 1)
    size = 8 * states * (words + 1)
    if path.stat().st_size != start + size:
        raise SolutionFileError(f"it has {path.stat().st_size} bytes, not {start + size}")
    keys = np.memmap(path, "<u8", "r", start, (states, words))
    values = np.memmap(path, "<f8", "r", start + 8 * states * words, (states,))
    if _digest(keys, values) != header["payload"]:
        raise SolutionFileError("its checksum is wrong")
    _check_payload(game, keys, values)
    if not isinstance(header["reduces"], bool):
        raise SolutionFileError(f"its header has reduces={shown(header['reduces'])}; valid: true, false")
    base = np.frombuffer(bytes.fromhex(header["base"]), dtype=np.uint8)
    solved = SolvedStates(game, header["reduces"], base, _read_bits(header["bits"]), keys, values)
    max_error = header["max_error"]
    if type(max_error) not in (int, float) or not 0 <= max_error <= game.max_utility - game.min_utility:
        raise SolutionFileError(f"its header has max_error={shown(max_error)}")
    facts = SolutionStatistics(
        _count(header, "num_states", states), _count(header, "num_saddle"), _count(header, "num_mixed"), max_error
    )
    if facts.num_saddle + facts.num_mixed > states:
        raise SolutionFileError("its header counts more stages than states")
    _check_play(game, solved)
    return solved, facts


def _count(header: dict[str, Any], name: str, least: int = 0) -> int:
    """A number of the header. Raises SolutionFileError unless it is a whole one of at least `least`."""
    number = header[name]
    if type(number) is not int or number < least:
        raise SolutionFileError(f"its header has {name}={shown(number)}; valid: a whole number from {least}")
    return number


def _read_bits(given: Any) -> NDArray[np.int32]:
    """The numbers of the bits of keys. Raises SolutionFileError unless they are whole numbers that ascend."""
    if not isinstance(given, list) or not all(type(bit) is int and 0 <= bit < 2**31 for bit in given):
        raise SolutionFileError(f"its header has bits={shown(given)}; valid: a list of whole numbers")
    if any(later <= former for former, later in itertools.pairwise(given)):
        raise SolutionFileError("the bits of its keys do not ascend")
    return np.array(given, dtype=np.int32)


def _check_payload(game: Game, keys: Any, values: Any) -> None:
    """Raise SolutionFileError unless keys ascend, and values are returns that the game has."""
    ascends = np.zeros(len(keys) - 1, dtype=bool)
    equal = np.ones(len(keys) - 1, dtype=bool)
    for word in range(keys.shape[1] - 1, -1, -1):
        ascends |= equal & (keys[:-1, word] < keys[1:, word])
        equal &= keys[:-1, word] == keys[1:, word]
    if not ascends.all():
        raise SolutionFileError("its keys do not ascend")
    # Of a reduced state a constant part of the returns is left out, which may have either sign.
    span = game.max_utility - game.min_utility
    if (
        not np.isfinite(values).all()
        or values.min() < game.min_utility - span
        or values.max() > game.max_utility + span
    ):
        raise SolutionFileError("it has values that no play brings")


def _check_play(game: Game, solved: SolvedStates) -> None:
    """Raise SolutionFileError unless values of fixed random games agree with those of the states that follow."""
    slack = _SLACK * (game.max_utility - game.min_utility)
    rng = random.Random(1)
    for _ in range(_CHECKED_GAMES):
        state = game.new_initial_state()
        while True:
            try:
                value = solved.value(state)
                expected = state.returns()[0] if state.is_terminal() else matrix_game(solved.payoffs(state))[0]
            except StateError as error:
                raise SolutionFileError(f"it lacks states: {error}") from None
            if abs(value - expected) > slack:
                raise SolutionFileError(f"its value of {state.to_dict()} is {value}, but what follows says {expected}")
            if state.is_terminal():
                break
            state.apply_actions([rng.choice(state.legal_actions(player)) for player in range(game.num_players)])


def _read_header(path: Path) -> tuple[dict[str, Any], int]:
    """The header of a file, and where its keys begin. Raises SolutionFileError, OSError."""
    with path.open("rb") as file:
        fixed = file.read(_FIXED_BYTES)
        if len(fixed) < _FIXED_BYTES or not fixed.startswith(MAGIC):
            raise SolutionFileError("it is no solution")
        version = int.from_bytes(fixed[8:12], "little")
        if version != FORMAT_VERSION:
            raise SolutionFileError(f"it has version {version} of the format, not {FORMAT_VERSION}")
        length = int.from_bytes(fixed[12:16], "little")
        text = file.read(length)
    if hashlib.blake2b(text, digest_size=_DIGEST_BYTES).digest() != fixed[16:]:
        raise SolutionFileError("the checksum of its header is wrong")
    end = _FIXED_BYTES + length
    try:
        header = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise SolutionFileError(f"its header is not JSON: {shown(error)}") from None
    if not isinstance(header, dict):
        raise SolutionFileError(f"its header is not a JSON object but {shown(header)}")
    return header, end + -end % _ALIGNMENT


def load_or_none(path: Path, game: Game) -> tuple[SolvedStates, SolutionStatistics] | None:
    """The solution in a file; None where there is no file, or, with a warning in the log, one not to be believed."""
    try:
        return read_solution(path, game)
    except FileNotFoundError:
        return None
    except (SolutionFileError, OSError) as error:
        log.warning("%s is not used, and the game is solved again: %s", path, error)
        return None


def save_or_warn(path: Path, game: Game, solved: SolvedStates, facts: SolutionStatistics) -> bool:
    """Write a file; true where that went well, else there is a warning in the log."""
    try:
        write_solution(path, game, solved, facts)
    except OSError as error:
        log.warning("the solution of %s is not kept: %s cannot be written: %s", game.spec, path, error)
        return False
    return True
