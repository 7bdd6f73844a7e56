"""What a graph's sources contradict each other in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import networkx as nx
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_assets.graphs.concepts.conflicts import (
    CONTRADICTION,
    CYCLE,
    IDENTITY,
    NEGATIVE_RELATIONS,
    conflict_rows,
)
from evidence_assets.graphs.concepts.merging import Merger, RefusedMerge
from evidence_assets.lake.declared_rows import check_sorted, conform
from evidence_assets.lake.schemas import GRAPH_CONFLICTS
from evidence_assets.sources.records import ConceptRecord
from evidence_assets.text.verbalisation import BIOMEDICAL, CONCEPTNET, templates
from evidence_assets_tests.testing.graph_samples import triple_table

Triple = tuple[str, str, str]


def table_of(*triples: Triple) -> pa.Table:
    return triple_table([(*triple, None) for triple in triples])


def conflicts_of(*triples: Triple, refused: Sequence[RefusedMerge] = ()) -> list[dict[str, Any]]:
    """The rows, which have the declared columns and are sorted and unique by the table's key."""
    rows = conflict_rows("kg", table_of(*triples), refused)
    assert conform(rows, GRAPH_CONFLICTS).equals(rows)
    check_sorted(rows.combine_chunks(), GRAPH_CONFLICTS, None)
    conflicts: list[dict[str, Any]] = rows.to_pylist()
    assert {row.pop("kg") for row in conflicts} <= {"kg"}
    return conflicts


def contradiction(first: str, second: str, affirmed: int, denied: int, detail: str) -> dict[str, Any]:
    return {
        "conflict": CONTRADICTION,
        "first": first,
        "second": second,
        "triple_ids": [f"t{affirmed}", f"t{denied}"],
        "detail": detail,
    }


def cycle(first: str, second: str, number: int, relation: str) -> dict[str, Any]:
    return {
        "conflict": CYCLE,
        "first": first,
        "second": second,
        "triple_ids": [f"t{number}"],
        "detail": relation,
    }


# Affirmed, denied, and whether the second reads the other way round.
OPPOSED = [
    ("may_treat", "is_not_indicated_for", False),
    ("may_relieve", "is_not_indicated_for", False),
    ("may_prevent", "is_not_indicated_for", False),
    ("is_a_finding_in", "is_not_a_finding_in", False),
    ("is_expressed_in", "is_not_expressed_in", False),
    ("may_treat", "may_contraindicate", True),
    ("may_relieve", "may_contraindicate", True),
    ("may_prevent", "may_contraindicate", True),
]
UPWARDS = ["is_a_subtype_of", "is_part_of", "IsA", "PartOf"]


@pytest.mark.parametrize(("affirmed", "denied", "backwards"), OPPOSED)
def test_one_triple_denies_another(affirmed: str, denied: str, backwards: bool) -> None:
    same_ends, swapped_ends = ("quinine", denied, "cramps"), ("cramps", denied, "quinine")
    opposed, unopposed = (swapped_ends, same_ends) if backwards else (same_ends, swapped_ends)
    affirming = ("quinine", affirmed, "cramps")
    detail = f"{affirmed}, {denied}"
    assert conflicts_of(affirming, opposed) == [contradiction("quinine", "cramps", 0, 1, detail)]
    # The first is the one that affirms, whichever stands first in the table.
    assert conflicts_of(opposed, affirming) == [contradiction("quinine", "cramps", 1, 0, detail)]
    # The other direction says something else, and so does it of another pair.
    assert conflicts_of(affirming, unopposed) == []
    assert conflicts_of(affirming, (opposed[0], denied, "gout")) == []
    assert conflicts_of(affirming) == conflicts_of(opposed) == []


