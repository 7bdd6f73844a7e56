"""Words of cells and headers that carry content, and those beside them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from evidence_assets.tables.programs.wording.words import Token, word_key
from evidence_assets.text.calendar_words import MONTH_NAMES

# The month of an ISO date, with its year or without.
_MONTH = re.compile(r"(?:\d{4}|-)-(0[1-9]|1[0-2])\b")


def content_keys(tokens: Iterable[Token]) -> tuple[str, ...]:
    """Return the keys that carry content, in order."""
    return tuple(token.key for token in tokens if not token.stop)


def opening_words(header: tuple[Token, ...]) -> tuple[str, ...]:
    """Return the words of a header before the first that carries content."""
    first = next((place for place, token in enumerate(header) if not token.stop), 0)
    return tuple(token.text for token in header[:first] if not token.mark)


def without_powers(header: tuple[Token, ...]) -> Iterator[Token]:
    """Yield a header's tokens but the powers of its units: the 2 of km²."""
    for token, before in zip(header, (None, *header), strict=False):
        joined = before is not None and before.end == token.start and before.number is None
        power = joined and before is not None and (before.text == "^" or not before.mark)
        if not (power and token.text in {"2", "3"}):
            yield token


def month_keys(iso_date: str) -> tuple[str, ...]:
    """Return the key of the month of an ISO date that tells one, however its cell writes it."""
    month = _MONTH.match(iso_date)
    return (word_key(MONTH_NAMES[int(month[1]) - 1]),) if month else ()
