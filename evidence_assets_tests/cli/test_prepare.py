"""What `prepare` says: what can be asked, and what was left out of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from evidence_assets.cli.main import main
from evidence_assets.lake.lake import Lake
from evidence_assets.lake.schemas import REJECTED_RECORDS
from evidence_assets_tests.testing.table_rows import table_of


def test_what_can_be_prepared_is_told_where_nothing_is_named(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["prepare"]) == 1
    assert capsys.readouterr().err == "name what is to be asked: --corpus small, --graph facts\n"


def test_what_was_left_out_of_a_corpus_is_told_when_it_is_prepared(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who asks a corpus without `check` would otherwise miss an article and not know why."""

    def made(*_: object) -> Iterator[tuple[str, str, float]]:
        for source in ("small.notes", "quiz"):
            row = {
                "source": source,
                "record": "musée.txt",
                "reason": f"{source}: not UTF-8",
                "remedy": "save",
            }
            rows = table_of(REJECTED_RECORDS, {**row, "source_uri": "notes"})
            Lake(str(folder / "lake")).write(REJECTED_RECORDS, {"source": source}, rows)
        yield "ingest_corpus", "small.notes", 1.0

    monkeypatch.setattr("evidence_assets.orchestration.runs.materialize_partitions", made)
    assert main(["prepare", "--corpus", "small"]) == 0
    assert capsys.readouterr().out.splitlines()[-3:] == [
        "left out of small.notes: 1 record",
        "  1: small.notes: not UTF-8",
        "each with its place and remedy in the view rejected_records",
    ]
