"""From a ranked answer down to documents and a model's triples, and up again; what may not be mixed up."""

from __future__ import annotations

from typing import Any

import duckdb
import pytest

from evidence_assets.audit.integrity import (
    check_generated,
    check_kinds,
    check_lineage,
    check_ranking,
    check_sources,
)
from evidence_assets.audit.report import example_prediction, trace_report
from evidence_assets.audit.score_report import rendered, score_report
from evidence_assets.evidence.experiment import Answer, Chain, Experiment, RankedAnswer, Selected
from evidence_assets.evidence.units import (
    EvidenceUnit,
    unit_of_document,
    unit_of_generated_triple,
    unit_of_triple,
)
from evidence_assets.lake import catalogue
from evidence_assets.lake.lake import Lake
from evidence_assets.lake.schemas import BENCHMARK_SCORES, EVIDENCE, QUESTIONS, RANKED_ANSWERS, TABLES_BY_NAME
from evidence_assets_tests.testing.lake_queries import macro_rows, row_findings
from evidence_assets_tests.testing.restored_lake import Restored
from evidence_assets_tests.testing.zoo_samples import (
    OF_BACKGROUND,
    WORDS,
    question,
    write,
    write_generated,
    write_graph,
    write_reply,
)

PLACE = {"system": "asker", "arm": "full@extractive", "benchmark": "open"}
DOCUMENT = unit_of_document("d-cat", WORDS)
STATED = unit_of_generated_triple("g-cat", "a cat purrs")
TRIPLE = unit_of_triple("t-cat", "a cat is a mammal")


def write_answers(lake: Lake) -> str:
    experiment = Experiment(PLACE["system"], PLACE["arm"], PLACE["benchmark"], "1", ranks=True)
    units = [DOCUMENT, STATED, TRIPLE]
    evidence = {-1: [Selected(unit, 1.0, []) for unit in units]}
    chain = Chain(-1, "It purrs [E1], it is said [E2], and is a mammal [E3].", units, 1.0, {})
    experiment.answer(question(), evidence, [chain], Answer(None, 0.9, "extractive", "cat", text="cat"))
    experiment.rank("q", [RankedAnswer("cat", 1.0, 0, "zoo", True, True, units), RankedAnswer("dog", 0.5)])
    tables = experiment.tables()
    for name, rows in tables.items():
        lake.write(TABLES_BY_NAME[name], PLACE, rows)
    return str(tables["predictions"].column("prediction_id")[0])


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Restored]:
    """The prediction, and its lake for each test."""
    lake = Lake(str(tmp_path_factory.mktemp("ranked") / "lake"))
    write_graph(lake)
    write_generated(lake)
    write_reply(lake)
    write(lake, QUESTIONS, {"benchmark": "open"}, question())
    return write_answers(lake), Restored(lake)


@pytest.fixture
def lake(template: tuple[str, Restored]) -> Lake:
    _, restored = template
    return restored()


@pytest.fixture
def prediction(lake: Lake, template: tuple[str, Restored]) -> str:
    predicted, _ = template
    return predicted


def problems(lake: Lake) -> list[str]:
    findings = [
        finding
        for check in (check_sources, check_kinds, check_lineage, check_ranking)
        for finding in check(lake, PLACE)
    ]
    return [*findings, *check_generated(lake, OF_BACKGROUND)]


def test_a_good_lake_passes(lake: Lake, prediction: str) -> None:
    assert problems(lake) == []
    assert row_findings(lake) == []


def test_trace_reaches_the_sources_of_a_document_and_the_reply_that_states_a_triple(
    lake: Lake, prediction: str
) -> None:
    rows = {row["kind"]: row for row in macro_rows(lake, "trace", prediction) if row["role"] == "cited"}
    assert rows.keys() == {"document", "generated_triple", "triple"}
    columns = ("source_title", "source_uri", "source_record", "licence", "source_text", "source_unchanged")
    by_kind = {kind: tuple(row[name] for name in columns) for kind, row in rows.items()}
    assert by_kind == {
        "document": ("zoo, cat", "wordnet", "zoo.obo, ZOO:1", "CC0-1.0", WORDS, True),
        "generated_triple": (
            "tiny-model",
            "generations r1",
            None,
            "no source states it, a model does",
            "cat does purr",
            True,
        ),
        "triple": ("zoo", "wordnet", "wordnet, line 7", "CC0-1.0", "cat IsA mammal", True),
    }


