"""Steps between things of one kind, or from who does something, that are walked the wrong way round.

Riders ride, and are not what they ride; what has been replaced is not what replaced it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from itertools import pairwise
from typing import Any

from evidence_assets.evidence.accounting import Accounting, Binding, Role
from evidence_assets.kgqa.queries.algebra import Matched, Query, Reached, Typed, last_steps
from evidence_assets.kgqa.slots.lexicon import Lexicon
from evidence_assets.kgqa.slots.slots import Kind, says_relation
from evidence_assets.kgqa.understanding.bound_words import words_of
from evidence_assets.kgqa.words.derivations import is_past, verb_of
from evidence_assets.kgqa.words.opposites import are_converses
from evidence_assets.kgqa.words.word_classes import BE, DETERMINERS, DO, PREPOSITIONS
from evidence_assets.text.roots import lemma


def reversed_steps(query: Query, accounting: Accounting, lexicon: Lexicon) -> list[str]:
    """Return the nouns for who does it, the passives and the verbs that a query has the other way round."""
    steps = list(_steps(query.of))
    return [
        word.text
        for before, word in pairwise(accounting.bindings)
        if _says_by_its_own(word, lexicon)
        and (
            _asks_for_who_is_done_to(before, word, query, lexicon)
            or _is_passive_of_doers(before, word, steps, accounting, lexicon)
        )
    ] + _converse_verbs(accounting, lexicon)


def _converse_verbs(accounting: Accounting, lexicon: Lexicon) -> list[str]:
    """Return the verbs for what the other party does, between things of one type: "taught", of "learned".

    There nothing but the verb tells who is which. Who trained under somebody was trained by them.
    """
    words = words_of(accounting)
    asks_by_did = any(word.lowered in DO for word in words)
    found = []
    for word in words:
        facts = lexicon.facts.get(word.relation) if word.guesses_relation else None
        is_verb = is_past(word.lowered) or (asks_by_did and lemma(word.lowered) == word.lowered)
        if facts is None or not is_verb or len(set(lexicon.ends(word.relation, False))) > 1:
            continue
        under = "under" in facts.name_words
        own = [part for part in facts.name_words if is_past(part)]
        if under or any(are_converses(word.lowered, verb) for verb in own):
            found.append(word.text)
    return found


def _says_by_its_own(word: Binding, lexicon: Lexicon) -> bool:
    return word.role is Role.EVIDENCE and says_relation(word) and _relation(word) in lexicon.facts


def _asks_for_who_is_done_to(before: Binding, noun: Binding, query: Query, lexicon: Lexicon) -> bool:
    """Return whether a noun for who does something is asked for, and what it is done to is answered."""
    is_asked = before.text.lower() in DETERMINERS or before.target == Kind.COUNT.value
    facts, singular = lexicon.facts[_relation(noun)], lemma(noun.text.lower())
    if not is_asked or not verb_of(singular) or singular in facts.name_words:
        return False
    steps = [step for step in last_steps(query.of) if step.relation == _relation(noun)]
    return bool(steps) and all(step.backwards != facts.agent_first for step in steps)


def _is_passive_of_doers(
    be: Binding, verb: Binding, steps: list[Reached], accounting: Accounting, lexicon: Lexicon
) -> bool:
    """Return whether what something was done to is read as what did it: "has never been replaced"."""
    name, facts = _relation(verb), lexicon.facts[_relation(verb)]
    head, tail = lexicon.ends(name, False)
    is_passive = be.text.lower() in BE and is_past(verb.text.lower().split()[0])
    by_somebody = any(word.text.lower() == "by" for word in accounting.bindings)
    if head != tail or not is_passive or by_somebody or not facts.agent_first:
        return False
    # "Married to" is no passive.
    ends_in_preposition = facts.name_words[-1] in PREPOSITIONS
    return not ends_in_preposition and any(
        step.relation == name and step.backwards and isinstance(step.of, Typed) for step in steps
    )


def _relation(word: Binding) -> str:
    return word.target.removeprefix("relation ")


def _steps(part: Any) -> Iterator[Reached]:
    if isinstance(part, tuple):
        for member in part:
            yield from _steps(member)
    elif is_dataclass(part) and not isinstance(part, Matched):
        if isinstance(part, Reached):
            yield part
        for field in fields(part):
            yield from _steps(getattr(part, field.name))
