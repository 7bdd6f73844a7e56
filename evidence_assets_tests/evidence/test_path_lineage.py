"""From a prediction down to the triples of its paths, and up again; and to the question it rests on."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.compute as pc
import pytest

from evidence_assets.audit.integrity import check_lineage, check_sources
from evidence_assets.audit.report import trace_report
from evidence_assets.evidence.experiment import Answer, Chain, Experiment, Selected
from evidence_assets.evidence.units import EvidenceUnit, unit_of_path
from evidence_assets.graphs.concepts.triples import TripleCollector
from evidence_assets.lake import catalogue
from evidence_assets.lake.ids import content_id, text_hash
from evidence_assets.lake.lake import Lake
from evidence_assets.lake.schemas import GRAPH_CONCEPTS, QUESTIONS, TABLES_BY_NAME, TRIPLES
from evidence_assets.sources.records import Triple, TripleSource
from evidence_assets.text.verbalisation import BIOMEDICAL, templates
from evidence_assets_tests.testing.lake_queries import macro_rows, query, row_findings
from evidence_assets_tests.testing.question_rows import question_row
from evidence_assets_tests.testing.restored_lake import Restored
from evidence_assets_tests.testing.table_rows import table_of


def stated(head: str, relation: str, tail: str, record: str, source: str = "", licence: str = "") -> Triple:
    return Triple(head, relation, tail, None, (TripleSource(source, record, licence),))


# One fact is stated by both sources, one by a contributor whom the record itself names.
STATED = {
    "ontology": ("CC-BY", [stated("Falciparum malaria", "is_a_subtype_of", "Malaria", "line 9")]),
    "facts": (
        "CC0-1.0",
        [
            stated("Falciparum malaria", "is_a_subtype_of", "Malaria", "line 4"),
            stated("Quinine", "may_treat", "Malaria", "line 1", "/s/someone", "GPL"),
            stated("Quinine", "may_treat", "Leg cramps", "line 2"),
            stated("Colchicine", "may_treat", "Gout", "line 3"),
        ],
    ),
}
SUBTYPE, TREATS, CRAMPS, GOUT = (
    content_id("triple", "medicine", *ends)
    for ends in (
        ("Falciparum malaria", "is_a_subtype_of", "Malaria"),
        ("Quinine", "may_treat", "Malaria"),
        ("Quinine", "may_treat", "Leg cramps"),
        ("Colchicine", "may_treat", "Gout"),
    )
)
# The first is walked backwards in one of them: the order is the path's, the words are the triples'.
LONG = unit_of_path(
    "long", "Falciparum malaria is a subtype of Malaria. Quinine may treat Malaria.", [SUBTYPE, TREATS]
)
SHORT = unit_of_path("short", "Quinine may treat Leg cramps.", [CRAMPS])
TURNED = unit_of_path(
    "turned",
    "Quinine may treat Leg cramps. Quinine may treat Malaria. Falciparum malaria is a subtype of Malaria.",
    [CRAMPS, TREATS, SUBTYPE],
)
QUESTION_TEXT = "Which drug helps against falciparum malaria?"
QUESTION = EvidenceUnit("document", QUESTION_TEXT, "questions", "q", text_hash(QUESTION_TEXT))
OPTIONS = ["Quinine", "Colchicine"]
# The first arm is given two paths and cites one, the second cites what the first does not, the third has
# nothing but the question.
ARMS = ("full@x", "other@x", "alone@x")


def place(arm: str) -> dict[str, str]:
    return {"system": "walker", "arm": arm, "benchmark": "b"}


def question_values(text: str = QUESTION_TEXT) -> dict[str, Any]:
    return question_row("q", text, OPTIONS, 0, answers=[], licence="Apache-2.0")


def write_questions(lake: Lake, *rows: dict[str, Any]) -> None:
    lake.write(QUESTIONS, {"benchmark": "b"}, pa.Table.from_pylist(list(rows), schema=QUESTIONS.schema))


class Written:
    """The lake, and the predictions' ids by arm."""

    def __init__(self, lake: Lake, predictions: dict[str, str]) -> None:
        self.lake, self.predictions = lake, predictions