@pytest.mark.parametrize(
    ("wanted", "kinds"),
    [
        ("d-cat", {"document"}),
        ("g-cat", {"generated_triple"}),
        ("t-cat", {"document", "triple"}),
        ("mammal", {"document", "triple"}),
        ("cat", {"document", "generated_triple", "triple"}),
        ("ZOO:1", {"document", "generated_triple", "triple"}),
        ("zoo", {"document", "triple"}),
        ("purr", {"generated_triple"}),
        ("r1", {"generated_triple"}),
    ],
)
def test_impact_of_what_they_stand_on(lake: Lake, prediction: str, wanted: str, kinds: set[str]) -> None:
    kind_of = {"node_documents": "document", "generated_triples": "generated_triple", "triples": "triple"}
    rows = macro_rows(lake, "impact", wanted)
    assert {kind_of[row["source_table"]] for row in rows} == kinds
    assert {row["prediction_id"] for row in rows} <= {prediction}
    assert len(rows) == 2 * len(kinds), "given and cited, each told once"


def test_impact_refuses_a_name_that_no_source_has(lake: Lake) -> None:
    """A dog is ranked, and nothing tells of it."""
    with pytest.raises(duckdb.InvalidInputException, match="no source dog in this lake"):
        macro_rows(lake, "impact", "dog")


def test_a_person_reads_the_answer_and_what_it_rests_on(lake: Lake, prediction: str) -> None:
    with catalogue.connect(lake) as connection:
        assert (
            example_prediction(connection, *(PLACE[name] for name in ("benchmark", "system", "arm")))
            == prediction
        )
        lines = trace_report(connection, prediction).splitlines()
    assert lines[2:7] == [
        "answer     cat (right)",
        "confidence 0.90",
        "  cited    [E1] Cats are mammals.",
        "  source   zoo, cat, node_documents d-cat, wordnet, zoo.obo, ZOO:1 (CC0-1.0)",
        "  reads    Cats are mammals.",
    ]
    stated = "tiny-model, generated_triples g-cat, generations r1 (no source states it, a model does)"
    assert f"  source   {stated}" in lines


@pytest.mark.parametrize(
    ("further", "shown"),
    [
        (["dog", "elk"], "and also   dog; elk"),
        ([f"n{n}" for n in range(23)], "; and 3 more, in ranked_answers"),
    ],
)
def test_a_person_reads_every_answer_of_a_set(
    lake: Lake, prediction: str, further: list[str], shown: str
) -> None:
    """Those that are only near are none of them."""
    experiment = Experiment(PLACE["system"], PLACE["arm"], PLACE["benchmark"], "1", ranks=True)
    returned = [
        RankedAnswer(name, 1 / place, 0, "zoo", True, True, [TRIPLE])
        for place, name in enumerate(["cat", *further], start=1)
    ]
    experiment.rank("q", [*returned, RankedAnswer("fox", 0.001)])
    lake.write(RANKED_ANSWERS, PLACE, experiment.tables()["ranked_answers"])
    with catalogue.connect(lake) as connection:
        text = " ".join(line.strip() for line in trace_report(connection, prediction).splitlines())
    assert f"answer     cat (right) and also   {further[0]}; {further[1]}" in text
    assert shown in text
    assert "fox" not in text


def test_a_document_that_says_it_no_more_is_found(lake: Lake, prediction: str) -> None:
    write_graph(lake, "Cats are reptiles.")
    [problem] = problems(lake)
    assert problem.startswith("1 units of evidence no longer stand in their source")
    assert DOCUMENT.evidence_id in problem
    states = {
        row["kind"]: (row["source_unchanged"], row["source_text"])
        for row in macro_rows(lake, "trace", prediction)
    }
    assert states["document"] == (False, "Cats are reptiles.")
    assert states["triple"][0]


@pytest.mark.parametrize("changes", [{"generated_triple_id": "g-other"}, {"request_hash": "gone"}])
def test_a_models_triple_that_is_gone_or_that_no_reply_states_is_found(
    lake: Lake, prediction: str, changes: dict[str, str]
) -> None:
    write_generated(lake, **changes)
    [problem] = problems(lake)
    assert STATED.evidence_id in problem
    unchanged = {row["kind"]: row["source_unchanged"] for row in macro_rows(lake, "trace", prediction)}
    assert unchanged == {"document": True, "triple": True, "generated_triple": False}


