"""The application: routes, answers to errors, the page, and the guard around all of it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager
from typing import Any

from fastapi import APIRouter, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, JSONResponse, Response
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.staticfiles import StaticFiles

from mcts import PlayoutError

from ..ggp.compiler import Compiler
from ..standalone import PAGE
from ..system.untrusted import clean_line
from ..system.version import package_version
from .api import arena, catalogue, live, matches, moves, positions
from .matches.store import MatchStore
from .problems import Problem, problem_of
from .security.guard import Guard
from .service import Service, Settings
from .tournaments.tournaments import Tournaments

API = "/api/v1"


def create_app(settings: Settings) -> FastAPI:
    """Return the application of a server. Raises PlayoutError if a setting cannot be used."""
    caps = settings.caps
    with ExitStack() as opened:
        store = MatchStore(settings.matches)
        opened.callback(store.close)
        service = Service(settings, store, Compiler(caps.rules_memory_mb, caps.network_bytes))
        service.tournaments = Tournaments(settings.database, service.admission)
        opened.pop_all()  # the service closes it

    @asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        try:
            yield
        finally:
            await service.close()
            service.tournaments.close()

    app = FastAPI(
        title="Playout",
        version=package_version(),
        summary="Games, bots, matches and analysis.",
        openapi_url=f"{API}/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=life,
    )
    app.state.service = service
    routes = APIRouter(prefix=API)
    for part in (matches, live, positions, moves, catalogue, arena):  # the routes of most requests are tried first
        routes.include_router(part.router)
    app.include_router(routes)
    app.add_api_route("/", _index, include_in_schema=False)
    app.mount("/static", StaticFiles(directory=PAGE, check_dir=False), name="static")
    app.add_exception_handler(Problem, _on_problem)
    app.add_exception_handler(PlayoutError, _on_problem)
    app.add_exception_handler(RequestValidationError, _on_bad_request)
    app.add_exception_handler(HTTPException, _on_http_error)
    app.add_exception_handler(Exception, _on_failure)
    app.add_middleware(GZipMiddleware, minimum_size=1000, compresslevel=5)
    rules_bytes = caps.rules_bytes if service.takes_rules else caps.body_bytes
    app.add_middleware(
        Guard,
        hosts=settings.hosts,
        body_bytes=caps.body_bytes,
        larger={f"{API}/{one}": rules_bytes for one in ("games", "move")},
    )
    return app


async def _index() -> Response:
    page = PAGE / "index.html"
    if not page.is_file():
        raise Problem(404, "no_page", "this installation has no page; valid: /api/v1")
    return FileResponse(page, media_type="text/html; charset=utf-8", headers={"Cache-Control": "no-cache"})


async def _on_problem(request: Request, given: Any) -> Response:
    error = problem_of(given)
    headers = {} if error.retry_seconds is None else {"Retry-After": str(error.retry_seconds)}
    if error.status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    return JSONResponse(error.to_dict(), error.status, headers)


async def _on_bad_request(request: Request, error: Any) -> Response:
    """Answer a request whose parts have a wrong kind or range: 400 if it is not JSON, else 422."""
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"])
    status = 400 if first["type"] == "json_invalid" else 422
    message = clean_line(f"{where}: {first['msg']}", 500)
    return await _on_problem(request, Problem(status, "bad_request", message))


async def _on_http_error(request: Request, error: Any) -> Response:
    codes = {404: "not_found", 405: "wrong_method"}
    problem = Problem(error.status_code, codes.get(error.status_code, "refused"), clean_line(error.detail))
    return JSONResponse(problem.to_dict(), error.status_code, error.headers)


async def _on_failure(request: Request, error: Any) -> Response:
    """Answer an error of the server itself, without its text. Starlette logs it."""
    return await _on_problem(request, Problem(500, "failed", "the server failed; its log has more"))
