"""Calls of libraries that state too few types, from typed tests."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

Made = TypeVar("Made")


def untyped(callee: Callable[..., Made]) -> Callable[..., Made]:
    """A library's class or function that does not state all it takes; what it makes is known all the same."""
    return callee
