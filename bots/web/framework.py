"""The parts of FastAPI and pydantic that the routes use.

Neither can be imported in a browser, where `local` calls the routes. The classes at the end take their place there:
they note routes, check the kinds of values, and leave out ranges and lengths.
"""

from __future__ import annotations

import json
import sys
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

if sys.platform != "emscripten":
    from fastapi import APIRouter, Depends, Path, Query, Request, Response, WebSocket, WebSocketDisconnect
    from fastapi.responses import JSONResponse
    from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
    from pydantic import BaseModel, ConfigDict, Field, ValidationError
else:

    class _Given:
        def __init__(self, *given: Any, **named: Any) -> None:
            vars(self).update(named)

    class Depends:
        def __init__(self, dependency: Any) -> None:
            self.dependency = dependency

    class Request:
        pass

    class WebSocket:
        pass

    class WebSocketDisconnect(Exception):
        pass

    class HTTPAuthorizationCredentials(_Given):
        pass

    class HTTPBearer(_Given):
        async def __call__(self, request: Request) -> HTTPAuthorizationCredentials | None:
            scheme, _, token = request.headers.get("Authorization", "").partition(" ")
            return HTTPAuthorizationCredentials(scheme=scheme, credentials=token) if token else None

    class Response:
        def __init__(self, content: str, status_code: int = 200, **named: Any) -> None:
            self.status_code, self.body = status_code, content.encode()

    class JSONResponse(Response):
        def __init__(self, content: Any, status_code: int = 200) -> None:
            super().__init__(json.dumps(content), status_code)

    class APIRouter:
        def __init__(self, prefix: str = "", **named: Any) -> None:
            self.prefix = prefix
            self.routes: list[Any] = []

        def __getattr__(self, method: str) -> Any:
            def route(path: str, **named: Any) -> Any:
                def note(endpoint: Any) -> Any:
                    self.routes.append(_Given(path=self.prefix + path, methods={method.upper()}, endpoint=endpoint))
                    return endpoint

                return note

            return route

    class ValidationError(ValueError):
        def errors(self) -> list[dict[str, Any]]:
            return [{"loc": (), "msg": str(self)}]

    class BaseModel:
        def __init__(self, **given: Any) -> None:
            for name, kind in get_type_hints(type(self)).items():
                if name in given:
                    value = _checked(name, kind, given.pop(name))
                elif hasattr(type(self), name):
                    value = getattr(type(self), name)
                    value = value.default_factory() if isinstance(value, Field) else value
                else:
                    raise ValidationError(f"{name} is missing")
                setattr(self, name, value)
            if given:
                raise ValidationError(f"{next(iter(given))} is unknown")

        def model_dump(self) -> dict[str, Any]:
            return vars(self)

    Path = Query = Field = _Given
    ConfigDict = dict

    def _checked(name: str, kind: Any, value: Any) -> Any:
        """Return a value of a kind, with the models in it. Raises ValidationError."""
        origin, inner = get_origin(kind), get_args(kind)
        if origin in (Union, UnionType):
            for one in inner:
                try:
                    return _checked(name, one, value)
                except ValidationError:
                    continue
        elif isinstance(kind, type) and issubclass(kind, BaseModel) and isinstance(value, dict):
            return kind(**value)
        elif origin is dict and isinstance(value, dict):
            return {_checked(name, inner[0], key): _checked(name, inner[1], item) for key, item in value.items()}
        elif origin is list and isinstance(value, list):
            return [_checked(name, inner[0], item) for item in value]
        elif origin is tuple and isinstance(value, list) and len(value) == len(inner):
            return tuple(_checked(name, one, item) for one, item in zip(inner, value, strict=True))
        elif (
            kind is Any
            or type(value) in (kind, int if kind is float else kind)
            or (origin is Literal and value in inner)
        ):
            return value
        raise ValidationError(f"{name} has the wrong kind")


# fmt: off
__all__ = [
    "APIRouter", "BaseModel", "ConfigDict", "Depends", "Field", "HTTPAuthorizationCredentials", "HTTPBearer",
    "JSONResponse", "Path", "Query", "Request", "Response", "ValidationError", "WebSocket", "WebSocketDisconnect",
]
