"""The words by which a schema's relations and types are asked for, and how telling each one is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

import numpy as np

from evidence_assets.kgqa.graph.schema import Schema
from evidence_assets.kgqa.words.derivations import is_participle, is_same_noun
from evidence_assets.kgqa.words.word_classes import (
    ACTING_OR_HOLDING,
    DETERMINERS,
    QUESTION_WORDS,
    is_function_word,
)
from evidence_assets.text.roots import possible_roots, root
from evidence_assets.text.words import word_set, words

_AMOUNTS = word_set("when how")
_BEFORE_NOUNS = DETERMINERS | {"the", "a", "an"}


class Vocabulary:
    """Roots of the words of a schema.

    `weights`: ln(1 + relations / relations that a root is a word of). A relation's words are those of its
    name and sentences, without function words and the nouns of types, and the words for the types at its
    ends, as far as no relation has them in a sentence: "year" asks for the release year, "who" for any
    relation of people.

    `said_by`: of each root of relations' names and sentences, these relations.
    """

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self._types: dict[str, tuple[str, ...]] = {}
        # Types that "when" or "how many" asks for: "who" and "where" never do.
        self.amounts = frozenset(
            type_
            for type_, names in schema.types.items()
            if any(not _AMOUNTS.isdisjoint(words(name)[:1]) for name in names)
        )
        # Their roots are those of verbs: what is a building need not be what something is built of.
        self._verbal_nouns = frozenset(
            noun
            for names in schema.types.values()
            for name in names
            for noun in words(name)[-1:]
            if noun.endswith(("ing", "ings"))
        )
        self._last_nouns = {
            type_: frozenset(name_words[-1] for name in names if (name_words := words(name)))
            for type_, names in schema.types.items()
        }
        type_roots: dict[str, frozenset[str]] = {}
        for type_ in schema.types:
            type_roots[type_] = frozenset(map(root, self._last_nouns[type_]))
            for name in sorted(type_roots[type_]):
                self._types[name] = (*self._types.get(name, ()), type_)
        sentence_roots = {name: self._sentence_roots(name) for name in schema.relations}
        all_sentence_roots = frozenset().union(*sentence_roots.values())
        self.relation_words: Mapping[str, frozenset[str]] = {
            name: sentence_roots[name]
            | {
                word
                for type_ in (relation.head_type, relation.tail_type)
                for word in type_roots.get(type_, frozenset())
                if word not in all_sentence_roots
            }
            for name, relation in schema.relations.items()
        }
        holders = Counter(word for roots in self.relation_words.values() for word in roots)
        self.sentence_roots: Mapping[str, frozenset[str]] = sentence_roots
        self.said_by: Mapping[str, frozenset[str]] = {
            word: frozenset(name for name, roots in sentence_roots.items() if word in roots)
            for word in sorted(all_sentence_roots)
        }
        self.weights: Mapping[str, float] = {
            word: float(np.log1p(len(sentence_roots) / count)) for word, count in sorted(holders.items())
        }

    def types_named(self, word: str) -> tuple[str, ...]:
        """Return the types that a word names or asks for, in the schema's order; mostly none.

        Where it is the very noun of some, others of the same root are not meant: an excavation is no
        excavator, and whoever was coached no coach.
        """
        types = self._types.get(root(word), ())
        is_verb = is_participle(word.lower())
        if len(types) < 2 and not is_verb:
            return types
        exact = tuple(
            type_
            for type_ in types
            if any(is_same_noun(word.lower(), noun) for noun in self._last_nouns[type_])
        )
        return exact if is_verb else exact or types

    def says_relation(self, word: str) -> bool:
        """Return whether a word is a question word, or occurs in a relation's name or sentences."""
        return word.lower() in QUESTION_WORDS or any(
            root(word) in roots for roots in self.sentence_roots.values()
        )

    def columns_of(self, words: Sequence[str], columns: Mapping[str, int]) -> list[int]:
        """Return each word's column; -1 for words that the schema does not know, and for function words.

        A function word that names a type is known: "who", "when", "about". A type's noun that is made of a
        verb is not, "building", but behind what shows it to be a noun: "which building".
        """
        return [
            -1
            if (word in self._verbal_nouns and before not in _BEFORE_NOUNS)
            or (is_function_word(word) and root(word) not in self._types)
            else next((columns[key] for key in possible_roots(word) if key in columns), -1)
            for before, word in zip(["", *words], words, strict=False)
        ]

    def known(self, words: Sequence[str]) -> list[str]:
        """Return the words of the schema that a question's are, in its order, without "who" and "where"."""
        roots = list(self.weights)
        columns = {word: place for place, word in enumerate(roots)}
        telling = [word for word in words if word not in ACTING_OR_HOLDING]
        return [roots[place] for place in self.columns_of(telling, columns) if place >= 0]

    def coverage(self, known: Sequence[str], relations: Collection[str]) -> float:
        """Return how much of the weight of words that a schema knows is that of some relations' words."""
        total = sum(self.weights[word] for word in sorted(set(known)))
        covered = {word for word in known for name in relations if word in self.relation_words[name]}
        return sum(self.weights[word] for word in sorted(covered)) / total if total else 0.0

    def mentions(self, known: Sequence[str], relation: str) -> int:
        """Return how many words that a schema knows are of a relation's name and sentences."""
        return sum(word in self.sentence_roots[relation] for word in known)

    def says(self, word: str, relation: str) -> bool:
        """Return whether a word is one of a relation's."""
        said = not self.relation_words[relation].isdisjoint(possible_roots(word))
        return said and word.lower() not in self._verbal_nouns

    def noun(self, type_: str) -> str:
        """Return the noun for a type: its first word that is no question word."""
        for name in self.schema.types.get(type_, ()):
            if name.lower() not in QUESTION_WORDS:
                return name
        return type_.replace("_", " ")

    def _sentence_roots(self, name: str) -> frozenset[str]:
        relation = self.schema.relations[name]
        texts = [name, *relation.plain_sentences]
        nouns = {self.noun(type_).lower() for type_ in self.schema.types}
        return frozenset(
            root(word)
            for text in texts
            for word in words(text)
            if not is_function_word(word) and word not in nouns
        ) - {""}
