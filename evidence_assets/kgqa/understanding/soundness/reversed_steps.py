"""Steps between things of one kind, or from who does something, that are walked the wrong way round.

Riders ride, and are not what they ride; what has been replaced is not what replaced it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from evidence_assets.evidence.accounting import Accounting, Binding, Role
from evidence_assets.kgqa.queries.algebra import Query, Reached, Typed, last_steps, parts_of
from evidence_assets.kgqa.slots.lexicon import Lexicon
from evidence_assets.kgqa.slots.slots import ANYTHING, Kind, relation_of
from evidence_assets.kgqa.understanding.bound_words import threes, words_of
from evidence_assets.kgqa.words.derivations import is_past, verb_of
from evidence_assets.kgqa.words.word_classes import ARTICLES, BE, DETERMINERS, DO, PREPOSITIONS
from evidence_assets.text.opposites import are_converses
from evidence_assets.text.roots import lemma


def reversed_steps(query: Query, accounting: Accounting, lexicon: Lexicon) -> list[str]:
    """Return the nouns for who does it, the passives and the verbs that a query has the other way round."""
    steps = [held for held in parts_of(query.of) if isinstance(held, Reached)]
    return [
        word.text
        for before, word in pairwise(accounting.bindings)
        if _says_by_its_own(word, lexicon)
        and (
            _asks_for_who_is_done_to(before, word, query, lexicon)
            or _is_passive_of_doers(before, word, steps, accounting, lexicon)
        )
    ] + [*_converse_verbs(accounting, lexicon), *_verbs_of_others(steps, accounting, lexicon)]


def _verbs_of_others(steps: Sequence[Reached], accounting: Accounting, lexicon: Lexicon) -> list[str]:
    """Return the verbs of kinds that do not do it, but have it done: "do pilots supervise harbourmasters"."""
    content = [word for word in accounting.bindings if word.text.lower() not in ARTICLES]
    verbs = []
    for place, (before, noun, verb) in enumerate(threes(content), start=3):
        behind = content[place : place + 1]
        if noun.role is Role.TYPE and _says_by_its_own(verb, lexicon) and _is_done_by(before, verb, behind):
            name, type_ = relation_of(verb), noun.target.removeprefix("type ")
            head_does = lexicon.head_does(verb.text.lower(), name)
            does, has_done = lexicon.ends(name, not head_does)
            # Whoever does it is reached where it is asked for, and else what is reached is done to it.
            reaches_doer = before.text.lower() not in DO
            if head_does is not None and does != type_ == has_done:
                of_it = [step for step in steps if step.relation == name and step.of != ANYTHING]
                walked = {step.backwards == head_does for step in of_it}
                verbs += [verb.text] if walked == {not reaches_doer} else []
    return verbs


def _is_done_by(before: Binding, verb: Binding, behind: Sequence[Binding]) -> bool:
    """Return whether a noun between two words does what the second says: "do pilots supervise"."""
    word = verb.text.lower()
    if before.text.lower() in DO:
        return lemma(word) == word
    asks = before.text.lower() in DETERMINERS or before.target == Kind.COUNT.value
    has_object = bool(behind) and behind[0].text.lower() not in PREPOSITIONS
    return asks and has_object and not is_past(word)


def _converse_verbs(accounting: Accounting, lexicon: Lexicon) -> list[str]:
    """Return the verbs for what the other party does, between things of one type: "taught", of "learned".

    There nothing but the verb tells who is which. Who trained under somebody was trained by them.
    """
    words = words_of(accounting)
    asks_by_did = any(word.lowered in DO for word in words)
    return [
        word.text
        for word in words
        if word.guesses_relation
        and word.relation in lexicon.facts
        and (is_past(word.lowered) or (asks_by_did and lemma(word.lowered) == word.lowered))
        and len(set(lexicon.ends(word.relation, False))) == 1
        and _tells_of_the_other(word.lowered, lexicon.facts[word.relation].name_words)
    ]


def _tells_of_the_other(verb: str, name_words: Sequence[str]) -> bool:
    converse = any(is_past(name_verb) and are_converses(verb, name_verb) for name_verb in name_words)
    return converse or "under" in name_words


def _says_by_its_own(word: Binding, lexicon: Lexicon) -> bool:
    return word.role is Role.EVIDENCE and relation_of(word) in lexicon.facts


def _asks_for_who_is_done_to(before: Binding, noun: Binding, query: Query, lexicon: Lexicon) -> bool:
    """Return whether a noun for who does something is asked for, and what it is done to is answered."""
    is_asked = before.text.lower() in DETERMINERS or before.target == Kind.COUNT.value
    facts, singular = lexicon.facts[relation_of(noun)], lemma(noun.text.lower())
    if not is_asked or not verb_of(singular) or singular in facts.name_words:
        return False
    steps = [step for step in last_steps(query.of) if step.relation == relation_of(noun)]
    return bool(steps) and all(step.backwards != facts.agent_first for step in steps)


def _is_passive_of_doers(
    be: Binding, verb: Binding, steps: list[Reached], accounting: Accounting, lexicon: Lexicon
) -> bool:
    """Return whether what something was done to is read as what did it: "has never been replaced"."""
    name, facts = relation_of(verb), lexicon.facts[relation_of(verb)]
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
