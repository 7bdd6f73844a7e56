"""The schema of a graph: its relations, the types of their ends, and the words for both."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import yaml
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, ValidationError

from evidence_assets.text.field_problems import field_problem
from evidence_assets.text.plain_yaml import load_yaml, yaml_problem
from evidence_assets.text.verbalisation import spelt

if TYPE_CHECKING:
    from evidence_assets.graphs.graph import Graph

# The type of everything, and of an end where no node's kind is known.
THING = "thing"
_HEAD, _TAIL = "{head}", "{tail}"
_FORM = "a schema is types: {TYPE: [words]}, relations: {NAME: {head: TYPE, tail: TYPE, sentences: [...]}}"


class SchemaError(Exception):
    """A schema cannot be used: names the file, the relation or type, the field and the remedy."""


@dataclass(frozen=True, slots=True)
class RelationSchema:
    """A relation: the types of its ends, and sentences with `{head}` and `{tail}`.

    The first sentence verbalises a triple; the others are further wordings.
    """

    name: str
    head_type: str
    tail_type: str
    sentences: tuple[str, ...]

    @property
    def plain_sentences(self) -> tuple[str, ...]:
        """The sentences without the places of head and tail."""
        return tuple(text.replace(_HEAD, " ").replace(_TAIL, " ") for text in self.sentences)

    @property
    def wordings(self) -> tuple[str, ...]:
        """Its name as words, and its plain sentences."""
        return (spelt(self.name), *self.plain_sentences)

    def __str__(self) -> str:
        return f"{self.name} (from {self.head_type} to {self.tail_type})"


@dataclass(frozen=True, slots=True)
class Schema:
    """Relations by name, and the words that name each type: nouns, and question words ("who").

    `authored`: somebody wrote it; else it is derived of the graph's names.
    """

    relations: Mapping[str, RelationSchema]
    types: Mapping[str, tuple[str, ...]]
    authored: bool = False

    @property
    def type_names(self) -> tuple[str, ...]:
        """Every type's name; `thing`, which everything is, only where the schema names it."""
        return tuple(self.types)

    def has_type(self, name: str) -> bool:
        """Return whether a type is known; `thing` and "" (any) always are."""
        return name in self.types or name in ("", THING)

    def ends(self, relation: str, backwards: bool) -> tuple[str, str]:
        """Return the types before and after a step along a relation, or from its tail to its head."""
        declared = self.relations[relation]
        return (
            (declared.tail_type, declared.head_type)
            if backwards
            else (declared.head_type, declared.tail_type)
        )


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class _Relation(_Strict):
    head: str
    tail: str
    sentences: list[str]


class _Written(_Strict):
    types: dict[str, list[str]]
    relations: dict[str, _Relation]


def load_schema(text: str, place: str) -> Schema:
    """Return the schema of a YAML text: `types` with their words, `relations` with ends and sentences.

    `place` names the file in error messages.

    Raises:
        SchemaError: it is not YAML; a name stands twice; a field is missing, unknown or of another form; an
            end is no type; a sentence lacks one of its two places.
    """
    try:
        written = _Written.model_validate(load_yaml(text))
    except yaml.YAMLError as error:
        raise SchemaError(f"{place}: not YAML, {yaml_problem(error)}; remedy: correct that line") from error
    except ValidationError as error:
        problems = "; ".join(field_problem(problem, _Written) for problem in error.errors())
        raise SchemaError(f"{place}: {problems} ({_FORM})") from error
    for type_, words in written.types.items():
        _check_words(f"{place}: types.{type_}", type_, words)
    for name, relation in written.relations.items():
        _check_relation(f"{place}: relations.{name}", name, relation, written.types)
    if not written.relations:
        raise SchemaError(f"{place}: relations: there is none; remedy: state at least one")
    return Schema(
        {
            name: RelationSchema(name, relation.head, relation.tail, tuple(relation.sentences))
            for name, relation in written.relations.items()
        },
        {type_: tuple(words) for type_, words in written.types.items()},
        authored=True,
    )


