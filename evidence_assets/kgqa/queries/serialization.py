"""Conjunctive queries in the lake: how `question_queries` holds them, and how they are read again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pyarrow as pa

    from evidence_assets.evidence.accounting import Accounting
    from evidence_assets.kgqa.queries.algebra import Query
    from evidence_assets.kgqa.queries.conjunctive import ConjunctiveQuery, Term

EXTRACTIVE = "extractive"
# Before the name of a generator that proposes queries.
PROPOSED = "proposed"
PARSED, ABSENT, UNACCOUNTED = "parsed", "absent", "not understood"
_VARIABLE = "?"


@dataclass(frozen=True, slots=True)
class QueryRecord:
    """One parse of a question. `status` is `parsed`, `absent` (the graph lacks it), or what went wrong.

    `request_hash`: the row of generations that it was taken from, if a language model wrote it. `operation`:
    what it asks where triplets cannot say it. `accounting`: of a question's reading, what of it is bound;
    `detail` says why it is not answered, where it is not; `confidence`: how often such readings are right.
    """

    query: ConjunctiveQuery
    status: str
    score: float
    answer_type: str
    request_hash: str | None = None
    operation: Query | None = None
    accounting: Accounting | None = None
    confidence: float | None = None
    detail: str = ""

    @property
    def operates(self) -> bool:
        """Whether it asks for more than the ends of walks: a count, a filter, a union, a difference."""
        from evidence_assets.kgqa.queries.algebra import is_walk

        return self.operation is not None and not is_walk(self.operation)

    @property
    def abstains(self) -> str:
        """Why the question is not answered; "" where it is, or where nobody accounted for it."""
        return self.detail if self.accounting is not None and self.status != PARSED else ""


def serialize_triplets(query: ConjunctiveQuery) -> list[dict[str, Any]]:
    """Return a query's conditions as the column `triplets` holds them."""
    return [
        {**_fields("head", triplet.head), "relation": triplet.relation, **_fields("tail", triplet.tail)}
        for triplet in query.triplets
    ]


def _fields(end: str, term: Term) -> dict[str, Any]:
    from evidence_assets.kgqa.queries.conjunctive import Variable

    if isinstance(term, Variable):
        return {end: str(term), f"{end}_nodes": [], f"{end}_type": term.type}
    # A name that begins as a variable does is still a name: it is marked by a space, which no variable has.
    text = f" {term.text}" if term.text.startswith(_VARIABLE) else term.text
    return {end: text, f"{end}_nodes": list(term.nodes), f"{end}_type": ""}


def deserialize_queries(rows: pa.Table) -> dict[str, list[QueryRecord]]:
    """Return every question's parses out of `question_queries` rows, the likeliest first."""
    from evidence_assets.kgqa.queries.algebra import deserialize
    from evidence_assets.kgqa.queries.conjunctive import ConjunctiveQuery, Triplet

    records: dict[str, list[QueryRecord]] = {}
    columns = ["question_id", "rank", "triplets", "target", "answer_type", "status", "score", "request_hash"]
    columns += ["operation", "bindings", "confidence", "detail"]
    order = [("question_id", "ascending"), ("rank", "ascending")]
    for row in rows.select(columns).sort_by(order).to_pylist():
        triplets = tuple(
            Triplet(_term("head", fields), fields["relation"], _term("tail", fields))
            for fields in row["triplets"]
        )
        query = ConjunctiveQuery(triplets, row["target"].removeprefix(_VARIABLE))
        records.setdefault(row["question_id"], []).append(
            QueryRecord(
                query,
                row["status"],
                row["score"],
                row["answer_type"],
                row["request_hash"],
                deserialize(row["operation"]) if row["operation"] else None,
                _accounting(row["bindings"]),
                row["confidence"],
                row["detail"],
            )
        )
    return records


def _term(end: str, fields: Mapping[str, Any]) -> Term:
    from evidence_assets.kgqa.queries.conjunctive import Constant, Variable

    text = fields[end]
    if text.startswith(_VARIABLE):
        return Variable(text.removeprefix(_VARIABLE), fields[f"{end}_type"])
    return Constant(text.removeprefix(" "), tuple(fields[f"{end}_nodes"]))


def _accounting(bindings: Sequence[Mapping[str, Any]] | None) -> Accounting | None:
    from evidence_assets.evidence.accounting import Accounting, Binding, Role

    if bindings is None:
        return None
    return Accounting(tuple(Binding(**{**binding, "role": Role(binding["role"])}) for binding in bindings))
