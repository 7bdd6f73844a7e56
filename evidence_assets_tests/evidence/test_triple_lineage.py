"""A triple that an answer rests on: what a person reads of it, and what is found where it stands no more."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from evidence_assets.audit.integrity import check_lineage, check_sources
from evidence_assets.audit.report import trace_report
from evidence_assets.evidence.experiment import Answer, Chain, Experiment, Selected
from evidence_assets.evidence.units import EvidenceUnit, unit_of_triple
from evidence_assets.graphs.concepts.triples import TripleCollector
from evidence_assets.lake import catalogue
from evidence_assets.lake.lake import Lake
from evidence_assets.lake.schemas import QUESTIONS, TABLES_BY_NAME, TRIPLES
from evidence_assets.sources.records import Triple, TripleSource
from evidence_assets.text.verbalisation import CONCEPTNET, templates, verbalise
from evidence_assets_tests.testing.lake_queries import macro_rows, row_findings
from evidence_assets_tests.testing.question_rows import question_row

# The first is stated by both sources.
STATED = {
    "first": [
        Triple("sea otter", "CapableOf", "eat sea urchins", 1.0, (TripleSource("", "line 1", ""),)),
        Triple("kelp", "IsA", "seaweed", None, (TripleSource("", "line 2", ""),)),
    ],
    "second": [
        Triple("sea otter", "CapableOf", "eat sea urchins", 2.0, (TripleSource("", "line 9", ""),)),
        Triple("otter", "IsA", "animal", 1.0, (TripleSource("", "line 10", ""),)),
    ],
}
EATS, KELP = "sea otter can eat sea urchins", "kelp is a seaweed"
OPTIONS = ["sea urchins", "seaweed"]
PLACE = {"system": "uscrake", "arm": "full@extractive", "benchmark": "b"}


class Written:
    """The lake, its triples as units by what they say, and the prediction's id."""

    def __init__(self, lake: Lake) -> None:
        self.lake = lake
        self.units: dict[str, EvidenceUnit] = {}
        self.prediction = ""


@pytest.fixture
def written(tmp_path: Path) -> Written:
    """An answer that was given two triples and cites the first."""
    written = Written(Lake(str(tmp_path / "lake")))
    collector = TripleCollector("nature", templates(CONCEPTNET))
    for source, records in STATED.items():
        collector.add(records, source, "CC0-1.0")
    for relation, rows in collector.tables():
        written.lake.write(TRIPLES, {"kg": "nature", "relation": relation}, rows)
        for row in rows.to_pylist():
            text = verbalise(templates(CONCEPTNET)[relation], row["head"], row["tail"])
            written.units[text] = unit_of_triple(row["triple_id"], text)
    question = question_row("q", "What do sea otters eat?", OPTIONS, 0, answers=[])
    written.lake.write(
        QUESTIONS, {"benchmark": "b"}, pa.Table.from_pylist([question], schema=QUESTIONS.schema)
    )
    eats, kelp = written.units[EATS], written.units[KELP]
    selected = {0: [Selected(eats, 0.9, [])], 1: [Selected(eats, 0.4, []), Selected(kelp, 0.3, [])]}
    experiment = Experiment(PLACE["system"], PLACE["arm"], PLACE["benchmark"], "1")
    experiment.select_each("q", selected)
    chain = Chain(0, f"{OPTIONS[0]}: {eats.text} [E1]", [eats], 1.0, {})
    experiment.answer(question, selected, [chain], Answer(0, 0.9, "extractive", "Answer: A"))
    for name, rows in experiment.tables().items():
        written.lake.write(TABLES_BY_NAME[name], PLACE, rows)
    written.prediction = experiment.tables()["predictions"].column("prediction_id")[0].as_py()
    written.lake.ensure_empty_files()
    return written


def test_a_person_reads_where_the_triple_stands(written: Written) -> None:
    with catalogue.connect(written.lake) as connection:
        lines = trace_report(connection, written.prediction).splitlines()
    key = written.units[EATS].source_key
    assert lines[4:] == [
        f"  cited    [E1] {EATS}",
        f"  source   nature, triples {key}, first, line 1; second, line 9 (CC0-1.0)",
        "  reads    sea otter CapableOf eat sea urchins",
    ]


def test_everything_passes_on_a_good_lake(written: Written) -> None:
    assert row_findings(written.lake) == []
    assert list(check_lineage(written.lake, PLACE)) == []
    assert list(check_sources(written.lake, PLACE)) == []


def assert_found(written: Written, count: int, unit: EvidenceUnit) -> None:
    [finding] = check_sources(written.lake, PLACE)
    assert finding.startswith(f"{count} units of evidence no longer stand in their source, such as ")
    assert unit.evidence_id in finding
    assert "remedy: materialise the experiment anew" in finding


def test_a_triple_that_vanished_with_its_relation_is_found(written: Written) -> None:
    written.lake.delete(TRIPLES, {"kg": "nature", "relation": "IsA"})
    assert_found(written, 1, written.units[KELP])
    unchanged = {
        row["evidence_text"]: row["source_unchanged"]
        for row in macro_rows(written.lake, "trace", written.prediction)
    }
    assert unchanged == {EATS: True, KELP: False}


def test_a_triple_that_vanished_from_its_relation_is_found(written: Written) -> None:
    kelp, where = written.units[KELP], {"kg": "nature", "relation": "IsA"}
    rows = written.lake.read(TRIPLES, where)
    written.lake.write(TRIPLES, where, rows.filter(pc.not_equal(rows.column("triple_id"), kelp.source_key)))
    assert_found(written, 1, kelp)
    written.lake.delete(TRIPLES, {"kg": "nature", "relation": "CapableOf"})
    [finding] = check_sources(written.lake, PLACE)
    assert finding.startswith("2 units")


def test_a_source_that_says_a_triple_no_more_leaves_it_where_another_does(written: Written) -> None:
    """A triple's id is what it says: its weight and its sources may change, and the evidence stands."""
    where = {"kg": "nature", "relation": "CapableOf"}
    [row] = written.lake.read(TRIPLES, where).to_pylist()
    fewer = {**row, "sources": row["sources"][1:], "weight": 2.0}
    written.lake.write(TRIPLES, where, pa.Table.from_pylist([fewer], schema=TRIPLES.schema))
    assert list(check_sources(written.lake, PLACE)) == []
    records = {
        row["source_record"]
        for row in macro_rows(written.lake, "trace", written.prediction)
        if row["role"] == "cited"
    }
    assert records == {"second, line 9"}
