"""Queries that a language model proposes: held to the algebra by a JSON schema, run here, and ranked.

Several are drawn. The best accounts for most of the question's words, and comes to what most others do.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from evidence_assets.evidence.accounting import Accounting, Binding, Role
from evidence_assets.graphs.linking import Linker
from evidence_assets.kgqa.algebra import (
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
from evidence_assets.kgqa.conjunctive import TARGET, typed
from evidence_assets.kgqa.knowledge_base import KnowledgeBase
from evidence_assets.kgqa.prompted import match_names
from evidence_assets.kgqa.schema import Schema
from evidence_assets.kgqa.serialization import PARSED, serialize_triplets
from evidence_assets.lake.schemas import QUESTION_QUERIES
from evidence_assets.models.encoder import Encoder
from evidence_assets.models.generation.protocol import Sampling
from evidence_assets.models.generation.recorded import RecordedGenerator
from evidence_assets.progress import Progress
from evidence_assets.reading.accounting import account, spans
from evidence_assets.reading.prompt_files import PROPOSE_QUERY
from evidence_assets.reading.prompting import request
from evidence_assets.reading.structured import ParsedReply, ask_objects
from evidence_assets.text.function_words import function_words
from evidence_assets.text.roots import root
from evidence_assets.text.verbalisation import words_of

SAMPLES = 5
LONGEST_NAME = 100
_TEMPERATURE, _LONGEST, _SEED = 0.8, 256, 2026
NO_QUERY = "no proposed query has an answer"
JsonSchema = dict[str, Any]


def query_schema(schema: Schema) -> JsonSchema:
    """Return the JSON schema of queries over a graph of this schema.

    Each definition refers to those before it alone, so that a query has an end.
    """
    relation, type_ = _one_of(schema.relations), _one_of(schema.type_names)
    flag, text = {"type": "boolean"}, {"type": "string", "minLength": 1, "maxLength": LONGEST_NAME}
    plain, near, measure = ({"$ref": f"#/$defs/{name}"} for name in ("plain_set", "near_set", "measure"))
    pair = {"type": "array", "items": near, "minItems": 2, "maxItems": 2}
    definitions = {
        "plain_set": [_kind("named", text=text), _kind("typed", type=type_)],
        "near_set": [plain, _kind("reached", relation=relation, backwards=flag, of=plain)],
        "measure": [
            _kind("value", relation=relation),
            _kind("number", relation=relation, backwards=flag, among=_kind("typed", type=type_)),
        ],
    }
    relational, bound = _one_of(list(Relational)), {"type": "number"}
    sets = [
        near,
        _kind("reached", relation=relation, backwards=flag, of=near),
        _kind("and", parts=pair),
        _kind("or", parts=pair),
        _kind("without", of=near, without=near),
        _kind("filtered", of=near, measure=measure, relational=relational, bound=bound),
        _kind("extreme", of=near, measure=measure, greatest=flag),
    ]
    return {
        **_object(form=_one_of(list(Form)), of={"anyOf": sets}),
        "$defs": {name: {"anyOf": kinds} for name, kinds in definitions.items()},
    }


def _one_of(names: Any) -> JsonSchema:
    return {"type": "string", "enum": [str(name) for name in names]}


def _kind(kind: str, /, **properties: JsonSchema) -> JsonSchema:
    return _object(kind={"const": kind}, **properties)


def _object(**properties: JsonSchema) -> JsonSchema:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
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
    bound: dict[str, tuple[Role, str]] = {}
    operators: dict[str, str] = {}
    for field, said in _named(value):
        if field == "operator":
            operators |= dict.fromkeys(_OPERATORS.get(said, ()), said)
            continue
        role = Role.TYPE if field == "type" else Role.EVIDENCE
        for text in _wordings(field, said, schema):
            for start, end in spans(text):
                bound.setdefault(root(text[start:end].lower()), (role, said))
    bindings = []
    for start, end in spans(question):
        word = question[start:end].lower()
        if word in operators:
            bindings.append(Binding(start, end, question[start:end], Role.OPERATOR, operators[word]))
        elif root(word) in bound and word not in function_words():
            bindings.append(Binding(start, end, question[start:end], *bound[root(word)]))
    return account(question, bindings)


def _wordings(field: str, said: str, schema: Schema) -> tuple[str, ...]:
    if field == "relation":
        sentences = schema.relations[said].sentences
        return (words_of(said), *(text.replace("{head}", " ").replace("{tail}", " ") for text in sentences))
    return schema.types.get(said, (said,)) if field == "type" else (said,)


def _named(value: Any) -> Iterator[tuple[str, str]]:
    """Yield what a query names, with its field: names, relations, types, numbers, operators."""
    if isinstance(value, list):
        for part in value:
            yield from _named(part)
    if not isinstance(value, Mapping):
        return
    for field, part in value.items():
        if field in ("text", "relation", "type"):
            yield field, str(part)
        elif field in ("kind", "form"):
            yield "operator", str(part)
        elif field == "greatest":
            yield "operator", "greatest" if part else "not greatest"
        elif field == "bound":
            yield "number", f"{part:g}"
        else:
            yield from _named(part)


@dataclass(frozen=True, slots=True)
class Proposed:
    """A proposed query with an answer. `answers`: nodes; of a number or yes and no, what it counted.

    `agreement`: the share of the queries with an answer that come to the same.
    """

    query: Query
    answers: tuple[int, ...]
    accounting: Accounting
    request_hash: str | None
    agreement: float = 0.0

    @property
    def score(self) -> float:
        """The share of the question accounted for, times agreement."""
        return round(self.accounting.share * self.agreement, 6)

    @property
    def outcome(self) -> tuple[str, object]:
        """What it comes to: equal for queries that agree."""
        if self.query.form is Form.MEMBERS:
            return self.query.form, self.answers
        return self.query.form, len(self.answers) if self.query.form is Form.NUMBER else bool(self.answers)


def propose_queries(
    questions: Sequence[str],
    generator: RecordedGenerator,
    base: KnowledgeBase,
    linker: Linker,
    encoder: Encoder,
    progress: Progress | None = None,
) -> list[list[Proposed]]:
    """Return each question's proposed queries that have an answer, the best first; equal ones once.

    Names are matched to nodes as those of conditions are. A set without members is no answer; that there is
    none, or that there are 0, is.

    Raises:
        BudgetSpentError: the generator's budget is spent.
    """
    schema, form = base.schema, query_schema(base.schema)
    relations = [
        f"{relation.name} (from {relation.head_type} to {relation.tail_type})"
        for relation in schema.relations.values()
    ]
    types = list(schema.type_names)
    drawn = [
        Sampling(_LONGEST),
        *(Sampling(_LONGEST, _TEMPERATURE, seed=_SEED + place) for place in range(1, SAMPLES)),
    ]
    requests = [
        request(PROPOSE_QUERY, sampling, form, question=question, types=types, relations=relations)
        for question in questions
        for sampling in drawn
    ]
    replies = ask_objects(requests, generator, progress)
    names = {text for reply in replies for field, text in _named(reply.value) if field == "text"}
    nodes = match_names(sorted(names), linker, encoder)
    return [
        _ranked(question, replies[SAMPLES * place : SAMPLES * (place + 1)], base, nodes)
        for place, question in enumerate(questions)
    ]


def _ranked(
    question: str,
    replies: Sequence[ParsedReply],
    base: KnowledgeBase,
    nodes: Mapping[str, tuple[int, ...]],
) -> list[Proposed]:
    found = []
    for reply in replies:
        if reply.value is None:
            continue
        query = read_query(reply.value, nodes)
        answers = tuple(base.executor.nodes(query.of).tolist())
        if answers or query.form is not Form.MEMBERS:
            said = accounted(question, reply.value, base.schema)
            found.append(Proposed(query, answers, said, reply.request_hash))
    outcomes = [each.outcome for each in found]
    agreeing: dict[Query, Proposed] = {}
    for each in found:
        share = outcomes.count(each.outcome) / len(found)
        agreeing.setdefault(
            each.query, Proposed(each.query, each.answers, each.accounting, each.request_hash, share)
        )
    return sorted(agreeing.values(), key=lambda each: -each.score)


def proposed_rows(
    benchmark: str,
    parser: str,
    question_ids: Sequence[str],
    proposed: Sequence[Sequence[Proposed]],
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
            "target": f"?{TARGET}",
            "answer_type": "",
            "score_parts": [],
        }
        for rank, each in enumerate(of_question, start=1):
            parts = {"accounted": each.accounting.share, "agreement": each.agreement}
            rows.append(
                {
                    **key,
                    "rank": rank,
                    "triplets": serialize_triplets(typed(positive_part(each.query), base.schema)),
                    "operation": serialize(each.query),
                    "status": PARSED,
                    "answers": len(each.answers),
                    "score": each.score,
                    "score_parts": [{"name": name, "value": value} for name, value in parts.items()],
                    "bindings": each.accounting.rows(),
                    "detail": str(each.query),
                    "request_hash": each.request_hash,
                }
            )
        if not of_question:
            nothing = {"triplets": [], "answers": 0, "score": 0.0, "request_hash": None}
            rows.append({**key, **nothing, "rank": 1, "status": NO_QUERY, "detail": NO_QUERY})
    return pa.Table.from_pylist(rows, QUESTION_QUERIES.schema)
