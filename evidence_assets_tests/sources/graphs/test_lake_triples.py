"""Triples of another lake."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from evidence_assets.lake.schemas import HARVESTED_TRIPLES, TRIPLES
from evidence_assets.sources.graphs.lake_triples import BATCH_ROWS, COLUMNS, read
from evidence_assets.sources.records import RejectedRecord, Triple, TripleSource, UnusableSourceError
from evidence_assets_tests.testing.records_read import all_of, only_of

SOURCE = {"source": "omcs", "record": "line 1", "licence": "cc:by/4.0"}
CAT = {
    "triple_id": "1",
    "kg": "K-Bloom",
    "head": "cat",
    "relation": "IsA",
    "tail": "animal",
    "weight": 2.0,
    "sources": [SOURCE, {**SOURCE, "source": "verbosity"}],
}
LOOSE = pa.schema([pa.field(field.name, field.type) for field in TRIPLES.schema])


def written(
    folder: Path, *rows: dict[str, object], name: str = "data.parquet", schema: pa.Schema = LOOSE
) -> str:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.Table.from_pylist(list(rows), schema), path)
    return str(path)


def cat(record: str = "line 1", weight: float | None = 2.0) -> Triple:
    sources = tuple(TripleSource(source, record, "cc:by/4.0") for source in ("omcs", "verbosity"))
    return Triple("cat", "IsA", "animal", weight, sources)


def test_known_rows_keep_weight_and_sources(tmp_path: Path) -> None:
    uri = written(tmp_path, CAT, {**CAT, "weight": None}, schema=TRIPLES.schema)
    assert list(read(uri, {})) == [cat(), cat(weight=None)]


def test_what_was_mined_is_stated_by_the_prompts_that_found_it(tmp_path: Path) -> None:
    prompts = [{"prompt": f"p{place}", "log_probability": -1.0, "found": place > 0} for place in range(3)]
    numbers = dict.fromkeys(("score", "log_probability", "distance", "perplexity", "fluency"), 0.5)
    mined = {**numbers, "kg": "kbloom", "head": "cat", "relation": "IsA", "tail": "animal", "rank": 0}
    mined |= {"triple_id": "t", "shape": "1-1", "confidence": 0.25, "flags": [], "model_id": "m"}
    uri = written(tmp_path, {**mined, "prompts": prompts}, schema=HARVESTED_TRIPLES.schema)
    sources = tuple(TripleSource("kbloom", prompt, "mined from m") for prompt in ("p1", "p2"))
    assert list(read(uri, {})) == [Triple("cat", "IsA", "animal", 0.25, sources)]


def test_the_folder_of_a_graph(tmp_path: Path) -> None:
    written(tmp_path, CAT, name="kg=K-Bloom/relation=IsA/data.parquet")
    written(tmp_path, {**CAT, "tail": ""}, CAT, name="kg=K-Bloom/relation=PartOf/data.parquet")
    written(tmp_path, name="kg=K-Bloom/_schema.parquet")
    first, rejected, second = read(str(tmp_path / "kg=K-Bloom"), {})
    assert first == second == cat()
    assert isinstance(rejected, RejectedRecord)
    assert rejected.record == "relation=PartOf/data.parquet, row 1"


@pytest.mark.parametrize("sources", [[], None])
def test_a_row_without_sources_is_stated_by_its_place(tmp_path: Path, sources: object) -> None:
    written(tmp_path, CAT, name="a.parquet")
    written(tmp_path, CAT, {**CAT, "sources": sources}, name="b.parquet")
    *_, stated = read(str(tmp_path), {})
    assert isinstance(stated, Triple)
    assert stated.sources == (TripleSource("", "b.parquet:row 2", ""),)


def test_many_rows_come_in_order(tmp_path: Path) -> None:
    heads = [str(number) for number in range(BATCH_ROWS + 3)]
    uri = written(tmp_path, *({**CAT, "head": head} for head in heads))
    assert [triple.head for triple in all_of(Triple, read(uri, {}))] == heads


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"head": " "}, "head is empty"),
        ({"relation": None}, "relation is missing"),
        ({"tail": ""}, "tail is empty"),
        ({"weight": float("nan")}, "weight is nan, not a finite number"),
        ({"weight": float("-inf")}, "weight is -inf, not a finite number"),
        ({"sources": [SOURCE, None]}, "source 2 is missing"),
    ],
)
def test_a_bad_row_is_rejected_alone(tmp_path: Path, changes: dict[str, object], reason: str) -> None:
    first, rejected, last = read(written(tmp_path, CAT, {**CAT, **changes}, CAT), {})
    assert first == last == cat()
    assert isinstance(rejected, RejectedRecord)
    assert (rejected.record, rejected.reason) == ("row 2", reason)
    assert rejected.remedy


def test_columns_of_other_types_are_rejected_row_by_row(tmp_path: Path) -> None:
    schema = pa.schema({"head": pa.int64(), "relation": pa.string(), "tail": pa.string()})
    schema = schema.append(pa.field("weight", pa.string())).append(pa.field("sources", pa.string()))
    row = {"head": 1, "relation": "IsA", "tail": "animal", "weight": None, "sources": None}
    rejected = only_of(RejectedRecord, read(written(tmp_path, row, schema=schema), {}))
    assert rejected.reason == "head is not text but int"


@pytest.mark.parametrize("column", COLUMNS)
def test_a_missing_column_is_refused(tmp_path: Path, column: str) -> None:
    schema = LOOSE.remove(LOOSE.get_field_index(column))
    row = {name: value for name, value in CAT.items() if name != column}
    with pytest.raises(UnusableSourceError, match=f"no column {column}; the file has triple_id, kg"):
        list(read(written(tmp_path, row, schema=schema), {}))
