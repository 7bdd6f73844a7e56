"""Questions that ask for the exception: the least supported option answers them."""

from __future__ import annotations

import re

_NEGATED = re.compile(
    r"\b(?:NOT|EXCEPT|LEAST)\b"
    r"|\b(?:except|excluding)\b(?:\s+for)?\s*[:?.]?\s*$"
    r"|\bexcept(?:\s+for)?\s*(?:which|what|one)?\s*[:?]"
    r"|\b(?:which|what)\b[^.?!]*\b(?:is|are|was|were|does|do|can|would|will|has|have)\s+not\b"
    r"|\b(?:which|what)\b[^.?!]*\b(?:isn't|aren't|doesn't|don't|cannot|can't|least\s+likely|never)\b"
    r"|\b(?:all|each)\b[^.?!]*\bexcept\b"
    r"|\bnot\s+(?:true|correct|a\s+feature|seen|used|associated|included)\b",
)


def is_negated(question: str) -> bool:
    """Tell whether a question asks which option is not so (not, except, least likely)."""
    return bool(_NEGATED.search(question) or _NEGATED.search(question[:1].lower() + question[1:]))
