"""Nouns of two words that are read as a thing and what it does: "which team leads know Swift".

Persons are asked for, who lead teams, not teams.
"""

from __future__ import annotations

from itertools import pairwise

from evidence_assets.evidence.accounting import Accounting, Binding, Role
from evidence_assets.kgqa.queries.algebra import Form, Query
from evidence_assets.kgqa.slots.slots import Kind, says_relation
from evidence_assets.kgqa.words.derivations import verb_of
from evidence_assets.kgqa.words.word_classes import BE, RELATIVES
from evidence_assets.text.roots import lemma

_ASKING = frozenset({"which", "what"})
_JOINTS = frozenset({Kind.AND.value, Kind.OR.value, "compared", Form.GAP.value})


def compound_nouns(query: Query, accounting: Accounting) -> list[str]:
    """Return the second words of nouns that are read as verbs, or said of the first alone.

    A "team leader" is no team. Behind a noun in the singular a verb ends in "s" as a noun in the plural does:
    it is one where another verb stands behind it, with nothing that joins the two.
    """
    bindings = accounting.bindings
    heads = []
    for place, (noun, head) in enumerate(pairwise(bindings)):
        if noun.role is not Role.TYPE or not says_relation(head) or head.role is not Role.EVIDENCE:
            continue
        before, behind = bindings[max(0, place - 1) : place], bindings[place + 2 :]
        is_asked = any(word.text.lower() in _ASKING or word.target == Kind.COUNT.value for word in before)
        may_be_noun = _is_plural_of_two(noun, head) or verb_of(lemma(head.text.lower()))
        if is_asked and may_be_noun and _has_verb_of_its_own(behind):
            heads.append(head.text)
        is_last = not behind and any(word.text.lower() in ("a", "an") for word in before)
        if query.form is Form.EXISTENCE and is_last:
            heads.append(head.text)
    return heads


def _is_plural_of_two(noun: Binding, head: Binding) -> bool:
    return lemma(noun.text.lower()) == noun.text.lower() and head.text.lower().endswith("s")


def _has_verb_of_its_own(behind: tuple[Binding, ...]) -> bool:
    """Return whether something is said further on, and nothing joins it to what is said before."""
    if behind and behind[0].text.lower() in BE:
        return True
    for word in behind:
        if word.text.lower() in RELATIVES | {"whose", "and", "or", "but"} or word.target in _JOINTS:
            return False
        if says_relation(word):
            return True
    return False
