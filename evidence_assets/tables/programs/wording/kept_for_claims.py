"""What is read of a claim, kept for the claims that were read last."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TypeVar

# A claim, its clauses, and each with and without the links that may be none; programs of all ask the same.
_KEPT_CLAIMS = 16
_Claim = TypeVar("_Claim")
_Made = TypeVar("_Made")


def kept_for_claims(make: Callable[[_Claim], _Made]) -> Callable[[_Claim], _Made]:
    """Return a function of a claim, or its tokens, that keeps its results for those last asked."""
    return lru_cache(maxsize=_KEPT_CLAIMS)(make)
