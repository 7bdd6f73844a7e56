"""Words that are read as a relation for the types at its ends alone, and that say another one plainly.

A verb or noun that is like no relation may still be another word for one: there is hardly anything else that
an airline may do to an alliance. But what was sold by a printer was not printed by it: a verb in the past
tells of one deed, and a noun of somebody of one role.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from evidence_assets.evidence.accounting import Accounting, Role
from evidence_assets.kgqa.slots.senses import is_agent
from evidence_assets.kgqa.slots.slots import RELATED
from evidence_assets.kgqa.understanding.bound_words import Word, words_of
from evidence_assets.kgqa.words.derivations import is_past
from evidence_assets.kgqa.words.word_classes import (
    ARTICLES,
    AUXILIARIES,
    BE,
    HAVE,
    MODALS,
    PREPOSITIONS,
    RELATIVES,
    STATIVE,
)
from evidence_assets.text.function_words import light_verbs
from evidence_assets.text.roots import lemma
from evidence_assets.text.words import word_set

# Below this cosine to a relation a verb in the past, a noun of a role, or a degree, tells of something else.
NEAR = 0.45
# Below this a verb in the past is another deed even where someone is asked for: "who bought", of a builder.
NEAR_DEED = 0.4
# Verbs of how things are, which tell of no deed in the past either.
OF_STATES = STATIVE | word_set(
    "live stand lie belong sit base situate locate involve include contain hold keep cover"
)
# What a clause that says more of things begins with: "that are kept in", "are out of".
_BEGINNINGS = RELATIVES | {"are", "were"}
# What may stand behind a participle that ends a question.
_BEHIND_STATES = word_set("out up off down away yet already now since before")


def guessed_words(accounting: Accounting) -> list[str]:
    """Return the deeds and roles of a question that only the types of a relation's ends account for."""
    words = words_of(accounting)
    return [
        words[place].text for place in dict.fromkeys([*_deeds(words), *_roles(words), *_predicates(words)])
    ]


def _deeds(words: Sequence[Word]) -> Iterator[int]:
    """Yield where a verb in the past is done to a name, or by one, or ends a question: `did Kranz die`."""
    for place, word in enumerate(words):
        did = _follows_did(words, place)
        if not is_far(word) or not (did or is_past(word.lowered)):
            continue
        if lemma(word.lowered) in OF_STATES | light_verbs():
            continue
        # "Who was sold the books of Kranz" asks what was done to whom, not to the books.
        of_name = _is_done_to_part(words, place + 1) and words[place - 1].lowered not in BE
        to_name = _is_done_to_name(words, place + 1) and not _is_of_somebody(words, place)
        if did or of_name or to_name or _ends_as_state(words, place):
            yield place


def _ends_as_state(words: Sequence[Word], place: int) -> bool:
    """Return whether a question ends with what was done to what it asks for: "which were sold out".

    What "can be picked" was not, and "where clay was laid" says what of.
    """
    earlier = [word.lowered for word in words[:place]]
    if "where" in earlier or any(
        before in PREPOSITIONS and which == "which" for before, which in pairwise(earlier)
    ):
        return False
    modal = place > 1 and words[place - 2].lowered in MODALS | AUXILIARIES - HAVE
    behind = {word.lowered for word in words[place + 1 :]}
    return words[place - 1].lowered in BE and not modal and behind <= _BEHIND_STATES


def _follows_did(words: Sequence[Word], place: int) -> bool:
    """Return whether a verb stands behind `did` and a name."""
    before = place - 1
    while before > 0 and words[before].named:
        before -= 1
    return 0 <= before < place - 1 and words[before].lowered == "did"


def _is_done_to_name(words: Sequence[Word], behind: int) -> bool:
    """Return whether a name stands behind a verb."""
    behind += behind < len(words) and words[behind].lowered in PREPOSITIONS
    behind += behind < len(words) and words[behind].lowered in ARTICLES
    return behind < len(words) and words[behind].named


def _is_done_to_part(words: Sequence[Word], behind: int) -> bool:
    """Return whether what no word of the graph says, of a name, stands behind a verb: `the hats of Ada`."""
    behind += behind < len(words) and words[behind].lowered in ARTICLES
    if behind + 2 >= len(words) or words[behind + 1].lowered != "of" or words[behind].says_relation:
        return False
    is_typed = words[behind].binding.role is Role.TYPE
    of = behind + 2 + (words[behind + 2].lowered in ARTICLES)
    return not is_typed and of < len(words) and words[of].named


def _is_of_somebody(words: Sequence[Word], place: int) -> bool:
    """Return whether a relation is asked for by what some person did: `who instructed Ada`."""
    is_like = words[place].guesses_relation and not is_far(words[place], NEAR_DEED)
    return is_like and place > 0 and words[place - 1].lowered in {"who", "whom"}


def _roles(words: Sequence[Word]) -> Iterator[int]:
    """Yield where a noun of somebody stands before a name that it is of: `the owner of the Red Line`."""
    for place, word in enumerate(words[:-2]):
        of = words[place + 1].lowered == "of"
        behind = place + 2 + (words[place + 2].lowered in ARTICLES)
        named = behind < len(words) and words[behind].named
        if of and named and is_far(word) and is_agent(word.lowered):
            yield place


def _predicates(words: Sequence[Word]) -> Iterator[int]:
    """Yield where a clause ends in which nothing is told: `that ship abroad`, `are out of print`.

    A name, or a word for a relation, stands before it: else it may be all that is asked.
    """
    content = [place for place, word in enumerate(words) if word.binding.role is not Role.EMPTY]
    last = content[-1] if content else 0
    if not content or not _tells_nothing(words, last):
        return
    start = last
    while start > 1 and words[start].lowered not in _BEGINNINGS:
        says_nothing = words[start].binding.role is Role.EMPTY or words[start].binding.target == RELATED
        if not says_nothing and words[start].binding is not words[last].binding:
            return
        start -= 1
    if start > 1 and any(word.named or word.says_relation for word in words[:start]):
        yield last


def _tells_nothing(words: Sequence[Word], place: int) -> bool:
    """Return whether nothing accounts for a word, or a type that it is near to behind a preposition.

    "Out of business" says nothing of workshops.
    """
    word, target = words[place], words[place].binding.target
    of_kind = word.binding.role is Role.MEANING and target.startswith("type ")
    return is_far(word) or target == RELATED or (of_kind and words[place - 1].lowered in PREPOSITIONS)


def is_far(word: Word, near: float = NEAR) -> bool:
    """Return whether nothing accounts for a word, or a relation that it is not `near` to."""
    nearness = word.binding.similarity
    if word.binding.role is Role.UNACCOUNTED:
        return True
    return word.guesses_relation and nearness is not None and nearness < near
