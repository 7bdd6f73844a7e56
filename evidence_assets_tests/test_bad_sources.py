"""Bad articles, bad questions and missing files, through Dagster: rejected by name, and nothing changed."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import dagster as dg
import pytest

from evidence_assets.lake.schemas import QUESTIONS, REJECTED_RECORDS, SHARD_INDEXES
from evidence_assets_tests.testing.small_project import (
    LAND,
    MINERAL_QUIZ,
    ROCKS,
    SEA,
    SmallProject,
    checks_of,
    failure_of,
    metadata_of,
    run_assets,
    run_job,
    write_small_project,
)

pytestmark = [pytest.mark.integration, pytest.mark.xdist_group("small_project")]


def test_bad_articles_are_rejected_with_their_reasons_and_counted(tmp_path: Path) -> None:
    project = write_small_project(tmp_path / "project")
    folder = project.article("land", "fox.md").parent
    (folder / "empty.md").write_text("", encoding="utf-8")
    (folder / "only-title.md").write_text("# Title\n\n", encoding="utf-8")
    shutil.copy(folder / "fox.md", folder / "fox-again.md")
    (folder / "latin.txt").write_bytes("Füchse".encode("latin-1"))
    (folder / "scan.pdf").write_bytes(b"%PDF-1.7")
    with dg.DagsterInstance.ephemeral() as instance:
        result = run_assets(project.definitions(), ["articles"], instance, partition=LAND)
    assert result.success
    rows = project.lake.read(REJECTED_RECORDS, {"source": LAND}).to_pylist()
    reasons = {row["record"]: row["reason"] for row in rows}
    assert reasons.keys() == {
        "article 'empty.md'",
        "article 'only-title.md'",
        "article 'fox.md'",
        "latin.txt",
        "scan.pdf",
    }
    assert "no text" in reasons["article 'empty.md'"]
    assert "same title and text" in reasons["article 'fox.md'"]
    assert "0xfc" in reasons["latin.txt"]
    assert all(row["remedy"] and row["source_uri"] == "articles/land" for row in rows)
    shown = metadata_of(result, "articles")[LAND]
    assert (shown["rejected"], shown["dagster/row_count"]) == (5, 2)
    assert all(passed for _, _, passed in checks_of(result))


def test_a_shard_without_a_single_good_article_is_empty_tables_and_no_index(tmp_path: Path) -> None:
    project = write_small_project(tmp_path / "project")
    for path in project.article("rocks", "salt.md").parent.iterdir():
        path.write_text("", encoding="utf-8")
    with dg.DagsterInstance.ephemeral() as instance:
        result = run_job(project.definitions(), "ingest_corpus", ROCKS, instance)
        assert metadata_of(result, "articles")[ROCKS]["rejected"] == 2
        assert all(passed for _, _, passed in checks_of(result))
        assert project.lake.read(SHARD_INDEXES, {"corpus": "minerals", "shard": ROCKS}).num_rows == 0
        assert run_job(project.definitions(), "add_up_terms", "minerals", instance).success
        job = "prepare_benchmark"
        pooled = run_job(project.definitions(), job, MINERAL_QUIZ, instance, raise_on_error=False)
    assert "rejected_records" in failure_of(pooled)


def test_bad_questions_are_rejected_with_their_reasons_and_counted(tmp_path: Path) -> None:
    project = write_small_project(tmp_path / "project")
    good = {"id": "good", "question": "Which?", "options": ["this", "that"], "answer_index": 1}
    lines = [
        json.dumps(good),
        "{not json",
        json.dumps({**good, "id": "no-key", "answer_index": None}),
        json.dumps({**good, "id": "beyond", "answer_index": 2}),
        json.dumps({**good, "id": "no-question", "question": " "}),
        json.dumps(good),
    ]
    project.questions(MINERAL_QUIZ).write_text("\n".join(lines), encoding="utf-8")
    with dg.DagsterInstance.ephemeral() as instance:
        result = run_assets(project.definitions(), ["questions"], instance, partition=MINERAL_QUIZ)
    assert result.success
    question_ids = project.lake.read(QUESTIONS, {"benchmark": MINERAL_QUIZ}).column("question_id").to_pylist()
    assert question_ids == ["good", "no-key"]
    rows = project.lake.read(REJECTED_RECORDS, {"source": MINERAL_QUIZ}).to_pylist()
    assert [row["record"] for row in rows] == [
        "line 2",
        "line 4, id beyond",
        "line 5, id no-question",
        "line 6, id good",
    ]
    assert all(row["reason"] and row["remedy"] for row in rows)
    counts = metadata_of(result, "questions")[MINERAL_QUIZ]
    assert (counts["rejected"], counts["without_key"]) == (4, 1)


def test_a_missing_source_fails_its_run_and_leaves_the_table_as_it_was(copied: SmallProject) -> None:
    before = copied.files()
    shutil.rmtree(copied.article("sea", "otter.md").parent)
    with dg.DagsterInstance.ephemeral() as instance:
        result = run_assets(copied.definitions(), ["articles"], instance, partition=SEA)
    message = failure_of(result)
    assert "no such file" in message
    assert "Remedy: correct the path" in message
    assert copied.files() == before
