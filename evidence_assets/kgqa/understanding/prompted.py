"""Questions parsed into conditions by a language model (step 1 of 4StepFocus), constrained by the schema."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evidence_assets.graphs.names.linking import Link, Linker
from evidence_assets.kgqa.graph.schema import Schema
from evidence_assets.kgqa.queries.conjunctive import (
    TARGET,
    ConjunctiveQuery,
    Constant,
    Term,
    Triplet,
    Variable,
    problems,
)
from evidence_assets.models.encoder import Encoder
from evidence_assets.models.generation.protocol import Sampling
from evidence_assets.models.generation.recorded import RecordedGenerator
from evidence_assets.progress import Progress
from evidence_assets.reading.prompting.prompt_files import TRIPLETS
from evidence_assets.reading.prompting.replies import ReplyError, triplets_schema
from evidence_assets.reading.prompting.requests import request
from evidence_assets.reading.prompting.structured import ask_objects

MOST_TRIPLETS = 6
_CONDITIONS = Sampling(max_tokens=512)
_VARIABLE = "?"


@dataclass(frozen=True, slots=True)
class PromptedQuery:
    """A question as parsed by a model: its query, or why there is none (`status`)."""

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

    A reply without a variable for the answer, with a variable of no type or of several, or with conditions
    between names alone, is requested once more.
    Names are matched to nodes by their form, else by spelling, else by meaning; a name that matches nothing
    has no nodes, and the solver drops its condition.

    Raises:
        BudgetSpentError: the generator's budget is spent.
    """
    form = triplets_schema(list(schema.relations), list(schema.type_names), MOST_TRIPLETS)
    requests = [
        request(
            TRIPLETS,
            _CONDITIONS,
            form,
            question=question,
            types=list(schema.type_names),
            relations=list(map(str, schema.relations.values())),
            most=MOST_TRIPLETS,
        )
        for question in questions
    ]

    def check(_: int, value: Mapping[str, Any]) -> None:
        # A query without conditions is valid: its answers are searched by meaning alone.
        if value["triplets"] and (mistakes := _mistakes(_query(value, {}), schema)):
            raise ReplyError("; ".join(mistakes))

    replies = ask_objects(requests, generator, progress, check)
    names = {
        text
        for reply in replies
        if reply.value is not None
        for triplet in reply.value["triplets"]
        for text in (triplet["head"], triplet["tail"])
        if not text.startswith(_VARIABLE)
    }
    nodes = match_names(sorted(names), linker, encoder)
    return [
        PromptedQuery(None, "", reply.status, reply.request_hash)
        if reply.value is None
        else PromptedQuery(
            _query(reply.value, nodes), str(reply.value["answer_type"]), reply.status, reply.request_hash
        )
        for reply in replies
    ]


def _mistakes(query: ConjunctiveQuery, schema: Schema) -> list[str]:
    """Return a query's mistakes; that a variable has no type is one, too (section 3 of the paper)."""
    untyped = [name for name, types in query.variables().items() if not types]
    return [
        *problems(query, schema),
        *(f"?{name} has no type: state one of {', '.join(schema.type_names)}" for name in untyped),
    ]


def _query(value: Mapping[str, Any], nodes: Mapping[str, tuple[int, ...]]) -> ConjunctiveQuery:
    types = {
        variable["name"].removeprefix(_VARIABLE): str(variable["type"]) for variable in value["variables"]
    }
    types[TARGET] = str(value["answer_type"])

    def term(text: str) -> Term:
        if text.startswith(_VARIABLE):
            name = text.removeprefix(_VARIABLE)
            return Variable(name, types.get(name, ""))
        return Constant(text, nodes.get(text, ()))

    triplets = dict.fromkeys(
        Triplet(term(triplet["head"]), triplet["relation"], term(triplet["tail"]))
        for triplet in value["triplets"]
    )
    return ConjunctiveQuery(tuple(triplets), TARGET)


def match_names(names: Sequence[str], linker: Linker, encoder: Encoder) -> dict[str, tuple[int, ...]]:
    """Return the nodes that each name stands for: by its form, else by spelling, else by meaning."""
    links_of: dict[str, list[Link]] = dict(linker.by_form(names))
    for name in names:
        if name not in links_of and (spelt := linker.by_spelling(name)):
            links_of[name] = spelt
    links_of |= linker.by_meaning([name for name in names if name not in links_of], encoder)
    return {name: tuple(link.node for link in links) for name, links in links_of.items()}
