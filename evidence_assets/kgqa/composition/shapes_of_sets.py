"""Shapes of sets that make a rule of composing more or less likely to apply."""

from __future__ import annotations

from evidence_assets.evidence.accounting import Role
from evidence_assets.kgqa.queries.algebra import (
    Difference,
    Expression,
    Intersection,
    Named,
    Reached,
    Typed,
    Union,
)
from evidence_assets.kgqa.slots.composition_costs import BURIED, RESTRICTED_NAME
from evidence_assets.kgqa.slots.expressions import is_role
from evidence_assets.kgqa.slots.slots import ANYTHING, Part


def has_conditions(expression: Expression) -> bool:
    """Return whether a set is more than a noun or a name: what follows belongs to the nearest of these."""
    return not isinstance(expression, Typed | Named | Union) and not is_role(expression)


def is_clause(part: Part) -> bool:
    """Return whether a part is what a noun at its beginning does: "ships call at", which is nobody's."""
    beginning = min(part.bindings, key=lambda binding: binding.start, default=None)
    return isinstance(part.expression, Reached) and beginning is not None and beginning.role is Role.TYPE


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
