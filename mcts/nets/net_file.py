"""Files of nets. A file is not trusted: it is checked as a whole before a number of it is used.

Numbers are little-endian. A file consists of

| bytes | content |
| --- | --- |
| 8 | `PLAYONET` |
| 4 | format version, uint32 |
| 4 | length of the spec, uint32 |
| 4 | number of inputs, uint32 |
| 4 | number of layers with the outputs, uint32 |
| 4 | number of actions of the policy, uint32; those of all players, or 0 without one |
| 4 * layers | units of each layer, the outputs last, uint32 |
| given before | spec of the game, UTF-8 |
| for each layer | biases: float32 [units]; weights: float32 [inputs, units] |
| with a policy | biases: float32 [actions]; weights: float32 [units of the last hidden layer, actions] |
| 32 | SHA-256 of everything before |
"""

from __future__ import annotations

import hashlib
import math
import struct
import sys
from array import array
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cext.arguments import counted, shown
from cext.nets.net import MOST_LAYERS, MOST_WEIGHTS, check_sizes

from ..errors import NetFileError
from ..primitives.failures import failures_named
from ..primitives.files import read_regular

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

    Layer = tuple[NDArray[float32], NDArray[float32]]
    Layers = tuple[Layer, ...]
    Numbers = tuple[memoryview[Any], memoryview[Any]] | Layer

MAGIC = b"PLAYONET"
FORMAT_VERSION = 3
SUFFIX = ".net"
MOST_SPEC_BYTES = 65536
MOST_BYTES = 4 * MOST_WEIGHTS + MOST_SPEC_BYTES + 65536
"""Size above which no file is read."""
_FIXED = struct.Struct("<8sIIIII")
_DIGEST_BYTES = 32


@dataclass(frozen=True)
class NetParts:
    """The content of a file.

    Attributes:
        spec: of the game that the net is for.
        layers: (biases float32 [units], weights float32 [inputs, units]) of each layer, the outputs last; read-only.
        policy: (biases float32 [actions], weights float32 [units of the last hidden layer, actions]), or None.
    """

    spec: str
    layers: tuple[Numbers, ...]
    policy: Numbers | None = None


def to_bytes(parts: NetParts) -> bytes:
    """Return the content of a file."""
    import numpy as np

    spec = parts.spec.encode()
    widths = [len(biases) for biases, _ in parts.layers]
    if len(spec) > MOST_SPEC_BYTES:
        raise ValueError(f"the spec of the game has {len(spec)} bytes; valid: up to {MOST_SPEC_BYTES}")
    policy = () if parts.policy is None else (parts.policy,)
    actions = len(policy[0][0]) if policy else 0
    chunks = [_FIXED.pack(MAGIC, FORMAT_VERSION, len(spec), len(parts.layers[0][1]), len(widths), actions)]
    chunks += [struct.pack(f"<{len(widths)}I", *widths), spec]
    for layer in (*parts.layers, *policy):
        chunks += [np.ascontiguousarray(numbers, dtype="<f4").tobytes() for numbers in layer]
    content = b"".join(chunks)
    return content + hashlib.sha256(content).digest()


def from_bytes(data: bytes, name: str = "the file") -> NetParts:
    """Read the content of a file.

    Args:
        data: the content.
        name: of the file, for messages.

    Raises:
        NetFileError: the content is damaged, of another format, or out of range.
    """
    if len(data) < _FIXED.size + _DIGEST_BYTES or not data.startswith(MAGIC):
        raise NetFileError(f"{name} is not a net: it does not begin with {MAGIC.decode()}, or is too short")
    _, version, spec_bytes, num_inputs, num_layers, actions = _FIXED.unpack_from(data)
    if version != FORMAT_VERSION:
        raise NetFileError(f"{name} has format version {version}; valid: {FORMAT_VERSION}")
    if hashlib.sha256(data[:-_DIGEST_BYTES]).digest() != data[-_DIGEST_BYTES:]:
        raise NetFileError(f"{name} is damaged: its checksum is wrong")
    if spec_bytes > MOST_SPEC_BYTES or not 2 <= num_layers <= MOST_LAYERS:
        raise NetFileError(
            f"{name} has a spec of {spec_bytes} bytes and {counted(num_layers, 'layer')}; "
            f"valid: up to {MOST_SPEC_BYTES}, 2 to {MOST_LAYERS}"
        )
    at = _FIXED.size
    end = at + 4 * num_layers + spec_bytes
    if len(data) < end + _DIGEST_BYTES:
        raise NetFileError(f"{name} is too short for its sizes")
    widths = struct.unpack_from(f"<{num_layers}I", data, at)
    with failures_named(f"{name} is not a valid net", NetFileError, ValueError):  # also UnicodeDecodeError
        weights = check_sizes(num_inputs, widths, actions)
        spec = spec_of(data)
    if len(data) != end + 4 * weights + _DIGEST_BYTES:
        raise NetFileError(f"{name} has {len(data)} bytes; valid for its sizes: {end + 4 * weights + _DIGEST_BYTES}")
    numbers = array("f", data[end : end + 4 * weights])
    if sys.byteorder == "big":
        numbers.byteswap()
    if not math.isfinite(sum(numbers)):  # of less than 2**64 numbers of this size, each finite, it is finite
        raise NetFileError(f"{name} has weights that are not finite numbers")
    view, at = memoryview(numbers).toreadonly(), 0
    layers: list[tuple[memoryview[Any], memoryview[Any]]] = []
    for inputs, width in [*pairwise((num_inputs, *widths)), *([(widths[-2], actions)] if actions else [])]:
        biases, at = view[at : at + width], at + width
        layers.append((biases, view[at : at + inputs * width].cast("B").cast("f", (inputs, width))))
        at += inputs * width
    policy = layers.pop() if actions else None
    return NetParts(spec, tuple(layers), policy)


def spec_of(head: bytes) -> str:
    """Return the spec of the game of a net, from the beginning of a file whose sizes are right."""
    _, _, spec_bytes, _, num_layers, _ = _FIXED.unpack_from(head)
    begin = _FIXED.size + 4 * num_layers
    return head[begin : begin + spec_bytes].decode()


def read_file(path: Path) -> bytes:
    """Return the content of a file that may be a net. Raises NetFileError."""
    with failures_named(f"the net {shown(str(path))} cannot be read", NetFileError, OSError, ValueError):
        return read_regular(path, MOST_BYTES)
