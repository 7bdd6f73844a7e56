"""What the words of a question may stand for in a graph: relations and types, by root or derivation.

Everything is derived from the schema's own names and sentences; the only lists are of general English.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from itertools import pairwise

import numpy as np

from evidence_assets.graphs.graph import Graph
from evidence_assets.kgqa.graph.agents import agents
from evidence_assets.kgqa.graph.linked_questions import LinkedQuestion
from evidence_assets.kgqa.graph.measured_relations import MeasuredRelations
from evidence_assets.kgqa.graph.naming import noun_of, shared_nouns, types_of_days
from evidence_assets.kgqa.graph.node_types import Nodes, NodeTypes, names_of_members
from evidence_assets.kgqa.graph.relation_facts import relation_facts
from evidence_assets.kgqa.graph.roles import Step, key_of, roles, said_of_others
from evidence_assets.kgqa.graph.schema import THING, Schema
from evidence_assets.kgqa.graph.vocabulary import Vocabulary
from evidence_assets.kgqa.queries.algebra import Measure, Reached, Value
from evidence_assets.kgqa.slots.likelihoods import Likelihoods
from evidence_assets.kgqa.slots.meanings import Meanings
from evidence_assets.kgqa.slots.near_words import NearWords
from evidence_assets.kgqa.slots.node_names import NodeNames
from evidence_assets.kgqa.slots.senses import RelationSense, TypeSense, is_agent
from evidence_assets.kgqa.words.derivations import akin, is_past, is_same_noun, verb_of
from evidence_assets.kgqa.words.word_classes import (
    AUXILIARIES,
    MOTION,
    PAST,
    PRESENT,
    QUESTION_WORDS,
    is_function_word,
)
from evidence_assets.models.encoder import EncodedWords, Encoder
from evidence_assets.text.function_words import function_words, light_verbs
from evidence_assets.text.roots import lemma, possible_roots, root
from evidence_assets.text.verbalisation import spelt
from evidence_assets.text.words import words

# What asks for a day of a year.
_OF_DAYS = frozenset(["date", "day"])
_BE_HAVE = frozenset(["is", "are", "was", "were", "be", "been", "has", "have"])


class Lexicon:
    """The words for a graph's relations and types; `encoder` compares meanings.

    `names`, `meanings`: what words name nodes, and what they stand for by meaning alone. `asked_days`: nouns
    that only ask for days: "on what day", but not "on the day of".
    """

    def __init__(self, graph: Graph, schema: Schema, types: NodeTypes, encoder: Encoder) -> None:
        self._schema, self.encoder = schema, encoder
        self.names = NodeNames(graph.labels, types, encoder)
        titled = words(spelt(graph.name))
        # Of "film_archive" the archive.
        self.name_roots = frozenset(map(root, titled[-1:]))
        self.facts = relation_facts(graph, schema)
        self.measured = MeasuredRelations(self.facts, schema, encoder)
        self._relation_roots = {
            name: frozenset(
                root(word)
                for text in relation.wordings
                for word in words(text)
                if not is_function_word(word) and not self.facts[name].is_of_unit(word)
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
        self._add_days(types_of_days(graph, types))
        self._add_head_nouns()
        wordings = {name: self.facts[name].wording for name in schema.relations}
        members = names_of_members(graph, types, [*self._type_words])
        self.meanings = Meanings(schema, wordings, self._type_words, members, encoder)
        self._vocabulary = Vocabulary(schema)
        # Relations without sentences are used in none.
        self._near_words = NearWords(self._vocabulary, encoder) if schema.authored else None
        self._last: tuple[str, EncodedWords | None] = "", None

    def _add_head_nouns(self) -> None:
        """Let the last word of a type's noun stand for it, if it is no other's: "plant", a power plant."""
        heads = Counter(
            head for names in self._type_words.values() for head in {root(name[-1]) for name in names}
        )
        for names in self._type_words.values():
            names += [[name[-1]] for name in list(names) if len(name) > 1 and heads[root(name[-1])] == 1]

    def _add_days(self, of_days: Sequence[str]) -> None:
        """Let "day" and "date" ask for types of days, where no type goes by that noun itself."""
        known = {noun for names in self._type_words.values() for name in names for noun in name}
        self.asked_days = _OF_DAYS - known if of_days else frozenset()
        for type_ in of_days:
            self._type_words.setdefault(type_, []).extend([noun] for noun in sorted(self.asked_days))

    def _noun_roots(self, name: str) -> frozenset[str]:
        """Return the roots of nouns of types that stand in a relation's sentences, not in its name."""
        nouns = {
            root(word)
            for type_, names in self._schema.types.items()
            for noun in (type_, *names)
            for word in words(noun)
        }
        return frozenset(nouns.difference(self.facts[name].roots))

    def roots_of(self, relations: Collection[str]) -> frozenset[str]:
        """Return the roots of all words of relations' names and sentences."""
        return frozenset(
            root(word)
            for name in relations
            for text in self._schema.relations[name].wordings
            for word in words(text)
        )

    def doers_of(self, relations: Collection[str]) -> frozenset[str]:
        """Return the words of relations' names that lead to who does it: "author", "written" by."""
        return frozenset(
            word
            for name in relations
            for word in self.facts[name].name_words
            if self.facts[name].name_words[-1] == "by" or is_agent(word)
        )

    def past_of(self, relations: Collection[str]) -> frozenset[str]:
        """Return the relations of which each sentence is in the past: "assisted", not "is assisted by"."""
        by_name = {name: self._schema.relations[name].plain_sentences for name in relations}
        past = (name for name, sentences in by_name.items() if all(map(_is_in_past, sentences)))
        return frozenset(past) if self._schema.authored else frozenset()

    @cached_property
    def _light_verbs(self) -> dict[str, frozenset[str]]:
        """The roots of verbs that say little in sentences of relations that have any, auxiliaries aside."""
        verbs = {
            name: frozenset(
                root(word)
                for text in relation.plain_sentences
                for word in words(text)
                if word in light_verbs() and word not in AUXILIARIES
            )
            for name, relation in self._schema.relations.items()
        }
        return {name: said for name, said in verbs.items() if said}

    def onwards(self, nodes: Nodes, relations: Collection[str]) -> frozenset[str]:
        """Return the roots of verbs by which other relations lead on from nodes, if nothing else says so."""
        leading = (
            said
            for name, said in self._light_verbs.items()
            if name not in relations
            and self.names.of_types(nodes[:1].tolist(), self._schema.ends(name, False))
        )
        return frozenset().union(*leading)

    def relations(self, word: str) -> list[RelationSense]:
        """Return the relations that a word's root names, or is derived from; what meaning adds is apart."""
        word_roots = possible_roots(word)
        senses = []
        for name, roots in self._relation_roots.items():
            if not roots.isdisjoint(word_roots):
                verbal = any(
                    part == "by" or (part.endswith(("ed", "en", "s")) and part not in _BE_HAVE)
                    for part in self.facts[name].name_words
                )
                senses.append(RelationSense(name, None, is_agent(word) and verbal))
            elif any(akin(word_roots[0], name_root) for name_root in roots):
                senses.append(RelationSense(name, None, is_agent(word)))
        moves = not senses and lemma(word) in MOTION - light_verbs()
        return [RelationSense(name) for name in self._of_motion] if moves else senses

    def is_amount(self, relation: str) -> bool:
        """Return whether a relation leads to amounts, which years are not."""
        return self.facts[relation].is_amount

    def tells_times(self, measure: Measure) -> bool:
        """Return whether a measure is a year or a date."""
        return isinstance(measure, Value) and self.facts[measure.relation].years

    def leads_to_time(self, step: Reached) -> bool:
        """Return whether a step leads to years or dates."""
        facts = self.facts.get(step.relation)
        return facts is not None and facts.years and not step.backwards

    @cached_property
    def _of_motion(self) -> list[str]:
        """The relations whose names or sentences have a verb of going somewhere: "visited", "went to"."""
        return [
            name
            for name, relation in self._schema.relations.items()
            if any(
                lemma(word) in MOTION and (lemma(word) not in light_verbs() or after == "to")
                for text in relation.wordings
                for word, after in pairwise([*words(text), ""])
            )
        ]

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
            if sense.similarity is None and _holds(self.facts[sense.relation].roots, roots)
        ]

    def by_name(self, text_words: Sequence[str], place: int, length: int) -> list[RelationSense]:
        """Return the relations whose names hold so many words of a text from a place on."""
        roots = [root(word) for word in text_words[place : place + length]]
        return [
            RelationSense(name)
            for name, facts in self.facts.items()
            if len(roots) == length and _holds(facts.roots, roots)
        ]

    def by_preposition(self, word: str) -> list[RelationSense]:
        """Return the relations whose name is this function word alone, or a form of it: `about`, `owns`."""
        return [
            RelationSense(name)
            for name, facts in self.facts.items()
            if facts.name_words == (word,)
            or (len(facts.name_words) == 1 and word not in _BE_HAVE and word == lemma(facts.name_words[0]))
        ]

    def ends(self, relation: str, backwards: bool) -> tuple[str, str]:
        """Return the types before and after a step along a relation, or from its tail to its head."""
        return self._schema.ends(relation, backwards)

    def likeness(self, word: str, other: str) -> float:
        """Return the cosine of two words, each by itself."""
        first, second = self.encoder.encode([word, other])
        return round(float(first @ second), 6)

    def says_the_like(self, noun: Sequence[str], type_: str) -> bool:
        """Return whether a type's very noun may say a relation that leads from the type to the same."""
        is_noun = any(
            len(name) == len(noun) and all(map(is_same_noun, noun, name)) for name in self._type_words[type_]
        )
        return is_noun and any(
            set(self._schema.ends(sense.relation, False)) == {type_}
            for word in noun
            for sense in self.relations(word)
        )

    def types(self, word: str, following: Sequence[str] = ()) -> list[tuple[TypeSense, int]]:
        """Return the types that begin with a word, with how many words each takes; none for no word.

        Where a type has the very noun, or its plural, others of the same root are not meant: an excavation is
        no excavator.
        """
        if not word or word in QUESTION_WORDS:
            return []
        senses: dict[str, int] = {}
        exact: set[str] = set()
        for type_, names in self._type_words.items():
            for name in names:
                phrase = [word, *following][: len(name)]
                if len(phrase) == len(name) and all(map(_is_form_of, phrase, name)):
                    senses[type_] = max(len(name), senses.get(type_, 0))
                    if all(map(is_same_noun, phrase, name)):
                        exact.add(type_)
        return [(TypeSense(type_), length) for type_, length in senses.items() if not exact or type_ in exact]

    @cached_property
    def places(self) -> frozenset[str]:
        """The types that "where" asks for."""
        return (self.meanings.kinds.places - self.doers) | {*self.asked_types("where")}

    @cached_property
    def doers(self) -> frozenset[str]:
        """The types that "who" asks for, and "where" does not: builders are near to buildings, but none."""
        doing = {
            type_
            for type_, names in self._type_words.items()
            if any(self._does_what_is_told(noun[-1]) for noun in names)
        }
        doers = self.meanings.kinds.persons | doing | {*self.asked_types("who")}
        return doers - {*self.asked_types("where")}

    def may_be_where(self, types: frozenset[str]) -> bool:
        """Return whether "where" may ask for such types: in a graph of no places for any but persons."""
        return bool(types & self.places if self.places else types - self.meanings.kinds.persons)

    def _does_what_is_told(self, noun: str) -> bool:
        """Return whether a noun is for who does what a relation tells: "builder", of "built by"."""
        verb = verb_of(noun)
        roots_of_relations = (other for roots in self._relation_roots.values() for other in roots)
        return bool(verb) and any(akin(root(verb), other) for other in roots_of_relations)

    def asked_types(self, word: str) -> tuple[str, ...]:
        """Return the types that an authored schema gives to a question word."""
        return tuple(type_ for type_, names in self._type_words.items() if [word] in names)

    @property
    def nouns(self) -> Sequence[str]:
        """The types that nouns stand for, literals aside."""
        return [type_ for type_ in self._type_words if type_ not in self.literal_types]

    @cached_property
    def literal_types(self) -> frozenset[str]:
        """The types of numbers and years."""
        return frozenset(
            self._schema.ends(name, False)[1] for name, facts in self.facts.items() if facts.literal
        ) - {THING}

    @cached_property
    def _roles(self) -> Mapping[str, tuple[str, Step]]:
        return roles(self._schema, lambda name: self.facts[name].literal) if self._schema.authored else {}

    def may_say_role(self, text: str) -> bool:
        """Return whether a text has the last word of a noun for a role."""
        return not self._last_words_of_roles.isdisjoint(map(key_of, words(text)))

    @cached_property
    def _last_words_of_roles(self) -> frozenset[str]:
        return frozenset(key.rsplit(maxsplit=1)[-1] for key in self._roles)

    def role(self, noun: str) -> tuple[str, Step] | None:
        """Return the type and the step that lead to all of the role that a noun says; None for no role."""
        return self._roles.get(key_of(noun)) if self._roles else None

    def steps_of(self, noun: str, type_: str) -> frozenset[Step]:
        """Return the steps by which what is of a type is what a noun says of another: "a moon of Saturn"."""
        said = self._said_of_others.get(key_of(noun), frozenset())
        return frozenset(step for of_type, step in said if of_type == type_)

    def starts_at_head(self, noun: str, relation: str) -> bool | None:
        """Return whether a noun is for what a relation leads to from its head; None where no sentence tells.

        A mother is, of "{tail} is the mother of {head}", and so is a teacher, where the tail teaches.
        """
        key = key_of(noun)
        said = self._said_of_others.get(key, frozenset())
        ways = {backwards for _, (name, backwards) in said if name == relation}
        if len(ways) == 1:
            return not ways.pop()
        verb = verb_of(key) if self._schema.authored else ""
        head_does = self._agents[relation].get(root(verb)) if verb else None
        return None if head_does is None else not head_does

    @cached_property
    def _agents(self) -> Mapping[str, Mapping[str, bool]]:
        """Which end of each relation does what its verbs say."""
        authored = self._schema.authored
        return {name: agents(relation, authored) for name, relation in self._schema.relations.items()}

    def head_does(self, verb: str, relation: str) -> bool | None:
        """Return whether a relation's head does what a verb says; None where no sentence tells."""
        return self._agents[relation].get(root(verb))

    @cached_property
    def _said_of_others(self) -> Mapping[str, frozenset[tuple[str, Step]]]:
        return said_of_others(self._schema) if self._schema.authored else {}

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
        shown = self.names.with_nouns(question)
        content = [word for word in words(shown) if word not in function_words()]
        self.meanings.prepare(content)
        named = {senses[0].relation for word in content if len(senses := self.relations(word)) == 1}
        sentences = np.round(self._relation_sentences @ self.encoded(question).sentence, 6)
        names = tuple(self._schema.relations)
        return Likelihoods(
            names, sentences, self.meanings.cosines, tuple(self._type_words), named, self._near(question)
        )

    def _near(self, question: LinkedQuestion) -> Mapping[str, list[RelationSense]]:
        """Return the relations whose words are used as words of a question that no relation has."""
        if self._near_words is None:
            return {}
        encoded, said_by = self.encoded(question), self._vocabulary.said_by
        senses = {}
        for word, near in self._near_words.of(encoded.words, encoded):
            relations = {name for key in possible_roots(near.word) for name in said_by.get(key, ())}
            senses[word] = [RelationSense(name, near.cosine, is_agent(word)) for name in sorted(relations)]
        return senses

    def encoded(self, question: LinkedQuestion) -> EncodedWords:
        """Return a question with the nouns of types in place of names, encoded; the last one is held."""
        shown, (text, encoded) = self.names.with_nouns(question), self._last
        if encoded is None or shown != text:
            [encoded] = self.encoder.encode_words([shown])
            self._last = shown, encoded
        return encoded

    def wanting(self, senses: Sequence[RelationSense], text_words: Collection[str]) -> bool:
        """Return whether every relation of a word has a preposition in its name that the text lacks."""
        prepositions = [
            function_words().intersection(self.facts[sense.relation].name_words) - _BE_HAVE
            for sense in senses
        ]
        return bool(senses) and all(in_name and not in_name & set(text_words) for in_name in prepositions)

    def only_qualifies(self, word: str, senses: Sequence[RelationSense]) -> bool:
        """Return whether a word stands before the noun of each relation it names: `river_basin`."""
        word_root = root(word)
        return all(
            word_root in (name_roots := self.facts[sense.relation].roots)
            and name_roots[-1] not in {word_root, *function_words()}
            for sense in senses
        )

    def akin_relation(self, type_: str, relations: Collection[str]) -> str:
        """Return the one relation that is akin to a type's noun: of composers, `composed_by`; "" for none."""
        nouns = [root(words_of[-1]) for words_of in self._type_words.get(type_, ())]
        kin = [
            name
            for name in sorted(relations)
            if any(akin(noun, word_root) for noun in nouns for word_root in self._relation_roots[name])
        ]
        return kin[0] if len(kin) == 1 else ""


def _is_in_past(sentence: str) -> bool:
    """Return whether a sentence tells what was so: it has a verb in the past, and none in the present."""
    said = words(sentence)
    return PRESENT.isdisjoint(said) and (not PAST.isdisjoint(said) or any(map(is_past, said)))


def _is_form_of(word: str, noun: str) -> bool:
    """Return whether a word is a noun or its plural: "operas" too, though "opera" is one of "opus".

    Whoever was coached is no coach, and what was dug no dig.
    """
    return is_same_noun(word, noun) or (root(word) == root(noun) and not is_past(word))


def _holds(name_words: Sequence[str], phrase: Sequence[str]) -> bool:
    """Return whether words stand together in others."""
    return any(
        list(name_words[begin : begin + len(phrase)]) == list(phrase)
        for begin in range(len(name_words) - len(phrase) + 1)
    )
