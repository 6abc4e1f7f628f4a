"""Files of solutions. A file is checked as a whole, and mapped into memory.

Numbers are little-endian. A file consists of

| bytes | content |
| --- | --- |
| 8 | `PLAYSOLN` |
| 4 | format version, uint32 |
| 4 | length of the header, uint32 |
| 32 | BLAKE2b of the header |
| given before | the header, JSON: see `header_of` |
| up to the next multiple of 64 | zeros |
| 8 * words * states | keys: uint64 [states, words], ascending, the last word most significant |
| 8 * states | values to the first player: float64 [states] |

The key of a state is taken from the bytes of its canonical, reduced form: the bits listed in `bits` as 8 * byte + bit,
the first one being the lowest of the first word. All other bits equal those of `base`. Keys and values depend only on
the game: two runs of the solver write identical files.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import logging
import os
import random
import re
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cext.arguments import shown
from cext.errors import StateError
from cext.exact.solved_states import SolvedStates, state_bytes
from cext.game.game import Game, State
from cext.matrix_game import matrix_game

from ..primitives.files import write_whole

MAGIC = b"PLAYSOLN"
FORMAT_VERSION = 1
"""Increased whenever the format or the results of the solver change."""
SUFFIX = ".solution"
_ALIGNMENT = 64
_DIGEST_BYTES = 32
_FIXED_BYTES = len(MAGIC) + 4 + 4 + _DIGEST_BYTES
_FINGERPRINT_GAMES = 32
_FINGERPRINT_STEPS = 64
_CHECKED_GAMES = 8
_SLACK = 1e-6
"""Accepted difference of a value and the value of its successors, as a share of the range of returns."""

log = logging.getLogger(__name__)


class SolutionFileError(Exception):
    """A file is damaged, of another format, or of another game."""


@dataclass(frozen=True)
class SolutionStatistics:
    """Counts and the error bound of a solved game; see the properties of `Solution`."""

    num_states: int
    num_saddle: int
    num_mixed: int
    max_error: float


def rules_fingerprint(game: Game) -> str:
    """Return a hash of the rules of a game and of its states in memory, from fixed random games."""
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
            if state.is_chance():
                digest.update(repr(state.chance_weights()).encode())
                state.apply_action(_random_outcome(state, rng))
                continue
            legal = [state.legal_actions(player) for player in range(game.num_players)]
            digest.update(repr(legal).encode())
            state.apply_actions([rng.choice(actions) for actions in legal])
    return digest.hexdigest()


def path_of(folder: Path, game: Game) -> Path:
    """Return the path of the solution of a game in a folder."""
    readable = re.sub(r"[^A-Za-z0-9]+", "-", game.spec).strip("-")[:80]
    return folder / f"{readable}-{hashlib.blake2b(game.spec.encode(), digest_size=4).hexdigest()}{SUFFIX}"


def header_of(game: Game, solved: SolvedStates, statistics: SolutionStatistics) -> dict[str, Any]:
    """Return the header of a file."""
    return {
        "game": game.spec,
        "rules": rules_fingerprint(game),
        "reduces": bool(solved.reduces),
        "base": solved.base.tobytes().hex(),
        "bits": [int(bit) for bit in solved.bits],
        "states": len(solved),
        "words": int(solved.keys.shape[1]),
        **asdict(statistics),
        "payload": _digest(solved.keys, solved.values),
    }


def _digest(keys: Any, values: Any) -> str:
    digest = hashlib.blake2b(digest_size=_DIGEST_BYTES)
    digest.update(keys.data)
    digest.update(values.data)
    return digest.hexdigest()


def write_solution(path: Path, game: Game, solved: SolvedStates, statistics: SolutionStatistics) -> None:
    """Write a file completely or not at all: under a temporary name, which is then changed.

    Raises:
        OSError: the file cannot be written.
    """
    header = json.dumps(header_of(game, solved, statistics), sort_keys=True, separators=(",", ":")).encode()
    head = MAGIC + FORMAT_VERSION.to_bytes(4, "little") + len(header).to_bytes(4, "little")
    head += hashlib.blake2b(header, digest_size=_DIGEST_BYTES).digest() + header
    head += bytes(-len(head) % _ALIGNMENT)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, head, solved.keys.data, solved.values.data, is_durable=True)
    if os.name == "posix":  # elsewhere a folder cannot be opened, and the system writes its entries by itself
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def read_solution(path: Path, game: Game) -> tuple[SolvedStates, SolutionStatistics]:
    """Check every byte of a file, and map it into memory.

    Raises:
        SolutionFileError: the file is damaged, of another format, or not of this game and its rules.
        OSError: the file cannot be read.
    """
    header, start = _read_header(path)
    try:
        return _read_body(path, game, header, start)
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise SolutionFileError(f"its header is invalid: {shown(error)}") from None


def _read_body(path: Path, game: Game, header: dict[str, Any], start: int) -> tuple[SolvedStates, SolutionStatistics]:
    """Read keys and values, checked against the header and the game. Raises SolutionFileError, OSError."""
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
    statistics = SolutionStatistics(
        _count(header, "num_states", states), _count(header, "num_saddle"), _count(header, "num_mixed"), max_error
    )
    if statistics.num_saddle + statistics.num_mixed > states:
        raise SolutionFileError("its header counts more stages than states")
    _check_play(game, solved)
    return solved, statistics


def _count(header: dict[str, Any], name: str, least: int = 0) -> int:
    """A number of the header. Raises SolutionFileError unless it is a whole one of at least `least`."""
    number = header[name]
    if type(number) is not int or number < least:
        raise SolutionFileError(f"its header has {name}={shown(number)}; valid: a whole number from {least}")
    return number


def _read_bits(given: Any) -> NDArray[np.int32]:
    """Return the bits of keys. Raise SolutionFileError unless they are ascending whole numbers."""
    if not isinstance(given, list) or not all(type(bit) is int and 0 <= bit < 2**31 for bit in given):
        raise SolutionFileError(f"its header has bits={shown(given)}; valid: a list of whole numbers")
    if any(later <= former for former, later in itertools.pairwise(given)):
        raise SolutionFileError("the bits of its keys do not ascend")
    return np.array(given, dtype=np.int32)


def _check_payload(game: Game, keys: Any, values: Any) -> None:
    """Raise SolutionFileError unless keys ascend and values are in the range of returns."""
    ascends = np.zeros(len(keys) - 1, dtype=bool)
    equal = np.ones(len(keys) - 1, dtype=bool)
    for word in range(keys.shape[1] - 1, -1, -1):
        ascends |= equal & (keys[:-1, word] < keys[1:, word])
        equal &= keys[:-1, word] == keys[1:, word]
    if not ascends.all():
        raise SolutionFileError("its keys do not ascend")
    # The value of a reduced state lacks a constant part of the returns, which may have either sign.
    span = game.max_utility - game.min_utility
    if (
        not np.isfinite(values).all()
        or values.min() < game.min_utility - span
        or values.max() > game.max_utility + span
    ):
        raise SolutionFileError("it has values out of the range of returns")


def _check_play(game: Game, solved: SolvedStates) -> None:
    """Raise SolutionFileError unless values in fixed random games agree with those of the successors."""
    slack = _SLACK * (game.max_utility - game.min_utility)
    rng = random.Random(1)
    for _ in range(_CHECKED_GAMES):
        state = game.new_initial_state()
        while True:
            try:
                value = solved.value(state)
                expected = _expected_value(solved, state)
            except StateError as error:
                raise SolutionFileError(f"it lacks states: {error}") from None
            if abs(value - expected) > slack:
                raise SolutionFileError(
                    f"its value of {state.to_dict()} is {value}, but its successors give {expected}"
                )
            if state.is_terminal():
                break
            if state.is_chance():
                state.apply_action(_random_outcome(state, rng))
                continue
            state.apply_actions([rng.choice(state.legal_actions(player)) for player in range(game.num_players)])


def _expected_value(solved: SolvedStates, state: State) -> float:
    """Return the value of a state to the first player from the values of its successors."""
    if state.is_terminal():
        return state.returns()[0]
    if state.is_chance():
        shares = [probability for _, probability in state.chance_outcomes()]
        return float(np.dot(shares, solved.payoffs(state)[:, 0]))
    return matrix_game(solved.payoffs(state))[0]


def _random_outcome(state: State, rng: random.Random) -> int:
    return rng.choice([outcome for outcome, _ in state.chance_weights()])


def _read_header(path: Path) -> tuple[dict[str, Any], int]:
    """Return the header of a file and the position of its keys. Raises SolutionFileError, OSError."""
    with path.open("rb") as file:
        fixed = file.read(_FIXED_BYTES)
        if len(fixed) < _FIXED_BYTES or not fixed.startswith(MAGIC):
            raise SolutionFileError("it is not a solution file")
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
    """Return the solution in a file, or None without a file. A refused file gives None and a logged warning."""
    try:
        return read_solution(path, game)
    except FileNotFoundError:
        return None
    except (SolutionFileError, OSError) as error:
        log.warning("%s is not used, and the game is solved again: %s", path, error)
        return None


def save_or_warn(path: Path, game: Game, solved: SolvedStates, statistics: SolutionStatistics) -> bool:
    """Write a file. Return True if it was written; otherwise log a warning."""
    try:
        write_solution(path, game, solved, statistics)
    except OSError as error:
        log.warning("the solution of %s is not kept: %s cannot be written: %s", game.spec, path, error)
        return False
    return True
