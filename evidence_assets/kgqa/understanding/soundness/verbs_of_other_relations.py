"""Verbs that are read by meaning as one relation, and are another's own.

Which productions an actor directed is not told by those that they acted in, where the graph tells who
directed what.
"""

from __future__ import annotations

from evidence_assets.evidence.accounting import Accounting
from evidence_assets.kgqa.slots.lexicon import Lexicon
from evidence_assets.kgqa.understanding.bound_words import Word, words_of
from evidence_assets.kgqa.words.derivations import is_past
from evidence_assets.kgqa.words.word_classes import LOCATED, POSITIONED
from evidence_assets.text.function_words import light_verbs
from evidence_assets.text.roots import lemma, root


def verbs_of_other_relations(accounting: Accounting, lexicon: Lexicon) -> list[str]:
    """Return the verbs in the past that are bound by meaning to one relation, and name another.

    Verbs that say little are many relations' own, and so are those of where something is.
    """
    return [
        word.text
        for word in words_of(accounting)
        if word.guesses_relation and word.relation in lexicon.facts and _names_another(word, lexicon)
    ]


def _names_another(word: Word, lexicon: Lexicon) -> bool:
    if not is_past(word.lowered) or lemma(word.lowered) in light_verbs() | LOCATED | POSITIONED:
        return False
    key = root(word.lowered)
    named = {name for name, facts in lexicon.facts.items() if key in facts.roots}
    return bool(named) and word.relation not in named
