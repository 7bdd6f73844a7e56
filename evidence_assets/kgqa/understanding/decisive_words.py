"""Words of a question that are left over, and without which it is not answered."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import dropwhile, pairwise, takewhile

from evidence_assets.evidence.accounting import Accounting, Binding, Role
from evidence_assets.kgqa.slots.slots import RELATED, TIME, Kind, says_relation
from evidence_assets.kgqa.understanding.bound_words import threes
from evidence_assets.kgqa.words.degrees import adjective_of
from evidence_assets.kgqa.words.derivations import is_past
from evidence_assets.kgqa.words.literals import spoken_number
from evidence_assets.kgqa.words.word_classes import (
    ARTICLES,
    AUXILIARIES,
    BE,
    CALENDAR,
    DETERMINERS,
    HAVE,
    ORDINALS,
    POLITE,
    PREPOSITIONS,
    QUESTION_WORDS,
    RELATIVE,
    REQUESTS,
    TIMES,
    WILD,
)
from evidence_assets.reading.accounting import carries_nothing, is_decisive, spans
from evidence_assets.text.function_words import light_verbs
from evidence_assets.text.roots import lemma

# Verbs that ask for an amount, and adverbs that ask how frequent something is.
_MEASURING = frozenset(["cost", "pay", "weigh"])
# What stands before a part of something, besides forms of "have".
_HAVING = frozenset(["with", "of", "whose"])
_BESIDE, _INDEFINITE = frozenset(["with", "without"]), frozenset(["a", "an", "any"])
_FREQUENCIES = frozenset(["often", "frequently", "regularly"])
_JOINS = frozenset(["and", "or", "but"])


def decides(word: str) -> bool:
    """Return whether a word that is left over decides: a number, name, comparison, order, measure."""
    lowered = word.lower()
    orders = lowered in ORDINALS or lowered.removesuffix("s") in CALENDAR
    counts = not math.isnan(spoken_number(lowered))
    measures = lemma(lowered) in _MEASURING or bool(adjective_of(lowered)[1])
    return is_decisive(word) or word[0].isupper() or orders or counts or measures


def nothing_accounts_for(unread: Iterable[str]) -> str:
    """Return in plain words that some words are left over."""
    return f"nothing in the graph, and no operation, accounts for {', '.join(map(repr, unread))}"


def not_answered_to(
    decisive: Iterable[str], accounting: Accounting, reasons: Mapping[str, str] | None = None
) -> str:
    """Return in plain words that some words are left over, or that what they are read as may not be meant.

    `reasons`: why not, of some of the words.
    """
    read = {
        word
        for binding in accounting.bindings
        if binding.role is not Role.UNACCOUNTED
        for word in (binding.text, *binding.text.split())
    }.difference(accounting.unaccounted)
    words = dict.fromkeys(decisive)
    left, bound = [word for word in words if word not in read], [word for word in words if word in read]
    parts = [nothing_accounts_for(left)] if left else []
    if bound:
        parts.append(f"what the graph tells may not be what {', '.join(map(repr, bound))} asks for")
    parts += [f"{word!r} {why}" for word, why in (reasons or {}).items() if word in bound]
    return "; ".join(parts)


def qualifiers(accounting: Accounting) -> list[str]:
    """Return the words left over before a type's noun, which they restrict: "which express lines"."""
    return [
        word.text
        for word, noun in pairwise(accounting.bindings)
        if word.role is Role.UNACCOUNTED and noun.role is Role.TYPE and noun.start == word.end + 1
    ]


def unread(accounting: Accounting) -> list[str]:
    """Return the nouns, parts, degrees and states that nothing tells."""
    return [
        *_unread_nouns(accounting),
        *_unread_possessions(accounting),
        *_unread_parts(accounting),
        *_unread_belongings(accounting),
        *_unread_degrees(accounting),
        *_second_questions(accounting),
        *_unread_states(accounting),
        *_unread_uses(accounting),
    ]


