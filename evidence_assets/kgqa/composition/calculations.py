"""What a question asks that is added up: a sum or a mean of the amounts of a set's members."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from evidence_assets.evidence.accounting import Binding
from evidence_assets.kgqa.queries.algebra import (
    Expression,
    Form,
    Intersection,
    Named,
    Query,
    Reached,
    Typed,
    Value,
)
from evidence_assets.kgqa.slots.slots import ANYTHING, Kind
from evidence_assets.kgqa.words.word_classes import PERHAPS_TOTAL

_FORMS = {Kind.TOTAL.value: Form.TOTAL, Kind.MEAN.value: Form.MEAN}


def asked_form(bindings: Sequence[Binding]) -> Form | None:
    """Return whether a sum or a mean is asked for; None for neither."""
    forms = (_FORMS[binding.target] for binding in bindings if binding.target in _FORMS)
    perhaps = any(binding.text.lower() in PERHAPS_TOTAL for binding in bindings)
    return next(forms, Form.TOTAL if perhaps else None)


def is_told_without(bindings: Sequence[Binding], yes_or_no: bool) -> bool:
    """Return whether a question is answered though no sum or mean was calculated.

    How many there are in total is their number; whether a total is above something is not told by a set.
    """
    forms = {_FORMS[binding.target] for binding in bindings if binding.target in _FORMS}
    return not forms or (forms == {Form.TOTAL} and not yes_or_no)


def calculated(expression: Expression, form: Form, is_amount: Callable[[str], bool]) -> Query | None:
    """Return the sum or mean of the amounts that an expression denotes, each of what it is an amount of.

    Equal amounts of two things are two. None where it denotes none, or the amount of one name alone.

    Args:
        is_amount: Whether a relation leads to amounts, which years are not.
    """
    steps = expression.parts if isinstance(expression, Intersection) else (expression,)
    amounts = [step for step in steps if not isinstance(step, Typed)]
    if len(amounts) != 1 or not isinstance(amounts[0], Reached):
        return None
    step = amounts[0]
    if step.backwards or not is_amount(step.relation) or _is_one(step.of):
        return None
    of = Reached(step.relation, True, ANYTHING) if step.of == ANYTHING else step.of
    return Query(of, form, Value(step.relation))


def _is_one(expression: Expression) -> bool:
    """Return whether a set is of one name, whatever else is said of it."""
    parts = expression.parts if isinstance(expression, Intersection) else (expression,)
    return any(isinstance(part, Named) for part in parts)


def counted_amounts(expression: Expression, is_amount: Callable[[str], bool]) -> Query | None:
    """Return the sum of what a count is of: "how many beds", where wards have numbers of beds.

    None where it is of things, one by one.
    """
    if not isinstance(expression, Intersection):
        return None
    counted = [
        part
        for part in expression.parts
        if isinstance(part, Reached) and part.backwards and part.of == ANYTHING and is_amount(part.relation)
    ]
    if len(counted) != 1:
        return None
    others = tuple(part for part in expression.parts if part not in counted)
    of = others[0] if len(others) == 1 else Intersection(others)
    return None if _is_one(of) else Query(of, Form.TOTAL, Value(counted[0].relation))