def _check_words(place: str, type_: str, words: Sequence[str]) -> None:
    if not type_.strip():
        raise SchemaError(f"{place}: a type has no name; remedy: name it")
    if not words or not all(word.strip() for word in words):
        raise SchemaError(f"{place}: a type needs words that name it, none of them empty; remedy: [{type_}]")
    if repeated := [word for word, number in Counter(words).items() if number > 1]:
        raise SchemaError(f"{place}: {', '.join(repeated)} stands twice; remedy: state each word once")


def _check_relation(place: str, name: str, relation: _Relation, types: Mapping[str, Sequence[str]]) -> None:
    if not name.strip():
        raise SchemaError(f"{place}: a relation has no name; remedy: name it as the graph does")
    for end, type_ in (("head", relation.head), ("tail", relation.tail)):
        if type_ not in types and type_ != THING:
            allowed = ", ".join([*types, THING])
            raise SchemaError(
                f"{place}.{end}: {type_!r} is no type; remedy: add it to types, or one of {allowed}"
            )
    if not relation.sentences:
        raise SchemaError(f"{place}.sentences: there is none; remedy: say how a triple is read out")
    for sentence in relation.sentences:
        if sentence.count(_HEAD) != 1 or sentence.count(_TAIL) != 1 or sentence.count("{") != 2:
            raise SchemaError(
                f"{place}.sentences: {sentence!r} must hold {_HEAD} and {_TAIL}; remedy: once each, and no "
                "other braces"
            )
    if len(set(relation.sentences)) < len(relation.sentences):
        raise SchemaError(f"{place}.sentences: one stands twice; remedy: state each once")


def derived_schema(graph: Graph, kinds: Sequence[str | None] | None, templates: Mapping[str, str]) -> Schema:
    """Return a schema for a graph that has none of its own.

    The type of a relation's end is the kind that most of its triples have there (of equal ones the first by
    name), `thing` where no node there has a kind. Its sentence is its template, else its name spelt out.

    Raises:
        ValueError: there are not as many kinds as nodes.
    """
    numbers, names = _numbered_kinds(graph, kinds)
    relations = {}
    for number, name in enumerate(graph.relation_names):
        of_relation = graph.relations == number
        head, tail = (_majority(numbers[ends[of_relation]], names) for ends in (graph.heads, graph.tails))
        sentence = templates.get(name) or f"{_HEAD} {_spelt(name)} {_TAIL}"
        relations[name] = RelationSchema(name, head, tail, (sentence,))
    ends = {end for relation in relations.values() for end in (relation.head_type, relation.tail_type)}
    used = sorted({*names, *ends} - {THING}) + [THING] * (THING in ends)
    return Schema(relations, {type_: (_spelt(type_),) for type_ in used})


def _numbered_kinds(
    graph: Graph, kinds: Sequence[str | None] | None
) -> tuple[NDArray[np.int64], tuple[str, ...]]:
    """Return each node's kind as a place in the kinds' names, which ascend; -1 for none."""
    n = len(graph.labels)
    if kinds is None:
        return np.full(n, -1, dtype=np.int64), ()
    if len(kinds) != n:
        raise ValueError(f"graph {graph.name}: {len(kinds):,} kinds for {n:,} nodes; remedy: one a node")
    names = tuple(sorted({kind for kind in kinds if kind}))
    places = {name: place for place, name in enumerate(names)}
    return np.array([places.get(kind or "", -1) for kind in kinds], dtype=np.int64), names


def _majority(numbers: NDArray[np.int64], names: Sequence[str]) -> str:
    counts = np.bincount(numbers[numbers >= 0], minlength=len(names))
    return names[int(counts.argmax())] if counts.any() else THING


def _spelt(name: str) -> str:
    """Return a name as words, full stops and colons kept; as it is where it holds no letters."""
    return spelt(name, "_-/") or name
