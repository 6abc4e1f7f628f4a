"""Solution files taken apart, and written with right checksums whatever they contain."""

import hashlib
import json

import numpy as np

from mcts.exact import solution_file

DELETE = "delete this key"


def parts_of(path):
    """Return the header, keys and values of a right file."""
    data = path.read_bytes()
    length = int.from_bytes(data[12:16], "little")
    header = json.loads(data[48 : 48 + length])
    start = 48 + length + -(48 + length) % 64
    keys = np.frombuffer(data, "<u8", header["states"] * header["words"], start)
    values = np.frombuffer(data, "<f8", header["states"], start + 8 * len(keys))
    return header, keys.reshape(header["states"], header["words"]), values


def write(path, header, keys, values):
    """Write a file whose checksums are right; a header that is bytes stays as it is."""
    if isinstance(header, dict):
        payload = hashlib.blake2b(digest_size=32)
        payload.update(np.ascontiguousarray(keys).data)
        payload.update(np.ascontiguousarray(values).data)
        header = {"payload": payload.hexdigest(), **{key: value for key, value in header.items() if key != "payload"}}
        header = json.dumps({key: value for key, value in header.items() if value != DELETE}).encode()
    head = solution_file.MAGIC + solution_file.FORMAT_VERSION.to_bytes(4, "little") + len(header).to_bytes(4, "little")
    head += hashlib.blake2b(header, digest_size=32).digest() + header
    path.write_bytes(head + bytes(-len(head) % 64) + keys.tobytes() + values.tobytes())
    return path
