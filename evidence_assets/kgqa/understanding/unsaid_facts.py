"""Facts of things that a question does not speak of: of the clubs of a sponsor whose founding is asked for.

A step between two things may go unsaid, as from a town to its country. But when something was founded, and
how much of something it has, is said of itself; and who ordered something is what the verb is said of.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evidence_assets.evidence.accounting import Accounting, Role
from evidence_assets.kgqa.queries.algebra import Expression, Intersection, Named, Query, Reached
from evidence_assets.kgqa.queries.conjunctive import ConjunctiveQuery, Triplet, Variable
from evidence_assets.kgqa.slots.lexicon import Lexicon
from evidence_assets.kgqa.understanding.bound_words import Word, words_of
from evidence_assets.kgqa.words.derivations import is_past
from evidence_assets.kgqa.words.word_classes import BE, QUESTION_WORDS

_ASKING = frozenset({"which", "what"})


def unsaid_facts(query: Query, accounting: Accounting, lexicon: Lexicon) -> list[str]:
    """Return the words of a relation that a query has of another thing than the question says it of."""
    steps = query.of.parts if isinstance(query.of, Intersection) else (query.of,)
    words = words_of(accounting)
    said = {word.relation for word in words}
    done = _done_by_others(steps, said) & {_verb_of_the_asked(words)}
    told_of_others = _amounts_of_others(steps, said, lexicon) | done
    times = _times_of_others(steps, said, lexicon)
    return [
        word.text
        for word in words
        if word.relation in told_of_others or (word.relation in times and is_past(word.lowered))
    ]


def unsaid_facts_of_path(query: ConjunctiveQuery, accounting: Accounting, lexicon: Lexicon) -> list[str]:
    """Return the words that ask for a time or an amount, if a path has it of what is not spoken of.

    That is what a relation leads to from a name, if no word says that relation, or none says the one to the
    time, and none says what type it is.
    """
    words = words_of(accounting)
    # That it asks when says no more than that a time is asked for.
    telling = [word for word in words if word.says_relation and word.lowered not in QUESTION_WORDS]
    said = {word.relation for word in telling}
    types = {word.binding.target.removeprefix("type ") for word in words if word.binding.role is Role.TYPE}
    asking = [word.text for word in words if word.lowered in QUESTION_WORDS]
    for triplet in query.triplets:
        if not _is_of_something_unnamed(triplet, query, lexicon):
            continue
        links = [other for other in query.triplets if triplet.head in (other.head, other.tail)]
        others = {other.relation for other in links if other is not triplet}
        is_spoken_of = lexicon.ends(triplet.relation, False)[0] in types or others <= said
        if not (triplet.relation in said and is_spoken_of):
            return asking[:1] or [triplet.relation]
    return []


def _is_of_something_unnamed(triplet: Triplet, query: ConjunctiveQuery, lexicon: Lexicon) -> bool:
    """Return whether a condition leads to the answer, a time or an amount, from what has no name."""
    head, tail = triplet.head, triplet.tail
    is_answer = isinstance(tail, Variable) and tail.name == query.target
    facts = lexicon.facts.get(triplet.relation)
    return is_answer and isinstance(head, Variable) and facts is not None and facts.literal


def _amounts_of_others(steps: tuple[Expression, ...], said: set[str], lexicon: Lexicon) -> set[str]:
    """Return relations to amounts and times that are read of what an unsaid relation leads to from a name."""
    return {name for name, link in _facts_of_others(steps, lexicon) if name in said and link not in said}


def _times_of_others(steps: tuple[Expression, ...], said: set[str], lexicon: Lexicon) -> set[str]:
    """Return relations to somebody of whom a time is read that no word says: when a founder joined."""
    facts = _facts_of_others(steps, lexicon)
    return {link for name, link in facts if name not in said and lexicon.facts[name].years}


def _facts_of_others(steps: tuple[Expression, ...], lexicon: Lexicon) -> Iterator[tuple[str, str]]:
    """Yield relations to amounts and times of what another leads to from a name, with that other."""
    for step in steps:
        if isinstance(step, Reached) and isinstance(step.of, Reached) and isinstance(step.of.of, Named):
            facts = lexicon.facts.get(step.relation)
            if facts is not None and facts.literal:
                yield step.relation, step.of.relation


def _done_by_others(steps: tuple[Expression, ...], said: set[str]) -> set[str]:
    """Return relations from which an unsaid one leads on to what is asked for."""
    return {
        step.of.relation
        for step in steps
        if isinstance(step, Reached) and isinstance(step.of, Reached) and step.relation not in said
    }


def _verb_of_the_asked(words: Sequence[Word]) -> str:
    """Return the relation whose verb stands right behind the type that is asked for: `which city ordered`.

    An empty name for none.
    """
    if len(words) < 3 or words[0].lowered not in _ASKING or words[1].binding.role is not Role.TYPE:
        return ""
    verb = next((word for word in words[2:] if word.lowered not in BE), words[2])
    return verb.relation if verb.says_relation else ""
