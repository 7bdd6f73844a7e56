"""Queries written to the lake come back as they were, whatever their names look like."""

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from evidence_assets.kgqa.queries.conjunctive import ConjunctiveQuery, Constant, Term, Triplet, Variable
from evidence_assets.kgqa.queries.serialization import PARSED, deserialize_queries, serialize_triplets
from evidence_assets.kgqa.understanding.rows import UNREAD
from evidence_assets.lake.declared_rows import conform
from evidence_assets.lake.schemas import QUESTION_QUERIES


def _row(query: ConjunctiveQuery, rank: int = 1) -> dict[str, object]:
    return {
        **UNREAD,
        "benchmark": "films",
        "parser": "extractive",
        "question_id": "q",
        "rank": rank,
        "kg": "films",
        "triplets": serialize_triplets(query),
        "answer_type": "movie",
        "status": PARSED,
        "score": 1.0 / rank,
        "detail": "",
    }


def _table(*rows: dict[str, object]) -> pa.Table:
    return conform(pa.Table.from_pylist(list(rows), schema=QUESTION_QUERIES.schema), QUESTION_QUERIES)


_NAMES = st.text(min_size=1, max_size=12).filter(lambda text: not text.startswith(" "))
_TERMS: st.SearchStrategy[Term] = st.one_of(
    st.builds(Variable, st.sampled_from(["answer", "a", "b"]), st.sampled_from(["", "movie", "person"])),
    st.builds(Constant, _NAMES, st.lists(st.integers(0, 9), max_size=3).map(tuple)),
)


@given(st.lists(st.builds(Triplet, _TERMS, st.sampled_from(["", "directed_by"]), _TERMS), max_size=4))
def test_a_query_comes_back_as_it_was(triplets: list[Triplet]) -> None:
    query = ConjunctiveQuery(tuple(triplets), "answer")

    (record,) = deserialize_queries(_table(_row(query)))["q"]

    assert record.query == query
    assert (record.status, record.answer_type, record.request_hash) == (PARSED, "movie", None)


def test_a_name_that_begins_like_a_variable_stays_a_name() -> None:
    query = ConjunctiveQuery(
        (Triplet(Constant("?answer", (3,)), "directed_by", Variable("answer")),), "answer"
    )

    (record,) = deserialize_queries(_table(_row(query)))["q"]

    assert record.query.constants() == (Constant("?answer", (3,)),)


def test_readings_come_the_likeliest_first() -> None:
    likeliest, second = (
        ConjunctiveQuery((Triplet(Constant("x", (1,)), name, Variable("answer")),), "answer")
        for name in ("directed_by", "written_by")
    )

    records = deserialize_queries(_table(_row(second, 2), _row(likeliest, 1)))["q"]

    assert [reading.query for reading in records] == [likeliest, second]
