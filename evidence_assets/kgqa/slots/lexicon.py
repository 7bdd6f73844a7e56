"""What the words of a question may stand for in a graph: relations and types, by root, derivation or meaning.

Everything is derived from the schema's own names and sentences; the only lists are of general English.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pyarrow.compute as pc

from evidence_assets.graphs.graph import Graph
from evidence_assets.kgqa.graph.asked_kinds import AskedKinds, KindExamples
from evidence_assets.kgqa.graph.linked_questions import LinkedQuestion
from evidence_assets.kgqa.graph.measured_relations import MeasuredRelations
from evidence_assets.kgqa.graph.naming import noun_of, shared_nouns, spelt
from evidence_assets.kgqa.graph.node_types import NodeTypes
from evidence_assets.kgqa.graph.relation_facts import relation_facts
from evidence_assets.kgqa.graph.schema import THING, Schema
from evidence_assets.kgqa.graph.type_nearness import TypeNearness
from evidence_assets.kgqa.graph.vocabulary import QUESTION_WORDS
from evidence_assets.kgqa.queries.algebra import Named
from evidence_assets.kgqa.slots.likelihoods import Likelihoods
from evidence_assets.kgqa.words.derivations import akin, lemma
from evidence_assets.models.encoder import EncodedWords, Encoder
from evidence_assets.text.function_words import function_words
from evidence_assets.text.roots import possible_roots, root
from evidence_assets.text.words import words

# A word is bound to a relation or type by meaning from this cosine on, if no other is as near by the margin.
# Set by hand while reading the development graphs, not swept.
MEANING, MARGIN = 0.60, 0.04
_BE = frozenset(["is", "are", "was", "were", "be", "been", "has", "have"])
# How English ends adjectives of names: Chilean, Irish, Japanese, French, Greek, Arabic, Iraqi.
_ADJECTIVE = re.compile(r"(?:an|ish|ese|ch|ek|ic|i)$")
_AGENT = re.compile(r"\w{3,}(?:er|or|ist|ian|ar)s?$")


@dataclass(frozen=True, slots=True)
class RelationSense:
    """A relation that a word may stand for; `similarity` where meaning alone says so.

    `agentive`: the word is a noun for who does it ("publisher" of `published_by`).
    """

    relation: str
    similarity: float | None = None
    agentive: bool = False


@dataclass(frozen=True, slots=True)
class TypeSense:
    """A type that a word may stand for; `similarity` where meaning alone says so."""

    type: str
    similarity: float | None = None


class Lexicon:
    """The words for a graph's relations and types; `encoder` compares meanings."""

    def __init__(self, graph: Graph, schema: Schema, types: NodeTypes, encoder: Encoder) -> None:
        self._schema, self._types, self.encoder = schema, types, encoder
        self._labels = graph.labels
        self._examples = KindExamples(encoder)
        self._derived: dict[str, Named | None] = {}
        titled = words(spelt(graph.name))
        self.name_roots = frozenset(map(root, titled)) if len(titled) == 1 else frozenset()
        self.facts = relation_facts(graph, schema)
        self.measured = MeasuredRelations(self.facts, schema, encoder)
        self._relation_roots = {
            name: frozenset(
                root(word)
                for text in (spelt(name), *relation.plain_sentences)
                for word in words(text)
                if word not in function_words() and not self.facts[name].is_of_unit(word)
            )
            - self._noun_roots(name)
            for name, relation in schema.relations.items()
        }
        self._type_words = {
            type_: [names_words for noun in (type_, *names) if (names_words := words(spelt(noun)))]
            for type_, names in schema.types.items()
            if type_ != THING
        }
        for type_, noun in shared_nouns(graph, types).items():
            self._type_words.setdefault(type_, []).append([noun])
        self._add_head_nouns()
        self._near: dict[str, tuple[list[RelationSense], list[TypeSense]]] = {}
        self._cosines: dict[str, tuple[np.ndarray, np.ndarray]] = {}
        self._last: tuple[str, EncodedWords | None] = "", None

    def _add_head_nouns(self) -> None:
        """Let the last word of a type's noun stand for it, if it is no other's: "plant", a power plant."""
        heads = Counter(
            head for names in self._type_words.values() for head in {root(name[-1]) for name in names}
        )
        for names in self._type_words.values():
            names += [[name[-1]] for name in list(names) if len(name) > 1 and heads[root(name[-1])] == 1]

    def _noun_roots(self, name: str) -> frozenset[str]:
        """Return the roots of nouns of types that stand in a relation's sentences, not in its name."""
        nouns = {
            root(word)
            for type_, names in self._schema.types.items()
            for noun in (type_, *names)
            for word in words(noun)
        }
        return frozenset(nouns - {root(word) for word in words(spelt(name))})

    def roots_of(self, relations: Collection[str]) -> frozenset[str]:
        """Return the roots of all words of relations' names and sentences."""
        return frozenset(
            root(word)
            for name in relations
            for text in (spelt(name), *self._schema.relations[name].plain_sentences)
            for word in words(text)
        )

    def doers_of(self, relations: Collection[str]) -> frozenset[str]:
        """Return the words of relations' names that lead to who does it: "author", "written" by."""
        return frozenset(
            word
            for name in relations
            for word in self.facts[name].name_words
            if self.facts[name].name_words[-1] == "by" or _AGENT.match(word)
        )

    def relations(self, word: str) -> list[RelationSense]:
        """Return the relations that a word's root names, or is derived from; what meaning adds is apart."""
        word_roots = possible_roots(word)
        senses = []
        for name, roots in self._relation_roots.items():
            if not roots.isdisjoint(word_roots):
                verbal = any(
                    part == "by" or (part.endswith(("ed", "en", "s")) and part not in _BE)
                    for part in self.facts[name].name_words
                )
                senses.append(RelationSense(name, None, bool(_AGENT.match(word)) and verbal))
            elif any(akin(word_roots[0], name_root) for name_root in roots):
                senses.append(RelationSense(name, None, bool(_AGENT.match(word))))
        return senses

    def continued(
        self, senses: Sequence[RelationSense], text_words: Sequence[str], place: int, length: int
    ) -> list[RelationSense]:
        """Return the relations of a word whose names go on with the word that is `length` places after it."""
        if place + length >= len(text_words):
            return []
        roots = [root(word) for word in text_words[place : place + length + 1]]
        return [
            sense
            for sense in senses
            if sense.similarity is None
            and _holds([root(word) for word in self.facts[sense.relation].name_words], roots)
        ]

    def by_name(self, text_words: Sequence[str], place: int, length: int) -> list[RelationSense]:
        """Return the relations whose names hold so many words of a text from a place on."""
        roots = [root(word) for word in text_words[place : place + length]]
        return [
            RelationSense(name)
            for name, facts in self.facts.items()
            if len(roots) == length and _holds([root(word) for word in facts.name_words], roots)
        ]

    def spelt_as(self, phrase: str, nodes: tuple[int, ...]) -> tuple[int, ...]:
        """Return the nodes whose labels a phrase spells to the letter, if it does any's: cork is not Cork."""
        return tuple(node for node in nodes if self._labels[node].as_py() in phrase) or nodes

    def of_types(self, nodes: Sequence[int], types: Collection[str]) -> tuple[int, ...]:
        """Return the nodes of any of some types."""
        return tuple(node for node in nodes if not {*self._types.of(node)}.isdisjoint(types))

    def derived_name(self, word: str) -> Named | None:
        """Return the name that a word in capitals is the plural or, by form and meaning, an adjective of."""
        if not word[:1].isupper() or len(word) < 4:
            return None
        if word not in self._derived:
            begins = pc.and_(
                pc.starts_with(self._labels, word[:2]), pc.match_substring_regex(self._labels, r"^\pL+$")
            )
            self._derived[word] = self._derived_of(word, self._labels.filter(begins).unique().to_pylist())
        return self._derived[word]

    def _derived_of(self, word: str, labels: Sequence[str]) -> Named | None:
        name = next((label for label in labels if word in (f"{label}s", f"{label}es")), "")
        if not name and labels and _ADJECTIVE.search(word):
            cosines = np.round(self.encoder.encode(labels) @ self.encoder.encode([word])[0], 6)
            name = labels[int(cosines.argmax())] if cosines.max() >= MEANING else ""
        if not name:
            return None
        return Named(name, tuple(np.flatnonzero(pc.equal(self._labels, name).to_numpy(False)).tolist()))

    def by_preposition(self, word: str) -> list[RelationSense]:
        """Return the relations whose name is this function word alone, or a form of it: `about`, `owns`."""
        return [
            RelationSense(name)
            for name, facts in self.facts.items()
            if facts.name_words == (word,)
            or (len(facts.name_words) == 1 and word not in _BE and word == lemma(facts.name_words[0]))
        ]

    def types(self, word: str, following: Sequence[str] = ()) -> list[tuple[TypeSense, int]]:
        """Return the types that begin with a word, with how many words each takes."""
        if word in QUESTION_WORDS:
            return []
        senses: dict[str, int] = {}
        for type_, names in self._type_words.items():
            for name in names:
                phrase = [word, *following][: len(name)]
                if len(phrase) == len(name) and all(map(_is_form_of, phrase, name)):
                    senses[type_] = max(len(name), senses.get(type_, 0))
        return [(TypeSense(type_), length) for type_, length in senses.items()]

    def asked_types(self, word: str) -> tuple[str, ...]:
        """Return the types that an authored schema gives to a question word."""
        return tuple(type_ for type_, names in self._type_words.items() if [word] in names)

    @property
    def nouns(self) -> Sequence[str]:
        """The types that nouns stand for, literals aside."""
        return [type_ for type_ in self._type_words if type_ not in self.literal_types]

    @cached_property
    def kinds(self) -> AskedKinds:
        """Which types "who" and "where" may ask for."""
        return self._examples.asked_kinds({name: spelt(name) for name in self._type_words})

    def _is_no_person(self, type_: str) -> bool:
        """Return whether a type is not of persons, in a graph that has some."""
        return bool(self.kinds.persons) and type_ not in self.kinds.persons

    @cached_property
    def _nearness(self) -> TypeNearness:
        wordings = {name: facts.wording for name, facts in self.facts.items()}
        return TypeNearness([*self._type_words], self._schema, wordings, self.kinds.persons, self.encoder)

    @cached_property
    def literal_types(self) -> frozenset[str]:
        """The types of numbers and years."""
        return frozenset(
            self._schema.ends(name, False)[1] for name, facts in self.facts.items() if facts.literal
        ) - {THING}

    @cached_property
    def _targets(self) -> tuple[list[RelationSense | TypeSense], np.ndarray]:
        texts: list[str] = []
        senses: list[RelationSense | TypeSense] = []
        for name in self._schema.relations:
            senses.append(RelationSense(name))
            texts.append(self.facts[name].wording)
        for type_, names in self._type_words.items():
            for noun in names:
                if noun[0] not in QUESTION_WORDS:
                    senses.append(TypeSense(type_))
                    texts.append(" ".join(noun))
        return senses, self.encoder.encode(texts) if texts else np.empty((0, self.encoder.dimension))

    def prepare(self, unknown: Sequence[str]) -> None:
        """Encode words at once that `by_meaning` will be asked for."""
        fresh = sorted({word for word in unknown if word not in self._near})
        if not fresh:
            return
        senses, vectors = self._targets
        lemmas = [lemma(word) for word in fresh]
        encoded = self.encoder.encode(lemmas)
        cosines = np.round(encoded @ vectors.T, 6)
        to_types = np.array([self._by_type(row, senses) for row in cosines])
        persons = self._examples.are_persons(lemmas)
        nearness = self._nearness.of(encoded, to_types, persons)
        for word, row, to_type, is_person in zip(fresh, cosines, nearness, persons, strict=True):
            near = [(float(row[place]), sense) for place, sense in enumerate(senses) if row[place] >= MEANING]
            best = max((cosine for cosine, _ in near), default=0.0)
            nearest = [(cosine, sense) for cosine, sense in near if cosine >= best - MARGIN]
            self._cosines[word] = row[: len(self._schema.relations)], to_type
            self._near[word] = (
                [
                    RelationSense(sense.relation, cosine, bool(_AGENT.match(word)))
                    for cosine, sense in nearest
                    if isinstance(sense, RelationSense)
                ],
                [
                    TypeSense(sense.type, cosine)
                    for cosine, sense in nearest
                    # Journalists are near to newspapers, but none.
                    if isinstance(sense, TypeSense) and not (is_person and self._is_no_person(sense.type))
                ],
            )

    def _by_type(self, row: np.ndarray, senses: Sequence[RelationSense | TypeSense]) -> list[float]:
        """Return a word's cosine to the nearest noun of each type."""
        count = len(self._schema.relations)
        of_type = dict.fromkeys(self._type_words, -1.0)
        for cosine, sense in zip(row[count:].tolist(), senses[count:], strict=True):
            if isinstance(sense, TypeSense):
                of_type[sense.type] = max(cosine, of_type[sense.type])
        return list(of_type.values())

    def by_meaning(self, word: str) -> tuple[list[RelationSense], list[TypeSense]]:
        """Return the relations and types whose names are near a word in meaning."""
        self.prepare([word])
        return self._near[word]

    @cached_property
    def _relation_sentences(self) -> np.ndarray:
        """(r, d) each relation in words between the types at its ends, in the schema's order."""
        texts = []
        for name in self._schema.relations:
            head, tail = map(noun_of, self._schema.ends(name, False))
            texts.append(f"{head} {self.facts[name].wording} {tail}")
        return self.encoder.encode(texts) if texts else np.empty((0, self.encoder.dimension))

    def likelihoods(self, question: LinkedQuestion) -> Likelihoods:
        """Return which relations and types a question, and each word of it, is likely to speak of."""
        shown = self._with_nouns(question)
        content = [word for word in words(shown) if word not in function_words()]
        self.prepare(content)
        named = {senses[0].relation for word in content if len(senses := self.relations(word)) == 1}
        sentences = np.round(self._relation_sentences @ self.encoded(question).sentence, 6)
        names = tuple(self._schema.relations)
        return Likelihoods(names, sentences, self._cosines, tuple(self._type_words), named)

    def encoded(self, question: LinkedQuestion) -> EncodedWords:
        """Return a question with the nouns of types in place of names, encoded; the last one is held."""
        shown, (text, encoded) = self._with_nouns(question), self._last
        if encoded is None or shown != text:
            [encoded] = self.encoder.encode_words([shown])
            self._last = shown, encoded
        return encoded

    def _with_nouns(self, question: LinkedQuestion) -> str:
        """Return a question with the nouns of types in place of names."""
        nouns = {}
        for topic in question.topics:
            if topic.nodes and topic.end > topic.start:
                types = self._types.of(self.spelt_as(topic.phrase, topic.nodes)[0])
                nouns[topic.start, topic.end] = noun_of(types[0] if types else THING)
        shown, position = "", 0
        for (start, end), noun in sorted(nouns.items()):
            if start >= position:
                shown += question.question[position:start] + noun
                position = end
        return shown + question.question[position:]

    def wanting(self, senses: Sequence[RelationSense], text_words: Collection[str]) -> bool:
        """Return whether every relation of a word has a preposition in its name that the text lacks."""
        prepositions = [
            function_words().intersection(self.facts[sense.relation].name_words) - _BE for sense in senses
        ]
        return bool(senses) and all(in_name and not in_name & set(text_words) for in_name in prepositions)

    def only_qualifies(self, word: str, senses: Sequence[RelationSense]) -> bool:
        """Return whether a word stands before the noun of each relation it names: `river_basin`."""
        word_root = root(word)
        return all(
            word_root in (name_roots := [root(word) for word in self.facts[sense.relation].name_words])
            and name_roots[-1] not in {word_root, *function_words()}
            for sense in senses
        )

    def by_phrase(self, phrases: Sequence[str]) -> list[list[RelationSense | TypeSense]]:
        """Return, of each phrase of several words, the relations and types whose names are near to it."""
        senses, vectors = self._targets
        if not phrases or not senses:
            return [[] for _ in phrases]
        cosines = np.round(self.encoder.encode(phrases) @ vectors.T, 6)
        near = []
        for row in cosines.tolist():
            best = max(row)
            near.append(
                [
                    replace(sense, similarity=cosine)
                    for cosine, sense in zip(row, senses, strict=True)
                    if cosine >= max(MEANING, best - MARGIN)
                ]
            )
        return near

    def akin_relation(self, type_: str, relations: Collection[str]) -> str:
        """Return the one relation that is akin to a type's noun: of composers, `composed_by`; "" for none."""
        nouns = [root(words_of[-1]) for words_of in self._type_words.get(type_, ())]
        kin = [
            name
            for name in sorted(relations)
            if any(akin(noun, word_root) for noun in nouns for word_root in self._relation_roots[name])
        ]
        return kin[0] if len(kin) == 1 else ""


def _is_form_of(word: str, noun: str) -> bool:
    """Return whether a word is a noun or its plural: "operas" too, though "opera" is one of "opus"."""
    return root(word) == root(noun) or word.removesuffix("s") == noun.removesuffix("s")


def _holds(name_words: Sequence[str], phrase: Sequence[str]) -> bool:
    """Return whether words stand together in others."""
    return any(
        list(name_words[begin : begin + len(phrase)]) == list(phrase)
        for begin in range(len(name_words) - len(phrase) + 1)
    )
