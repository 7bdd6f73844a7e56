"""Words that say more than a relation that is said besides, and are read as that: "made of ripe grapes".

What was staged with live music was staged, but not all that was staged had any.
"""

from __future__ import annotations

from itertools import pairwise

from evidence_assets.evidence.accounting import Accounting, Binding, Role
from evidence_assets.kgqa.slots.lexicon import Lexicon
from evidence_assets.kgqa.slots.slots import RELATED, Kind, says_relation
from evidence_assets.kgqa.understanding.bound_words import threes
from evidence_assets.kgqa.words.derivations import is_past
from evidence_assets.kgqa.words.word_classes import ARTICLES, DETERMINERS, HAVE, PREPOSITIONS

_BEFORE_ADJECTIVES = ARTICLES | DETERMINERS | PREPOSITIONS


def qualified_things(accounting: Accounting) -> list[str]:
    """Return the words near in meaning to a relation that qualify the noun of a type right behind them."""
    return [
        adjective.text
        for before, adjective, noun in threes(accounting.bindings)
        if adjective.role is Role.MEANING
        and says_relation(adjective)
        and noun.role is Role.TYPE
        and noun.start == adjective.end + 1
        and _stands_before_adjective(before, adjective)
    ]


def _stands_before_adjective(before: Binding, adjective: Binding) -> bool:
    """Return whether a word has a noun phrase behind it: not "have used yarn", where a verb is."""
    word = before.text.lower()
    if word in HAVE:
        return not is_past(adjective.text.lower())
    says = before.role is Role.EVIDENCE and says_relation(before)
    return word in _BEFORE_ADJECTIVES or says or before.target == Kind.COUNT.value


def further_circumstances(accounting: Accounting, lexicon: Lexicon) -> list[str]:
    """Return the nouns behind prepositions, and the adverbs, that are near to a relation that is said.

    They say how, where or when something was done: "depends on it at runtime", "occasionally".
    """
    said = {word.target for word in accounting.bindings if word.role is Role.EVIDENCE and says_relation(word)}
    content = [binding for binding in accounting.bindings if binding.text.lower() not in ARTICLES]
    return [
        word.text
        for before, word in pairwise(content)
        if word.role is Role.MEANING
        and (word.target in said or (said and word.target == RELATED and word is content[-1]))
        and not _tells_literals(word, lexicon)
        and (before.text.lower() in PREPOSITIONS or word.text.lower().endswith("ly"))
    ]


def _tells_literals(word: Binding, lexicon: Lexicon) -> bool:
    facts = lexicon.facts.get(word.target.removeprefix("relation "))
    return facts is not None and facts.literal
