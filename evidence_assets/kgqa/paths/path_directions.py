"""Which way a relation between things of one type is asked: whether the topic is its head or its tail.

Types do not tell "What does Titan orbit?" from "What orbits Titan?". The order of words does: a sentence of
the relation has its verb or noun between head and tail, and the question has it before or behind its topic.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from evidence_assets.kgqa.graph.mutual_relations import is_mutual
from evidence_assets.kgqa.graph.naming import words_and_ends
from evidence_assets.kgqa.graph.schema import Schema
from evidence_assets.kgqa.paths.masking import MaskedQuestion
from evidence_assets.kgqa.paths.relation_paths import fit
from evidence_assets.kgqa.words.derivations import is_past
from evidence_assets.kgqa.words.word_classes import AUXILIARIES, BE, RELATIVE
from evidence_assets.text.function_words import function_words
from evidence_assets.text.roots import root
from evidence_assets.text.words import word_set

_HAVE = word_set("has have had")
# The nearest of these before a verb tells its voice: an auxiliary, or the beginning of its clause.
_CLAUSE = AUXILIARIES | BE | RELATIVE | word_set("that which and or")
# How many words stand between a verb and its "by" at most: "taken over by".
_PARTICLES = 1
# No verb follows these.
_BEFORE_NOUNS = word_set("a an the his her its their in under by from with many which what")


class Directions:
    """The order of words in the sentences of a schema's relations between things of one type."""

    def __init__(self, schema: Schema) -> None:
        # For each relation: of the roots between its ends, whether the head stands before them.
        self._head_first: dict[str, Mapping[str, bool]] = {
            name: _orders(relation.sentences)
            for name, relation in schema.relations.items()
            if fit(relation.head_type, relation.tail_type) and not is_mutual(relation)
        }

    def of(self, question: MaskedQuestion) -> dict[str, float]:
        """Return 1 for each relation of which the topic is the head, -1 for those of which it is the tail.

        The relation's word that is nearest to the topic tells; relations of which none does are left out.
        """
        if question.topic < 0:
            return {}
        roots = _roots(question)
        directions = {}
        for name, head_first in self._head_first.items():
            places = [
                place
                for place, key in enumerate(roots)
                if key in head_first and not _is_unpossessed_noun(question, place)
            ]
            if places:
                place = min(places, key=lambda place: (abs(place - question.topic), place))
                directions[name] = self._direction(question, place, roots, head_first)
        return directions

    def of_each(self, question: MaskedQuestion, relation: str, places: Sequence[int]) -> list[float]:
        """Return 1 or -1 for each of the places where a question says a relation; 0 where it tells nothing.

        In the order of steps from the topic, that is of how near they are to it. What is said of another of
        them, "who taught the teacher of", has the topic on the same side.
        """
        head_first, roots = self._head_first.get(relation, {}), _roots(question)
        return [
            self._direction(question, place, roots, head_first) if roots[place] in head_first else 0.0
            for place in sorted(places, key=lambda place: (abs(place - question.topic), place))
        ]

    def _direction(
        self, question: MaskedQuestion, place: int, roots: Sequence[str], head_first: Mapping[str, bool]
    ) -> float:
        topic_first = self._topic_first(question, place, roots)
        topic_first ^= _is_passive(question.words, place)
        return 1.0 if topic_first == head_first[roots[place]] else -1.0

    def _topic_first(self, question: MaskedQuestion, place: int, roots: Sequence[str]) -> bool:
        """Return whether the topic stands where a sentence has what comes before its verb or noun.

        "Titan's moons" are the moons of Titan, and whose "parent is Titan" has Titan as its parent. What
        "Norbo's owner supplies" is not said of Norbo's.
        """
        words = question.words
        if question.topic > place:
            # "Whose assistant Ada is", "whose assistant is Ada".
            of_whom = words[place - 1 : place] == ("whose",) and _only_names(question, place)
            behind = question.topic + 1 if of_whom else place + 1
            return not BE.isdisjoint(words[behind : behind + 1])
        if words[place - 1] == "s" and place - 2 not in question.hidden:
            return False
        between = roots[question.topic + 1 : place]
        is_nearest = not any(key in head_first for key in between for head_first in self._head_first.values())
        return not (is_nearest and _is_possessive(words, question.topic))


def _roots(question: MaskedQuestion) -> list[str]:
    """Return the roots of a question's words that may tell of a direction, "" for the others."""
    skipped = question.hidden.union(_asked_nouns(question))
    return ["" if place in skipped else root(word) for place, word in enumerate(question.words)]


def _only_names(question: MaskedQuestion, place: int) -> bool:
    """Return whether nothing but words for the topic stands between a word and the topic behind it."""
    return question.hidden.issuperset(range(place + 1, question.topic))


def _orders(sentences: Sequence[str]) -> Mapping[str, bool]:
    """Return the roots that stand between head and tail, active voice, with whether the head stands first.

    Those that sentences disagree about are left out.
    """
    orders: dict[str, set[bool]] = {}
    for sentence in sentences:
        for key, head_first in _order(sentence):
            orders.setdefault(key, set()).add(head_first)
    return {key: min(order) for key, order in orders.items() if len(order) == 1}


def _order(sentence: str) -> Iterator[tuple[str, bool]]:
    parts, head, tail = words_and_ends(sentence)
    first, last = min(head, tail), max(head, tail)
    head_first = (head < tail) != _is_possessive(parts, first)
    for place in range(first + 1, last):
        if parts[place] not in function_words():
            yield root(parts[place]), head_first != _is_passive(parts, place)


def _asked_nouns(question: MaskedQuestion) -> range:
    """Return the places of a type that is asked for and had by nothing: "under which category does it fall".

    "Which subsidiaries does it have" are its subsidiaries, and whose "subsidiary it is" has it as one.
    """
    first, last = question.answer_type.first, question.answer_type.last
    if first == last or question.words[first] == "whose" or not _HAVE.isdisjoint(question.words):
        return range(0)
    return range(first, last + 1)


def _is_unpossessed_noun(question: MaskedQuestion, place: int) -> bool:
    """Return whether a word behind the topic is a noun that is nobody's: "appeared in translation".

    Whose it is, or of what, would tell the direction.
    """
    before = question.words[place - 1] if place else ""
    return (
        0 <= question.topic < place - 1
        and before in _BEFORE_NOUNS
        and "of" not in {question.words[0], *question.words[place + 1 : place + 2 + _PARTICLES]}
    )


def _is_possessive(parts: Sequence[str], place: int) -> bool:
    return "s" in parts[place + 1 : place + 2]


def _is_passive(parts: Sequence[str], place: int) -> bool:
    """Return whether a verb says what is done to its subject: "orbited by", "was it orbited"."""
    if not is_past(parts[place]):
        return False
    if parts[0] == "by" or "by" in parts[place + 1 : place + 2 + _PARTICLES]:
        return True
    before = next((word for word in reversed(parts[:place]) if word in _CLAUSE), "")
    return before in BE
