"""Words of time that nothing takes up, or that are read as the time of something else.

Who joined after a service was launched is not who joined when it was, and who was born before an estate was
founded was not born before its founder.
"""

from __future__ import annotations

from itertools import pairwise

from evidence_assets.evidence.accounting import Accounting, Role
from evidence_assets.kgqa.queries.algebra import (
    Filtered,
    Form,
    Named,
    Query,
    Reached,
    comparisons_of,
    last_steps,
    relations_of,
)
from evidence_assets.kgqa.slots.lexicon import Lexicon
from evidence_assets.kgqa.slots.slots import relation_of, says_relation
from evidence_assets.kgqa.slots.trigger_words import TIME_ORDERS
from evidence_assets.kgqa.understanding.bound_words import threes, words_of
from evidence_assets.kgqa.words.derivations import is_past
from evidence_assets.kgqa.words.word_classes import BE, ORDINALS, QUESTION_WORDS
from evidence_assets.text.function_words import light_verbs
from evidence_assets.text.roots import lemma, root
from evidence_assets.text.words import word_set

# "How many days until" asks for no order; and what "after" makes another verb of.
_ORDERS = TIME_ORDERS - {"until"}
_SEASONS = word_set("spring summer autumn winter")
_PHRASAL = word_set("look take name call go ask")


def misread_times(query: Query, accounting: Accounting, lexicon: Lexicon) -> list[str]:
    """Return the words of time that bind nothing, and the events whose time is read of something else."""
    return [
        *_dropped_orders(query, accounting, lexicon),
        *_events_of_others(query, accounting, lexicon),
        *_ordinals_of_names(accounting, lexicon),
        *_times_of_other_verbs(query, accounting, lexicon),
        *_seasons(accounting),
    ]


def _seasons(accounting: Accounting) -> list[str]:
    """Return the seasons of years that are told alone: "the spring of 2014"."""
    words = words_of(accounting)
    return [
        word.text
        for place, word in enumerate(words)
        if word.lowered in _SEASONS
        and not (word.named or word.says_relation)
        and any(behind.text.isdigit() for behind in words[place + 1 : place + 3])
    ]


def _times_of_other_verbs(query: Query, accounting: Accounting, lexicon: Lexicon) -> list[str]:
    """Return the verbs of what a time is asked, where no word says the relation to times that is read.

    The year in which somebody retired is not the one in which they joined, although their status tells that
    they did.
    """
    if query.form is not Form.MEMBERS:
        return []
    times = {step.relation for step in last_steps(query.of) if lexicon.leads_to_time(step)}
    if not times or any(time in word.target for time in times for word in accounting.bindings):
        return []
    words = words_of(accounting)
    did = any(word.lowered == "did" for word in words)
    return [
        word.text
        for word in words
        if (is_past(word.lowered) or (did and word is words[-1]))
        and lemma(word.lowered) not in light_verbs() | {"be", "have", "do"}
        and word.text == word.lowered
        and word.binding.target
    ]


def _ordinals_of_names(accounting: Accounting, lexicon: Lexicon) -> list[str]:
    """Return the ordinals that are read as words of a relation's name: "first", of "first performed in"."""
    return [
        ordinal.text
        for ordinal, noun in pairwise(accounting.bindings)
        if ordinal.role is Role.EVIDENCE
        and says_relation(ordinal)
        and ordinal.text.lower() in ORDINALS
        and noun.target != ordinal.target
        and lexicon.types(noun.text.lower())
    ]


def _dropped_orders(query: Query, accounting: Accounting, lexicon: Lexicon) -> list[str]:
    """Return "before" and its like where they say nothing of the answer.

    Not in "look after", "since before 2005", nor where a question begins or ends with one: "before which
    judges", "had she been there before".
    """
    roots = lexicon.roots_of(relations_of(query.of) & lexicon.facts.keys())
    return [
        order.text
        for before, order, behind in threes(accounting.bindings)
        if order.role is Role.EMPTY
        and order.text.lower() in _ORDERS
        and root(order.text.lower()) not in roots
        and before.text.lower() not in BE
        and lemma(before.text.lower()) not in _PHRASAL
        and behind.text.lower() not in QUESTION_WORDS
        and behind.text.lower().split()[0] not in _ORDERS
    ]


def _events_of_others(query: Query, accounting: Accounting, lexicon: Lexicon) -> list[str]:
    """Return the verbs of what befell a name, where times are compared with those of who did it."""
    doers = {
        compared.bound.relation
        for compared in comparisons_of(query.of)
        if isinstance(compared, Filtered) and lexicon.tells_times(compared.measure)
        if isinstance(compared.bound, Reached) and isinstance(compared.bound.of, Named)
    }
    return [
        verb.text
        for be, verb in pairwise(accounting.bindings)
        if be.text.lower() in BE and is_past(verb.text.lower().split()[0]) and relation_of(verb) in doers
    ]