def build(root: Path) -> Written:
    written = Written(Lake(str(root)), {})
    collector = TripleCollector("medicine", templates(BIOMEDICAL))
    for source, (licence, records) in STATED.items():
        collector.add(records, source, licence)
    for relation, rows in collector.tables():
        written.lake.write(TRIPLES, {"kg": "medicine", "relation": relation}, rows)
    write_questions(written.lake, question_values())
    cited = {ARMS[0]: LONG, ARMS[1]: TURNED, ARMS[2]: QUESTION}
    for arm, unit in cited.items():
        selected = {
            ARMS[0]: {0: [Selected(LONG, 0.9, []), Selected(SHORT, 0.2, [])]},
            ARMS[1]: {0: [Selected(TURNED, 0.7, [])], 1: [Selected(LONG, 0.1, [])]},
            ARMS[2]: {0: [Selected(QUESTION, 0.5, [])]},
        }[arm]
        experiment = Experiment("walker", arm, "b", "1")
        experiment.select_each("q", selected)
        chains = [Chain(0, f"{OPTIONS[0]}: {unit.text} [E1]", [unit], 1.0, {})]
        experiment.answer(question_values(), selected, chains, Answer(0, 0.9, "x", "Answer: A"))
        tables = experiment.tables()
        for name, rows in tables.items():
            written.lake.write(TABLES_BY_NAME[name], place(arm), rows)
        written.predictions[arm] = tables["predictions"].column("prediction_id")[0].as_py()
    written.lake.ensure_empty_files()
    return written


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Written:
    return build(tmp_path_factory.mktemp("paths") / "lake")


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> tuple[Written, Restored]:
    made = build(tmp_path_factory.mktemp("damaged") / "lake")
    return made, Restored(made.lake)


@pytest.fixture
def damaged(template: tuple[Written, Restored]) -> Written:
    """A lake to damage."""
    made, restored = template
    return Written(restored(), made.predictions)


def traced(written: Written, arm: str) -> dict[tuple[str, int, int], dict[str, Any]]:
    """The trace's rows by role, candidate and rank."""
    rows = macro_rows(written.lake, "trace", written.predictions[arm])
    by_place = {(row["role"], row["candidate"], row["rank"]): row for row in rows}
    assert len(by_place) == len(rows), "a row is told twice"
    return by_place


def drop(written: Written, *triple_ids: str) -> None:
    """Take triples away, as a graph does whose sources state them no more."""
    for partition in written.lake.partitions(TRIPLES):
        rows = written.lake.read(TRIPLES, partition)
        gone = pc.is_in(rows.column("triple_id"), value_set=pa.array(triple_ids))
        written.lake.write(TRIPLES, partition, rows.filter(pc.invert(gone)))


SAYS_SUBTYPE = "Falciparum malaria is_a_subtype_of Malaria"
SAYS_TREATS, SAYS_CRAMPS = "Quinine may_treat Malaria", "Quinine may_treat Leg cramps"
STATES_SUBTYPE = "facts, line 4; ontology, line 9"
STATES_TREATS, STATES_CRAMPS = "/s/someone, line 1", "facts, line 2"


def test_trace_tells_what_each_triple_of_a_path_says_and_who_says_it(written: Written) -> None:
    first, second = traced(written, ARMS[0]), traced(written, ARMS[1])
    assert first.keys() == {("cited", 0, 1), ("given", 0, 1), ("given", 0, 2)}
    assert second.keys() == {("cited", 0, 1), ("given", 0, 1), ("given", 1, 1)}
    of_long = (f"{SAYS_SUBTYPE}; {SAYS_TREATS}", f"{STATES_SUBTYPE}; {STATES_TREATS}", "CC-BY; CC0-1.0; GPL")
    of_short = (SAYS_CRAMPS, STATES_CRAMPS, "CC0-1.0")
    # In the order of the path, whatever the order of the table.
    of_turned = (
        f"{SAYS_CRAMPS}; {SAYS_TREATS}; {SAYS_SUBTYPE}",
        f"{STATES_CRAMPS}; {STATES_TREATS}; {STATES_SUBTYPE}",
        "CC-BY; CC0-1.0; GPL",
    )
    for rows, of_unit in (
        (
            first,
            {
                ("cited", 0, 1): (LONG, of_long),
                ("given", 0, 1): (LONG, of_long),
                ("given", 0, 2): (SHORT, of_short),
            },
        ),
        (
            second,
            {
                ("cited", 0, 1): (TURNED, of_turned),
                ("given", 0, 1): (TURNED, of_turned),
                ("given", 1, 1): (LONG, of_long),
            },
        ),
    ):
        for key, (unit, expected) in of_unit.items():
            row = rows[key]
            assert (row["source_text"], row["source_record"], row["licence"]) == expected
            assert (row["kind"], row["source_table"], row["source_key"]) == (
                "path",
                "reasoning_paths",
                unit.source_key,
            )
            assert row["evidence_text"] == unit.text
            assert row["locator"]["triple_ids"] == list(unit.triple_ids)
            assert row["source_title"] == "medicine"
            assert row["source_unchanged"] is True


