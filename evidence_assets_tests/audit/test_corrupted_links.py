"""Whatever link from an answer to its source is cut or bent, a check says which."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

from evidence_assets.audit.integrity import check_lineage, check_references, check_sources
from evidence_assets.evidence.experiment import Answer, Chain, Experiment, Selected
from evidence_assets.evidence.units import (
    EvidenceUnit,
    unit_of_cell,
    unit_of_column,
    unit_of_document,
    unit_of_generated_triple,
    unit_of_path,
    unit_of_question,
    unit_of_row,
    unit_of_triple,
    units_of_chunks,
)
from evidence_assets.lake.lake import Lake, Partition
from evidence_assets.lake.schemas import (
    ARTICLES,
    CHUNKS,
    EVIDENCE,
    GENERATED_TRIPLES,
    GENERATIONS,
    HARVESTED_TRIPLES,
    NODE_DOCUMENTS,
    PREDICTION_EVIDENCE,
    QUESTIONS,
    TABLES,
    TABLES_BY_NAME,
    TRIPLES,
    Table,
)
from evidence_assets_tests.testing.page_samples import STEPS, build_page_lake
from evidence_assets_tests.testing.tiny_lake import BENCHMARK, SHARD
from evidence_assets_tests.testing.zoo_samples import (
    OF_BACKGROUND,
    WORDS,
    question,
    write,
    write_generated,
    write_graph,
    write_reply,
)

pytestmark = pytest.mark.integration

PLACE = {"system": "asker", "arm": "full@extractive", "benchmark": "open"}
OF_STEPS = {"kg": "medicine", "relation": "part_of"}
MINED = {"kg": "kbloom", "relation": "IsA"}
IN_TABLE, IN_ZOO = {"source": BENCHMARK}, {"kg": "zoo"}
REPLY = {"generator": "m", "segment": "s"}
STEP_IDS = [str(step["triple_id"]) for step in STEPS]
QUESTION = "What purrs?"
Corrupt = Callable[[Lake], None]


def units(lake: Lake) -> dict[str, EvidenceUnit]:
    """A unit of every kind, by the kind of its link."""
    [(chunk, sentences)] = units_of_chunks(lake.read(CHUNKS, SHARD)).values()
    return {
        "chunk": chunk,
        "sentence": sentences[1],
        "triple": unit_of_triple(STEP_IDS[0], "the heart is part of the body"),
        "path": unit_of_path("p1", "the heart, of the body, of the blood", STEP_IDS),
        "cell": unit_of_cell("t1", 40, 2, "animal 40: 40"),
        "row": unit_of_row("t1", 41, "animal 41 | x | 41"),
        "column": unit_of_column("t1", 2, "beats"),
        "document": unit_of_document("d-cat", WORDS),
        "generation": unit_of_generated_triple("g-cat", "a cat purrs"),
        "harvested triple": unit_of_triple("m-cat", "a cat is an animal"),
        "question": unit_of_question("q", QUESTION),
    }


def write_mined(lake: Lake) -> None:
    numbers = dict.fromkeys(
        ["score", "confidence", "log_probability", "distance", "perplexity", "fluency"], 0.5
    )
    mined = {"triple_id": "m-cat", "head": "cat", "tail": "animal", "rank": 0, "shape": "1 1"}
    row = {**MINED, **mined, **numbers, "flags": [], "prompts": [], "model_id": "tiny"}
    write(lake, HARVESTED_TRIPLES, MINED, row)


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Lake:
    lake = build_page_lake(str(tmp_path_factory.mktemp("links") / "lake"))
    write_graph(lake)
    write_generated(lake)
    write_reply(lake)
    write_mined(lake)
    write(lake, QUESTIONS, {"benchmark": "open"}, question())
    cited = list(units(lake).values())
    experiment = Experiment(PLACE["system"], PLACE["arm"], PLACE["benchmark"], "1")
    marks = " ".join(f"[E{number}]" for number in range(1, len(cited) + 1))
    experiment.answer(
        question(),
        {-1: [Selected(unit, 1.0, []) for unit in cited]},
        [Chain(-1, f"A cat {marks}.", cited, 1.0, {})],
        Answer(None, 0.9, "extractive", "cat", text="cat"),
    )
    for name, rows in experiment.tables().items():
        lake.write(TABLES_BY_NAME[name], PLACE, rows)
    lake.ensure_empty_files()
    return lake


@pytest.fixture
def lake(template: Lake, tmp_path: Path) -> Lake:
    copytree(template.path, tmp_path / "lake")
    return Lake(str(tmp_path / "lake"))


def removed(table: Table, place: Partition) -> Corrupt:
    return lambda lake: lake.delete(table, place)


def edited(table: Table, place: Partition, **values: Any) -> Corrupt:
    """The first row of a source says something else."""

    def corrupt(lake: Lake) -> None:
        first, *others = lake.read(table, place).to_pylist()
        write(lake, table, place, {**first, **values}, *others)

    return corrupt


def bent(kind: str, **values: Any) -> Corrupt:
    """The unit of a kind says other words, or that it stands elsewhere."""

    def corrupt(lake: Lake) -> None:
        wanted = units(lake)[kind].text
        rows = lake.read(EVIDENCE, PLACE).to_pylist()
        [row] = [row for row in rows if row["text"] == wanted]
        for name, value in values.items():
            (row if name in row else row["locator"])[name] = value
        write(lake, EVIDENCE, PLACE, *rows)

    return corrupt


def findings(lake: Lake) -> list[str]:
    problems = [*check_sources(lake, PLACE), *check_lineage(lake, PLACE)]
    problems += check_references(lake, PREDICTION_EVIDENCE, PLACE)
    return problems


def test_nothing_is_said_of_whole_links(lake: Lake) -> None:
    assert findings(lake) == []


@pytest.mark.parametrize(
    ("kinds", "corrupt"),
    [
        ({"chunk", "sentence"}, removed(CHUNKS, SHARD)),
        ({"chunk", "sentence"}, edited(CHUNKS, SHARD, text_hash="sha256:other")),
        ({"chunk", "sentence"}, edited(ARTICLES, SHARD, text="Something else entirely.")),
        ({"sentence"}, bent("sentence", char_start=0)),
        ({"sentence"}, bent("sentence", text="The liver pumps blood.")),
        ({"triple", "path"}, removed(TRIPLES, OF_STEPS)),
        ({"path"}, bent("path", triple_ids=[STEP_IDS[0], "no such triple"])),
        ({"path"}, bent("path", text="the heart, of the soul")),
        ({"triple"}, bent("triple", source_key="no such triple")),
        ({"cell", "row", "column"}, removed(TABLES, IN_TABLE)),
        ({"cell"}, bent("cell", row=60)),
        ({"cell"}, bent("cell", text="animal 40: 41")),
        ({"row"}, bent("row", row=1000)),
        ({"column"}, bent("column", column=3)),
        ({"document"}, removed(NODE_DOCUMENTS, IN_ZOO)),
        ({"document"}, edited(NODE_DOCUMENTS, IN_ZOO, text="Cats are reptiles.")),
        ({"generation"}, removed(GENERATED_TRIPLES, OF_BACKGROUND)),
        ({"generation"}, removed(GENERATIONS, REPLY)),
        ({"harvested triple"}, removed(HARVESTED_TRIPLES, MINED)),
        ({"question"}, edited(QUESTIONS, {"benchmark": "open"}, question="What barks?")),
    ],
)
def test_a_link_that_is_cut_or_bent_is_named(kinds: set[str], corrupt: Corrupt, lake: Lake) -> None:
    before = {row["text"]: row["evidence_id"] for row in lake.read(EVIDENCE, PLACE).to_pylist()}
    expected = {before[units(lake)[kind].text] for kind in kinds}
    corrupt(lake)
    [problem] = findings(lake)
    assert problem.startswith(f"{len(kinds)} units of evidence no longer stand in their source, such as ")
    assert any(evidence_id in problem for evidence_id in expected)
    assert problem.endswith("remedy: materialise the experiment anew")


def test_an_answer_cut_from_its_evidence_is_named(lake: Lake) -> None:
    rows = lake.read(EVIDENCE, PLACE).to_pylist()
    write(lake, EVIDENCE, PLACE, *rows[1:])
    gone = rows[0]["evidence_id"]
    problems = findings(lake)
    assert len(problems) == 2
    assert all(gone in problem for problem in problems)
