"""From a prediction down to the triples it cites, and from a triple up to what rests on it."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from evidence_assets.audit.integrity import check_lineage, check_sources
from evidence_assets.audit.report import trace_report
from evidence_assets.evidence.experiment import Answer, Chain, Experiment, Selected
from evidence_assets.evidence.units import EvidenceUnit, unit_of_triple
from evidence_assets.graphs.triples import TripleCollector
from evidence_assets.lake import catalogue
from evidence_assets.lake.lake import Lake
from evidence_assets.lake.schemas import EVIDENCE, QUESTIONS, TABLES_BY_NAME, TRIPLES
from evidence_assets.sources.records import Triple, TripleSource
from evidence_assets.text.verbalisation import CONCEPTNET, templates, verbalise
from evidence_assets_tests.testing.lake_queries import macro_rows, row_findings
from evidence_assets_tests.testing.question_rows import question_row

# Stated by one source, by two, and by a contributor whom the record itself names.
STATED = {
    "first": [
        Triple("sea otter", "CapableOf", "eat sea urchins", 1.0, (TripleSource("", "line 1", ""),)),
        Triple("kelp", "IsA", "seaweed", None, (TripleSource("", "line 2", ""),)),
    ],
    "second": [
        Triple("sea otter", "CapableOf", "eat sea urchins", 2.0, (TripleSource("", "line 9", ""),)),
        Triple("otter", "IsA", "animal", 1.0, (TripleSource("/s/someone", "line 10", "CC-BY-SA-4.0"),)),
    ],
}
ARMS = ("full@extractive", "triples_only@extractive")
OPTIONS = ["sea urchins", "seaweed"]


def place(arm: str) -> dict[str, str]:
    return {"system": "uscrake", "arm": arm, "benchmark": "b"}


class Written:
    """The lake, its triples as units by what they say, and the predictions' ids."""

    def __init__(self, lake: Lake) -> None:
        self.lake = lake
        self.units: dict[str, EvidenceUnit] = {}
        self.predictions: dict[str, str] = {}


def build(root: Path) -> Written:
    """Two arms answer one question from the same triples: the first cites one of two, the second both."""
    written = Written(Lake(str(root)))
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
    eats, kelp = written.units["sea otter can eat sea urchins"], written.units["kelp is a seaweed"]
    selected = {0: [Selected(eats, 0.9, [])], 1: [Selected(eats, 0.4, []), Selected(kelp, 0.3, [])]}
    for arm in ARMS:
        experiment = Experiment("uscrake", arm, "b", "1")
        experiment.select_each("q", selected)
        chains = [Chain(0, f"{OPTIONS[0]}: {eats.text} [E1]", [eats], 1.0, {})]
        if arm == ARMS[1]:
            chains.append(Chain(1, f"{OPTIONS[1]}: {kelp.text} [E1]", [kelp], -1.0, {}))
        experiment.answer(question, selected, chains, Answer(0, 0.9, "extractive", "Answer: A"))
        for name, rows in experiment.tables().items():
            written.lake.write(TABLES_BY_NAME[name], place(arm), rows)
        written.predictions[arm] = experiment.tables()["predictions"].column("prediction_id")[0].as_py()
    written.lake.ensure_empty_files()
    return written


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Written:
    return build(tmp_path_factory.mktemp("triples") / "lake")


@pytest.fixture
def damaged(written: Written, tmp_path: Path) -> Written:
    """A copy to damage."""
    shutil.copytree(written.lake.path, tmp_path / "lake")
    copied = Written(Lake(str(tmp_path / "lake")))
    copied.units, copied.predictions = written.units, written.predictions
    return copied


def test_trace_reaches_what_the_triple_says_and_who_says_it(written: Written) -> None:
    rows = macro_rows(written.lake, "trace", written.predictions[ARMS[1]])
    traced = [
        (row["role"], row["candidate"], row["rank"], row["evidence_text"], row["source_text"]) for row in rows
    ]
    eats = ("sea otter can eat sea urchins", "sea otter CapableOf eat sea urchins")
    kelp = ("kelp is a seaweed", "kelp IsA seaweed")
    assert traced == [
        ("cited", 0, 1, *eats),
        ("cited", 1, 1, *kelp),
        ("given", 0, 1, *eats),
        ("given", 1, 1, *eats),
        ("given", 1, 2, *kelp),
    ]
    stated = {
        row["evidence_text"]: (row["source_title"], row["source_record"], row["licence"]) for row in rows
    }
    assert stated == {
        eats[0]: ("nature", "first, line 1; second, line 9", "CC0-1.0"),
        kelp[0]: ("nature", "first, line 2", "CC0-1.0"),
    }
    for row in rows:
        unit = written.units[row["evidence_text"]]
        assert (row["kind"], row["source_table"], row["source_key"]) == ("triple", "triples", unit.source_key)
        assert row["locator"]["triple_ids"] == [unit.source_key]
        assert row["source_unchanged"]


