"""Words that say how many of a condition's members something is said of, where a set asks of some.

What all members of a team know is not what any of them knows, and who knows one language knows no two.
"""

from __future__ import annotations

from itertools import pairwise

from evidence_assets.evidence.accounting import Accounting, Binding, Role
from evidence_assets.kgqa.queries.algebra import Form, Query
from evidence_assets.kgqa.slots.slots import says_relation
from evidence_assets.kgqa.understanding.bound_words import threes
from evidence_assets.kgqa.words.word_classes import DO, EVERYBODY, HAVE, WHOLES


def quantified_conditions(query: Query, accounting: Accounting) -> list[str]:
    """Return the words for all or one of what is not asked for, where a set is asked for or counted."""
    if query.form not in (Form.MEMBERS, Form.NUMBER):
        return []
    wholes = WHOLES | EVERYBODY
    return [
        *(
            whole.text
            for before, whole in pairwise(accounting.bindings)
            if before.text.lower() in DO | HAVE | {"by"} and whole.text.lower() in wholes
        ),
        # "Which services depend on one other service"; "one" of a kind is behind a relation, not "which one".
        *(
            one.text
            for verb, one, noun in threes(accounting.bindings)
            if says_relation(verb) and one.text.lower() == "one" and _is_counted(noun)
        ),
    ]


def _is_counted(noun: Binding) -> bool:
    return noun.role is Role.TYPE or noun.text.lower() == "other"
