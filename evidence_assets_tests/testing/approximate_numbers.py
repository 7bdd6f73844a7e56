"""Numbers that are equal to what is near them, where they stand among other values."""

from __future__ import annotations

from typing import cast

import pytest


def approximately(number: float, absolute: float | None = None) -> float:
    """`pytest.approx` whose type is a number: a list that holds it is compared with a list of numbers."""
    return cast(float, pytest.approx(number, abs=absolute))