def _unread_nouns(accounting: Accounting) -> list[str]:
    """Return the nouns of something of what follows that nothing of the graph says: "the wife of Ada".

    Without them the answer would be what they are of.
    """
    without_articles = [binding for binding in accounting.bindings if binding.text.lower() not in ARTICLES]
    # "Wrote the music of": a verb says a relation together with its object.
    objects = {
        after.start
        for verb, after in pairwise(without_articles)
        if verb.role in (Role.MEANING, Role.EVIDENCE)
    }
    return [
        noun.text
        for noun, of, whose in threes(accounting.bindings)
        # "Pieces of apparatus" are apparatus.
        if of.text.lower() == "of"
        and whose.role is not Role.TYPE
        and noun.text.lower() not in WILD | TIMES
        and (
            noun.role is Role.UNACCOUNTED
            or ((noun.role, noun.target) == (Role.MEANING, RELATED) and noun.start not in objects)
        )
    ]


def _unread_uses(accounting: Accounting) -> list[str]:
    """Return the verb of what somebody does with what is described: "what can you use against the mite".

    Without it the answer would be the mite.
    """
    words = [binding for binding in accounting.bindings if binding.text.lower() not in ARTICLES]
    if not words or words[0].text.lower() not in _ASKING_FOR_THINGS:
        return []
    return [
        verb.text
        for doer, verb, onto in threes(words[:_NEAR_THE_FRONT])
        if doer.text.lower() in _ANYBODY
        and onto.text.lower() in PREPOSITIONS
        and not (says_relation(verb) and verb.role in (Role.EVIDENCE, Role.MEANING))
    ]


_ASKING_FOR_THINGS, _ANYBODY = frozenset(["what"]), frozenset(["you", "we", "one", "they", "people", "i"])
_NEAR_THE_FRONT = 5


def _unread_possessions(accounting: Accounting) -> list[str]:
    """Return the nouns of somebody's that nothing of the graph says: "Ada's pupil", who is not Ada."""
    return [
        noun.text
        for _, possessive, noun in threes(accounting.bindings)
        if possessive.text.lower() == "s" and (noun.role, noun.target) == (Role.MEANING, RELATED)
    ]


def _unread_parts(accounting: Accounting) -> list[str]:
    """Return the nouns that nothing of the graph says, and of which the verb behind is said.

    A roof that is made of slate is not told of by what the house is made of.
    """
    bindings = accounting.bindings
    wholes = {binding.target for binding in bindings if binding.role is Role.TYPE}
    return [
        noun.text
        for before, noun, verb in threes(bindings)
        # A roof is near to towers, but none; a pier is nothing that something is made of.
        if (
            noun.role is Role.UNACCOUNTED
            or (noun.role is Role.MEANING and noun.target in wholes)
            or (noun.role is Role.MEANING and verb.role is Role.EMPTY and verb.text.lower() in light_verbs())
        )
        and before.text.lower() in ARTICLES | HAVE | _HAVING
        and is_past(verb.text.lower().split()[0])
        and not verb.target.startswith("node ")
    ]


def _unread_belongings(accounting: Accounting) -> list[str]:
    """Return the nouns of what something has, and that nothing tells: "boats with a freezer".

    A chimney is near to kilns, but none, and no kiln has another.
    """
    wholes = {binding.target for binding in accounting.bindings if binding.role is Role.TYPE}
    return [
        noun.text
        for having, article, noun in threes(accounting.bindings)
        if having.text.lower() in HAVE | _BESIDE
        and article.text.lower() in _INDEFINITE
        and (noun.role is Role.UNACCOUNTED or (noun.role is Role.MEANING and noun.target in wholes))
    ]


def _second_questions(accounting: Accounting) -> list[str]:
    """Return the words that ask once more, and are not answered: "which yard is it in, and who runs it"."""
    lowered = [binding.text.lower() for binding in accounting.bindings]
    return [
        word.text
        for place, (joint, word) in enumerate(pairwise(accounting.bindings), 1)
        if joint.text.lower() == "and"
        and word.role is not Role.OPERATOR
        and lowered[place] in QUESTION_WORDS
        and not QUESTION_WORDS.isdisjoint(lowered[: place - 1])
        # "Who teach and who sing": one may say more of the noun before, as another does.
        and (lowered[place] not in RELATIVE or not _says_more(lowered[1 : place - 1]))
    ]


def _says_more(lowered: Sequence[str]) -> bool:
    return not (RELATIVE | {"that"}).isdisjoint(lowered)


