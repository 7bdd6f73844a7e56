"""Queries that a language model proposes: held to the algebra by a JSON schema, run here, and ranked.

Several are drawn. The best accounts for most of the question's words, and comes to what most others do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa

from evidence_assets.evidence.accounting import Accounting, Role
from evidence_assets.graphs.names.linking import Linker
from evidence_assets.kgqa.graph.schema import Schema
from evidence_assets.kgqa.queries.algebra import (
    MEASURED_FORMS,
    Difference,
    Expression,
    Extreme,
    Filtered,
    Form,
    Intersection,
    Measure,
    Named,
    Number,
    Query,
    Reached,
    Relational,
    Typed,
    Union,
    Value,
    positive_part,
    serialize,
)
from evidence_assets.kgqa.queries.conjunctive import typed
from evidence_assets.kgqa.queries.serialization import PARSED, serialize_triplets
from evidence_assets.kgqa.understanding.knowledge_base import KnowledgeBase
from evidence_assets.kgqa.understanding.prompted import match_names
from evidence_assets.kgqa.understanding.rows import UNREAD
from evidence_assets.lake.schemas import QUESTION_QUERIES
from evidence_assets.models.encoder import Encoder
from evidence_assets.models.generation.recorded import RecordedGenerator
from evidence_assets.progress import Progress
from evidence_assets.reading.accounting import spans
from evidence_assets.reading.prompting.prompt_files import PROPOSE_QUERY
from evidence_assets.reading.prompting.requests import request
from evidence_assets.reading.prompting.structured import ParsedReply, ask_objects
from evidence_assets.reading.proposals import (
    SAMPLES,
    JsonSchema,
    Proposal,
    Word,
    account_for,
    alternatives,
    kind_of,
    leaves,
    object_of,
    one_of,
    pair_of,
    ranked,
    samplings,
)
from evidence_assets.text.function_words import function_words
from evidence_assets.text.roots import root
from evidence_assets.text.verbalisation import words_of

LONGEST_NAME = 100
NO_QUERY = "no proposed query has an answer"
# A query, and its answers: nodes; of a number or yes and no, what it counted.
ProposedQuery = Proposal[Query, tuple[int, ...], tuple[Form, object]]


def query_schema(schema: Schema) -> JsonSchema:
    """Return the JSON schema of queries over a graph of this schema."""
    relation, type_ = one_of(schema.relations), one_of(schema.type_names)
    flag, text = {"type": "boolean"}, {"type": "string", "minLength": 1, "maxLength": LONGEST_NAME}
    plain, near, measure = ({"$ref": f"#/$defs/{name}"} for name in ("plain_set", "near_set", "measure"))
    pair = pair_of(near)
    definitions = {
        "plain_set": [kind_of("named", text=text), kind_of("typed", type=type_)],
        "near_set": [plain, kind_of("reached", relation=relation, backwards=flag, of=plain)],
        "measure": [
            kind_of("value", relation=relation),
            kind_of("number", relation=relation, backwards=flag, among=kind_of("typed", type=type_)),
        ],
    }
    relational, bound = one_of(list(Relational)), {"type": "number"}
    sets = [
        near,
        kind_of("reached", relation=relation, backwards=flag, of=near),
        kind_of("and", parts=pair),
        kind_of("or", parts=pair),
        kind_of("without", of=near, without=near),
        kind_of("filtered", of=near, measure=measure, relational=relational, bound=bound),
        kind_of("extreme", of=near, measure=measure, greatest=flag),
    ]
    return {
        **object_of(form=one_of([form for form in Form if form not in MEASURED_FORMS]), of={"anyOf": sets}),
        "$defs": alternatives(definitions),
    }


def read_query(value: Mapping[str, Any], nodes: Mapping[str, tuple[int, ...]]) -> Query:
    """Return the query that an object of `query_schema` stands for. `nodes`: what each name stands for."""
    return Query(_set(value["of"], nodes), Form(value["form"]))


def _set(value: Mapping[str, Any], nodes: Mapping[str, tuple[int, ...]]) -> Expression:  # noqa: PLR0911
    match value["kind"]:
        case "named":
            return Named(value["text"], nodes.get(value["text"], ()))
        case "typed":
            return Typed(value["type"])
        case "reached":
            return Reached(value["relation"], value["backwards"], _set(value["of"], nodes))
        case "and" | "or" as kind:
            parts = tuple(_set(part, nodes) for part in value["parts"])
            return Intersection(parts) if kind == "and" else Union(parts)
        case "without":
            return Difference(_set(value["of"], nodes), _set(value["without"], nodes))
        case "filtered":
            of, measure = _set(value["of"], nodes), _measure(value["measure"])
            return Filtered(of, measure, Relational(value["relational"]), float(value["bound"]))
        case _:
            return Extreme(_set(value["of"], nodes), _measure(value["measure"]), value["greatest"])


def _measure(value: Mapping[str, Any]) -> Measure:
    if value["kind"] == "value":
        return Value(value["relation"])
    return Number(value["relation"], value["backwards"], Typed(value["among"]["type"]))


# What an operator is called in questions, by its kind, form or field.
_OPERATORS: Mapping[str, tuple[str, ...]] = {
    "number": ("how", "many", "number", "count"),
    "existence": ("is", "are", "was", "were", "did", "does", "do", "has", "have"),
    "or": ("or", "either"),
    "without": ("not", "no", "without", "except", "but", "never", "n't"),
    "filtered": ("more", "less", "before", "after", "than", "over", "under", "least", "most", "in"),
    "greatest": ("most", "largest", "highest", "latest", "longest", "last", "newest", "greatest", "biggest"),
    "not greatest": ("fewest", "least", "smallest", "lowest", "earliest", "first", "oldest", "shortest"),
}


def accounted(question: str, value: Mapping[str, Any], schema: Schema) -> Accounting:
    """Return every word of a question with what a proposed query, as JSON, binds it to.

    A word is bound by a name, by a relation's or a type's own words, or by an operator that it calls for.
    """
    bound_words: dict[str, tuple[Role, str]] = {}
    operators: dict[str, str] = {}
    for field, text in leaves(value):
        if field in ("kind", "form", "greatest"):
            operators |= dict.fromkeys(_OPERATORS.get(text, ()), text)
        role = Role.TYPE if field == "type" else Role.EVIDENCE
        for wording in _wordings(field, text, schema):
            for start, end in spans(wording):
                bound_words.setdefault(root(wording[start:end].lower()), (role, text))
    words = [
        Word(start, end, root(word), word not in function_words())
        for start, end in spans(question)
        for word in (question[start:end].lower(),)
    ]
    return account_for(question, words, bound_words, operators)


def _wordings(field: str, text: str, schema: Schema) -> tuple[str, ...]:
    """Return how a question may say what a field of a query names; nothing for fields that name nothing."""
    if field == "relation":
        return (words_of(text), *schema.relations[text].plain_sentences)
    if field == "type":
        return schema.types.get(text, (text,))
    return (text,) if field in ("text", "bound") else ()


def propose_queries(
    questions: Sequence[str],
    generator: RecordedGenerator,
    base: KnowledgeBase,
    linker: Linker,
    encoder: Encoder,
    progress: Progress | None = None,
) -> list[list[ProposedQuery]]:
    """Return each question's proposed queries that have an answer, the best first; equal ones once.

    Names are matched to nodes as those of conditions are. A set without members is no answer; that there is
    none, or that there are 0, is.

    Raises:
        BudgetSpentError: the generator's budget is spent.
    """
    schema, form = base.schema, query_schema(base.schema)
    relations, types = list(map(str, schema.relations.values())), list(schema.type_names)
    requests = [
        request(PROPOSE_QUERY, sampling, form, question=question, types=types, relations=relations)
        for question in questions
        for sampling in samplings()
    ]
    replies = ask_objects(requests, generator, progress)
    names = {text for reply in replies for field, text in leaves(reply.value or {}) if field == "text"}
    nodes = match_names(sorted(names), linker, encoder)
    return [
        _executed(question, replies[SAMPLES * place : SAMPLES * (place + 1)], base, nodes)
        for place, question in enumerate(questions)
    ]


def _executed(
    question: str,
    replies: Sequence[ParsedReply],
    base: KnowledgeBase,
    nodes: Mapping[str, tuple[int, ...]],
) -> list[ProposedQuery]:
    proposals = []
    for reply in replies:
        if reply.value is None:
            continue
        query = read_query(reply.value, nodes)
        answers = tuple(base.executor.nodes(query.of).tolist())
        if answers or query.form is not Form.MEMBERS:
            accounting = accounted(question, reply.value, base.schema)
            proposals.append(
                Proposal(query, answers, _outcome(query.form, answers), accounting, reply.request_hash)
            )
    return ranked(proposals)


def _outcome(form: Form, answers: tuple[int, ...]) -> tuple[Form, object]:
    if form is Form.MEMBERS:
        return form, answers
    return form, len(answers) if form is Form.NUMBER else bool(answers)


def proposed_rows(
    benchmark: str,
    parser: str,
    question_ids: Sequence[str],
    proposed: Sequence[Sequence[ProposedQuery]],
    base: KnowledgeBase,
) -> pa.Table:
    """Return `question_queries` rows: a question's proposed queries by rank, or that there is none."""
    rows: list[dict[str, Any]] = []
    for question_id, of_question in zip(question_ids, proposed, strict=True):
        key: dict[str, Any] = {
            "benchmark": benchmark,
            "parser": parser,
            "question_id": question_id,
            "kg": base.graph.name,
            **UNREAD,
        }
        for rank, proposal in enumerate(of_question, start=1):
            rows.append(
                {
                    **key,
                    "rank": rank,
                    "triplets": serialize_triplets(typed(positive_part(proposal.expression), base.schema)),
                    "operation": serialize(proposal.expression),
                    "status": PARSED,
                    "answers": len(proposal.result),
                    "score": proposal.score,
                    "score_parts": [{"name": name, "value": value} for name, value in proposal.parts.items()],
                    "bindings": proposal.accounting.rows(),
                    "detail": str(proposal.expression),
                    "request_hash": proposal.request_hash,
                }
            )
        if not of_question:
            rows.append({**key, "status": NO_QUERY, "detail": NO_QUERY})
    return pa.Table.from_pylist(rows, QUESTION_QUERIES.schema)
