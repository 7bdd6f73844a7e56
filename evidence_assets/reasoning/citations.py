"""Citations in a chain's text: written as [E1], [E2], …, and checked against what was given."""

from __future__ import annotations

import re
from collections.abc import Sequence

VALID = "valid"
_MARK = re.compile(r"\[E(\d+)\]")


def mark(number: int) -> str:
    """Return the citation mark of the evidence with this number (from 1)."""
    return f"[E{number}]"


def quoted(text: str) -> str:
    """Return a text that may be quoted in a chain: what looks like a citation mark in it is none."""
    return _MARK.sub(r"(E\1)", text)


def citation_status(text: str, cited: Sequence[str]) -> str:
    """Return `valid`, or what is wrong: nothing cited, a mark without evidence, evidence never marked."""
    numbers = {int(number) for number in _MARK.findall(text)}
    if not cited and not numbers:
        return "nothing cited"
    beyond = sorted(number for number in numbers if not 1 <= number <= len(cited))
    if beyond:
        return f"marks without evidence: {', '.join(mark(number) for number in beyond)}"
    unused = sorted(set(range(1, len(cited) + 1)) - numbers)
    if unused:
        return f"evidence never marked: {', '.join(mark(number) for number in unused)}"
    return VALID
