"""Questions read as conditions by a language model (step 1 of 4StepFocus): held to the graph's schema."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evidence_assets.graphs.linking import Link, Linker
from evidence_assets.kgqa.conjunctive import (
    TARGET,
    ConjunctiveQuery,
    Constant,
    Term,
    Triplet,
    Variable,
    problems,
)
from evidence_assets.kgqa.schema import Schema
from evidence_assets.models.encoder import Encoder
from evidence_assets.models.generation.protocol import Sampling
from evidence_assets.models.generation.recorded import RecordedGenerator
from evidence_assets.progress import Progress
from evidence_assets.reading.prompt_files import TRIPLETS
from evidence_assets.reading.prompting import request
from evidence_assets.reading.replies import ReplyError, triplets_schema
from evidence_assets.reading.structured import ask_objects

MOST_TRIPLETS = 6
_CONDITIONS = Sampling(max_tokens=512)
_VARIABLE = "?"


@dataclass(frozen=True, slots=True)
class PromptedQuery:
    """What a model made of a question: its query, or why there is none (`status`)."""

    query: ConjunctiveQuery | None
    answer_type: str
    status: str
    request_hash: str | None


def read_as_conditions(
    questions: Sequence[str],
    generator: RecordedGenerator,
    schema: Schema,
    linker: Linker,
    encoder: Encoder,
    progress: Progress | None = None,
) -> list[PromptedQuery]:
    """Return each question as the conditions that a model states.

    A reply that names no unknown thing as the answer, or whose conditions are all between names, is asked for
    once more. Names are matched to nodes by their form, else by spelling, else by meaning; one that matches
    nothing has no nodes, and whoever solves the query drops its condition.

    Raises:
        BudgetSpentError: the generator may not be asked any more.
    """
    form = triplets_schema(list(schema.relations), list(schema.type_names), MOST_TRIPLETS)
    relations = [f"{one.name} (from {one.head_type} to {one.tail_type})" for one in schema.relations.values()]
    asked = [
        request(
            TRIPLETS,
            _CONDITIONS,
            form,
            question=question,
            types=list(schema.type_names),
            relations=relations,
            most=MOST_TRIPLETS,
        )
        for question in questions
    ]

    def check(_: int, value: Mapping[str, Any]) -> None:
        # A query that states no condition is one: its answers are looked for by meaning alone.
        if value["triplets"] and (found := problems(_query(value, {}), schema)):
            raise ReplyError("; ".join(found))

    replies = ask_objects(asked, generator, progress, check)
    names = {
        text
        for one in replies
        if one.value is not None
        for triplet in one.value["triplets"]
        for text in (triplet["head"], triplet["tail"])
        if not text.startswith(_VARIABLE)
    }
    nodes = match_names(sorted(names), linker, encoder)
    return [
        PromptedQuery(None, "", one.status, one.request_hash)
        if one.value is None
        else PromptedQuery(
            _query(one.value, nodes), str(one.value["answer_type"]), one.status, one.request_hash
        )
        for one in replies
    ]


def _query(value: Mapping[str, Any], nodes: Mapping[str, tuple[int, ...]]) -> ConjunctiveQuery:
    def term(text: str) -> Term:
        if text.startswith(_VARIABLE):
            name = text.removeprefix(_VARIABLE)
            return Variable(name, str(value["answer_type"]) if name == TARGET else "")
        return Constant(text, nodes.get(text, ()))

    stated = dict.fromkeys(
        Triplet(term(one["head"]), one["relation"], term(one["tail"])) for one in value["triplets"]
    )
    return ConjunctiveQuery(tuple(stated), TARGET)


def match_names(names: Sequence[str], linker: Linker, encoder: Encoder) -> dict[str, tuple[int, ...]]:
    """Return the nodes that each name stands for: by its form, else by spelling, else by meaning."""
    found: dict[str, list[Link]] = dict(linker.by_form(names))
    for name in names:
        if name not in found and (spelt := linker.by_spelling(name)):
            found[name] = spelt
    found |= linker.by_meaning([name for name in names if name not in found], encoder)
    return {name: tuple(link.node for link in links) for name, links in found.items()}
