"""Verbs of deeds that are read as the time of another: "when was it resolved", of when it occurred.

That a graph tells one time of a thing makes it likelier to be meant than it is: whatever was done was done at
some time.
"""

from __future__ import annotations

from evidence_assets.evidence.accounting import Accounting
from evidence_assets.kgqa.slots.lexicon import Lexicon
from evidence_assets.kgqa.understanding.bound_words import Word, words_of
from evidence_assets.kgqa.words.derivations import is_past
from evidence_assets.text.function_words import light_verbs
from evidence_assets.text.opposites import are_opposites
from evidence_assets.text.roots import lemma

# From this cosine on two verbs may tell of one deed: "finished" and "completed" have .77, "found" and
# "discovered" .46; "born" and "joined" .29.
SAME_DEED = 0.4


def deeds_in_time(accounting: Accounting, lexicon: Lexicon) -> list[str]:
    """Return the verbs in the past that are bound to a relation to times, and are not like its own verb."""
    return [
        word.text
        for word in words_of(accounting)
        if word.guesses_relation
        and is_past(word.lowered)
        and lemma(word.lowered) not in light_verbs()
        and _is_another_deed(word, lexicon)
    ]


def _is_another_deed(word: Word, lexicon: Lexicon) -> bool:
    facts = lexicon.facts.get(word.relation)
    if facts is None or not facts.years:
        return False
    verbs = [part for part in facts.name_words if is_past(part) and lemma(part) not in light_verbs() | {"be"}]
    if not verbs:
        return False
    if any(are_opposites(word.lowered, verb) for verb in verbs):
        return True
    return max(lexicon.likeness(word.lowered, verb) for verb in verbs) < SAME_DEED
