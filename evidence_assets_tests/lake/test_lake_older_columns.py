"""Files of an earlier version, which lack columns that tables have now."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from evidence_assets.lake.lake import Lake
from evidence_assets.lake.parquet import OldColumnsError
from evidence_assets.lake.schemas import QUESTIONS

PLACE = {"benchmark": "quiz"}


def older(lake: Lake, *missing: str) -> str:
    """Write a question, then take columns away from its file; return the file's path."""
    row = {field.name: "x" for field in QUESTIONS.schema if field.type == pa.string()}
    lists: dict[str, list[str]] = {name: [] for name in ("options", "answers", "gold_evidence")}
    rows = pa.Table.from_pylist([{**row, **lists, **PLACE}], schema=QUESTIONS.schema)
    path = lake.write(QUESTIONS, PLACE, rows).path
    footer = {key: value for key, value in pq.read_metadata(path).metadata.items() if key != b"ARROW:schema"}
    remaining = pq.read_table(path, partitioning=None).drop_columns(list(missing))
    pq.write_table(remaining.replace_schema_metadata(footer), path)
    return path


def test_columns_that_may_be_null_are_null(lake: Lake) -> None:
    older(lake, "answer_keys", "answerable")
    rows = lake.read(QUESTIONS, PLACE, ["question_id", "answer_keys", "answerable"])
    assert rows.to_pylist() == [{"question_id": "x", "answer_keys": None, "answerable": None}]
    [batch] = lake.scan(QUESTIONS, PLACE, ["question_id", "answer_keys"])
    assert batch.to_pylist() == [{"question_id": "x", "answer_keys": None}]
    all_columns = lake.read(QUESTIONS, PLACE)
    assert set(all_columns.schema.names) == set(QUESTIONS.schema.names)
    assert all_columns.column("answer_keys").to_pylist() == [None]
    assert all_columns.schema.field("answer_keys").type == QUESTIONS.schema.field("answer_keys").type


def test_a_column_that_is_never_null_is_named_with_the_remedy(lake: Lake) -> None:
    path = older(lake, "context", "subject")
    for read in (
        lambda: lake.read(QUESTIONS, PLACE, ["question_id", "context", "subject"]),
        lambda: list(lake.scan(QUESTIONS, PLACE, ["context", "subject"])),
    ):
        with pytest.raises(OldColumnsError) as raised:
            read()
        assert str(raised.value) == (
            f"{path}: table questions has no context, subject: an earlier version wrote the file; remedy: "
            "make the partition anew, by the command that made it (evidence-assets demo BENCHMARK)"
        )
    # What else the file holds is read.
    assert lake.read(QUESTIONS, PLACE, ["question_id"]).num_rows == 1
