"""What a word may stand for: a relation or a type."""

from __future__ import annotations

import re
from dataclasses import dataclass

# What nouns for a doer end with: "publisher", "director", "librarian".
_AGENT = re.compile(r"\w{3,}(?:er|or|ist|ian|ar)s?$")


@dataclass(frozen=True, slots=True)
class RelationSense:
    """A relation that a word may stand for; `similarity` where meaning alone says so.

    `agentive`: the word is a noun for who does it ("publisher" of `published_by`).
    """

    relation: str
    similarity: float | None = None
    agentive: bool = False


@dataclass(frozen=True, slots=True)
class TypeSense:
    """A type that a word may stand for; `similarity` where meaning alone says so."""

    type: str
    similarity: float | None = None


def is_agent(word: str) -> bool:
    """Return whether a word has the form of a noun for who does something: "publisher"."""
    return bool(_AGENT.match(word))
