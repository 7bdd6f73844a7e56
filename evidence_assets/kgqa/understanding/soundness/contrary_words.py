"""Words that are read by meaning as a relation, and say that it is not so: who left, of who joined."""

from __future__ import annotations

from evidence_assets.evidence.accounting import Accounting
from evidence_assets.kgqa.graph.relation_facts import RelationFacts
from evidence_assets.kgqa.slots.lexicon import Lexicon
from evidence_assets.kgqa.understanding.bound_words import Word, words_of
from evidence_assets.kgqa.words.opposites import are_contraries
from evidence_assets.text.roots import lemma, root
from evidence_assets.text.words import word_set

_NOT = "un"
# Verbs that say of something that it ended, whatever it was.
_ENDING = word_set("abandon cease discontinue divorce lose overcome quit")


def contrary_words(accounting: Accounting, lexicon: Lexicon) -> list[str]:
    """Return the words that are bound to a relation for saying the contrary of its name, or that it ended."""
    return [
        word.text
        for word in words_of(accounting)
        if word.relation in lexicon.facts and _says_contrary(word, lexicon.facts[word.relation])
    ]


def _says_contrary(word: Word, facts: RelationFacts) -> bool:
    """Return whether a word is the contrary of a name's, "unmarried" too, or says that something ended."""
    if root(word.lowered) in facts.roots:
        return False
    if word.lowered.startswith(_NOT) and root(word.lowered.removeprefix(_NOT)) in facts.roots:
        return True
    ends = lemma(word.lowered) in _ENDING or word.lowered == "left"
    return word.guesses_relation and (
        ends or any(are_contraries(word.lowered, own) for own in facts.name_words)
    )
