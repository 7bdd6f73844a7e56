"""Words of a question that are left over, and without which it is not answered."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from evidence_assets.evidence.accounting import Accounting, Binding, Role
from evidence_assets.kgqa.graph.vocabulary import DETERMINERS
from evidence_assets.kgqa.slots.slots import RELATED, TIME, Kind
from evidence_assets.kgqa.slots.trigger_words import ARTICLES, CALENDAR, ORDINALS, TIMES, WILD
from evidence_assets.kgqa.words.degrees import adjective_of
from evidence_assets.kgqa.words.derivations import lemma
from evidence_assets.reading.accounting import carries_nothing, is_decisive, spans

# Verbs that ask for an amount, and adverbs that ask how frequent something is.
_MEASURING = frozenset(["cost", "weigh"])
_FREQUENCIES = frozenset(["often", "frequently", "regularly"])


def decides(word: str) -> bool:
    """Return whether a word that is left over decides: a number, name, comparison, order, measure."""
    lowered = word.lower()
    orders = lowered in ORDINALS or lowered.removesuffix("s") in CALENDAR
    measures = lemma(lowered) in _MEASURING
    return is_decisive(word) or word[0].isupper() or orders or measures or bool(adjective_of(lowered)[1])


def nothing_accounts_for(unread: Iterable[str]) -> str:
    """Return in plain words that some words are left over."""
    return f"nothing in the graph, and no operation, accounts for {', '.join(map(repr, unread))}"


def qualifiers(accounting: Accounting) -> list[str]:
    """Return the words left over before a type's noun, which they restrict: "which express lines"."""
    return [
        word.text
        for word, noun in pairwise(accounting.bindings)
        if word.role is Role.UNACCOUNTED and noun.role is Role.TYPE and noun.start == word.end + 1
    ]


def unread_nouns(accounting: Accounting) -> list[str]:
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
        for noun, of, whose in zip(
            accounting.bindings, accounting.bindings[1:], accounting.bindings[2:], strict=False
        )
        # "Pieces of apparatus" are apparatus.
        if of.text.lower() == "of"
        and whose.role is not Role.TYPE
        and noun.text.lower() not in WILD | TIMES
        and (
            noun.role is Role.UNACCOUNTED
            or ((noun.role, noun.target) == (Role.MEANING, RELATED) and noun.start not in objects)
        )
    ]


def unread_degrees(accounting: Accounting) -> list[str]:
    """Return the words of which nothing tells how much they hold: "how deep is"."""
    return [
        word.text
        for how, word in pairwise(accounting.bindings)
        if how.text.lower() == "how"
        and (word.role is Role.UNACCOUNTED or (word.role is Role.EMPTY and word.text.lower() in _FREQUENCIES))
    ]


def asked_nouns(accounting: Accounting) -> list[Binding]:
    """Return the nouns of what is asked for: "which line", "how many lines", not "whose line"."""
    return [
        noun
        for word, noun in pairwise(accounting.bindings)
        if word.text.lower() in ("what", "which") or word.target == Kind.COUNT.value
    ]


def asked_for(accounting: Accounting, timeless: bool) -> list[str]:
    """Return the nouns that are asked for and left over, or of time where no answer is: "in what year"."""
    return [
        noun.text
        for word, noun in pairwise(accounting.bindings)
        if word.text.lower() in DETERMINERS
        and (noun.role is Role.UNACCOUNTED or (timeless and noun.target == TIME))
    ]


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
