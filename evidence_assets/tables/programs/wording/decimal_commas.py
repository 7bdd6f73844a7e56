"""Numbers as tables with decimal commas tell them, 3,49 and 8.060,00, with a decimal point."""

from __future__ import annotations

import re

_NUMBER = re.compile(
    r"(?<![\w.,])(?:[1-9]\d{0,2}(?:\.\d{3})+(?:,\d+)?|\d+,(?:\d{1,2}|\d{4,}))(?!\d|[.,]\d)",
)
_SWAPPED = str.maketrans(",.", ".,")


def with_points(text: str) -> str:
    """Return a text of the same length whose numbers have a decimal point, and commas between thousands.

    A lone comma before three digits parts thousands in it already.
    """
    return _NUMBER.sub(lambda match: match[0].translate(_SWAPPED), text)
