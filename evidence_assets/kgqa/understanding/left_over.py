"""Words of general English that facts do not tell, whatever composition or path seems to account for them.

A fact says neither that it may, must or will hold, nor that somebody refused to make it hold, nor on which
day of a year it did. Such words are left over and named, and decide: the question is not answered without.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import dropwhile, pairwise

from evidence_assets.evidence.accounting import Accounting, Binding, Role
from evidence_assets.kgqa.slots.slots import RELATED, TIME
from evidence_assets.kgqa.understanding.bound_words import Word, words_of
from evidence_assets.kgqa.understanding.guessed_words import NEAR_DEED, OF_STATES, is_far
from evidence_assets.kgqa.words.derivations import akin, is_past
from evidence_assets.kgqa.words.literals import in_unit, is_unit, spoken_number
from evidence_assets.kgqa.words.periods import period_at
from evidence_assets.kgqa.words.word_classes import (
    ANYBODY,
    ARTICLES,
    AUXILIARIES,
    BACK,
    BE,
    COMPARED_OTHERS,
    COPULAR,
    DO,
    HABITS,
    MAIN,
    MODALS,
    NO_LONGER,
    POLITE,
    PREPOSITIONS,
    QUESTION_WORDS,
    REQUESTS,
    STATIVE,
    TIME_UNITS,
    TO_COME,
)
from evidence_assets.reading.accounting import carries_nothing, spans
from evidence_assets.text.calendar_words import MONTHS
from evidence_assets.text.function_words import function_words, light_verbs
from evidence_assets.text.opposites import are_opposites
from evidence_assets.text.roots import lemma, root
from evidence_assets.text.verbalisation import spelt
from evidence_assets.text.words import word_set
from evidence_assets.text.words import words as name_words

_ABILITIES = frozenset(["can", "ca"])
_WISHES = frozenset(["want", "need", "wish"])
# "No longer", "not any longer".
_NO_MORE = frozenset(["no", "any"])
_NEGATED = frozenset(["n't", "n’t", "not"])
_POSSESSIVE = frozenset(["its", "their", "his", "her", "my", "your", "our", "s", "one"])
_PRONOUNS = BACK.keys() | {"he", "she", "that", "this", "those", "these"}
_THAN = frozenset(["than", "from", "to"])
_PARTS = word_set("early mid late")
# How English ends nouns for what is done.
_DEEDS = ("ion", "ions", "ment", "ments", "ance", "ence", "ing", "ings")
_NOUNS_OF_PARTS = word_set("beginning start middle half end turn close dawn quarter part")
# How many words stand at most between "different" and its "than", and between "which" and a unit of time.
_COMPARED_WITHIN, _ASKED_WITHIN = 4, 2


@dataclass(frozen=True, slots=True)
class Told:
    """What a reading's relations tell of words: the roots of their names and sentences, and their units.

    `years`: the answers are years, and nothing finer. `doers`: the words for who does it, or for what is done
    by them, of relations that lead there: "editor", of "edited by" the verb. `answers`: how many there are.
    `amounts`: they are numbers, and no years; `prices`: of money. `onwards`: the roots of verbs that say
    little, by which other relations lead on from the answers. `past`: relations told in the past.
    """

    roots: Collection[str] = frozenset()
    units: Collection[str] = frozenset()
    years: bool = False
    doers: Collection[str] = frozenset()
    answers: int = 1
    amounts: bool = True
    prices: bool = True
    onwards: Collection[str] = frozenset()
    past: Collection[str] = frozenset()


def left_over(accounting: Accounting, told: Told) -> list[Binding]:
    """Return the words that facts do not tell, in the question's order, as nothing binds them."""
    words = words_of(accounting)
    places = sorted(
        {
            place
            for rule in _RULES
            for place, word in enumerate(words)
            if not word.named and not _is_told(word, told) and rule(words, place, told)
        }
        | {
            place
            for place in range(len(words))
            if _deed(words, place, told) or _price(words, place, told) or _ended(words, place)
        }
    )
    left = (words[place] for place in places)
    return [Binding(word.start, word.end, word.text, Role.UNACCOUNTED) for word in left]


def _is_told(word: Word, told: Told) -> bool:
    key = root(word.lowered)
    return any(akin(key, other) for other in told.roots)


