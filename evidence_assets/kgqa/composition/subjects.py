"""What a yes-no question says of the thing that it begins with: of what kind it is, who it is, what it does.

"Is Ruth Ames a locomotive" asks nothing of the locomotives that she repairs, and what Harlow Works builds is
not what "does Harlow Works run on diesel" is about.
"""

from __future__ import annotations

from collections.abc import Iterator

from evidence_assets.evidence.accounting import Role
from evidence_assets.kgqa.queries.algebra import (
    Difference,
    Expression,
    Extreme,
    Filtered,
    Intersection,
    Named,
    Reached,
    Union,
)
from evidence_assets.kgqa.slots.expressions import names_among, type_of
from evidence_assets.kgqa.slots.slots import ANYTHING, Chart, Kind, Part, Slots
from evidence_assets.kgqa.words.word_classes import ARTICLES, ASKS_OF_BEING, DO


def subjects_of(slots: Slots) -> list[Part]:
    """Return the names that a yes-no question may begin with, of which something is said; else none."""
    begins = {*slots.gaps[0]} - ARTICLES
    if not slots.yes_or_no or len(slots.slots) < 2 or not begins or not begins <= ASKS_OF_BEING | DO:
        return []
    names = [part for part in slots.slots[0].parts if isinstance(part.expression, Named)]
    return [] if "s" in slots.gaps[1] else names


def is_of_kind(slots: Slots) -> bool:
    """Return whether it is asked whether the thing is one of a kind: "is Leeds a town"."""
    return is_something(slots) and slots.gaps[1][:1] in (("a",), ("an",), ("the",))


def of_kind(slots: Slots, chart: Chart) -> Iterator[tuple[Part, Part]]:
    """Yield the thing and the sets of a kind that it may be one of, whether or not its type is another."""
    for right in chart[1, len(slots.slots)]:
        # No thing is another that is named.
        is_kind = type_of(right.expression) and not names_among(right.expression)
        if right.kind is Kind.SET and not right.negated and is_kind:
            for subject in subjects_of(slots):
                yield subject, right


def identified(slots: Slots) -> tuple[Part, Part] | None:
    """Return two names of which it is asked whether they are one thing: "is Leeds York"; None for others.

    In small letters a name may be an adjective: "is Merlin electric".
    """
    if len(slots.slots) != 2 or slots.gaps[1] or slots.gaps[2] or ASKS_OF_BEING.isdisjoint(slots.gaps[0]):
        return None
    seconds = (part for part in slots.slots[1].parts if isinstance(part.expression, Named))
    second = next((part for part in seconds if _is_proper(part)), None)
    return (subjects_of(slots)[0], second) if second is not None else None


def _is_proper(part: Part) -> bool:
    """Return whether a part is a name as the graph has it, in capitals: "French" is none of France."""
    text = part.bindings[0].text
    return isinstance(part.expression, Named) and text == part.expression.text and text[:1].isupper()


def is_something(slots: Slots) -> bool:
    """Return whether it is asked what the thing is, or is by somebody: "is Leeds", "was Leeds"."""
    return not ASKS_OF_BEING.isdisjoint(slots.gaps[0])


def does_it(slots: Slots) -> bool:
    """Return whether a verb of the graph follows the thing, which so does it or has it done."""
    return not is_of_kind(slots) and any(
        part.kind is Kind.STEP and part.bindings[0].role is Role.EVIDENCE for part in slots.slots[1].parts
    )


def is_direct(expression: Expression, subject: Named) -> bool:
    """Return whether a set is of the thing itself, as far as conditions let it be."""
    match expression:
        case Intersection(parts):
            return subject in parts
        case Difference(of) | Filtered(of) | Extreme(of):
            return is_direct(of, subject)
    return expression == subject


def leads_on(expression: Expression, subject: Named, said: frozenset[str]) -> bool:
    """Return whether a set is of what the thing leads to by a relation that no word says.

    So is what a relation that is said leads to, of which then only something else is told.
    """
    match expression:
        case Intersection(parts) if subject in parts and any(_strays(part, said) for part in parts):
            return True
        case Intersection(parts) | Union(parts):
            return any(leads_on(part, subject, said) for part in parts)
        case Reached(relation, _, of):
            return (of == subject and relation not in said) or leads_on(of, subject, said)
        case Difference(of) | Filtered(of) | Extreme(of):
            return leads_on(of, subject, said)
    return False


def shares_with_another(expression: Expression, subject: Named) -> bool:
    """Return whether a set is of what the thing and something else both lead to, which "the same" asks for.

    What is kept in a vault is not what else that vault's things are kept on.
    """
    match expression:
        case Intersection(parts):
            steps = [part for part in parts if isinstance(part, Reached)]
            from_subject = {(step.relation, step.backwards) for step in steps if step.of == subject}
            from_others = {
                (step.relation, step.backwards) for step in steps if not isinstance(step.of, Named)
            }
            return not from_subject.isdisjoint(from_others) or any(
                shares_with_another(part, subject) for part in parts
            )
        case Reached(relation, backwards, Reached(again, turned, of)):
            there_and_back = relation == again and backwards != turned and of != ANYTHING
            return there_and_back or shares_with_another(expression.of, subject)
        case Reached(_, _, of) | Difference(of) | Filtered(of) | Extreme(of):
            return shares_with_another(of, subject)
    return False


def is_said(expression: Expression, subject: Named, said: frozenset[str]) -> bool:
    """Return whether all steps to and from the thing are of relations that words say."""
    match expression:
        case Intersection(parts):
            at_it = [part for part in parts if isinstance(part, Reached)] if subject in parts else []
            return all(part.relation in said for part in at_it) and all(
                is_said(part, subject, said) for part in parts
            )
        case Union(parts):
            return all(is_said(part, subject, said) for part in parts)
        case Reached(relation, _, of):
            return (of != subject or relation in said) and is_said(of, subject, said)
        case Difference(of, without):
            return is_said(of, subject, said) and is_said(without, subject, said)
        case Filtered(of) | Extreme(of):
            return is_said(of, subject, said)
    return True


def _strays(part: Expression, said: frozenset[str]) -> bool:
    """Return whether a step that no word says leads on from one that words say."""
    return (
        isinstance(part, Reached)
        and part.relation not in said
        and isinstance(part.of, Reached)
        and part.of.relation in said
    )
