"""The targets, by scanning `fuzz/targets`, and the files that belong to each."""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from . import targets

FOLDER = Path(__file__).parent
CORPUS = FOLDER / "corpus"
"""Folder of the archives of stored inputs, one for each target that has some."""
TIMEOUT_SECONDS = 20
"""Longest time for one input, on a slow machine with the sanitizers."""
RSS_MB = 2048
MAX_BYTES = 8192
"""Longest input."""


@dataclass(frozen=True)
class Target:
    """A target: a function of bytes, and what helps to fuzz it."""

    name: str
    run: Callable[[bytes], None]
    purpose: str
    seeds: Sequence[bytes] = ()
    tokens: Sequence[str] = ()

    @property
    def corpus(self) -> list[bytes]:
        """The seeds, then the stored inputs by ascending name."""
        return [*self.seeds, *stored_inputs(self.name).values()]

    def dictionary(self) -> str:
        """Return the tokens in the format of libFuzzer."""
        lines = []
        for token in self.tokens:
            escaped = "".join(
                chr(byte) if 32 <= byte < 127 and byte not in b'"\\' else f"\\x{byte:02x}" for byte in token.encode()
            )
            lines.append(f'"{escaped}"\n')
        return "".join(lines)


def archive_of(name: str) -> Path:
    """Return the path of the archive of a target's stored inputs. It may not exist."""
    return CORPUS / f"{name}.zip"


def stored_inputs(name: str) -> dict[str, bytes]:
    """Return name -> content of the stored inputs of a target, by ascending name."""
    if not archive_of(name).exists():
        return {}
    with zipfile.ZipFile(archive_of(name)) as archive:
        return {found: archive.read(found) for found in sorted(archive.namelist())}


def store_inputs(name: str, inputs: Mapping[str, bytes]) -> None:
    """Replace the stored inputs of a target. Equal inputs give an equal archive."""
    with zipfile.ZipFile(archive_of(name), "w") as archive:
        for found in sorted(inputs):
            archive.writestr(zipfile.ZipInfo(found), inputs[found], zipfile.ZIP_DEFLATED, 9)


def target_names() -> list[str]:
    """Return the names of all targets, sorted. This imports none of them."""
    return sorted(found.name for found in pkgutil.iter_modules(targets.__path__))


def missing(name: str) -> str | None:
    """Return the module without which a target cannot run here, or None."""
    source = (FOLDER / "targets" / f"{name}.py").read_text()
    needed = next((line.split('"')[1] for line in source.splitlines() if line.startswith("NEEDS = ")), None)
    return needed if needed is not None and importlib.util.find_spec(needed) is None else None


def load_target(name: str) -> Target:
    """Return a target. Raises LookupError for an unknown name."""
    if name not in target_names():
        raise LookupError(f"unknown target {name!r}; valid: {', '.join(target_names())}")
    module = importlib.import_module(f"{targets.__name__}.{name}")
    purpose = (module.__doc__ or "").strip().splitlines()[0]
    return Target(name, module.target, purpose, getattr(module, "SEEDS", ()), getattr(module, "TOKENS", ()))