def without(accounting: Accounting, left: Sequence[Binding]) -> Accounting:
    """Return an accounting in which some words are left over; what they were bound with stays as it was."""
    starts = {binding.start: binding for binding in left}
    return Accounting(tuple(part for binding in accounting.bindings for part in _parted(binding, starts)))


def _parted(binding: Binding, left: dict[int, Binding]) -> Iterator[Binding]:
    places = [binding.start + start for start, _ in spans(binding.text)]
    if left.keys().isdisjoint(places):
        yield binding
        return
    for start, end in spans(binding.text):
        begin, text = binding.start + start, binding.text[start:end]
        if begin in left:
            yield left[begin]
            continue
        role = binding.role
        if role is Role.MEANING:
            # The words were near in meaning together: what is left of them says nothing surely.
            role = Role.EMPTY if carries_nothing(text) else Role.UNACCOUNTED
        yield replace(binding, start=begin, end=binding.start + end, text=text, role=role)


def _lowered(words: Sequence[Word], place: int) -> str:
    return words[place].lowered if 0 <= place < len(words) else ""


def _modal(words: Sequence[Word], place: int, told: Told) -> bool:
    """Return whether a word says that something may, must, will or used to hold, or cannot."""
    word, after, before = words[place], _lowered(words, place + 1), _lowered(words, place - 1)
    asked_of_anybody = {before, after} & ANYBODY
    if word.lowered in MONTHS and word.binding.role is Role.OPERATOR and word.binding.target != RELATED:
        # "In May 2023", which is compared.
        return False
    if word.text != word.lowered and place:
        # A month, or a name that the graph lacks: "in May", "with Will".
        return word.lowered in MODALS and word.text.istitle()
    if word.lowered in HABITS:
        # "What is it used to make" asks what for.
        passive = any(earlier.lowered in BE for earlier in words[:place])
        leads_to_verb = after == "to" and not passive and _is_verb(words, place + 2)
        return leads_to_verb and not _is_of_past(words, place + 2, told)
    denied = word.lowered == "cannot" or (word.lowered in _ABILITIES and after in _NEGATED)
    return (denied or word.lowered in MODALS) and not asked_of_anybody


def _is_of_past(words: Sequence[Word], place: int, told: Told) -> bool:
    """Return whether a word says a relation that is told in the past: who assisted used to assist."""
    return words[place].says_relation and words[place].relation in told.past


def _is_verb(words: Sequence[Word], place: int) -> bool:
    """Return whether a word in a verb's place is one: not the name or the noun that "to" leads to."""
    word = _lowered(words, place)
    return bool(word) and not words[place].named and word not in ARTICLES and lemma(word) == word


def _stative(words: Sequence[Word], place: int, told: Told) -> bool:
    """Return whether "own" or "like" is the question's verb, and no relation's word."""
    word, before = words[place], _lowered(words, place - 1)
    if lemma(word.lowered) not in STATIVE or word.binding.role is Role.EVIDENCE:
        return False
    if word.lowered == "own" and before in _POSSESSIVE:
        return False
    earlier = [other.lowered for other in words[:place]]
    if word.lowered != lemma(word.lowered):
        passive = is_past(word.lowered) and any(other.lowered in BE | {"by"} for other in words)
        return before not in ANYBODY and not passive
    asks = not {*earlier} <= POLITE | REQUESTS | function_words() - (DO | QUESTION_WORDS)
    return asks and not DO.isdisjoint(earlier) and before not in ANYBODY | DO | {"to"} | BE


def _catenative(words: Sequence[Word], place: int, told: Told) -> bool:
    """Return whether a verb says how another came about: "refused to repair", "stopped repairing"."""
    word = words[place]
    unsaid = word.binding.role in (Role.MEANING, Role.UNACCOUNTED) or word.lowered in TO_COME
    following = words[place + 1 : place + 2]
    if unsaid and is_past(word.lowered) and any(_is_gerund(verb) for verb in following):
        return True
    return (
        unsaid
        and _lowered(words, place + 1) == "to"
        and place + 2 < len(words)
        and words[place + 2].says_relation
        and _is_verb(words, place + 2)
        and (word.lowered not in REQUESTS | POLITE | AUXILIARIES or _is_wish(words, place))
        and (word.binding.target == RELATED or word.binding.role is not Role.TYPE)
    )


def _is_wish(words: Sequence[Word], place: int) -> bool:
    """Return whether somebody else than who asks wants or needs something."""
    return lemma(words[place].lowered) in _WISHES and _lowered(words, place - 1) not in ANYBODY | POLITE