def test_two_denials_of_one_triple_are_two_conflicts() -> None:
    conflicts = conflicts_of(
        ("quinine", "may_treat", "cramps"),
        ("quinine", "is_not_indicated_for", "cramps"),
        ("cramps", "may_contraindicate", "quinine"),
        ("quinine", "may_relieve", "cramps"),
    )
    assert conflicts == [
        contradiction("quinine", "cramps", affirmed, denied, detail)
        for affirmed, denied, detail in (
            (3, 1, "may_relieve, is_not_indicated_for"),
            (3, 2, "may_relieve, may_contraindicate"),
            (0, 1, "may_treat, is_not_indicated_for"),
            (0, 2, "may_treat, may_contraindicate"),
        )
    ]


def test_a_concept_that_denies_itself() -> None:
    """Backwards and forwards are the same there."""
    assert conflicts_of(("x", "may_treat", "x"), ("x", "may_contraindicate", "x")) == [
        contradiction("x", "x", 0, 1, "may_treat, may_contraindicate")
    ]


def test_what_denies_is_known() -> None:
    assert {denied for _, denied, _ in OPPOSED} == NEGATIVE_RELATIONS
    known = templates(BIOMEDICAL).keys() | templates(CONCEPTNET).keys()
    assert {name for pair in OPPOSED for name in pair[:2]} | set(UPWARDS) <= known


@pytest.mark.parametrize("relation", UPWARDS)
def test_nothing_stands_above_itself(relation: str) -> None:
    assert conflicts_of(("a", relation, "a")) == [cycle("a", "a", 0, relation)]
    assert conflicts_of(("a", relation, "b"), ("b", relation, "a")) == [
        cycle("a", "b", 0, relation),
        cycle("b", "a", 1, relation),
    ]
    ring = [("a", relation, "b"), ("b", relation, "c"), ("c", relation, "a")]
    # What leads into the ring or out of it is none of it.
    off_cycle = [("x", relation, "a"), ("c", relation, "top"), ("x", relation, "top")]
    assert conflicts_of(*off_cycle, *ring) == [
        cycle("a", "b", 3, relation),
        cycle("b", "c", 4, relation),
        cycle("c", "a", 5, relation),
    ]
    assert conflicts_of(*off_cycle, *ring[:2]) == []


def test_a_cycle_is_of_one_relation() -> None:
    assert conflicts_of(("a", "IsA", "b"), ("b", "PartOf", "a")) == []
    assert conflicts_of(("a", "may_cause", "b"), ("b", "may_cause", "a"), ("a", "resembles", "a")) == []


def test_concepts_that_were_kept_apart_are_told() -> None:
    refused = [
        RefusedMerge("lead", "lead (B:1)", "label", "lead", "one is a drug, the other a disease"),
        RefusedMerge("gout", "podagra", "cross-reference", "UMLS:7", "one tells them apart"),
    ]
    assert conflicts_of(refused=refused) == [
        {"conflict": IDENTITY, "first": first, "second": second, "triple_ids": [], "detail": detail}
        for first, second, detail in (
            ("gout", "podagra", "same cross-reference 'UMLS:7', kept apart: one tells them apart"),
            ("lead", "lead (B:1)", "same label 'lead', kept apart: one is a drug, the other a disease"),
        )
    ]
    # Refused twice for the same reason is one row; for another, two.
    assert len(conflicts_of(refused=[*refused, *refused])) == 2
    again = RefusedMerge("gout", "podagra", "synonym", "uricosis", "one tells them apart")
    assert len(conflicts_of(refused=[*refused, again])) == 3


def test_what_a_merger_refuses_is_a_row() -> None:
    merger = Merger(
        [
            ("one", ConceptRecord("A:1", "lead", kind="drug")),
            ("two", ConceptRecord("B:1", "lead", kind="disease")),
        ]
    )
    conflicts = conflicts_of(("lead", "may_cause", "anaemia"), refused=merger.refused)
    assert {(row["conflict"], row["first"], row["second"]) for row in conflicts} == {
        (IDENTITY, "lead", "lead")
    }
    assert [row["detail"].partition(",")[0] for row in conflicts] == [
        "same label 'lead'",
        "same synonym 'lead'",
    ]


