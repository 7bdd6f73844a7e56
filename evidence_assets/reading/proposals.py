"""What a language model proposes in a formal language: schemas of its expressions, samples, accounting, rank.

Several expressions are drawn for a question, held to a JSON schema, and executed. The best accounts for most
of the question's words, and comes to what most others come to.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from evidence_assets.evidence.accounting import Accounting, Binding, Role
from evidence_assets.models.generation.protocol import Sampling
from evidence_assets.reading.accounting import account

# One expression as the model holds it likeliest, and others drawn by seeds of their own.
SAMPLES = 5
_TEMPERATURE, _LONGEST, _SEED = 0.8, 256, 2026

JsonSchema = dict[str, Any]
Expression = TypeVar("Expression", bound=Hashable)
Result = TypeVar("Result")
Outcome = TypeVar("Outcome", bound=Hashable)


def samplings() -> list[Sampling]:
    """Return how each sample is drawn: the first greedily."""
    drawn = (Sampling(_LONGEST, _TEMPERATURE, seed=_SEED + place) for place in range(1, SAMPLES))
    return [Sampling(_LONGEST), *drawn]


def one_of(names: Iterable[object]) -> JsonSchema:
    """Return the schema of a text that is one of these names."""
    return {"type": "string", "enum": [str(name) for name in names]}


def object_of(**properties: JsonSchema) -> JsonSchema:
    """Return the schema of an object with exactly these properties."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def kind_of(kind: str, /, **properties: JsonSchema) -> JsonSchema:
    """Return the schema of an expression of one kind."""
    return object_of(kind={"const": kind}, **properties)


def alternatives(definitions: Mapping[str, Sequence[JsonSchema]]) -> JsonSchema:
    """Return the definitions of a schema, each any of its kinds.

    Each may refer to those before it alone, so that every expression has an end.
    """
    return {name: {"anyOf": list(kinds)} for name, kinds in definitions.items()}


def pair_of(part: JsonSchema) -> JsonSchema:
    """Return the schema of two expressions."""
    return {"type": "array", "items": part, "minItems": 2, "maxItems": 2}


def leaves(value: Any, field: str = "") -> Iterator[tuple[str, str]]:
    """Yield the texts, numbers and flags of an expression as JSON, each with its field."""
    if isinstance(value, Mapping):
        for name, part in value.items():
            yield from leaves(part, name)
    elif isinstance(value, list):
        for part in value:
            yield from leaves(part, field)
    elif isinstance(value, bool):
        yield field, field if value else f"not {field}"
    else:
        yield field, value if isinstance(value, str) else f"{value:g}"


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a question: its characters, the form by which words are equal, whether it carries content."""

    start: int
    end: int
    key: str
    carries: bool


def account_for(
    question: str,
    words: Iterable[Word],
    named: Mapping[str, tuple[Role, str]],
    operators: Mapping[str, str],
    empty: Collection[str] = frozenset(),
) -> Accounting:
    """Return every word of a question with what an expression binds it to.

    Args:
        question: The question or claim.
        words: Its words.
        named: What the expression names, by the forms of its words.
        operators: What the expression does, by the lower-case words that call for it.
        empty: See `reading.accounting.account`.
    """
    bindings = []
    for word in words:
        text = question[word.start : word.end]
        if word.carries and word.key in named:
            bindings.append(Binding(word.start, word.end, text, *named[word.key]))
        elif text.lower() in operators:
            bindings.append(Binding(word.start, word.end, text, Role.OPERATOR, operators[text.lower()]))
    return account(question, bindings, empty)


@dataclass(frozen=True, slots=True)
class Proposal(Generic[Expression, Result, Outcome]):
    """A proposed expression that was executed, and its result.

    `outcome`: what the result comes to, equal for those that agree. `request_hash`: of the request that it
    answers. `agreement`: the share of a question's executed expressions that come to the same.
    """

    expression: Expression
    result: Result
    outcome: Outcome
    accounting: Accounting
    request_hash: str | None
    agreement: float = 0.0

    @property
    def score(self) -> float:
        """The share of the question accounted for, times agreement."""
        return round(self.accounting.share * self.agreement, 6)

    @property
    def parts(self) -> dict[str, float]:
        """What the score is made of, by name."""
        return {"accounted": self.accounting.share, "agreement": self.agreement}


def ranked(
    executed: Sequence[Proposal[Expression, Result, Outcome]],
) -> list[Proposal[Expression, Result, Outcome]]:
    """Return a question's proposals with their agreement, the best first; equal expressions once.

    Of equally good ones the first drawn is first.
    """
    outcomes = [proposal.outcome for proposal in executed]
    distinct: dict[Expression, Proposal[Expression, Result, Outcome]] = {}
    for proposal in executed:
        share = outcomes.count(proposal.outcome) / len(outcomes)
        distinct.setdefault(proposal.expression, replace(proposal, agreement=share))
    return sorted(distinct.values(), key=lambda proposal: -proposal.score)