def _is_gerund(word: Word) -> bool:
    return word.lowered.endswith("ing") and (word.says_relation or word.guesses_relation)


def _compared(words: Sequence[Word], place: int, told: Told) -> bool:
    """Return whether a word says that something is not the same: "a different fuel than Merlin"."""
    following = [word.lowered for word in words[place + 2 : place + 2 + _COMPARED_WITHIN]]
    then = _THAN if _lowered(words, place) == "different" else frozenset({"than"})
    return _lowered(words, place) in COMPARED_OTHERS and not then.isdisjoint(following)


def _time_unit(words: Sequence[Word], place: int, told: Told) -> bool:
    """Return whether a unit of time is asked for that the answers are not of: the month, of a year."""
    word = words[place]
    before = {_lowered(words, place - back) for back in range(1, _ASKED_WITHIN + 1)}
    if before.isdisjoint({"what", "which"}) or word.lowered not in TIME_UNITS:
        return False
    return word.binding.role is Role.MEANING or (told.years and word.binding.target in ("", TIME))


def _part_of_period(words: Sequence[Word], place: int, told: Told) -> bool:
    """Return whether less than a whole period is asked for: "the late 1960s", "the end of May 2022"."""
    following = [word.lowered for word in words[place + 1 :]]
    if words[place].lowered in _NOUNS_OF_PARTS and following[:1] == ["of"]:
        following = following[1 + (following[1:2] == ["the"]) :]
    elif words[place].lowered not in _PARTS:
        return False
    return period_at(["the", *following], 1) is not None


def _deed(words: Sequence[Word], place: int, told: Told) -> bool:
    """Return whether a noun asks for what was done, where who did it is told: "what is the edition of"."""
    word = words[place].lowered
    asked, *between = [earlier.lowered for earlier in words[:place]] or [""]
    return (
        word.endswith(_DEEDS)
        and asked in ("what", "which")
        and bool(BE.intersection(between[:1]))
        and not any(earlier.binding.role is Role.TYPE or earlier.named for earlier in words[:place])
        and _lowered(words, place + 1) == "of"
        and word not in told.doers
        and any(akin(root(word), root(doer)) for doer in told.doers)
    )


def _price(words: Sequence[Word], place: int, told: Told) -> bool:
    """Return whether "how much" asks for an amount or a price that is not told: "how much is a bed"."""
    if (_lowered(words, place - 1), words[place].lowered) != ("how", "much"):
        return False
    of_any = _lowered(words, place + 1) in BE and _lowered(words, place + 2) in ("a", "an")
    counted = of_any and place + 3 < len(words) and words[place + 3].says_relation
    return not told.amounts or (counted and not told.prices)


def _no_longer(words: Sequence[Word], place: int, told: Told) -> bool:
    """Return whether a word says that something held before, which no fact tells of what holds."""
    ended = words[place].lowered in NO_LONGER and words[place].binding.role is not Role.EVIDENCE
    return ended and not (place + 1 < len(words) and _is_of_past(words, place + 1, told))


def _ended(words: Sequence[Word], place: int) -> bool:
    """Return whether a word says that something ended, which is no length: "no longer", "not anymore"."""
    word, before, after = words[place].lowered, _lowered(words, place - 1), _lowered(words, place + 1)
    if word == "living" and (_lowered(words, place - 2), before) == ("for", "a"):
        # What somebody does for a living is not where they lived.
        return words[place].binding.role is not Role.OPERATOR
    return word == "anymore" or (word == "longer" and before in _NO_MORE and after != "than")


def _event(words: Sequence[Word], place: int, told: Told) -> bool:
    """Return whether years are told of something else than was done: "when was it sold", of a founding."""
    word = words[place]
    if not told.years or lemma(word.lowered) in light_verbs():
        return False
    name = name_words(spelt(word.relation)) if word.guesses_relation else []
    contrary = any(are_opposites(word.lowered, other) for other in name)
    return contrary or (is_past(word.lowered) and is_far(word, NEAR_DEED))


def _deed_besides(words: Sequence[Word], place: int, told: Told) -> bool:
    """Return whether a verb in the past says more than is told: "the comic that it grew out of"."""
    word = words[place]
    is_deed = is_past(word.lowered) and lemma(word.lowered) not in OF_STATES | light_verbs()
    is_left = word.binding.role is Role.UNACCOUNTED or word.binding.target == RELATED
    return is_left and is_deed and word.lowered not in COPULAR


