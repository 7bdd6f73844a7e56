"""Numbers with their nouns, as people are told them."""

from __future__ import annotations


def counted(count: int, noun: str, several: str = "") -> str:
    """Return a number with its noun: 1 answer, 2 answers."""
    return f"{count:,} {noun if count == 1 else several or noun + 's'}"