CLEAN: tuple[Triple, ...] = (
    ("quinine", "may_treat", "malaria"),
    ("quinine", "is_not_indicated_for", "cramps"),
    ("quinine", "may_contraindicate", "malaria"),  # the wrong way round to deny anything
    ("favism", "may_contraindicate", "primaquine"),
    ("primaquine", "may_treat", "malaria"),
    ("anaemia", "is_a_finding_in", "malaria"),
    ("anaemia", "is_not_a_finding_in", "gout"),
    ("cerebral malaria", "is_a_subtype_of", "falciparum malaria"),
    ("falciparum malaria", "is_a_subtype_of", "malaria"),
    ("cerebral malaria", "is_a_subtype_of", "malaria"),
    ("malaria", "may_cause", "anaemia"),
    ("anaemia", "may_cause", "malaria"),
    ("brain", "is_part_of", "head"),
    ("head", "is_located_in", "brain"),
)


def test_a_clean_graph_has_no_conflict() -> None:
    assert conflicts_of(*CLEAN) == []
    assert conflicts_of() == []


def test_what_is_found_is_found_in_a_graph_of_many_tables() -> None:
    """Triples are read relation by relation: in pieces, some of them empty."""
    triples = [
        *CLEAN,
        ("malaria", "is_a_subtype_of", "cerebral malaria"),
        ("quinine", "may_relieve", "cramps"),
    ]
    table = table_of(*triples)
    pieces = pa.concat_tables(
        [table.slice(0, 0), *(table.slice(place, 1) for place in range(table.num_rows)), table.slice(0, 0)]
    )
    conflicts = conflict_rows("kg", pieces, [])
    assert conflicts.equals(conflict_rows("kg", table, []))
    ends = {(row["conflict"], row["first"], row["second"]) for row in conflicts.to_pylist()}
    assert ends == {
        (CONTRADICTION, "quinine", "cramps"),
        (CYCLE, "malaria", "cerebral malaria"),
        (CYCLE, "cerebral malaria", "falciparum malaria"),
        (CYCLE, "falciparum malaria", "malaria"),
        (CYCLE, "cerebral malaria", "malaria"),
    }


names = st.sampled_from("abcdefg")
ends = st.lists(st.tuples(names, names), max_size=25, unique=True)


@given(upwards=ends, other_pairs=ends)
def test_cycles_are_the_edges_within_a_strong_component(
    upwards: list[tuple[str, str]], other_pairs: list[tuple[str, str]]
) -> None:
    triples = [
        *((head, "is_a_subtype_of", tail) for head, tail in upwards),
        *((head, "may_cause", tail) for head, tail in other_pairs),
    ]
    graph = nx.DiGraph(upwards)
    expected = {(head, tail) for head, tail in upwards if nx.has_path(graph, tail, head)}
    conflicts = conflicts_of(*triples)
    assert {(row["first"], row["second"]) for row in conflicts} == expected
    assert len(conflicts) == len(expected)
    ids = {(head, tail): f"t{number}" for number, (head, tail) in enumerate(upwards)}
    assert all(row["triple_ids"] == [ids[row["first"], row["second"]]] for row in conflicts)


@given(
    triples=st.lists(
        st.tuples(names, st.sampled_from(sorted({name for pair in OPPOSED for name in pair[:2]})), names),
        max_size=25,
        unique=True,
    )
)
def test_contradictions_are_the_pairs_that_oppose_each_other(triples: list[Triple]) -> None:
    expected = {
        (head, tail, affirmed, denied)
        for head, affirmed, tail in triples
        for opposed, denied, backwards in OPPOSED
        if affirmed == opposed and ((tail, denied, head) if backwards else (head, denied, tail)) in triples
    }
    conflicts = conflicts_of(*triples)
    assert {(row["first"], row["second"], *row["detail"].split(", ")) for row in conflicts} == expected
    assert len(conflicts) == len(expected)
    for row in conflicts:
        affirmed, denied = (triples[int(triple_id.removeprefix("t"))] for triple_id in row["triple_ids"])
        assert {affirmed[0], affirmed[2]} == {denied[0], denied[2]} == {row["first"], row["second"]}
