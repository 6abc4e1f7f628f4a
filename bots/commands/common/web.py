"""Commands that need the extra `web`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from mcts import ParameterError

_MODULES = ("fastapi", "uvicorn", "websockets", "pydantic", "starlette", "markdown_it")


@contextmanager
def needs_web(what: str) -> Iterator[None]:
    """Convert an import that fails during the block to a ParameterError that names the extra."""
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in _MODULES:
            raise
        raise ParameterError(f"{what} needs {error.name}: pip install 'playout[web]'") from None
