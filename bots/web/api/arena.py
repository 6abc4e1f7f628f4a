"""Routes about the tournaments of a database."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path

from .common import ServiceArgument

router = APIRouter(prefix="/arena", tags=["tournaments"])


@router.get("/tournaments")
def tournaments(service: ServiceArgument) -> list[dict[str, Any]]:
    """Return the tournaments of the database of the server."""
    return service.tournaments.listed()


@router.get("/tournaments/{digest}")
def tournament(digest: Annotated[str, Path(max_length=200)], service: ServiceArgument) -> dict[str, Any]:
    """Return the ratings and results of a tournament so far."""
    return service.tournaments.report(digest)