def test_trace_of_an_answer_from_the_question_alone(written: Written) -> None:
    rows = traced(written, ARMS[2])
    assert rows.keys() == {("cited", 0, 1), ("given", 0, 1)}
    for row in rows.values():
        assert (row["kind"], row["source_table"], row["source_key"]) == ("document", "questions", "q")
        assert row["evidence_text"] == row["source_text"] == QUESTION_TEXT
        assert (row["source_uri"], row["licence"]) == ("b.jsonl", "Apache-2.0")
        assert row["source_unchanged"] is True


def test_a_question_that_was_reworded_is_another_source(damaged: Written) -> None:
    reworded = "Which drug treats falciparum malaria?"
    write_questions(damaged.lake, question_values(reworded))
    for row in traced(damaged, ARMS[2]).values():
        assert (row["evidence_text"], row["source_text"]) == (QUESTION_TEXT, reworded)
        assert row["source_unchanged"] is False
    # A path does not stand in its question.
    assert {row["source_unchanged"] for row in traced(damaged, ARMS[0]).values()} == {True}


@pytest.mark.parametrize(
    ("standing", "state"),
    [
        ([("q", QUESTION_TEXT)], "unchanged"),
        ([("q", "Which drug treats falciparum malaria?")], "changed"),
        ([("q", "Which drug treats falciparum malaria?"), ("other", QUESTION_TEXT)], "changed"),
        ([("other", QUESTION_TEXT)], "gone"),
    ],
)
def test_what_became_of_a_question_is_told_of_its_own_benchmark(
    damaged: Written, standing: list[tuple[str, str]], state: str
) -> None:
    """Another benchmark asks it still, and its answer rests on the same evidence."""
    elsewhere = question_values() | {"benchmark": "c"}
    damaged.lake.write(QUESTIONS, {"benchmark": "c"}, table_of(QUESTIONS, elsewhere))
    experiment = Experiment("walker", ARMS[2], "c", "1")
    selected = {0: [Selected(QUESTION, 0.5, [])]}
    chains = [Chain(0, f"{OPTIONS[0]} [E1]", [QUESTION], 1.0, {})]
    experiment.answer(elsewhere, selected, chains, Answer(0, 0.9, "x", "Answer: A"))
    for name, rows in experiment.tables().items():
        damaged.lake.write(TABLES_BY_NAME[name], place(ARMS[2]) | {"benchmark": "c"}, rows)
    write_questions(damaged.lake, *({**question_values(text), "question_id": key} for key, text in standing))
    assert {row["source_state"] for row in traced(damaged, ARMS[2]).values()} == {state}
    stale = query(
        damaged.lake,
        "SELECT DISTINCT prediction_id, source_state FROM stale_predictions WHERE role <> 'answered'",
    )
    assert stale == ([] if state == "unchanged" else [(damaged.predictions[ARMS[2]], state)])
    states = dict(query(damaged.lake, "SELECT benchmark, source_state FROM evidence_states"))
    assert states == {None: "unchanged", "b": state, "c": "unchanged"}


@pytest.mark.parametrize(
    ("gone", "left", "changed"),
    [
        ([TREATS], SAYS_SUBTYPE, {LONG.text, TURNED.text}),
        ([SUBTYPE], SAYS_TREATS, {LONG.text, TURNED.text}),
        ([CRAMPS], f"{SAYS_SUBTYPE}; {SAYS_TREATS}", {SHORT.text, TURNED.text}),
        ([SUBTYPE, TREATS], None, {LONG.text, TURNED.text}),
        ([GOUT], f"{SAYS_SUBTYPE}; {SAYS_TREATS}", set()),
    ],
)
def test_a_path_stands_while_all_of_its_triples_do(
    damaged: Written, gone: list[str], left: str | None, changed: set[str]
) -> None:
    drop(damaged, *gone)
    rows = [row for arm in ARMS[:2] for row in traced(damaged, arm).values()]
    assert {row["evidence_text"] for row in rows if not row["source_unchanged"]} == changed
    of_long = {row["source_text"] for row in rows if row["evidence_text"] == LONG.text}
    assert of_long == {left}, "what is left of it is told"


def impacted(written: Written, wanted: str) -> set[tuple[str, str, str]]:
    rows = macro_rows(written.lake, "impact", wanted)
    impacts = {(row["arm"], row["role"], row["source_key"]) for row in rows}
    assert len(impacts) == len(rows), "a row is told twice"
    return impacts


def uses(unit: EvidenceUnit) -> set[tuple[str, str, str]]:
    """Who was given a unit, and who cites it."""
    first, second, third = ARMS
    known = {
        LONG: {(first, "given"), (first, "cited"), (second, "given")},
        SHORT: {(first, "given")},
        TURNED: {(second, "given"), (second, "cited")},
        QUESTION: {(third, "given"), (third, "cited")},
    }
    return {(arm, role, unit.source_key) for arm, role in known[unit]}


