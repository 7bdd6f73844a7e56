"""Derivations and forms of English words: nouns of verbs, verbs of who does them, the past, plurals."""

from __future__ import annotations

from functools import cache

import simplemma

from evidence_assets.text.roots import lemma
from evidence_assets.text.words import word_set

# Endings by which English makes nouns of verbs: the founder founded, and so on.
_ENDINGS = word_set("er or ar ion ation ment ing ship ance ence al ist ee age ure ity th t hood e ian y ed")
# Endings that take each other's place: libretto, librettist.
_NOMINAL = word_set("o a ist er or ion ation ment ant ent ee ing")
_SHORTEST = 4
# Nouns in "ee" for who does something.
_DOING = word_set("attendee escapee retiree returnee standee absentee")
# What a verb ends with that has "es" in the third person: teaches, washes, mixes.
_SIBILANTS = ("ch", "sh", "s", "x", "z")


def akin(first: str, second: str) -> bool:
    """Return whether two roots are the same but for an ending that makes a noun: direct, director."""
    if first == second:
        return True
    short, long = sorted((first, second), key=len)
    if long.startswith(short):
        ending = long[len(short) :]
        # Who owns is an owner, and who makes a maker.
        doer = ending in ("er", "or") or (ending == "r" and short.endswith("e"))
        if len(short) >= _SHORTEST - doer and (doer or ending in _ENDINGS):
            return True
    return any(
        first[:length] == second[:length] and {first[length:], second[length:]} <= _NOMINAL
        for length in range(_SHORTEST + 1, len(short))
    )


@cache
def verb_of(agent: str) -> str:
    """Return the verb of a noun for who does it, in the third person: hunters, hunts; "" for other nouns."""
    noun = agent.removesuffix("s")
    stem = noun[:-2]
    if not noun.endswith(("er", "or")) or len(stem) < _SHORTEST - 1:
        return ""
    doubled = stem[:-1] if stem[-1] == stem[-2] else ""
    for verb in filter(None, (f"{stem}e", stem, doubled)):
        third_person = f"{verb}{'es' if verb.endswith(_SIBILANTS) else 's'}"
        if simplemma.is_known(third_person, lang="en") and lemma(third_person) == verb:
            return third_person
    return ""


@cache
def verb_done_to(patient: str) -> str:
    """Return the stem of the verb of a noun for whom it is done to: employees, employ; "" for other nouns."""
    noun = patient.removesuffix("s")
    stem = noun.removesuffix("ee")
    if stem == noun or noun in _DOING or len(stem) < _SHORTEST:
        return ""
    return stem if simplemma.is_known(f"{stem}ing", lang="en") else ""


def is_participle(word: str) -> bool:
    """Return whether a word is a form of a verb that says what was done to something: brewed, taken."""
    verb = lemma(word)
    return verb != word and (word.endswith("ed") or (word.endswith("en") and verb.endswith("e")))


@cache
def is_past(word: str) -> bool:
    """Return whether a word is a past form of a verb: brewed, taken, bought, took."""
    verb = lemma(word)
    if verb == word or word.endswith(("s", "ing")):
        return False
    stem = verb.removesuffix("e")
    return word.endswith("ed") or any(
        simplemma.is_known(f"{form}ing", lang="en") for form in (stem, verb + verb[-1])
    )


def is_same_noun(word: str, noun: str) -> bool:
    """Return whether a word is a noun itself, or its plural: no other of its root."""
    same = word.removesuffix("s") == noun.removesuffix("s")
    return same or (lemma(word) == noun and not is_past(word))


def is_plural(word: str) -> bool:
    """Return whether an English word is, by its end, the plural of another."""
    return word.endswith("s") and lemma(word) != word


def singular(word: str) -> str:
    """Return a word without its plural's end: `assist` is no form of "assistant", as its root would be."""
    return lemma(word) if is_plural(word) else word.removesuffix("s")
