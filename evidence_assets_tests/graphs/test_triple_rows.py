"""From statements to rows of `triples`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import fsspec
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evidence_assets.graphs.triples import TripleCollector
from evidence_assets.lake.ids import content_id
from evidence_assets.lake.parquet import conform, write_sorted
from evidence_assets.lake.schemas import TRIPLES
from evidence_assets.sources.records import RejectedRecord, Triple, TripleSource

TEMPLATES = {"IsA": "{head} is a {tail}", "PartOf": "{head} is part of {tail}", "HasA": "{head} has {tail}"}


def stated(
    head: str, relation: str, tail: str, weight: float | None = None, *records: str, source: str = ""
) -> Triple:
    return Triple(head, relation, tail, weight, tuple(TripleSource(source, record, "") for record in records))


def collector_of(*records: Triple | RejectedRecord) -> TripleCollector:
    collector = TripleCollector("kg", TEMPLATES)
    collector.add(records, "file", "CC0")
    return collector


def rows_of(collector: TripleCollector) -> list[dict]:
    """All rows; each table has the declared columns, one relation, and is in the order of its triples."""
    tables = list(collector.tables())
    relations = [relation for relation, _ in tables]
    assert relations == sorted(relations)
    for relation, table in tables:
        assert conform(table, TRIPLES).equals(table)
        assert set(table.column("relation").to_pylist()) == {relation}
        ends = list(zip(table.column("head").to_pylist(), table.column("tail").to_pylist(), strict=True))
        assert ends == sorted(set(ends), key=lambda pair: tuple(text.encode() for text in pair))
    return [row for _, table in tables for row in table.to_pylist()]


def source(record: str, name: str = "file", licence: str = "CC0") -> dict[str, str]:
    return {"source": name, "record": record, "licence": licence}


def test_one_statement_is_one_row() -> None:
    assert rows_of(collector_of(stated("cat", "IsA", "pet", 2.5, "line 1"))) == [
        {
            "triple_id": content_id("triple", "kg", "cat", "IsA", "pet"),
            "kg": "kg",
            "head": "cat",
            "relation": "IsA",
            "tail": "pet",
            "weight": 2.5,
            "sources": [source("line 1")],
        }
    ]


def test_ids_do_not_change_from_version_to_version() -> None:
    (row,) = rows_of(collector_of(stated("été", "IsA", "saison", None, "line 1")))
    assert row["triple_id"] == "e1ee8df78978a179b59fad95c3f3be4a"


def test_equal_statements_are_one_triple_with_every_source() -> None:
    collector = TripleCollector("kg", TEMPLATES)
    collector.add(
        [
            stated("cat", "IsA", "pet", 1.0, "line 1", "line 1 again"),
            stated("cat", "IsA", "pet", None, "line 2"),
        ],
        "first",
        "CC BY",
    )
    collector.add(
        [
            stated("cat", "IsA", "pet", 0.25, "line 7", source="somebody"),
            stated("pet", "IsA", "cat", 8.0, "line 8"),
            Triple("cat", "HasA", "pet", 16.0, (TripleSource("", "line 9", "GPL"),)),
        ],
        "second",
        "CC0",
    )
    assert collector.statements == 5
    found = {(row["head"], row["relation"], row["tail"]): row for row in rows_of(collector)}
    assert {key: row["weight"] for key, row in found.items()} == {
        ("cat", "IsA", "pet"): 1.25,
        ("pet", "IsA", "cat"): 8.0,
        ("cat", "HasA", "pet"): 16.0,
    }
    assert found["cat", "IsA", "pet"]["sources"] == [
        source("line 1", "first", "CC BY"),
        source("line 1 again", "first", "CC BY"),
        source("line 2", "first", "CC BY"),
        source("line 7", "somebody", "CC0"),
    ]
    assert found["cat", "HasA", "pet"]["sources"] == [source("line 9", "second", "GPL")]


def test_no_weight_where_no_statement_gives_one() -> None:
    rows = rows_of(
        collector_of(
            *(stated("cat", "IsA", "pet", weight, "line") for weight in (None, None)),
            *(stated("dog", "IsA", "pet", weight, "line") for weight in (None, 0.0, None)),
            *(stated("emu", "IsA", "pet", weight, "line") for weight in (1.5, -1.5)),
        )
    )
    assert [row["weight"] for row in rows] == [None, 0.0, 0.0]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("cat", "IsA", "pet"), ("Cat", "IsA", "pet")),
        (("cat", "IsA", "pet"), ("cat ", "IsA", "pet")),
        (("ab", "IsA", "c"), ("a", "IsA", "bc")),
        (("cat", "IsA", "pet"), ("cat", "HasA", "pet")),
        (("é", "IsA", "x"), ("e\u0301", "IsA", "x")),
    ],
)
def test_unequal_statements_stay_apart(one: tuple[str, str, str], other: tuple[str, str, str]) -> None:
    rows = rows_of(collector_of(stated(*one, 1.0, "1"), stated(*other, 2.0, "2")))
    assert {row["triple_id"] for row in rows} == {content_id("triple", "kg", *ends) for ends in (one, other)}
    assert sorted(row["weight"] for row in rows) == [1.0, 2.0]


def test_relations_without_template_are_counted_and_left_out() -> None:
    collector = collector_of(
        *(stated(f"cat {number}", "HasPain", "pet", 1.0, "line") for number in range(1234)),
        stated("cat", "IsA", "pet", 1.0, "line"),
        stated("cat", "Eats", "{head}", 1.0, "line"),
    )
    assert collector.relations == ["IsA"]
    assert collector.statements == 1
    assert [(one.record, one.reason) for one in collector.rejected] == [
        ("relation Eats", "no template says how to read it out: 1 triples left out"),
        ("relation HasPain", "no template says how to read it out: 1,234 triples left out"),
    ]
    assert all("{head} and {tail}" in one.remedy for one in collector.rejected)
    assert [row["relation"] for row in rows_of(collector)] == ["IsA"]


def test_rejected_records_name_their_source() -> None:
    collector = TripleCollector("kg", TEMPLATES)
    broken = RejectedRecord("line 3", "tail is empty", "write one")
    collector.add([broken, stated("cat", "Eats", "fish", 1.0, "line 4")], "first", "CC0")
    collector.add([stated("cat", "IsA", "pet", 1.0, "line 1"), broken], "second", "CC0")
    assert collector.rejected[:2] == [
        RejectedRecord("first, line 3", "tail is empty", "write one"),
        RejectedRecord("second, line 3", "tail is empty", "write one"),
    ]
    assert [one.record for one in collector.rejected[2:]] == ["relation Eats"]


def test_nothing_read_is_no_table() -> None:
    collector = collector_of()
    assert (list(collector.tables()), collector.rejected, collector.statements) == ([], [], 0)
    assert list(collector_of(stated("cat", "Eats", "fish", 1.0, "line")).tables()) == []


def test_sources_keep_the_order_they_were_read_in() -> None:
    random = np.random.default_rng(0)
    ends = [(f"head {a}", f"tail {b}") for a, b in random.integers(0, 5, size=(20_000, 2))]
    rows = rows_of(
        collector_of(*(stated(a, "IsA", b, 1.0, f"{place:05}") for place, (a, b) in enumerate(ends)))
    )
    assert len(rows) == 25
    for row in rows:
        places = [f"{place:05}" for place, pair in enumerate(ends) if pair == (row["head"], row["tail"])]
        assert [one["record"] for one in row["sources"]] == places
        assert row["weight"] == len(places)


labels = st.sampled_from(["", "a", "b", "B", "ab", "é", "\x00", "𝔸", "a b"]) | st.text(max_size=3)
statements = st.builds(
    stated,
    labels,
    st.sampled_from(["IsA", "PartOf", "HasA"]),
    labels,
    # Eighths: their sums are exact.
    st.none() | st.integers(-999, 999).map(lambda eighths: eighths / 8),
)
# Few triples, and weights whose sum depends on the order of adding.
repeated = st.builds(
    stated,
    st.sampled_from(["a", "b"]),
    st.just("IsA"),
    st.just("c"),
    st.none() | st.sampled_from([-0.0, 0.0, 0.1, 1e16, -1e16]) | st.floats(-1e300, 1e300),
)


@settings(deadline=None)
@given(records=st.lists(st.tuples(statements, st.integers(0, 2)), max_size=30))
def test_merging_is_a_dictionary(records: list[tuple[Triple, int]]) -> None:
    """Oracle: a dictionary by head, relation and tail; some statements have no source, some have two."""
    expected: dict[tuple[str, str, str], tuple[list[float], list[str]]] = {}
    given_records = []
    for place, (one, count) in enumerate(records):
        names = [f"{place}.{number}" for number in range(count)]
        given_records.append(stated(one.head, one.relation, one.tail, one.weight, *names))
        weights, found = expected.setdefault((one.head, one.relation, one.tail), ([], []))
        weights += [] if one.weight is None else [one.weight]
        found += names
    rows = rows_of(collector_of(*given_records))
    assert {(row["head"], row["relation"], row["tail"]) for row in rows} == set(expected)
    assert len(rows) == len(expected)
    for row in rows:
        weights, found = expected[row["head"], row["relation"], row["tail"]]
        assert row["sources"] == [source(name) for name in found]
        if weights:
            assert row["weight"] == sum(weights)
        else:
            assert row["weight"] is None
        assert row["triple_id"] == content_id("triple", "kg", row["head"], row["relation"], row["tail"])


def sources_sorted(rows: Sequence[dict]) -> list[dict]:
    return [row | {"sources": sorted(row["sources"], key=lambda one: one["record"])} for row in rows]


@settings(deadline=None)
@given(data=st.data(), records=st.lists(repeated, max_size=20))
def test_order_of_reading_changes_the_order_of_sources_alone(
    data: st.DataObject, records: list[Triple]
) -> None:
    named = [
        stated(one.head, one.relation, one.tail, one.weight, f"{place:02}")
        for place, one in enumerate(records)
    ]
    moved = data.draw(st.permutations(named))
    one, other = (sources_sorted(rows_of(collector_of(*order))) for order in (named, moved))
    # As text: 0.0 and -0.0 are other bytes.
    assert repr(one) == repr(other)


def test_weights_are_added_to_the_same_bits_in_any_order() -> None:
    weights = [0.1, 0.2, 0.3, 1e16, -1e16, 0.7]
    sums = set()
    for turn in range(len(weights)):
        order = weights[turn:] + weights[:turn]
        (row,) = rows_of(collector_of(*(stated("cat", "IsA", "pet", weight, "line") for weight in order)))
        sums.add(row["weight"].hex())
    assert len(sums) == 1


def test_shuffled_statements_are_the_same_file(tmp_path: Path) -> None:
    records = [stated(f"cat {n % 70}", "IsA", f"pet {n // 70}", n / 7, f"line {n}") for n in range(5000)]
    hashes, contents = set(), set()
    for turn in range(3):
        order = np.random.default_rng(turn).permutation(len(records))
        ((_, table),) = collector_of(*(records[place] for place in order)).tables()
        path = tmp_path / f"{turn}.parquet"
        hashes.add(write_sorted(fsspec.filesystem("file"), str(path), table, TRIPLES).content_hash)
        contents.add(path.read_bytes())
    assert len(hashes) == len(contents) == 1


def test_a_table_is_handed_out_once() -> None:
    collector = collector_of(stated("cat", "IsA", "pet", 1.0, "line"))
    ((relation, table),) = collector.tables()
    assert (relation, table.num_rows) == ("IsA", 1)
    assert isinstance(table, pa.Table)
    assert list(collector.tables()) == []