def test_impact_of_a_triple_is_every_prediction_that_was_given_it(written: Written) -> None:
    eats, kelp = written.units["sea otter can eat sea urchins"], written.units["kelp is a seaweed"]
    first, second = (written.predictions[arm] for arm in ARMS)
    of_eats = {(prediction, role) for prediction in (first, second) for role in ("given", "cited")}
    of_kelp = {(first, "given"), (second, "given"), (second, "cited")}
    for wanted, expected in (
        (eats.source_key, of_eats),
        (eats.evidence_id, of_eats),
        (kelp.source_key, of_kelp),
        ("sea otter", of_eats),
        ("seaweed", of_kelp),
        ("nature", of_eats | of_kelp),
        (written.units["otter is a animal"].source_key, set()),
        ("otter", set()),
    ):
        rows = macro_rows(written.lake, "impact", wanted)
        assert {(row["prediction_id"], row["role"]) for row in rows} == expected


def test_a_person_reads_where_the_triple_stands(written: Written) -> None:
    with catalogue.connect(written.lake) as connection:
        lines = trace_report(connection, written.predictions[ARMS[0]]).splitlines()
    unit = written.units["sea otter can eat sea urchins"]
    assert lines[4:] == [
        "  cited    [E1] sea otter can eat sea urchins",
        f"  source   nature, triples {unit.source_key}, first, line 1; second, line 9 (CC0-1.0)",
        "  reads    sea otter CapableOf eat sea urchins",
    ]


def test_everything_passes_on_a_good_lake(written: Written) -> None:
    assert row_findings(written.lake) == []
    for arm in ARMS:
        assert list(check_lineage(written.lake, place(arm))) == []
        assert list(check_sources(written.lake, place(arm))) == []


def test_evidence_of_two_arms_is_one_row_in_the_catalogue(written: Written) -> None:
    with catalogue.connect(written.lake) as connection:
        rows = connection.execute("SELECT evidence_id, text FROM evidence ORDER BY text").fetchall()
    texts = ("kelp is a seaweed", "sea otter can eat sea urchins")
    assert rows == [(written.units[text].evidence_id, text) for text in texts]


def found_at(damaged: Written, arm: str, count: int, evidence_id: str) -> None:
    [finding] = check_sources(damaged.lake, place(arm))
    assert finding.startswith(f"{count} units of evidence no longer stand in their source, such as ")
    assert evidence_id in finding
    assert "remedy: materialise the experiment anew" in finding


def test_a_triple_that_vanished_with_its_relation_is_found(damaged: Written) -> None:
    kelp = written_unit(damaged, "kelp is a seaweed")
    damaged.lake.delete(TRIPLES, {"kg": "nature", "relation": "IsA"})
    for arm in ARMS:
        found_at(damaged, arm, 1, kelp.evidence_id)
    unchanged = {
        row["evidence_text"]: row["source_unchanged"]
        for row in macro_rows(damaged.lake, "trace", damaged.predictions[ARMS[0]])
    }
    assert unchanged == {"sea otter can eat sea urchins": True, "kelp is a seaweed": False}


def test_a_triple_that_vanished_from_its_relation_is_found(damaged: Written) -> None:
    kelp = written_unit(damaged, "kelp is a seaweed")
    where = {"kg": "nature", "relation": "IsA"}
    rows = damaged.lake.read(TRIPLES, where)
    keep = [key != kelp.source_key for key in rows.column("triple_id").to_pylist()]
    damaged.lake.write(TRIPLES, where, rows.filter(pa.array(keep)))
    found_at(damaged, ARMS[0], 1, kelp.evidence_id)
    damaged.lake.delete(TRIPLES, where)
    damaged.lake.delete(TRIPLES, {"kg": "nature", "relation": "CapableOf"})
    [finding] = check_sources(damaged.lake, place(ARMS[0]))
    assert finding.startswith("2 units")


def test_a_source_that_says_a_triple_no_more_leaves_it_where_another_does(damaged: Written) -> None:
    """A triple's id is what it says: its weight and its sources may change, and the evidence stands."""
    where = {"kg": "nature", "relation": "CapableOf"}
    [row] = damaged.lake.read(TRIPLES, where).to_pylist()
    fewer = {**row, "sources": row["sources"][1:], "weight": 2.0}
    damaged.lake.write(TRIPLES, where, pa.Table.from_pylist([fewer], schema=TRIPLES.schema))
    assert list(check_sources(damaged.lake, place(ARMS[0]))) == []
    records = {
        row["source_record"]
        for row in macro_rows(damaged.lake, "trace", damaged.predictions[ARMS[0]])
        if row["role"] == "cited"
    }
    assert records == {"second, line 9"}


def written_unit(written: Written, text: str) -> EvidenceUnit:
    rows: list[Mapping[str, Any]] = written.lake.read(EVIDENCE, place(ARMS[0])).to_pylist()
    assert written.units[text].evidence_id in {row["evidence_id"] for row in rows}
    return written.units[text]
