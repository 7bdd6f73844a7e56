"""Conjunctive queries in the lake: how `question_queries` holds them, and how they are read again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pyarrow as pa

    from evidence_assets.kgqa.conjunctive import ConjunctiveQuery, Term

EXTRACTIVE = "extractive"
PARSED, ABSENT = "parsed", "absent"
_VARIABLE = "?"


@dataclass(frozen=True, slots=True)
class QueryRecord:
    """One parse of a question. `status` is `parsed`, `absent` (the graph lacks it), or what went wrong.

    `request_hash`: the row of generations that it was taken from, if a language model wrote it.
    """

    query: ConjunctiveQuery
    status: str
    score: float
    answer_type: str
    request_hash: str | None = None


def serialize_triplets(query: ConjunctiveQuery) -> list[dict[str, Any]]:
    """Return a query's conditions as the column `triplets` holds them."""
    return [
        {**_fields("head", triplet.head), "relation": triplet.relation, **_fields("tail", triplet.tail)}
        for triplet in query.triplets
    ]


def _fields(end: str, term: Term) -> dict[str, Any]:
    from evidence_assets.kgqa.conjunctive import Variable

    if isinstance(term, Variable):
        return {end: str(term), f"{end}_nodes": [], f"{end}_type": term.type}
    # A name that begins as a variable does is still a name: it is told by a space, which no variable has.
    text = f" {term.text}" if term.text.startswith(_VARIABLE) else term.text
    return {end: text, f"{end}_nodes": list(term.nodes), f"{end}_type": ""}


def deserialize_queries(rows: pa.Table) -> dict[str, list[QueryRecord]]:
    """Return every question's parses out of `question_queries` rows, the likeliest first."""
    from evidence_assets.kgqa.conjunctive import ConjunctiveQuery, Triplet

    records: dict[str, list[QueryRecord]] = {}
    columns = ["question_id", "rank", "triplets", "target", "answer_type", "status", "score", "request_hash"]
    order = [("question_id", "ascending"), ("rank", "ascending")]
    for row in rows.select(columns).sort_by(order).to_pylist():
        triplets = tuple(
            Triplet(_term("head", fields), fields["relation"], _term("tail", fields))
            for fields in row["triplets"]
        )
        query = ConjunctiveQuery(triplets, row["target"].removeprefix(_VARIABLE))
        records.setdefault(row["question_id"], []).append(
            QueryRecord(query, row["status"], row["score"], row["answer_type"], row["request_hash"])
        )
    return records


def _term(end: str, fields: Mapping[str, Any]) -> Term:
    from evidence_assets.kgqa.conjunctive import Constant, Variable

    text = fields[end]
    if text.startswith(_VARIABLE):
        return Variable(text.removeprefix(_VARIABLE), fields[f"{end}_type"])
    return Constant(text.removeprefix(" "), tuple(fields[f"{end}_nodes"]))
