"""What of a question's words an answer accounts for: each word with what it was bound to."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any


class Role(StrEnum):
    """What a span of a question is to its answer."""

    EVIDENCE = "evidence"
    """It names something of the evidence: a cell, a column, a node, a relation, a word of a sentence."""
    OPERATOR = "operator"
    """It asks for an operation that was carried out: a count, a comparison, a negation, a quantifier."""
    UNIT = "unit"
    """It is a unit or a scale that values were compared in."""
    SCOPE = "scope"
    """It restricts the answer to a time, a place or the subject of the source as a whole."""
    TYPE = "type"
    """It names the kind of thing that is asked for."""
    MEANING = "meaning"
    """It is bound by similarity of meaning alone, above a measured threshold."""
    EMPTY = "empty"
    """It is known to carry nothing."""
    UNACCOUNTED = "unaccounted"
    """Nothing accounts for it."""


@dataclass(frozen=True, slots=True)
class Binding:
    """A span of a question, in characters `[start, end)`, and what it was bound to.

    `target`: in readable form; empty where nothing is. `similarity`: of meaning, where that alone binds.
    """

    start: int
    end: int
    text: str
    role: Role
    target: str = ""
    similarity: float | None = None


@dataclass(frozen=True, slots=True)
class Accounting:
    """The bindings of a question's words, in the order of the question, without overlap."""

    bindings: tuple[Binding, ...]

    @property
    def unaccounted(self) -> tuple[str, ...]:
        """The spans that nothing accounts for."""
        return tuple(binding.text for binding in self.bindings if binding.role is Role.UNACCOUNTED)

    @property
    def share(self) -> float:
        """Share of the spans carrying something that are bound; 1 where none carries anything."""
        carrying = [binding.role for binding in self.bindings if binding.role is not Role.EMPTY]
        return 1.0 - carrying.count(Role.UNACCOUNTED) / len(carrying) if carrying else 1.0

    def rows(self) -> list[dict[str, Any]]:
        """Return the bindings as the column `bindings` of `predictions` holds them."""
        return [asdict(binding) for binding in self.bindings]
