"""Relations that a question says more than once: "the assistant of Ada's assistant" is two steps away."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

from evidence_assets.kgqa.graph.vocabulary import Vocabulary
from evidence_assets.kgqa.paths.masking import MaskedQuestion
from evidence_assets.kgqa.words.derivations import akin
from evidence_assets.kgqa.words.word_classes import QUESTION_WORDS, RELATIVES
from evidence_assets.text.function_words import function_words
from evidence_assets.text.roots import possible_roots, root
from evidence_assets.text.words import word_set

# What stands before a noun of somebody's: "Ada's teacher", "whose teacher".
_OF_SOMEBODY = word_set("s whose his her its their")
# What joins two conditions, each of which may say the same of something else.
_JOINTS = word_set("and or but nor than also while")


@dataclass(frozen=True, slots=True)
class Repetition:
    """Words of a question that say the same, each once more: their places, and the relations they may say."""

    places: tuple[int, ...]
    relations: frozenset[str]

    def unwalked(self, steps: Sequence[str]) -> tuple[int, ...]:
        """Return the places for which steps by relations have too few, those farthest in front.

        Where no step is by one of its relations, any may be said.
        """
        walked = sum(step in self.relations for step in steps) or len(steps)
        return self.places[: max(0, len(self.places) - walked)]


def repetitions(words: Sequence[str], hidden: Collection[int], vocabulary: Vocabulary) -> list[Repetition]:
    """Return what lower-cased words of a question say more than once of relations.

    The noun of a type says a relation only where it is of somebody: "the teacher of", not "which teacher".

    Args:
        hidden: The places of words of names.
    """
    groups: list[tuple[str, list[int], set[str]]] = []
    for place, key in _telling(words, hidden, vocabulary):
        relations = vocabulary.said_by.get(key, frozenset())
        same = next((group for group in groups if akin(group[0], key)), None)
        if same is None:
            groups.append((key, [place], {*relations}))
        else:
            same[1].append(place)
            same[2].update(relations)
    again = [
        Repetition(tuple(places), frozenset(relations))
        for _, places, relations in groups
        if len(places) > 1 and not _joined(words, places)
    ]
    return again or _in_other_words(words, hidden, groups)


def _in_other_words(
    words: Sequence[str],
    hidden: Collection[int],
    groups: Sequence[tuple[str, Sequence[int], Collection[str]]],
) -> list[Repetition]:
    """Return what two words say of which one is said of what the other leads to.

    "Who learnt from Ada's apprentice", "what eats something that feeds on grass"; a "spare key" is one thing.
    """
    alone = [(places[0], frozenset(relations)) for _, places, relations in groups if len(relations) == 1]
    # "Around which body does it revolve": the word that asks begins no clause.
    asking = next((place for place, word in enumerate(words) if word in QUESTION_WORDS), -1)
    silent = {*hidden, asking}
    said = []
    for (first, relations), (second, others) in combinations(sorted(alone), 2):
        between = {words[place] for place in range(first + 1, second) if place not in silent}
        possessed = any(words[place - 1] == "s" and place - 2 in hidden for place in (first, second))
        if (
            relations == others
            and not function_words().isdisjoint(between)
            and not _joined(words, (first, second))
            and (possessed or not RELATIVES.isdisjoint(between))
        ):
            said.append(Repetition((first, second), relations))
    return said


def repeated(question: MaskedQuestion, vocabulary: Vocabulary) -> list[Repetition]:
    """Return what a question about one thing says more than once; of several each may have its own."""
    return repetitions(question.words, question.hidden, vocabulary) if question.alone else []


def _telling(
    words: Sequence[str], hidden: Collection[int], vocabulary: Vocabulary
) -> Iterator[tuple[int, str]]:
    """Yield the places of words that say a relation, each with its root."""
    for place, word in enumerate(words):
        if place in hidden or word in function_words():
            continue
        key = next((key for key in possible_roots(word) if key in vocabulary.said_by), None)
        key = key or next((said for said in vocabulary.said_by if akin(root(word), said)), None)
        if vocabulary.types_named(word):
            of_somebody = "of" in words[place + 1 : place + 2] or (place and words[place - 1] in _OF_SOMEBODY)
            key = (key or root(word)) if of_somebody else None
        if key is not None:
            yield place, key


def _joined(words: Sequence[str], places: Sequence[int]) -> bool:
    """Return whether something between words joins two conditions."""
    return any(not _JOINTS.isdisjoint(words[first:second]) for first, second in pairwise(places))