@pytest.mark.parametrize(
    ("wanted", "units"),
    [
        (SUBTYPE, [LONG, TURNED]),
        (TREATS, [LONG, TURNED]),
        (CRAMPS, [SHORT, TURNED]),
        (GOUT, []),
        (LONG.evidence_id, [LONG]),
        ("long", [LONG]),
        ("Falciparum malaria", [LONG, TURNED]),
        ("Leg cramps", [SHORT, TURNED]),
        ("Quinine", [LONG, SHORT, TURNED]),
        ("medicine", [LONG, SHORT, TURNED]),
        ("Gout", []),
        ("Colchicine", []),
        ("q", [QUESTION]),
        (QUESTION.evidence_id, [QUESTION]),
    ],
)
def test_impact_is_every_prediction_that_a_path_leads_to(
    written: Written, wanted: str, units: Sequence[EvidenceUnit]
) -> None:
    assert impacted(written, wanted) == {row for unit in units for row in uses(unit)}


def test_impact_of_a_concept_by_an_identifier_is_that_by_its_name(damaged: Written) -> None:
    keys = {("medicine", "Quinine"): "D:1", ("medicine", "Leg cramps"): "D:2", ("other", "Quinine"): "X:1"}
    for kg in ("medicine", "other"):
        concepts = [
            {"kg": kg, "label": label, "keys": [key, f"{key} too"]}
            for (graph, label), key in keys.items()
            if graph == kg
        ]
        damaged.lake.write(GRAPH_CONCEPTS, {"kg": kg}, table_of(GRAPH_CONCEPTS, *concepts))
    assert len(impacted(damaged, "Quinine")) > len(impacted(damaged, "Leg cramps")) > 0
    for label, key in (("Quinine", "D:1"), ("Leg cramps", "D:2")):
        assert impacted(damaged, key) == impacted(damaged, f"{key} too") == impacted(damaged, label)
    # Another graph calls something so too.
    assert impacted(damaged, "X:1") == set()


def test_impact_refuses_a_name_that_no_source_has(written: Written) -> None:
    with pytest.raises(duckdb.InvalidInputException, match="no source nothing like it in this lake"):
        impacted(written, "nothing like it")


def test_a_person_reads_the_triples_of_the_path(written: Written) -> None:
    with catalogue.connect(written.lake) as connection:
        of_path, of_question = (
            trace_report(connection, written.predictions[arm]).splitlines()[4:] for arm in (ARMS[0], ARMS[2])
        )
    assert of_path == [
        f"  cited    [E1] {LONG.text}",
        f"  source   medicine, reasoning_paths long, {STATES_SUBTYPE}; {STATES_TREATS}",
        "           (CC-BY; CC0-1.0; GPL)",
        f"  reads    {SAYS_SUBTYPE}; {SAYS_TREATS}",
    ]
    assert of_question == [
        f"  cited    [E1] {QUESTION_TEXT}",
        "  source   questions q, b.jsonl, question q (Apache-2.0)",
        f"  reads    {QUESTION_TEXT}",
    ]


# --- the audit


def test_everything_passes_on_a_good_lake(written: Written) -> None:
    assert row_findings(written.lake) == []
    for arm in ARMS:
        assert list(check_lineage(written.lake, place(arm))) == []
        assert list(check_sources(written.lake, place(arm))) == []


@pytest.mark.parametrize(
    ("gone", "lost"),
    [
        ([TREATS], [[LONG], [LONG, TURNED], []]),
        ([CRAMPS], [[SHORT], [TURNED], []]),
        # One unit, however many of its triples are gone.
        ([SUBTYPE, TREATS], [[LONG], [LONG, TURNED], []]),
        ([SUBTYPE, TREATS, CRAMPS, GOUT], [[LONG, SHORT], [LONG, TURNED], []]),
        ([GOUT], [[], [], []]),
    ],
)
def test_a_path_whose_triple_is_gone_is_found(
    damaged: Written, gone: list[str], lost: list[list[EvidenceUnit]]
) -> None:
    drop(damaged, *gone)
    for arm, units in zip(ARMS, lost, strict=True):
        findings = list(check_sources(damaged.lake, place(arm)))
        assert len(findings) == bool(units)
        for finding in findings:
            assert finding.startswith(
                f"{len(units)} units of evidence no longer stand in their source, such as "
            )
            assert any(unit.evidence_id in finding for unit in units)
            assert "remedy: materialise the experiment anew" in finding


def test_a_path_whose_relation_is_gone_is_found(damaged: Written) -> None:
    damaged.lake.delete(TRIPLES, {"kg": "medicine", "relation": "is_a_subtype_of"})
    [finding] = check_sources(damaged.lake, place(ARMS[0]))
    assert finding.startswith("1 units")
    assert LONG.evidence_id in finding
