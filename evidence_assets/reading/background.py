"""What a language model states of its own for a question: entities, relations, then facts (capstone, 4.2.3).

Three requests a question, each reply held to a schema and asked for once more where it is not of it. What a
model states is data of its own: never mixed up with what a graph states, never carried out.
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
from evidence_assets.reading.prompt_files import BACKGROUND_ENTITIES, BACKGROUND_RELATIONS, BACKGROUND_TRIPLES
from evidence_assets.reading.prompting import request
from evidence_assets.reading.replies import PARSED, names_schema, triples_schema
from evidence_assets.reading.structured import Found, ask_objects
from evidence_assets.text.normal_forms import normal_form

MOST_ENTITIES, MOST_RELATIONS, MOST_TRIPLES = 8, 8, 12
# Names and facts are short: what is longer is a loop.
_NAMES, _FACTS = Sampling(max_tokens=256), Sampling(max_tokens=1_024)
# Why a stated triple is not kept.
EMPTY, ITSELF, TWICE = "an end or the relation is empty", "head and tail are the same", "stated twice"


@dataclass(frozen=True, slots=True)
class Stated:
    """One triple that a model states. `likelihood`: how likely it finds it, 0 where it does not tell."""

    head: str
    relation: str
    tail: str
    likelihood: float = 0.0
    request_hash: str | None = None

    @property
    def text(self) -> str:
        """The triple read out."""
        return f"{self.head} {self.relation} {self.tail}"

    @property
    def key(self) -> tuple[str, str, str]:
        """What two triples that say the same have in common."""
        return normal_form(self.head), normal_form(self.relation), normal_form(self.tail)


@dataclass(slots=True)
class Background:
    """What a model stated for one question, the first first; `status`: parsed, or why there is nothing.

    `rejected` counts what it stated and is not kept, by reason.
    """

    triples: list[Stated] = field(default_factory=list)
    rejected: Counter[str] = field(default_factory=Counter)
    status: str = PARSED


def ask_background(
    questions: Sequence[str],
    topics: Sequence[Sequence[str]],
    generator: RecordedGenerator,
    progress: Progress | None = None,
) -> list[Background]:
    """Return what a model states for each question.

    `topics`: what each question is about, where that is known: named first among its entities. A question
    whose entities or relations cannot be read goes on without them; one whose facts cannot has none, and
    `status` says why.

    Raises:
        BudgetSpentError: the generator may not be asked any more.
    """
    entities = _names(
        ask_objects(
            [_request(BACKGROUND_ENTITIES, question=question) for question in questions], generator, progress
        ),
        "entities",
    )
    named = [_distinct([*own, *found]) for own, found in zip(topics, entities, strict=True)]
    relations = _names(
        ask_objects(
            [
                _request(BACKGROUND_RELATIONS, question=question, entities=own)
                for question, own in zip(questions, named, strict=True)
            ],
            generator,
            progress,
        ),
        "relations",
    )
    facts = ask_objects(
        [
            _request(BACKGROUND_TRIPLES, question=question, entities=own, relations=joining)
            for question, own, joining in zip(questions, named, relations, strict=True)
        ],
        generator,
        progress,
    )
    return [_background(found) for found in facts]


def _request(task: str, **values: Any) -> Request:
    """Return one of the three requests, and how many names or facts it may bring."""
    most, schema, sampling = {
        BACKGROUND_ENTITIES: (MOST_ENTITIES, names_schema("entities", MOST_ENTITIES), _NAMES),
        BACKGROUND_RELATIONS: (MOST_RELATIONS, names_schema("relations", MOST_RELATIONS), _NAMES),
        BACKGROUND_TRIPLES: (MOST_TRIPLES, triples_schema(MOST_TRIPLES), _FACTS),
    }[task]
    return request(task, sampling, schema, most=most, **values)


def _names(replies: Sequence[Found], name: str) -> list[list[str]]:
    return [_distinct([] if found.value is None else found.value[name]) for found in replies]


def _distinct(names: Iterable[str]) -> list[str]:
    """Return names on one line each, one of each normal form."""
    found: dict[str, str] = {}
    for name in map(_one_line, names):
        found.setdefault(normal_form(name), name)
    return [name for form, name in found.items() if form]


def _background(found: Found) -> Background:
    if found.value is None:
        return Background(status=found.status)
    return keep(
        Stated(
            _one_line(triple["head"]),
            _one_line(triple["relation"]),
            _one_line(triple["tail"]),
            request_hash=found.request_hash,
        )
        for triple in found.value["triples"]
    )


def _one_line(text: str) -> str:
    """Return a text without what no name holds: control characters, line ends, runs of spaces."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())


def keep(stated: Iterable[Stated]) -> Background:
    """Return the stated triples that can be kept: complete, of two ends, each once.

    Whatever the words of an end say, they are a name: a text that reads like an instruction stays what it is,
    and is fenced wherever it is shown to a model.
    """
    result = Background()
    seen = set()
    for one in stated:
        key = one.key
        why = EMPTY if not all(key) else ITSELF if key[0] == key[2] else TWICE if key in seen else ""
        if why:
            result.rejected[why] += 1
            continue
        seen.add(key)
        result.triples.append(one)
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

    `contradicts`: for each question and each of its triples, the ids of the graph's triples that say
    otherwise.
    """
    rows = [
        row
        for question_id, stated, against in zip(question_ids, backgrounds, contradicts, strict=True)
        for row in _rows(question_id, stated.triples, against, benchmark, background, model)
    ]
    return pa.Table.from_pylist(rows, schema=GENERATED_TRIPLES.schema)


def _rows(
    question_id: str,
    triples: Sequence[Stated],
    contradicts: Sequence[Sequence[str]],
    benchmark: str,
    background: str,
    model: str,
) -> Iterator[Mapping[str, Any]]:
    for rank, (one, against) in enumerate(zip(triples, contradicts, strict=True), start=1):
        said = (one.head, one.relation, one.tail)
        yield {
            "generated_triple_id": content_id("generated_triple", benchmark, background, question_id, *said),
            "benchmark": benchmark,
            "background": background,
            "question_id": question_id,
            "rank": rank,
            **dict(zip(("head", "relation", "tail"), said, strict=True)),
            "text": one.text,
            "score": one.likelihood,
            "contradicts": list(against),
            "request_hash": one.request_hash,
            "model": model,
        }
