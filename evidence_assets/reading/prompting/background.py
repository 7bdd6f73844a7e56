"""Background knowledge of a language model for a question: entities, relations, triples (capstone, 4.2.3).

Three requests per question, each reply validated against a schema with one retry. A model's triples are kept
apart from a graph's, and are never interpreted as instructions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from evidence_assets.lake.ids import content_id
from evidence_assets.lake.schemas import GENERATED_TRIPLES
from evidence_assets.models.generation.protocol import Request, Sampling
from evidence_assets.models.generation.recorded import RecordedGenerator
from evidence_assets.progress import Progress
from evidence_assets.reading.prompting.prompt_files import (
    BACKGROUND_ENTITIES,
    BACKGROUND_RELATIONS,
    BACKGROUND_TRIPLES,
)
from evidence_assets.reading.prompting.replies import PARSED, names_schema, triples_schema
from evidence_assets.reading.prompting.requests import request
from evidence_assets.reading.prompting.structured import ParsedReply, ask_objects
from evidence_assets.text.normal_forms import normal_form

MOST_ENTITIES, MOST_RELATIONS, MOST_TRIPLES = 8, 8, 12
# Names and facts are short: a longer reply is a repetition loop.
_NAMES, _FACTS = Sampling(max_tokens=256), Sampling(max_tokens=1_024)
# Reasons to reject a stated triple.
EMPTY, ITSELF, TWICE = "an end or the relation is empty", "head and tail are the same", "stated twice"


@dataclass(frozen=True, slots=True)
class StatedTriple:
    """A triple stated by a model. `likelihood`: the model's probability of it, 0 where unknown."""

    head: str
    relation: str
    tail: str
    likelihood: float = 0.0
    request_hash: str | None = None

    @property
    def text(self) -> str:
        """The triple as a sentence."""
        return f"{self.head} {self.relation} {self.tail}"

    @property
    def key(self) -> tuple[str, str, str]:
        """The normal forms of head, relation and tail: equal for equivalent triples."""
        return normal_form(self.head), normal_form(self.relation), normal_form(self.tail)


@dataclass(slots=True)
class Background:
    """A model's triples for one question, in its order; `status`: parsed, or why there are none.

    `rejected` counts the rejected triples by reason.
    """

    triples: list[StatedTriple] = field(default_factory=list)
    rejected: Counter[str] = field(default_factory=Counter)
    status: str = PARSED


def ask_background(
    questions: Sequence[str],
    topics: Sequence[Sequence[str]],
    generator: RecordedGenerator,
    progress: Progress | None = None,
) -> list[Background]:
    """Return a model's background knowledge for each question.

    `topics`: each question's known topic entities, placed before those that the model names. A question whose
    entities or relations cannot be parsed continues without them; one whose triples cannot be parsed has
    none, and `status` says why.

    Raises:
        BudgetSpentError: the generator's budget is spent.
    """
    entities = _names(
        ask_objects(
            [_request(BACKGROUND_ENTITIES, question=question) for question in questions], generator, progress
        ),
        "entities",
    )
    named = [
        _distinct([*topic_names, *entity_names])
        for topic_names, entity_names in zip(topics, entities, strict=True)
    ]
    relations = _names(
        ask_objects(
            [
                # The entities come in with the third prompt, as printed.
                _request(BACKGROUND_RELATIONS, question=question)
                for question in questions
            ],
            generator,
            progress,
        ),
        "relations",
    )
    facts = ask_objects(
        [
            _request(BACKGROUND_TRIPLES, question=question, entities=topic_names, relations=joining)
            for question, topic_names, joining in zip(questions, named, relations, strict=True)
        ],
        generator,
        progress,
    )
    return [_background(entity_names) for entity_names in facts]


def _request(task: str, **values: Any) -> Request:
    """Return one of the three requests, with the greatest number of names or triples in its reply."""
    most, schema, sampling = {
        BACKGROUND_ENTITIES: (MOST_ENTITIES, names_schema("entities", MOST_ENTITIES), _NAMES),
        BACKGROUND_RELATIONS: (MOST_RELATIONS, names_schema("relations", MOST_RELATIONS), _NAMES),
        BACKGROUND_TRIPLES: (MOST_TRIPLES, triples_schema(MOST_TRIPLES), _FACTS),
    }[task]
    return request(task, sampling, schema, most=most, **values)


def _names(replies: Sequence[ParsedReply], name: str) -> list[list[str]]:
    return [_distinct([] if reply.value is None else reply.value[name]) for reply in replies]


def _distinct(names: Iterable[str]) -> list[str]:
    """Return names cleaned to single lines, the first of each normal form."""
    name_by_form: dict[str, str] = {}
    for name in map(_one_line, names):
        name_by_form.setdefault(normal_form(name), name)
    return [name for form, name in name_by_form.items() if form]


def _background(reply: ParsedReply) -> Background:
    if reply.value is None:
        return Background(status=reply.status)
    return keep(
        StatedTriple(
            _one_line(triple["head"]),
            _one_line(triple["relation"]),
            _one_line(triple["tail"]),
            request_hash=reply.request_hash,
        )
        for triple in reply.value["triples"]
    )


def _one_line(text: str) -> str:
    """Return a text with control characters, line ends and runs of spaces folded to single spaces."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())


def keep(stated: Iterable[StatedTriple]) -> Background:
    """Return the valid triples: complete, of two different ends, without duplicates.

    Ends are names, whatever they say: a text that reads like an instruction is fenced in every prompt.
    """
    result = Background()
    seen = set()
    for triple in stated:
        key = triple.key
        reason = EMPTY if not all(key) else ITSELF if key[0] == key[2] else TWICE if key in seen else ""
        if reason:
            result.rejected[reason] += 1
            continue
        seen.add(key)
        result.triples.append(triple)
    return result


def background_rows(
    question_ids: Sequence[str],
    backgrounds: Sequence[Background],
    contradicts: Sequence[Sequence[Sequence[str]]],
    benchmark: str,
    background: str,
    model: str,
) -> pa.Table:
    """Return `generated_triples` rows.

    `contradicts`: for each question and each of its triples, the ids of the graph's contradicting triples.
    """
    rows = [
        row
        for question_id, stated, against in zip(question_ids, backgrounds, contradicts, strict=True)
        for row in _rows(question_id, stated.triples, against, benchmark, background, model)
    ]
    return pa.Table.from_pylist(rows, schema=GENERATED_TRIPLES.schema)


def _rows(
    question_id: str,
    triples: Sequence[StatedTriple],
    contradicts: Sequence[Sequence[str]],
    benchmark: str,
    background: str,
    model: str,
) -> Iterator[Mapping[str, Any]]:
    for rank, (triple, against) in enumerate(zip(triples, contradicts, strict=True), start=1):
        labels = (triple.head, triple.relation, triple.tail)
        yield {
            "generated_triple_id": content_id(
                "generated_triple", benchmark, background, question_id, *labels
            ),
            "benchmark": benchmark,
            "background": background,
            "question_id": question_id,
            "rank": rank,
            **dict(zip(("head", "relation", "tail"), labels, strict=True)),
            "text": triple.text,
            "score": triple.likelihood,
            "contradicts": list(against),
            "request_hash": triple.request_hash,
            "model": model,
        }
