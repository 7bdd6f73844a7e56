"""From statements to rows of `triples`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import fsspec
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_assets.graphs.concepts.triples import TripleCollector
from evidence_assets.lake.declared_rows import conform
from evidence_assets.lake.ids import content_id
from evidence_assets.lake.parquet import write_sorted
from evidence_assets.lake.schemas import TRIPLES
from evidence_assets.sources.records import ConceptRecord, RejectedRecord, Triple, TripleSource
from evidence_assets.sources.rejections import MOST_LISTED

TEMPLATES = {"IsA": "{head} is a {tail}", "PartOf": "{head} is part of {tail}", "HasA": "{head} has {tail}"}


def stated(
    head: str, relation: str, tail: str, weight: float | None = None, *records: str, source: str = ""
) -> Triple:
    return Triple(head, relation, tail, weight, tuple(TripleSource(source, record, "") for record in records))


def keyed(head: str, relation: str, tail: str, *records: str) -> Triple:
    """A triple between the keys of two concepts."""
    sources = tuple(TripleSource("", record, "") for record in records)
    return Triple(head, relation, tail, sources=sources, by_key=True)


def collector_of(*records: Triple | RejectedRecord) -> TripleCollector:
    collector = TripleCollector("kg", TEMPLATES)
    collector.add(records, "file", "CC0")
    return collector


def rows_of(collector: TripleCollector) -> list[dict[str, Any]]:
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
    rows_by_triple = {(row["head"], row["relation"], row["tail"]): row for row in rows_of(collector)}
    assert {key: row["weight"] for key, row in rows_by_triple.items()} == {
        ("cat", "IsA", "pet"): 1.25,
        ("pet", "IsA", "cat"): 8.0,
        ("cat", "HasA", "pet"): 16.0,
    }
    assert rows_by_triple["cat", "IsA", "pet"]["sources"] == [
        source("line 1", "first", "CC BY"),
        source("line 1 again", "first", "CC BY"),
        source("line 2", "first", "CC BY"),
        source("line 7", "somebody", "CC0"),
    ]
    assert rows_by_triple["cat", "HasA", "pet"]["sources"] == [source("line 9", "second", "GPL")]


def test_no_weight_where_no_statement_gives_one() -> None:
    rows = rows_of(
        collector_of(
            *(stated("cat", "IsA", "pet", weight, "line") for weight in (None, None)),
            *(stated("dog", "IsA", "pet", weight, "line") for weight in (None, 0.0, None)),
            *(stated("emu", "IsA", "pet", weight, "line") for weight in (1.5, -1.5)),
        )
    )
    assert [row["weight"] for row in rows] == [None, 0.0, 0.0]


def test_a_sources_weight_multiplies_what_it_states() -> None:
    collector = TripleCollector("kg", TEMPLATES)
    doubtful = [stated("cat", "IsA", "pet", None, "line 1"), stated("cat", "HasA", "pet", 4.0, "line 2")]
    collector.add(doubtful, "doubtful", "CC0", 0.5)
    collector.add([stated("cat", "IsA", "pet", None, "line 1")], "usual", "CC0", 1.0)
    assert {row["relation"]: row["weight"] for row in rows_of(collector)} == {"IsA": 1.5, "HasA": 2.0}


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (("cat", "IsA", "pet"), ("Cat", "IsA", "pet")),
        (("cat", "IsA", "pet"), ("cat ", "IsA", "pet")),
        (("ab", "IsA", "c"), ("a", "IsA", "bc")),
        (("cat", "IsA", "pet"), ("cat", "HasA", "pet")),
        (("é", "IsA", "x"), ("e\u0301", "IsA", "x")),
    ],
)
def test_unequal_statements_stay_apart(first: tuple[str, str, str], second: tuple[str, str, str]) -> None:
    rows = rows_of(collector_of(stated(*first, 1.0, "1"), stated(*second, 2.0, "2")))
    assert {row["triple_id"] for row in rows} == {
        content_id("triple", "kg", *ends) for ends in (first, second)
    }
    assert sorted(row["weight"] for row in rows) == [1.0, 2.0]


def test_relations_without_template_are_counted_and_left_out() -> None:
    collector = collector_of(
        *(stated(f"cat {number}", "HasPain", "pet", 1.0, "line") for number in range(1234)),
        stated("cat", "IsA", "pet", 1.0, "line"),
        stated("cat", "Eats", "{head}", 1.0, "line"),
    )
    assert collector.relations == ["IsA"]
    assert collector.statements == 1
    assert [(rejected.record, rejected.reason) for rejected in collector.rejected] == [
        ("relation Eats", "the graph's templates have no sentence that reads it out: 1 triples left out"),
        (
            "relation HasPain",
            "the graph's templates have no sentence that reads it out: 1,234 triples left out",
        ),
    ]
    assert all("{head} and {tail}" in rejected.remedy for rejected in collector.rejected)
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
    assert [rejected.record for rejected in collector.rejected[2:]] == ["relation Eats"]


def test_however_many_are_rejected_each_source_tells_of_its_first() -> None:
    collector = TripleCollector("kg", TEMPLATES)
    broken = RejectedRecord("line 3", "tail is empty", "write one")
    collector.add([broken] * (MOST_LISTED + 5), "first", "CC0")
    collector.add([broken, stated("cat", "Eats", "fish", 1.0, "line 4")], "second", "CC0")
    assert [(rejected.record, rejected.records) for rejected in collector.rejected[MOST_LISTED:]] == [
        ("first, and 5 more", 5),
        ("second, line 3", 1),
        ("relation Eats", 1),
    ]


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
        assert [source["record"] for source in row["sources"]] == places
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


@given(records=st.lists(st.tuples(statements, st.integers(0, 2)), max_size=30))
def test_merging_is_a_dictionary(records: list[tuple[Triple, int]]) -> None:
    """Oracle: a dictionary by head, relation and tail; some statements have no source, some have two."""
    expected: dict[tuple[str, str, str], tuple[list[float], list[str]]] = {}
    given_records = []
    for place, (triple, count) in enumerate(records):
        names = [f"{place}.{number}" for number in range(count)]
        given_records.append(stated(triple.head, triple.relation, triple.tail, triple.weight, *names))
        weights, expected_sources = expected.setdefault((triple.head, triple.relation, triple.tail), ([], []))
        weights += [] if triple.weight is None else [triple.weight]
        expected_sources += names
    rows = rows_of(collector_of(*given_records))
    assert {(row["head"], row["relation"], row["tail"]) for row in rows} == set(expected)
    assert len(rows) == len(expected)
    for row in rows:
        weights, expected_sources = expected[row["head"], row["relation"], row["tail"]]
        assert row["sources"] == [source(name) for name in expected_sources]
        if weights:
            assert row["weight"] == sum(weights)
        else:
            assert row["weight"] is None
        assert row["triple_id"] == content_id("triple", "kg", row["head"], row["relation"], row["tail"])


def sources_sorted(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    return [row | {"sources": sorted(row["sources"], key=lambda source: source["record"])} for row in rows]


@given(data=st.data(), records=st.lists(repeated, max_size=20))
def test_order_of_reading_changes_the_order_of_sources_alone(
    data: st.DataObject, records: list[Triple]
) -> None:
    records_named = [
        stated(triple.head, triple.relation, triple.tail, triple.weight, f"{place:02}")
        for place, triple in enumerate(records)
    ]
    moved = data.draw(st.permutations(records_named))
    in_order, in_other_order = (
        sources_sorted(rows_of(collector_of(*order))) for order in (records_named, moved)
    )
    # As text: 0.0 and -0.0 are other bytes.
    assert repr(in_order) == repr(in_other_order)


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


# --- ends that are keys


Records = Sequence[Triple | ConceptRecord | RejectedRecord]


def read_as(*sources: tuple[str, Records]) -> TripleCollector:
    """A collector of several sources, merged."""
    collector = TripleCollector("kg", TEMPLATES)
    for name, records in sources:
        collector.add(records, name, f"licence of {name}")
    collector.merge()
    return collector


def ends_of(rows: Sequence[dict[str, Any]]) -> set[tuple[str, str, str]]:
    return {(row["head"], row["relation"], row["tail"]) for row in rows}


CAT, PET = ConceptRecord("A:1", "cat", ("house cat",)), ConceptRecord("A:2", "pet")


def test_keys_become_the_labels_of_their_concepts() -> None:
    collector = read_as(("first", [CAT, keyed("A:1", "IsA", "A:2", "line 1"), PET]))
    assert (collector.statements, collector.rejected) == (1, [])
    [row] = rows_of(collector)
    assert (row["head"], row["relation"], row["tail"]) == ("cat", "IsA", "pet")
    assert row["triple_id"] == content_id("triple", "kg", "cat", "IsA", "pet")
    assert row["sources"] == [source("line 1", "first", "licence of first")]


def test_a_key_is_of_the_source_that_names_it() -> None:
    """Two sources number their concepts from one."""
    collector = read_as(
        ("first", [ConceptRecord("1", "cat"), ConceptRecord("2", "pet"), keyed("1", "IsA", "2", "a")]),
        ("second", [ConceptRecord("2", "dog"), ConceptRecord("3", "fur"), keyed("2", "HasA", "3", "b")]),
    )
    # What shares an identifier is one concept, by the first source's label.
    assert ends_of(rows_of(collector)) == {("cat", "IsA", "pet"), ("pet", "HasA", "fur")}
    collector = read_as(
        ("first", [ConceptRecord("1", "cat", kind="animal"), keyed("1", "IsA", "1", "a")]),
        ("second", [ConceptRecord("1", "scan", kind="procedure"), keyed("1", "HasA", "1", "b")]),
    )
    assert ends_of(rows_of(collector)) == {("cat", "IsA", "cat"), ("scan", "HasA", "scan")}


def test_a_fact_of_two_sources_is_one_triple_with_both() -> None:
    """Each says it its own way: by its keys, by other keys, by labels, by synonyms."""
    collector = read_as(
        ("first", [CAT, PET, keyed("A:1", "IsA", "A:2", "line 1")]),
        (
            "second",
            [
                ConceptRecord("B:7", "House-Cat"),
                ConceptRecord("B:8", "companion", cross_references=("A:2",)),
                keyed("B:7", "IsA", "B:8", "line 2"),
            ],
        ),
        ("third", [stated("HOUSE CAT", "IsA", "Companion", 2.0, "line 3")]),
    )
    [row] = rows_of(collector)
    assert (row["head"], row["tail"], row["weight"]) == ("cat", "pet", 2.0)
    assert [(source["source"], source["record"], source["licence"]) for source in row["sources"]] == [
        (name, f"line {number}", f"licence of {name}")
        for number, name in enumerate(("first", "second", "third"), start=1)
    ]


def test_sources_of_labels_alone_name_what_others_describe() -> None:
    """Their order does not matter: all are read before any is linked."""
    described: Records = [CAT, PET, ConceptRecord("A:3", "Pet shop"), ConceptRecord("A:4", "shop", ("Pet",))]
    bare: Records = [
        stated("Cat", "IsA", "pets", 1.0, "line 1"),
        stated("house-cat", "HasA", "Pet", 1.0, "line 2"),
        stated("cat", "PartOf", "pet  shop", 1.0, "line 3"),
    ]
    expected = {("cat", "IsA", "pets"), ("cat", "HasA", "pet"), ("cat", "PartOf", "Pet shop")}
    for sources in ([("first", described), ("second", bare)], [("second", bare), ("first", described)]):
        assert ends_of(rows_of(read_as(*sources))) == expected


def test_keys_that_no_concept_bears_are_rejected_with_their_number() -> None:
    dog = ConceptRecord("A:9", "dog")
    collector = read_as(
        (
            "first",
            [
                CAT,
                RejectedRecord("line 1", "label is empty", "write one"),
                *(keyed("A:1", "IsA", "A:2", f"line {number}") for number in range(1234)),
                keyed("A:7", "HasA", "A:1", "line 1235"),
                keyed("A:7", "HasA", "A:2", "line 1236"),
                keyed("A:1", "PartOf", "A:1", "line 1237"),
                keyed("A:1", "Eats", "A:404", "line 1238"),
            ],
        ),
        # Described by another source: a key is of its own.
        ("second", [dog, PET, keyed("A:1", "IsA", "A:9", "line 1")]),
    )
    assert [(rejected.record, rejected.reason) for rejected in collector.rejected] == [
        ("first, line 1", "label is empty"),
        (
            "first, concept A:2",
            "1,235 triples name it, the first at line 0, and the source describes no such concept",
        ),
        (
            "first, concept A:7",
            "2 triples name it, the first at line 1235, and the source describes no such concept",
        ),
        ("second, concept A:1", "1 triple names it at line 1, and the source describes no such concept"),
        ("relation Eats", "the graph's templates have no sentence that reads it out: 1 triples left out"),
    ]
    assert all(rejected.remedy for rejected in collector.rejected)
    # What is left counts; a relation that lost every triple is none.
    assert (collector.statements, collector.relations) == (1, ["PartOf"])
    assert ends_of(rows_of(collector)) == {("cat", "PartOf", "cat")}


def test_keys_are_no_labels_where_no_source_describes_a_concept() -> None:
    collector = read_as(
        ("first", [keyed("A:1", "IsA", "A:2", "line 1"), stated("cat", "IsA", "pet", None, "line 2")])
    )
    assert ends_of(rows_of(collector)) == {("cat", "IsA", "pet")}
    assert [rejected.record for rejected in collector.rejected] == [
        "first, concept A:1",
        "first, concept A:2",
    ]


def test_an_undescribed_end_is_told_where_no_triple_says_its_place() -> None:
    collector = read_as(("first", [CAT, keyed("A:1", "IsA", "A:8"), keyed("A:1", "IsA", "A:9", "line 1")]))
    assert [rejected.reason for rejected in collector.rejected] == [
        "1 triple names it, and the source describes no such concept",
        "1 triple names it at line 1, and the source describes no such concept",
    ]
    collector = read_as(("first", [CAT, keyed("A:1", "IsA", "A:8"), keyed("A:1", "IsA", "A:8", "line 2")]))
    assert [rejected.reason for rejected in collector.rejected] == [
        "2 triples name it, the first at line 2, and the source describes no such concept"
    ]


def test_without_concepts_merging_changes_nothing() -> None:
    records = [stated("cat", "IsA", "pet", 1.0, "1", "2"), stated("Cat", "IsA", "pet", None)]
    collector = collector_of(*records)
    merger = collector.merge()
    assert (merger.concepts, merger.refused, collector.rejected) == ([], [], [])
    assert collector.statements == 2
    assert rows_of(collector) == rows_of(collector_of(*records))


# A head and a tail, of which concepts 4 and 5 are not described, and the number of sources.
keyed_ends = st.tuples(st.integers(0, 5), st.integers(0, 5), st.integers(0, 2)).filter(
    lambda ends: ends[0] != ends[1] or ends[0] < 4
)


@given(records=st.lists(keyed_ends, max_size=20))
def test_resolving_keeps_every_source_of_what_it_keeps(records: list[tuple[int, int, int]]) -> None:
    """Oracle: a dictionary of keys to labels."""
    labels = {f"A:{number}": f"label {number}" for number in range(4)}
    given_records: list[Triple] = []
    expected: dict[tuple[str, str], list[list[str]]] = {}
    for place, (head, tail, count) in enumerate(records):
        ends = (f"A:{head}", f"A:{tail}")
        names = [f"{place}.{number}" for number in range(count)]
        origins = tuple(TripleSource("", name, "") for name in names)
        given_records.append(Triple(ends[0], "IsA", ends[1], 1.0, origins, by_key=True))
        if all(end in labels for end in ends):
            expected.setdefault((labels[ends[0]], labels[ends[1]]), []).append(names)
    described = [ConceptRecord(key, label) for key, label in labels.items()]
    collector = read_as(("first", [*given_records, *described]))
    assert collector.statements == sum(map(len, expected.values()))
    rows = rows_of(collector)
    merged = {
        (row["head"], row["tail"]): ([source["record"] for source in row["sources"]], row["weight"])
        for row in rows
    }
    assert merged == {
        ends: ([name for names in of for name in names], float(len(of))) for ends, of in expected.items()
    }
    lost = {rejected.record: int(rejected.reason.split()[0]) for rejected in collector.rejected}
    keys = [f"A:{end}" for head, tail, _ in records for end in (head, tail)]
    assert lost == {f"first, concept {key}": keys.count(key) for key in ("A:4", "A:5") if key in keys}
