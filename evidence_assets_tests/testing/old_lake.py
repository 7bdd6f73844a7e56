"""Lakes as the version before wrote them: content hashes of encoded bytes, and no scheme in the footers."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from evidence_assets.lake.ids import content_id
from evidence_assets.lake.lake import Lake, partition_name
from evidence_assets.lake.schemas import MATERIALIZATIONS

HASH_KEY = "evidence_assets.content_hash"


def write_old_file(path: Path, rows: pa.Table) -> str:
    """Write rows, sorted already, as the version before did; return their content hash."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with pq.ParquetWriter(path, rows.schema, compression="zstd") as writer:
        writer.write_table(rows, row_group_size=16_384)
    encoded = path.read_bytes()
    pages = encoded[: len(encoded) - 8 - int.from_bytes(encoded[-8:-4], "little")]
    described = rows.schema.to_string(show_schema_metadata=False).encode()
    content_hash = hashlib.blake2b(described + pages, digest_size=16).hexdigest()
    with pq.ParquetWriter(path, rows.schema, compression="zstd") as writer:
        writer.write_table(rows, row_group_size=16_384)
        writer.add_key_value_metadata({HASH_KEY: content_hash})
    return content_hash


def make_old(lake: Lake) -> dict[tuple[str, str, str], str]:
    """Turn a local lake of today into one of the version before.

    Returns what its content hashes were, by table, name of the partition, and hash of today.
    """
    root = Path(lake.path)
    were: dict[tuple[str, str, str], str] = {}
    files = sorted(root.glob("*/**/data.parquet"), key=lambda path: ("harvests" in path.parts, path))
    notes = []
    for path in files:
        table, *folders = path.relative_to(root).parts[:-1]
        rows, new = _rows_and_hash(path)
        if table == MATERIALIZATIONS.name:
            notes.append((path, rows.to_pylist()[0]))
            continue
        if table == "harvests":
            rows = _with_old_triples(rows, were)
        were[table, "/".join(folders), new] = write_old_file(path, rows)
    for path, row in notes:
        path.unlink()
        path.parent.rmdir()
        _write_old_note(root, row, were)
    return were


def _rows_and_hash(path: Path) -> tuple[pa.Table, str]:
    file = pq.ParquetFile(path)
    schema = pa.schema([field.remove_metadata() for field in file.schema_arrow])
    return file.read().cast(schema), file.metadata.metadata[HASH_KEY.encode()].decode()


def _with_old_triples(rows: pa.Table, were: Mapping[tuple[str, str, str], str]) -> pa.Table:
    changed = []
    for row in rows.to_pylist():
        place = partition_name({"kg": row["kg"], "relation": row["relation"]})
        changed.append(row | {"triples_hash": were["triples", place, row["triples_hash"]]})
    return pa.Table.from_pylist(changed, schema=rows.schema)


def _write_old_note(root: Path, row: dict[str, object], were: Mapping[tuple[str, str, str], str]) -> None:
    table, partition = str(row["table"]), str(row["partition"])
    content_hash = _old_hash(table, partition.replace("(whole)", ""), str(row["content_hash"]), were)
    upstream = [
        source
        | {"content_hash": _old_hash(source["table"], source["partition"], source["content_hash"], were)}
        for source in row["upstream"]  # type: ignore[attr-defined]
    ]
    version = content_id("materialization", table, partition, content_hash)
    row = row | {"version": version, "content_hash": content_hash, "upstream": upstream}
    note = pa.Table.from_pylist([row], schema=MATERIALIZATIONS.schema)
    write_old_file(root / MATERIALIZATIONS.name / f"version={version}" / "data.parquet", note)


def _old_hash(table: str, partition: str, new: str, were: Mapping[tuple[str, str, str], str]) -> str:
    return were.get((table, partition, new), new)
