"""Shapes of sets that make a rule of composing more or less likely to apply."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter

from evidence_assets.evidence.accounting import Role
from evidence_assets.kgqa.queries.algebra import (
    Difference,
    Expression,
    Filtered,
    Intersection,
    Named,
    Reached,
    Typed,
    Union,
    Value,
    parts_of,
)
from evidence_assets.kgqa.slots.composition_costs import BURIED, RESTRICTED_NAME
from evidence_assets.kgqa.slots.expressions import is_role, type_of
from evidence_assets.kgqa.slots.slots import ANYTHING, Part, says_relation
from evidence_assets.kgqa.words.word_classes import BE, RELATIVES


def has_conditions(expression: Expression) -> bool:
    """Return whether a set is more than a noun or a name: what follows belongs to the nearest of these."""
    return not isinstance(expression, Typed | Named | Union) and not is_role(expression)


def is_clause(part: Part) -> bool:
    """Return whether a part is what a noun at its beginning does: "ships call at", which is nobody's."""
    beginning = min(part.bindings, key=lambda binding: binding.start, default=None)
    return isinstance(part.expression, Reached) and beginning is not None and beginning.role is Role.TYPE


def is_of_another(left: Part, right: Part, gap: Sequence[str]) -> bool:
    """Return whether of two sets one is something of the other, and so not the same: "Ada's gift".

    A clause says more of the noun that it stands behind: "taught the person that looks after", and "the tree
    that Ada planted", which is not Ada.
    """
    owned = "s" in gap and (bool(right.said_of) or isinstance(left.expression, Named))
    if owned and _says_its_measure(right):
        # "Echo's wing is longer than 40 cm" compares what Echo has.
        return False
    if owned or ("of" in gap and left.said_of) or "whose" in gap:
        return True
    if not gap or gap[0] not in RELATIVES:
        return False
    return _ends_with_noun(left) or (isinstance(right.expression, Named) and BE.isdisjoint(gap))


def _says_its_measure(part: Part) -> bool:
    """Return whether a set is compared by a number, and words say of which measure: "wing over 40 cm"."""
    filtered = part.expression
    if not isinstance(filtered, Filtered) or not isinstance(filtered.measure, Value):
        return False
    said = f"relation {filtered.measure.relation}"
    return any(binding.target == said for binding in part.bindings)


def _ends_with_noun(part: Part) -> bool:
    """Return whether a part ends with a noun that it is not of: "taught the person"."""
    last = max(part.bindings, key=lambda binding: binding.end, default=None)
    return last is not None and last.role is Role.TYPE and not type_of(part.expression)


def is_nameless(part: Part) -> bool:
    """Return whether words that no type is called by stand for any of a type that is not asked for."""
    return isinstance(part.expression, Typed) and part.framed and not part.target


def last_step(expression: Expression) -> Reached | None:
    """Return the last condition of a set that a step leads to from something told; None where none does."""
    match expression:
        case Reached(of=of):
            return None if of == ANYTHING else expression
        case Intersection(parts):
            return next((step for part in reversed(parts) if (step := last_step(part)) is not None), None)
        case Difference(of):
            return last_step(of)
    return None


def is_led_to(part: Part) -> bool:
    """Return whether a name to be taken away is what a step leads to: "not at Leeds", where Leeds may be."""
    return part.negated and part.preposition not in ("", "of") and isinstance(part.expression, Named | Union)


def restricting(expression: Expression) -> float:
    """Return what it costs that a set is a name that is restricted, 0 for any other.

    It costs more where that says nothing: "where was Kestrel built" asks nothing else of a built Kestrel.
    """
    if not _is_restricted_name(expression):
        return 0.0
    says_nothing = isinstance(expression, Intersection) and any(
        isinstance(part, Reached) and part.of == ANYTHING for part in expression.parts
    )
    return RESTRICTED_NAME + BURIED * says_nothing


def _is_restricted_name(expression: Expression) -> bool:
    """Return whether a name is restricted by more than a noun: "Leeds, which has a port"."""
    if isinstance(expression, Difference):
        return isinstance(expression.of, Named) or _is_restricted_name(expression.of)
    return (
        isinstance(expression, Intersection)
        and any(isinstance(part, Named) and len(part.nodes) == 1 for part in expression.parts)
        and any(not isinstance(part, Named | Typed) for part in expression.parts)
    )


def are_side_by_side(left: Part, right: Part, verb: Part) -> bool:
    """Return whether a verb of which nothing more is said stands beside another: "owned and run by Ada".

    `verb`: whichever of the two parts says nothing more; the right one begins with the word that joins them.
    """
    before, behind = (sorted(part.bindings, key=attrgetter("start")) for part in (left, right))
    verbs = [word for word in behind if word.role is not Role.OPERATOR]
    if not before or not verbs or not all(map(says_relation, (before[-1], verbs[0]))):
        return False
    joined = behind[0].start == before[-1].end + 1
    # "But does not run".
    adjoining = right.negated or verbs[0].start == behind[0].end + 1
    says_more = any(word.role is Role.TYPE or word.target.startswith("node ") for word in verb.bindings)
    return joined and adjoining and not says_more


def takes_from_taken(part: Expression) -> bool:
    """Return whether something is taken away from what is itself taken away."""
    return any(
        isinstance(inner, Difference)
        for held in parts_of(part)
        if isinstance(held, Difference)
        for inner in parts_of(held.without)
    )