def _unread_degrees(accounting: Accounting) -> list[str]:
    """Return the words of which nothing tells how much they hold: "how deep is"."""
    return [
        word.text
        for how, word in pairwise(accounting.bindings)
        if how.text.lower() == "how"
        and (word.role is Role.UNACCOUNTED or (word.role is Role.EMPTY and word.text.lower() in _FREQUENCIES))
    ]


def _unread_states(accounting: Accounting) -> list[str]:
    """Return the words that say alone what something is, and that nothing tells: "which lines are late"."""
    bindings = accounting.bindings
    return [
        state.text
        for place, (be, state) in enumerate(pairwise(bindings), 2)
        if be.text.lower() in BE
        and (state.role is Role.UNACCOUNTED or (state.role, state.target) == (Role.MEANING, RELATED))
        and not is_past(state.text.lower().split()[0])
        and (place == len(bindings) or bindings[place].text.lower() in _JOINS)
    ]


def asked_nouns(accounting: Accounting) -> list[Binding]:
    """Return the nouns of what is asked for: "which line", "how many lines", not "whose line"."""
    return [
        noun
        for word, noun in pairwise(accounting.bindings)
        if word.text.lower() in ("what", "which") or word.target == Kind.COUNT.value
    ]


def listed_nouns(accounting: Accounting) -> list[Binding]:
    """Return the noun of what is asked for by no word that asks: "coins struck at Eldham", "list coins".

    That of a request is asked for though nothing accounts for it.
    """
    content = list(dropwhile(_asks_nothing, accounting.bindings))
    phrase = list(takewhile(_is_of_noun, content))
    requested = accounting.bindings[: len(accounting.bindings) - len(content)]
    # What stands behind the noun of a request asks nothing: "name the town in which".
    is_request = any(word.text.lower().split()[0] in REQUESTS for word in requested)
    asking = requested if is_request else accounting.bindings
    # "How many" is one binding.
    first_words = [binding.text.lower().split()[0] for binding in asking]
    if not QUESTION_WORDS.union(AUXILIARIES).isdisjoint(first_words):
        return []
    roles = (Role.TYPE, Role.EVIDENCE, Role.UNACCOUNTED) if is_request else (Role.TYPE, Role.EVIDENCE)
    return [noun for noun in phrase[-1:] if noun.role in roles]


def _is_of_noun(binding: Binding) -> bool:
    """Return whether words may be of the noun phrase that they follow: not "engines built", "men driving"."""
    word = binding.text.lower()
    is_verb = is_past(word) or (word.endswith("ing") and says_relation(binding))
    return not _asks_nothing(binding) and not is_verb


def _asks_nothing(binding: Binding) -> bool:
    return binding.role is Role.EMPTY or binding.text.lower() in REQUESTS | POLITE


def asked_for(accounting: Accounting, timeless: bool) -> list[str]:
    """Return the nouns that are asked for and left over, or of time where no answer is: "in what year"."""
    return [
        noun.text
        for word, noun in pairwise(accounting.bindings)
        if word.text.lower() in DETERMINERS
        and (noun.role is Role.UNACCOUNTED or (timeless and noun.target == TIME))
    ]


def asked_times(accounting: Accounting) -> list[str]:
    """Return the words left over that ask for a time: "the year in which", "what was the winning time".

    They are asked for where nothing but what asks, and what says more of them, stands before.
    """
    for place, (time, after) in enumerate(pairwise(accounting.bindings)):
        unsaid = time.role is Role.UNACCOUNTED or time.target == TIME
        if time.text.lower() in TIMES and unsaid and after.role is Role.EMPTY:
            before = accounting.bindings[:place]
            asks = any(word.text.lower() in DETERMINERS or word.target == "request" for word in before)
            bound = any(word.role in (Role.TYPE, Role.EVIDENCE) for word in before)
            return [time.text] if asks and not bound else []
    return []


def unguessed(accounting: Accounting) -> Accounting:
    """Return an accounting in which no word is bound by meaning: where that does not do, nothing binds it."""
    bindings: list[Binding] = []
    for binding in accounting.bindings:
        if binding.role is not Role.MEANING:
            bindings.append(binding)
            continue
        for start, end in spans(binding.text):
            word, begin = binding.text[start:end], binding.start
            role = Role.EMPTY if carries_nothing(word) else Role.UNACCOUNTED
            bindings.append(Binding(begin + start, begin + end, word, role))
    return Accounting(tuple(bindings))
