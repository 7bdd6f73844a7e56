"""Nouns for kin and for women and men, read as other kin or as anybody: grandchildren are no children."""

from __future__ import annotations

from evidence_assets.evidence.accounting import Accounting, Role
from evidence_assets.kgqa.queries.algebra import Query, relations_of
from evidence_assets.kgqa.slots.lexicon import Lexicon
from evidence_assets.kgqa.understanding.bound_words import words_of
from evidence_assets.kgqa.words.derivations import is_past
from evidence_assets.text.roots import root
from evidence_assets.text.words import word_set

_OF_TWO_STEPS = frozenset(
    map(
        root,
        word_set("""
    aunt brother cousin grandchild grandchildren granddaughter grandfather grandmother grandparent grandson
    nephew niece sibling sister uncle
"""),
    )
)
_OF_ONE_STEP = frozenset(
    map(root, word_set("child children daughter dad father kid mother mum offspring parent son"))
)
# Nouns that say of persons what a graph of persons alone does not tell.
_WOMEN_AND_MEN = word_set(
    "boy boys female gentleman gentlemen girl girls ladies lady male man men woman women"
)


def nouns_that_no_relation_tells(query: Query, accounting: Accounting, lexicon: Lexicon) -> list[str]:
    """Return the nouns for kin that a query has by no relation between such, and those for women and men.

    "The woman who" is whoever it is.
    """
    roots = lexicon.roots_of(relations_of(query.of) & lexicon.facts.keys())
    types = [f"type {type_}" for type_ in lexicon.nouns if root(type_) in _OF_TWO_STEPS | _OF_ONE_STEP]
    words = words_of(accounting)
    misread = []
    for place, word in enumerate(words):
        key, before = root(word.lowered), words[place - 1].lowered if place else ""
        if word.named or word.binding.target in types or is_past(word.lowered):
            continue
        is_far = key in _OF_TWO_STEPS and _OF_TWO_STEPS.isdisjoint(roots)
        is_near = key in _OF_ONE_STEP and roots.isdisjoint(_OF_TWO_STEPS | _OF_ONE_STEP)
        is_guessed = word.binding.role is Role.MEANING
        is_of_one_sex = word.lowered in _WOMEN_AND_MEN and before != "the"
        if is_far or (is_guessed and (is_near or is_of_one_sex)):
            misread.append(word.text)
    return misread
