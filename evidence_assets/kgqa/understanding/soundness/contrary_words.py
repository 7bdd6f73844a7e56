"""Words that are read by meaning as a relation, and say that it is not so: who left, of who joined."""

from __future__ import annotations

from itertools import pairwise

from evidence_assets.evidence.accounting import Accounting, Role
from evidence_assets.kgqa.graph.relation_facts import RelationFacts
from evidence_assets.kgqa.queries.algebra import Query, relations_of
from evidence_assets.kgqa.slots.lexicon import Lexicon
from evidence_assets.kgqa.slots.slots import RELATED
from evidence_assets.kgqa.understanding.bound_words import Word, words_of
from evidence_assets.kgqa.words.word_classes import COPULAR, PARTICLES
from evidence_assets.text.opposites import are_contraries
from evidence_assets.text.roots import lemma, root
from evidence_assets.text.words import word_set

_NOT = "un"
# Verbs that say of something that it ended, whatever it was.
_ENDING = word_set("abandon cease discontinue divorce lose overcome quit")


def contrary_words(query: Query, accounting: Accounting, lexicon: Lexicon) -> list[str]:
    """Return the words that say the contrary of a relation that they are bound to, or that it ended.

    Or of any that is walked, where they are bound to none; and verbs that a particle makes so: "called off".
    """
    names = relations_of(query.of) & lexicon.facts.keys()
    walked_by = [name_word for name in sorted(names) for name_word in lexicon.facts[name].name_words]
    return [
        *(
            word.text
            for word in words_of(accounting)
            if word.relation in lexicon.facts and _says_contrary(word, lexicon.facts[word.relation])
        ),
        *(
            word.text
            for word in words_of(accounting)
            if word.binding.target == RELATED
            and any(are_contraries(word.lowered, name_word) for name_word in walked_by)
        ),
        *(
            verb.text
            for verb, particle in pairwise(accounting.bindings)
            if verb.text.lower() in COPULAR
            and particle.text.lower() in PARTICLES
            and particle.role is Role.EMPTY
        ),
    ]


def _says_contrary(word: Word, facts: RelationFacts) -> bool:
    """Return whether a word is the contrary of a name's, "unmarried" too, or says that something ended."""
    if root(word.lowered) in facts.roots:
        return False
    if word.lowered.startswith(_NOT) and root(word.lowered.removeprefix(_NOT)) in facts.roots:
        return True
    ends = lemma(word.lowered) in _ENDING or word.lowered == "left"
    return word.guesses_relation and (
        ends or any(are_contraries(word.lowered, name_word) for name_word in facts.name_words)
    )
