"""The words of a question, each with what binds it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evidence_assets.evidence.accounting import Accounting, Binding, Role
from evidence_assets.kgqa.slots.slots import relation_of
from evidence_assets.reading.accounting import spans


@dataclass(frozen=True, slots=True)
class Word:
    """A word with its place in the question, and the binding that it is a part of."""

    text: str
    start: int
    end: int
    binding: Binding

    @property
    def lowered(self) -> str:
        """The word in small letters."""
        return self.text.lower()

    @property
    def named(self) -> bool:
        """Whether it is of a name of the graph."""
        return self.binding.target.startswith("node ")

    @property
    def relation(self) -> str:
        """The relation that it is bound to; "" for none."""
        return relation_of(self.binding)

    @property
    def says_relation(self) -> bool:
        """Whether it says a relation by its own words."""
        return self.binding.role is Role.EVIDENCE and bool(self.relation)

    @property
    def guesses_relation(self) -> bool:
        """Whether it is read as a relation that has none of its words."""
        return self.binding.role is Role.MEANING and bool(self.relation)


def threes(bindings: Sequence[Binding]) -> Iterator[tuple[Binding, Binding, Binding]]:
    """Yield every three bindings that stand one behind the other."""
    return zip(bindings, bindings[1:], bindings[2:], strict=False)


def words_of(accounting: Accounting) -> list[Word]:
    """Return the words of an accounting, in the question's order."""
    return [
        Word(binding.text[start:end], binding.start + start, binding.start + end, binding)
        for binding in accounting.bindings
        for start, end in spans(binding.text)
    ]
