"""What stands behind a verb and its own preposition, and is read as what another relation leads to.

Who was "born in Norway" is not whoever was born in some year and is a citizen of Norway.
"""

from __future__ import annotations

from itertools import pairwise

from evidence_assets.evidence.accounting import Accounting, Binding, Role
from evidence_assets.kgqa.queries.algebra import Query, Reached, parts_of
from evidence_assets.kgqa.slots.lexicon import Lexicon
from evidence_assets.kgqa.slots.slots import ANYTHING, relation_of, says_relation
from evidence_assets.kgqa.words.word_classes import ARTICLES, PREPOSITIONS


def objects_of_other_relations(query: Query, accounting: Accounting, lexicon: Lexicon) -> list[str]:
    """Return the things and kinds behind verbs whose relation a query lets lead to anything instead.

    The preposition between the two is of the relation's name: "built in Norway", of `built_in`.
    """
    steps = [part for part in parts_of(query.of) if isinstance(part, Reached)]
    said = {relation_of(word) for word in accounting.bindings}
    is_other = any(step.relation not in said and step.of != ANYTHING for step in steps)
    to_anything = {step.relation for step in steps if step.of == ANYTHING}
    to_anything -= {step.relation for step in steps if step.of != ANYTHING}
    if not is_other or not to_anything:
        return []
    content = [word for word in accounting.bindings if word.text.lower() not in ARTICLES | PREPOSITIONS]
    return [
        thing.text
        for verb, thing in pairwise(content)
        if relation_of(verb) in to_anything
        and says_relation(verb)
        and _is_thing(thing)
        and not _prepositions_between(verb, thing, accounting).isdisjoint(
            lexicon.facts[relation_of(verb)].name_words
        )
    ]


def _is_thing(word: Binding) -> bool:
    return word.role is Role.TYPE or word.target.startswith("node ")


def _prepositions_between(verb: Binding, thing: Binding, accounting: Accounting) -> set[str]:
    """Return the prepositions between two words, and those that are bound with the verb."""
    between = [word for word in accounting.bindings if verb.start <= word.start < thing.start]
    return {text for word in between for text in word.text.lower().split()} & PREPOSITIONS
