"""Trainings that end at a step as if they were killed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest


def killed_at(step: int, train: Callable[..., Any], *arguments: object, **settings: object) -> None:
    """Train until a step is done, and no further."""

    def kill(done: int, total: int) -> None:
        if done == step:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train(*arguments, progress=kill, **settings)
