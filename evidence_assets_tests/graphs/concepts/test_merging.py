"""Which concepts of several sources are one, and which stay apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_assets.graphs.concepts.merging import (
    CROSS_REFERENCE,
    DECLARED,
    IDENTIFIER,
    LABEL,
    SYNONYM,
    MergedConcept,
    Merger,
    RefusedMerge,
    Resolver,
)
from evidence_assets.sources.records import ConceptRecord
from evidence_assets.text.normal_forms import normal_form
from evidence_assets_tests.testing.profiles import examples

Stated = tuple[str, ConceptRecord]


def concept(
    key: str,
    label: str,
    *synonyms: str,
    refers: Sequence[str] = (),
    kind: str = "",
    same_as: str = "",
    definition: str = "",
) -> ConceptRecord:
    return ConceptRecord(
        key, label, synonyms, tuple(refers), definition, kind, f"record of {key}", same_as=same_as
    )


def groups_of(merger: Merger) -> set[frozenset[tuple[str, str]]]:
    """Each concept as its records, by source and key."""
    return {
        frozenset((source, record.key) for source, record in united.records) for united in merger.concepts
    }


def merged(*records: Stated) -> list[list[str]]:
    """The keys of each concept, in the order of the concepts."""
    return [[record.key for _, record in united.records] for united in Merger(records).concepts]


# --- one rule at a time


def test_records_that_share_nothing_stay_apart() -> None:
    merger = Merger([("one", concept("A:1", "gout")), ("two", concept("B:1", "scurvy"))])
    assert [united.label for united in merger.concepts] == ["gout", "scurvy"]
    assert (merger.joined, merger.refused) == (Counter(), [])


@pytest.mark.parametrize(
    ("rule", "first", "second"),
    [
        (IDENTIFIER, concept("DOID:1", "gout"), concept("DOID:1", "podagra")),
        (LABEL, concept("A:1", "gout"), concept("B:1", "gout")),
        (LABEL, concept("A:1", "Lead-poisoning"), concept("B:1", "lead  poisoning")),
        (CROSS_REFERENCE, concept("A:1", "gout", refers=["B:1"]), concept("B:1", "podagra")),
        (CROSS_REFERENCE, concept("A:1", "gout"), concept("B:1", "podagra", refers=["A:1"])),
        (
            CROSS_REFERENCE,
            concept("A:1", "gout", refers=["UMLS:7", "MESH:1"]),
            concept("B:1", "podagra", refers=["MESH:2", "UMLS:7"]),
        ),
        (SYNONYM, concept("A:1", "gout", "podagra"), concept("B:1", "Podagra")),
        (SYNONYM, concept("A:1", "gout"), concept("B:1", "podagra", "GOUT")),
        (SYNONYM, concept("A:1", "gout", "gouty arthritis"), concept("B:1", "podagra", "Gouty Arthritis")),
    ],
)
def test_each_rule_joins_two_sources(rule: str, first: ConceptRecord, second: ConceptRecord) -> None:
    for records in ([("one", first), ("two", second)], [("two", second), ("one", first)]):
        merger = Merger(records)
        [united] = merger.concepts
        assert merger.joined == Counter({rule: 1})
        assert merger.refused == []
        assert [record for _, record in united.records] == [record for _, record in records]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (concept("A:1", "gout"), concept("B:1", "gouts")),
        (concept("A:1", "gout", refers=["B:2"]), concept("B:1", "podagra", refers=["A:2"])),
        (concept("A:1", "gout", definition="podagra"), concept("B:1", "podagra", definition="podagra")),
        # What a source numbers a concept by says something of its own concepts alone.
        (concept("A:1", "gout", same_as="M:1"), concept("B:1", "podagra", refers=["M:1"])),
        # The same registry's identifier is told by its prefix.
        (concept("1", "gout"), concept("01", "podagra")),
    ],
)
def test_what_no_rule_covers_stays_apart(first: ConceptRecord, second: ConceptRecord) -> None:
    assert len(merged(("one", first), ("two", second))) == 2


def test_a_surer_rule_goes_first() -> None:
    """Two records of the second source fit one of the first: its identifier decides, not its synonym."""
    merger = Merger(
        [
            ("one", concept("D:1", "gout", "podagra")),
            ("two", concept("X:1", "podagra")),
            ("two", concept("D:1", "gouty arthritis")),
        ]
    )
    assert groups_of(merger) == {frozenset({("one", "D:1"), ("two", "D:1")}), frozenset({("two", "X:1")})}
    assert merger.joined == Counter({IDENTIFIER: 1})
    assert merger.refused == [RefusedMerge("gout", "podagra", SYNONYM, "podagra", "two tells them apart")]


def test_three_sources_are_joined_over_the_one_between() -> None:
    records = [
        ("one", concept("A:1", "gout")),
        ("two", concept("B:1", "podagra", refers=["A:1"])),
        ("three", concept("C:1", "gouty arthritis", "Podagra")),
    ]
    merger = Merger(records)
    assert merged(*records) == [["A:1", "B:1", "C:1"]]
    assert merger.joined == Counter({CROSS_REFERENCE: 1, SYNONYM: 1})


# --- two concepts of one source


@pytest.mark.parametrize(
    "pair",
    [
        [concept("A:1", "gout"), concept("A:2", "gout")],
        [concept("A:1", "gout", "podagra"), concept("A:2", "podagra")],
        [concept("A:1", "gout", refers=["A:2"]), concept("A:2", "podagra")],
        [concept("A:1", "gout", refers=["M:1"]), concept("A:2", "podagra", refers=["M:1"])],
        [concept("A:1", "gout"), concept("A:1", "podagra")],
    ],
)
def test_a_source_tells_its_own_concepts_apart(pair: list[ConceptRecord]) -> None:
    assert len(merged(*(("one", record) for record in pair))) == 2


def test_a_name_that_two_concepts_of_a_source_bear_joins_neither() -> None:
    records = [
        ("one", concept("A:1", "cold", "common cold")),
        ("one", concept("A:2", "low temperature", "cold")),
        ("two", concept("B:1", "cold")),
    ]
    merger = Merger(records)
    # Its label is the first one's alone; as a synonym the name would mean either.
    assert groups_of(merger) == {frozenset({("one", "A:1"), ("two", "B:1")}), frozenset({("one", "A:2")})}
    assert merger.joined == Counter({LABEL: 1})
    of_synonyms = Merger([records[0], records[1], ("two", concept("B:1", "chill", "cold"))])
    assert of_synonyms.joined == Counter()
    assert of_synonyms.refused == []


def test_two_concepts_of_a_source_are_not_joined_over_another_source() -> None:
    merger = Merger(
        [
            ("one", concept("A:1", "gout")),
            ("one", concept("A:2", "podagra")),
            ("two", concept("B:1", "gout", "podagra")),
        ]
    )
    assert groups_of(merger) == {frozenset({("one", "A:1"), ("two", "B:1")}), frozenset({("one", "A:2")})}
    assert merger.refused == [RefusedMerge("gout", "podagra", SYNONYM, "podagra", "one tells them apart")]


def test_a_source_that_declares_two_of_its_concepts_one_is_believed() -> None:
    """One is numbered by what the other refers to, though their kinds and their names differ."""
    merger = Merger(
        [
            ("one", concept("A:1", "gout", kind="disease", refers=["M:10"])),
            ("one", concept("A:2", "podagra", kind="finding", same_as="M:10")),
            ("two", concept("B:1", "podagra", kind="disease", refers=["X:1"])),
        ]
    )
    assert groups_of(merger) == {frozenset({("one", "A:1"), ("one", "A:2")}), frozenset({("two", "B:1")})}
    assert merger.joined == Counter({DECLARED: 1})
    # It is of both kinds now, as no other concept is.
    assert [(refused.rule, refused.shared) for refused in merger.refused] == [
        (LABEL, "podagra"),
        (SYNONYM, "podagra"),
    ]


def test_a_concept_goes_to_the_one_that_is_most_like_it() -> None:
    """A source counts an old name among its own, which sorts first, and which another tells apart."""
    infarction = concept("A:1", "heart attack", "infarct", refers=["U:1", "U:2"])
    thrombosis = concept("A:2", "coronary thrombosis", same_as="U:2")
    merger = Merger(
        [
            ("one", infarction),
            ("one", thrombosis),
            ("two", concept("B:1", "coronary thrombosis", refers=["U:2"])),
            ("two", concept("B:2", "heart attack", "infarct", refers=["U:1"])),
        ]
    )
    assert groups_of(merger) == {
        frozenset({("one", "A:1"), ("one", "A:2"), ("two", "B:2")}),
        frozenset({("two", "B:1")}),
    }
    assert ("heart attack", "coronary thrombosis") in {
        (refused.first, refused.second) for refused in merger.refused
    }


def test_a_declaration_that_means_two_concepts_or_itself_is_none() -> None:
    referring = [("one", concept(f"A:{number}", f"gout {number}", refers=["M:10"])) for number in (1, 2)]
    assert len(merged(*referring, ("one", concept("A:3", "podagra", same_as="M:10")))) == 3
    assert merged(("one", concept("A:1", "gout", refers=["M:1"], same_as="M:1"))) == [["A:1"]]
    assert len(merged(("one", concept("A:1", "gout")), ("one", concept("A:2", "podagra")))) == 2


# --- kinds


def test_two_kinds_are_never_one_and_an_unknown_kind_fits_any() -> None:
    drug, disease = concept("A:1", "lead", kind="drug"), concept("B:1", "lead", kind="disease")
    merger = Merger([("one", drug), ("two", disease)])
    assert len(merger.concepts) == 2
    assert merger.refused == [
        RefusedMerge("lead", "lead", LABEL, "lead", "one is a drug, the other a disease"),
        RefusedMerge("lead", "lead", SYNONYM, "lead", "one is a drug, the other a disease"),
    ]
    for first, second, kind in (("drug", "", "drug"), ("", "drug", "drug"), ("", "", ""), *[("x", "x", "x")]):
        [united] = Merger(
            [("one", concept("A:1", "lead", kind=first)), ("two", concept("B:1", "lead", kind=second))]
        ).concepts
        assert united.kind == kind


def test_a_kind_that_a_group_got_from_one_record_binds_the_next() -> None:
    merger = Merger(
        [
            ("one", concept("A:1", "lead")),
            ("two", concept("B:1", "lead", kind="drug")),
            ("three", concept("C:1", "lead", kind="disease")),
        ]
    )
    assert groups_of(merger) == {frozenset({("one", "A:1"), ("two", "B:1")}), frozenset({("three", "C:1")})}
    assert {refused.reason for refused in merger.refused} == {"one is a drug, the other a disease"}


# --- what a concept says


def test_a_concept_says_what_all_of_its_sources_say_the_first_first() -> None:
    [united] = Merger(
        [
            ("one", concept("D:1", "gout", "podagra", "gout", refers=["M:2", "M:1"])),
            ("two", concept("D:1", "Gout", "podagra", refers=["M:3", "M:1"], definition="Crystals.")),
            ("three", concept("C:1", "gout", definition="Something else.", kind="disease")),
        ]
    ).concepts
    assert (united.label, united.definition, united.kind) == ("gout", "Crystals.", "disease")
    assert united.keys == ["C:1", "D:1"]
    assert united.cross_references == ["M:1", "M:2", "M:3"]
    assert list(united.names.items()) == [
        ("gout", ["one", "three"]),
        ("podagra", ["one", "two"]),
        ("Gout", ["two"]),
    ]


def test_the_order_of_the_records_decides_the_label() -> None:
    records = [("one", concept("D:1", "gout")), ("two", concept("D:1", "podagra"))]
    assert [united.label for united in Merger(records).concepts] == ["gout"]
    assert [united.label for united in Merger(records[::-1]).concepts] == ["podagra"]
    assert groups_of(Merger(records)) == groups_of(Merger(records[::-1]))


def labels_of(*records: Stated) -> list[str]:
    return [united.label for united in Merger(records).concepts]


def test_labels_are_unique() -> None:
    same = [("one", concept(f"A:{number}", "gout")) for number in (1, 2, 3)]
    assert labels_of(*same) == ["gout", "gout (A:2)", "gout (A:3)"]
    # Capitals are another label, as the triples write it.
    assert labels_of(same[0], ("one", concept("A:2", "Gout"))) == ["gout", "Gout"]


def test_labels_are_unique_where_a_source_writes_what_would_tell_them_apart() -> None:
    spelt_out = ("one", concept("A:9", "gout (A:2)"))
    first, second = ("one", concept("A:1", "gout")), ("one", concept("A:2", "gout"))
    for records in ([spelt_out, first, second], [first, second, spelt_out], [first, second, second]):
        labels = labels_of(*records)
        assert len(set(labels)) == len(labels) == 3


def test_labels_are_unique_where_two_sources_keep_one_identifier_apart() -> None:
    """Both write one label under one identifier, and mean two kinds of thing."""
    labels = labels_of(
        ("one", concept("A:1", "lead")),
        ("one", concept("R:1", "lead", kind="drug")),
        ("two", concept("R:1", "lead", kind="disease")),
    )
    assert labels[:2] == ["lead", "lead (R:1)"]
    assert len(set(labels)) == len(labels) == 3


def test_nothing_is_no_concept() -> None:
    assert Merger([]).concepts == []


# --- what a name or key means


def resolver_of(*records: Stated) -> Resolver:
    return Resolver(Merger(records).concepts)


def test_a_key_is_of_its_own_source() -> None:
    resolver = resolver_of(
        ("one", concept("1", "gout")), ("two", concept("1", "scurvy")), ("two", concept("2", "gout"))
    )
    # One number in two registries: the same key is the same concept wherever sources agree on it.
    assert [resolver.by_key("one", key) for key in ("1", "2", "")] == ["gout", None, None]
    assert resolver.by_key("three", "1") is None
    assert resolver.by_key("two", "1") == "gout"


def test_a_name_means_the_concept_of_that_label_then_of_that_synonym() -> None:
    resolver = resolver_of(
        ("one", concept("A:1", "Gouty arthritis", "podagra", "gout")),
        ("one", concept("A:2", "Gout")),
        ("one", concept("A:3", "scurvy", "Barlow disease", "podagra")),
    )
    for name, label in (
        ("gouty-arthritis", "Gouty arthritis"),
        ("GOUT", "Gout"),
        ("barlow disease", "scurvy"),
        # Two concepts bear it, or none does.
        ("podagra", "podagra"),
        ("Podagra", "Podagra"),
        ("beriberi", "beriberi"),
        ("", ""),
    ):
        assert resolver.by_name(name) == label


def test_without_concepts_every_name_stands_for_itself() -> None:
    resolver = Resolver([])
    assert resolver.by_name("Gout") == "Gout"
    assert resolver.by_key("one", "A:1") is None


# --- any sources


SOURCES = ("one", "two", "three")
WORDS = ("gout", "Gout", "podagra", "lead", "lead-poisoning")
IDENTIFIERS = ("M:1", "M:2", "M:3")


@st.composite
def described(draw: st.DrawFn) -> list[list[Stated]]:
    """A few sources that describe few things by few names: most of what can collide does.

    The keys of a source are its own or a shared registry's, and each is used once.
    """
    sources = []
    for source in SOURCES[: draw(st.integers(1, 3))]:
        keys = draw(
            st.lists(
                st.sampled_from([*(f"{source}:{number}" for number in range(4)), "R:1", "R:2"]),
                max_size=4,
                unique=True,
            )
        )
        sources.append(
            [
                (
                    source,
                    concept(
                        key,
                        draw(st.sampled_from(WORDS)),
                        *draw(st.lists(st.sampled_from(WORDS), max_size=2)),
                        refers=draw(st.lists(st.sampled_from([*IDENTIFIERS, "R:1"]), max_size=2)),
                        kind=draw(st.sampled_from(["", "", "drug", "disease"])),
                        same_as=draw(st.sampled_from(["", "", *IDENTIFIERS])),
                    ),
                )
                for key in keys
            ]
        )
    return sources


def flat(sources: Iterable[Iterable[Stated]]) -> list[Stated]:
    return [record for source in sources for record in source]


def declared(sources: Sequence[Sequence[Stated]]) -> nx.Graph[tuple[str, str]]:
    """Which concepts of one source that source itself declares one."""
    graph: nx.Graph[tuple[str, str]] = nx.Graph()
    for source in sources:
        graph.add_nodes_from((name, record.key) for name, record in source)
        for name, record in source:
            bearers = [bearer for _, bearer in source if record.same_as in bearer.cross_references]
            bearers = [bearer for bearer in bearers if bearer is not record and record.same_as]
            if len(bearers) == 1:
                graph.add_edge((name, record.key), (name, bearers[0].key))
    return graph


def signs(record: ConceptRecord) -> set[tuple[str, str]]:
    names = {("name", normal_form(name)) for name in (record.label, *record.synonyms)}
    return names | {("identifier", key) for key in (record.key, *record.cross_references)}


@examples(300)
@given(sources=described())
def test_every_group_keeps_the_promises(sources: list[list[Stated]]) -> None:
    records = flat(sources)
    merger = Merger(records)
    concepts = merger.concepts
    # A partition: every record is in one concept, and the counted joins are what became fewer.
    assert sorted(_names(flat([united.records for united in concepts]))) == sorted(_names(records))
    assert len(records) - len(concepts) == sum(merger.joined.values())
    # Labels are unique, and in the order of first records.
    assert len({united.label for united in concepts}) == len(concepts)
    firsts = [records.index(united.records[0]) for united in concepts]
    assert firsts == sorted(firsts)
    pairs = declared(sources)
    for united in concepts:
        names = _names(united.records)
        for first, second in combinations(names, 2):
            if first[0] == second[0]:
                assert nx.has_path(pairs, first, second), "a source tells its own concepts apart"
        kinds = {record.kind for _, record in united.records if record.kind}
        if len(kinds) > 1:
            assert merger.joined[DECLARED], "only a source itself joins two kinds"
            assert any(
                len({record.kind for name, record in records if (name, record.key) in part} - {""}) > 1
                for part in nx.connected_components(pairs)
            )
        assert _connected(united, pairs)


def _names(records: Iterable[Stated]) -> list[tuple[str, str]]:
    return [(source, record.key) for source, record in records]


def _connected(united: MergedConcept, pairs: nx.Graph[tuple[str, str]]) -> bool:
    """Whether a concept's records hang together by what they share, or what a source declares."""
    graph: nx.Graph[tuple[str, str]] = pairs.subgraph(_names(united.records)).copy()
    for (source, record), (other_source, other_record) in combinations(united.records, 2):
        if signs(record) & signs(other_record):
            graph.add_edge((source, record.key), (other_source, other_record.key))
    return bool(nx.is_connected(graph))


@examples(300)
@given(data=st.data(), sources=described())
def test_the_order_within_a_source_changes_labels_alone(
    data: st.DataObject, sources: list[list[Stated]]
) -> None:
    moved = [data.draw(st.permutations(source)) for source in sources]
    merger, moved_merger = Merger(flat(sources)), Merger(flat(moved))
    assert groups_of(merger) == groups_of(moved_merger)
    assert merger.joined == moved_merger.joined
    assert Counter((refused.rule, refused.shared) for refused in merger.refused) == Counter(
        (refused.rule, refused.shared) for refused in moved_merger.refused
    )


@given(sources=described())
def test_every_key_and_unambiguous_label_leads_to_its_concept(sources: list[list[Stated]]) -> None:
    merger = Merger(flat(sources))
    resolver = Resolver(merger.concepts)
    bearers = Counter(normal_form(united.label) for united in merger.concepts)
    for united in merger.concepts:
        for source, record in united.records:
            assert resolver.by_key(source, record.key) == united.label
        expected = united.label if bearers[normal_form(united.label)] == 1 else None
        if expected is not None:
            assert resolver.by_name(united.label) == expected
            assert resolver.by_name(united.label.upper()) == expected
