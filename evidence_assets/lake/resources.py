"""The lake as a Dagster resource, and the one way in which assets write to it.

Assets name a table and a partition and stream rows in; there is no I/O manager. One would load whole
partitions into memory, hand over one object or a dictionary depending on how a run was launched, and hide
which versions were read. Here every write is recorded with exactly the versions read since the last one.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import dagster as dg
import pyarrow as pa

from evidence_assets.lake import catalogue
from evidence_assets.lake.filesystem import is_local
from evidence_assets.lake.ids import combined_hash
from evidence_assets.lake.lake import Lake, Partition, PartitionVersion
from evidence_assets.lake.parquet import read_file
from evidence_assets.lake.previews import table_preview
from evidence_assets.lake.schemas import Table

_PROJECT = Path(__file__).resolve().parents[2]


def default_root() -> str:
    """Return the lake's root URI: `EVIDENCE_LAKE`, else the project's data_lake folder."""
    return catalogue.absolute_root(os.environ.get("EVIDENCE_LAKE") or str(_PROJECT / "data_lake"))


class LakeResource(dg.ConfigurableResource):  # type: ignore[type-arg]
    """Where the tables are: a local folder or an object-store URI."""

    root: str = ""
    cache: str = ""

    def open(self) -> Lake:
        """Return the lake, its catalogue in place."""
        lake = Lake(catalogue.absolute_root(self.root) if self.root else default_root())
        catalogue.build(lake)
        return lake

    def cache_folder(self) -> Path:
        """Return the local folder for what can be computed again: `EVIDENCE_CACHE`, else beside the lake."""
        configured = self.cache or os.environ.get("EVIDENCE_CACHE")
        if configured:
            return Path(configured)
        lake = Lake(catalogue.absolute_root(self.root) if self.root else default_root())
        return Path(lake.path) / "cache" if is_local(lake.filesystem) else _PROJECT / "data_lake" / "cache"


class Step:
    """One partition of a run: what it wrote, and what there is to show of it."""

    def __init__(self, lake: Lake, run_id: str, code_version: str) -> None:
        self._lake, self._run_id, self._code_version = lake, run_id, code_version
        self.hashes: dict[str, str] = {}
        self.metadata: dict[str, dict[str, Any]] = {}

    def write(
        self,
        table: Table,
        partition: Partition,
        rows: pa.Table | Iterable[pa.Table | pa.RecordBatch],
        asset: str | None = None,
        preview: bool = True,
    ) -> int:
        """Write a partition, record it with the versions read so far, and return its number of rows.

        `asset` names the asset of a multi-asset that the rows belong to; default: the table's name.
        """
        written = self._lake.write(table, partition, rows)
        upstream: list[PartitionVersion] = [
            version for version in self._lake.reads if version.table != table.name
        ]
        self._lake.record(written, upstream, self._run_id, self._code_version)
        name = asset or table.name
        self.hashes[name] = written.version.content_hash
        self.metadata.setdefault(name, {}).update(
            {
                "dagster/row_count": written.rows,
                "bytes": written.size,
                "path": dg.MetadataValue.path(written.path),
                "content_hash": written.version.content_hash,
                "changed": written.changed,
            }
        )
        if preview:
            first = read_file(self._lake.filesystem, written.path, None).slice(0, 5)
            shown = [field.name for field in table.schema if field.name != "vector"]
            self.metadata[name]["preview"] = dg.MetadataValue.md(table_preview(first, shown))
        return written.rows

    def write_beside(self, table: Table, partition: Partition, rows: pa.Table) -> None:
        """Write and record rows that are no asset's own, such as what an asset rejected."""
        written = self._lake.write(table, partition, rows)
        self._lake.record(written, list(self._lake.reads), self._run_id, self._code_version)

    def show(self, metadata: Mapping[str, Any], asset: str | None = None) -> None:
        """Add metadata to an asset's materialisation; a text that begins with `![` or `|` is Markdown."""
        name = asset or next(iter(self.metadata), "")
        target = self.metadata.setdefault(name, {})
        for key, value in metadata.items():
            is_markdown = isinstance(value, str) and value.startswith(("![", "|"))
            target[key] = dg.MetadataValue.md(value) if is_markdown else value


class Writing:
    """One run's writes, partition by partition, to one or several assets."""

    def __init__(self, context: dg.AssetExecutionContext, lake: Lake) -> None:
        self._context, self.lake = context, lake
        self._steps: dict[str | None, Step] = {}

    def code_version(self) -> str:
        """Return the code version of the asset being materialised."""
        definition = self._context.assets_def
        versions = {definition.specs_by_key[key].code_version or "" for key in definition.keys}
        return "+".join(sorted(versions))

    @contextmanager
    def partition(self, key: str | None = None) -> Iterator[Step]:
        """Yield the step for one partition key; None for an asset without partitions."""
        self.lake.reads.clear()
        step = Step(self.lake, self._context.run_id, self.code_version())
        yield step
        self._steps[key] = step
        self._context.log.info(
            f"{key or 'whole table'}: "
            + ", ".join(
                f"{name} {metadata.get('dagster/row_count', 0):,} rows"
                + ("" if metadata.get("changed", True) else " (unchanged)")
                for name, metadata in step.metadata.items()
            )
        )

    def results(self) -> Iterator[dg.MaterializeResult[Any]]:
        """Yield one result an asset, with each partition's metadata; data version: the content's hash."""
        for key in sorted(self._context.selected_asset_keys, key=lambda found: found.to_user_string()):
            name = key.path[-1]
            hashes = [step.hashes[name] for step in self._steps.values() if name in step.hashes]
            version = hashes[0] if len(hashes) == 1 else combined_hash(hashes)
            common: dict[str, Any] = {}
            for partition, step in self._steps.items():
                if len(self._steps) == 1:
                    common = step.metadata.get(name, {})
                elif partition is not None:
                    self._context.add_asset_metadata(
                        step.metadata.get(name, {}), asset_key=key, partition_key=partition
                    )
            yield dg.MaterializeResult(
                asset_key=key, metadata=common, data_version=dg.DataVersion(version) if hashes else None
            )