def test_a_masked_models_triple_needs_no_reply(lake: Lake, prediction: str) -> None:
    write_generated(lake, request_hash=None)
    assert problems(lake) == []


def replace_evidence(lake: Lake, old: EvidenceUnit, **changes: Any) -> None:
    rows = lake.read(EVIDENCE, PLACE).to_pylist()
    [row] = [row for row in rows if row["evidence_id"] == old.evidence_id]
    row.update(changes)
    write(lake, EVIDENCE, PLACE, *rows)


@pytest.mark.parametrize(
    ("unit", "changes"),
    [
        (STATED, {"kind": "triple"}),
        (TRIPLE, {"kind": "generated_triple"}),
        (TRIPLE, {"kind": "path"}),
        (DOCUMENT, {"kind": "generated_triple"}),
    ],
)
def test_a_kind_that_its_source_is_not_is_found(
    lake: Lake, prediction: str, unit: EvidenceUnit, changes: dict[str, str]
) -> None:
    replace_evidence(lake, unit, **changes)
    [finding] = check_kinds(lake, PLACE)
    assert finding.startswith("1 units of evidence are of a kind that their source is not")
    assert unit.evidence_id in finding


def test_a_models_triple_named_as_the_graphs_is_found(lake: Lake, prediction: str) -> None:
    replace_evidence(lake, TRIPLE, source_key="g-cat")
    assert "name a model's triple as the graph's" in next(check_kinds(lake, PLACE))
    nowhere = dict.fromkeys(["article_id", "char_start", "char_end", "row", "column"])
    path = {"kind": "path", "source_table": "reasoning_paths", "source_key": "p"}
    replace_evidence(lake, TRIPLE, **path, locator={**nowhere, "triple_ids": ["t-cat", "g-cat"]})
    [finding] = check_kinds(lake, PLACE)
    assert finding.startswith("1 units of evidence name a model's triple as the graph's")


def test_a_models_triple_among_the_graphs_is_found(lake: Lake, prediction: str) -> None:
    write_generated(lake, generated_triple_id="t-cat")
    [finding] = check_generated(lake, OF_BACKGROUND)
    assert finding.startswith("1 triples of a model stand in the graph's table, such as t-cat")


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"evidence": ["nothing"]}, "answers rest on 1 units that are not in evidence, such as nothing"),
        ({"rank": 3}, "question q, rank 3: it follows rank 1"),
        ({"score": 2.0}, "question q, rank 2: it follows rank 1 with the score 2.0 after 1.0"),
        ({"score": float("nan")}, "question q, rank 2"),
    ],
)
def test_a_ranking_that_is_not_sound_is_found(
    lake: Lake, prediction: str, changes: dict[str, Any], problem: str
) -> None:
    first, second = lake.read(RANKED_ANSWERS, PLACE).to_pylist()
    write(lake, RANKED_ANSWERS, PLACE, first, second | changes)
    [finding] = check_ranking(lake, PLACE)
    assert finding.startswith(problem)


def test_scores_of_rankings_are_shown_in_a_table_of_their_own(lake: Lake, prediction: str) -> None:
    figures = {**PLACE, "low": None, "high": None}
    values = {"accuracy": 0.5, "answer_mrr": 0.25, "hits@1": 0.125, "hits@1_best": 1.0}
    rows = [{**figures, "metric": metric, "value": value, "n": 8} for metric, value in values.items()]
    write(lake, BENCHMARK_SCORES, PLACE, *rows)
    with catalogue.connect(lake) as connection:
        lines = rendered(score_report(connection, ["open"])).splitlines()
    header = next(place for place, line in enumerate(lines) if line.startswith("answers ranked"))
    assert not any("hits" in line for line in lines[:header])
    names = lines[header].removeprefix("answers ranked where none is offered").split()
    shown = dict(zip(names, lines[header + 1].split()[1:], strict=True))
    assert shown == {
        "n": "8",
        "hits@1": "12.5",
        "hits@5": "-",
        "hits@10": "-",
        "recall@20": "-",
        "mrr": "25.0",
    }
