"""Nouns for what something of a type is by a relation: authors, where the schema's type is of persons.

A schema gives "author" and "director" as words for a person; who comes from a town is neither for that.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from evidence_assets.kgqa.graph.schema import RelationSchema, Schema
from evidence_assets.kgqa.words.derivations import akin, singular
from evidence_assets.kgqa.words.word_classes import QUESTION_WORDS
from evidence_assets.text.roots import lemma, root
from evidence_assets.text.verbalisation import spelt
from evidence_assets.text.words import word_set, words

# A relation that leads to what has a role, in which direction.
Step = tuple[str, bool]
# Words for any person, whatever they do.
_ANYONE = word_set("person people man men woman women human name part member")
# "{tail} is the author of {head}".
_SAID_SO = re.compile(
    r"\{(head|tail)\} (?:is|was|are|were) (?:the|an?) ([\w-]+(?: [\w-]+)?(?: or [\w-]+)?) (?:of|for|to) "
    r"(?:the )?\{(?:head|tail)\}"
)


def roles(schema: Schema, is_literal: Callable[[str], bool]) -> Mapping[str, tuple[str, Step]]:
    """Return the type and the step that lead to all of a role, by the noun for it as `key_of` has it.

    A noun says a role that is no type's first word, and that one relation alone speaks of: in a sentence
    ("{tail} is the author of {head}"), or, of a type's noun, in a verb or noun of its name ("directed by").
    """
    found: dict[str, set[tuple[str, Step]]] = {}
    first_nouns = set()
    relations = [relation for name, relation in schema.relations.items() if not is_literal(name)]
    for relation in relations:
        for key, type_, step in _said(relation):
            found.setdefault(key, set()).add((type_, step))
    for type_, names in schema.types.items():
        nouns = [name for name in names if name.lower() not in QUESTION_WORDS]
        first_nouns |= {key_of(type_), *map(key_of, nouns[:1])}
        for key in map(key_of, nouns[1:]):
            if key not in found:
                found[key] = {(type_, step) for relation in relations for step in _akin(relation, type_, key)}
    return {
        key: steps.pop()
        for key, steps in found.items()
        if len(steps) == 1 and key not in first_nouns and _ANYONE.isdisjoint(key.split())
    }


def said_of_others(schema: Schema) -> Mapping[str, frozenset[tuple[str, Step]]]:
    """Return the type and the steps that a noun says of what it is "of", by the noun as `key_of` has it.

    Other than for roles it may be a type's first word, and said of several relations: "a mission of ESA".
    """
    said: dict[str, set[tuple[str, Step]]] = {}
    for relation in schema.relations.values():
        for key, type_, step in _said(relation):
            said.setdefault(key, set()).add((type_, step))
    return {key: frozenset(steps) for key, steps in said.items()}


def key_of(noun: str) -> str:
    """Return a noun as roles are known by it: each of its words in the singular."""
    return " ".join(map(singular, words(spelt(noun))))


def _said(relation: RelationSchema) -> Iterator[tuple[str, str, Step]]:
    """Yield the nouns for what one end is of the other, with its type and the step to it."""
    for sentence in relation.sentences:
        for end, noun in _SAID_SO.findall(sentence):
            backwards = end == "head"
            type_ = relation.head_type if backwards else relation.tail_type
            # "An aunt or uncle of".
            for name in noun.split(" or "):
                yield key_of(name), type_, (relation.name, backwards)


def _akin(relation: RelationSchema, type_: str, key: str) -> Iterator[Step]:
    """Yield the step by whose name something is done by what a noun names: directors, of `directed_by`."""
    first, *others = words(spelt(relation.name))
    if others in (["by"], ["of"]) and akin(root(key), root(first)):
        is_head = others == ["of"]
        if type_ == (relation.head_type if is_head else relation.tail_type):
            yield relation.name, is_head
    elif relation.tail_type == type_ and singular([first, *others][-1]) == key.rsplit(maxsplit=1)[-1]:
        # "Last keeper" leads to keepers.
        yield relation.name, False
    elif (
        relation.head_type == type_
        and lemma(first) != first
        and akin(key, root(first))
        and key != root(first)
    ):
        # "Coaches" leads from who coaches.
        yield relation.name, True