def _asked_verb(words: Sequence[Word], place: int, told: Told) -> bool:
    """Return whether nothing binds what something is or does that is asked for: "what is Ada good at"."""
    lowered, word = [other.lowered for other in words], words[place]
    from_asking = [*dropwhile(lambda other: other not in ("what", "who", "whom"), lowered)]
    is_left = word.binding.role is Role.UNACCOUNTED or word.binding.target == RELATED
    if not is_left or not from_asking or word.lowered in function_words() | light_verbs():
        return False
    if place == len(words) - 1:
        # "What does Ada earn".
        is_base = lemma(word.lowered) == word.lowered
        return is_base and words[place - 1].named and not DO.isdisjoint(from_asking[1:2])
    is_verb = is_past(word.lowered) or word.lowered.endswith("s") or not DO.isdisjoint(lowered)
    asks_of_being = not BE.isdisjoint(from_asking[1:2])
    return place == len(words) - 2 and lowered[-1] in PREPOSITIONS and not is_verb and asks_of_being


def _main(words: Sequence[Word], place: int, told: Told) -> bool:
    """Return whether one of several answers is asked for, which facts do not rank: "the main cargo"."""
    return (
        told.answers > 1 and words[place].lowered in MAIN and words[place].binding.role is not Role.EVIDENCE
    )


def _clause(words: Sequence[Word], place: int, told: Told) -> bool:
    """Return whether nothing binds a verb and it has an object: "the person who taught the warden".

    Behind prepositions, whom a relation tells: "who fills in for the captain of", not "who lives in".
    """
    word, before, following = words[place], _lowered(words, place - 1), words[place + 1 :]
    behind = list(dropwhile(lambda other: other.lowered in PREPOSITIONS, following))
    article = bool(behind) and behind[0].lowered in ARTICLES
    if len(behind) == len(following):
        has_object = article or (bool(behind) and behind[0].named)
    else:
        has_object = article and any(noun.says_relation or noun.guesses_relation for noun in behind[1:2])
    return (
        word.binding.role is Role.UNACCOUNTED
        and before in ("who", "that")
        and has_object
        and word.lowered not in light_verbs()
    )


def _onwards(words: Sequence[Word], place: int, told: Told) -> bool:
    """Return whether a verb leads on from what is answered: "what does Ada's sponsor make".

    An auxiliary leads nowhere: "did", but in "what does she do".
    """
    word = words[place]
    return (
        word.binding.role is Role.EMPTY
        and (word.lowered not in AUXILIARIES or place == len(words) - 1)
        and word.lowered in light_verbs()
        and root(word.lowered) in told.onwards
    )


def _second_question(words: Sequence[Word], place: int, told: Told) -> bool:
    """Return whether a word begins a question after another: "is there one, and what is it called"."""
    asks = words[place].lowered in QUESTION_WORDS and words[place].binding.role is not Role.OPERATOR
    if not asks or _lowered(words, place - 1) not in ("and", "so"):
        return False
    following = [word.lowered for word in words[place + 1 : place + 2 + _ASKED_WITHIN]]
    return any(before in AUXILIARIES and after in _PRONOUNS for before, after in pairwise(following))


def _unit(words: Sequence[Word], place: int, told: Told) -> bool:
    """Return whether values are asked for in another unit, or per another, than they are told in."""
    word, before = words[place].lowered, _lowered(words, place - 1)
    if before == "per" and words[place].binding.role is not Role.OPERATOR and is_unit(word):
        parts = [*told.roots, *(part for unit in told.units for part in unit.split("/"))]
        return all(in_unit(1.0, word, part) != 1.0 for part in parts)
    is_counted = not math.isnan(spoken_number(before)) or before in ("a", "per", "an")
    # A type's noun is none: stones, of a graph that has some.
    if is_counted or words[place].binding.role in (Role.OPERATOR, Role.TYPE):
        return False
    if not told.units or not is_unit(word):
        return False
    scales = [in_unit(1.0, word, unit) for unit in told.units]
    return any(scale is not None for scale in scales) and not any(scale == 1.0 for scale in scales)


_RULES = (
    _modal,
    _stative,
    _catenative,
    _compared,
    _time_unit,
    _part_of_period,
    _no_longer,
    _event,
    _deed_besides,
    _asked_verb,
    _main,
    _clause,
    _onwards,
    _second_question,
    _unit,
)
