"""The lake as a Dagster resource, and the one way in which assets write to it.

Assets name a table and a partition and stream rows in; there is no I/O manager. One would load whole
partitions into memory, hand over one object or a dictionary depending on how a run was launched, and hide
which versions were read. Here every write is recorded with exactly the versions read since the last one.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import dagster as dg
import pyarrow as pa

from evidence_assets.lake import catalogue
from evidence_assets.lake.filesystem import is_local
from evidence_assets.lake.ids import combined_hash
from evidence_assets.lake.lake import Lake, Partition, PartitionVersion
from evidence_assets.lake.parquet import scan_file
from evidence_assets.lake.previews import table_preview
from evidence_assets.lake.schemas import Table

_PREVIEW_ROWS = 5
_DATA_VERSION_TAG = "dagster/data_version"
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
        """Return the local folder for what can be made again: `EVIDENCE_CACHE`, else one in the lake."""
        configured = self.cache or os.environ.get("EVIDENCE_CACHE")
        if configured:
            return Path(configured)
        lake = Lake(catalogue.absolute_root(self.root) if self.root else default_root())
        return Path(lake.path) / "cache" if is_local(lake.filesystem) else _PROJECT / "data_lake" / "cache"


class Step:
    """One partition of a run: what it wrote, and what there is to show of it."""

    def __init__(self, lake: Lake, run_id: str, code_version: str) -> None:
        self.lake, self._run_id, self._code_version = lake, run_id, code_version
        self.hashes: dict[str, str] = {}
        self.metadata: dict[str, dict[str, Any]] = {}
        self._at_end: list[tuple[Callable[[], Mapping[str, Any]], str | None]] = []

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
        written = self.lake.write(table, partition, rows)
        upstream: list[PartitionVersion] = [
            version for version in self.lake.reads if version.table != table.name
        ]
        self.lake.record(written, upstream, self._run_id, self._code_version)
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
            shown = [field.name for field in table.schema if field.name != "vector"]
            first = next(scan_file(self.lake.filesystem, written.path, shown, _PREVIEW_ROWS)[1], None)
            rows_shown = pa.Table.from_batches([first]) if first is not None else pa.table({})
            self.metadata[name]["preview"] = dg.MetadataValue.md(table_preview(rows_shown))
        return written.rows

    def write_each(self, table: Table, parts: Iterable[tuple[Partition, pa.Table]]) -> int:
        """Write the several partitions of the lake that one partition of an asset stands for.

        They share what was read; the data version is the hash of all of them. Returns the number of rows.
        """
        upstream = [version for version in self.lake.reads if version.table != table.name]
        written = []
        for partition, rows in parts:
            written.append(self.lake.write(table, partition, rows))
            self.lake.record(written[-1], upstream, self._run_id, self._code_version)
        content_hash = combined_hash(one.version.content_hash for one in written)
        self.hashes[table.name] = content_hash
        self.metadata.setdefault(table.name, {}).update(
            {
                "dagster/row_count": sum(one.rows for one in written),
                "bytes": sum(one.size for one in written),
                "partitions_written": len(written),
                "content_hash": content_hash,
                "changed": any(one.changed for one in written),
            }
        )
        return sum(one.rows for one in written)

    def write_beside(self, table: Table, partition: Partition, rows: pa.Table) -> None:
        """Write and record rows that are no asset's own, such as what an asset rejected."""
        written = self.lake.write(table, partition, rows)
        self.lake.record(written, list(self.lake.reads), self._run_id, self._code_version)

    def carry(self, versions: Iterable[PartitionVersion], asset: str | None = None) -> None:
        """Make these versions, if there are any, part of the data version: what follows reads them too.

        `asset` names one asset of a multi-asset; default: all that were written.
        """
        carried = [version.content_hash for version in versions]
        for name, own in self.hashes.items():
            if carried and asset in (None, name):
                self.hashes[name] = combined_hash([own, *carried])

    def show(self, metadata: Mapping[str, Any], asset: str | None = None) -> None:
        """Add metadata to an asset's materialisation; a text that begins with `![` or `|` is Markdown."""
        name = asset or next(iter(self.metadata), "")
        target = self.metadata.setdefault(name, {})
        for key, value in metadata.items():
            is_markdown = isinstance(value, str) and value.startswith(("![", "|"))
            target[key] = dg.MetadataValue.md(value) if is_markdown else value

    def show_at_end(self, tell: Callable[[], Mapping[str, Any]], asset: str | None = None) -> None:
        """Add what `tell` returns when the step ends, as `show` does: what is still being counted."""
        self._at_end.append((tell, asset))

    def end(self) -> None:
        """Show what was to be shown at the end."""
        for tell, asset in self._at_end:
            self.show(tell(), asset)
        self._at_end.clear()


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
        """Yield the step for one partition key; None for an asset without partitions.

        Where a later partition fails, the events of those that are done are logged before the run does.
        """
        self.lake.reads.clear()
        step = Step(self.lake, self._context.run_id, self.code_version())
        try:
            yield step
            step.end()
        except BaseException:
            self._log_each_partition()
            raise
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
        """Yield one result an asset; the content's hash is the data version.

        Dagster gives all partitions of one run one data version. So a run of several logs, after it, an event
        a partition with the partition's own version and metadata: else every partition would look changed.
        """
        single = next(iter(self._steps.values())) if len(self._steps) == 1 else None
        for key in self._asset_keys():
            name = key.path[-1]
            for partition, step in self._steps.items():
                if single is None and partition is not None:
                    self._context.add_asset_metadata(
                        step.metadata.get(name, {}), key, partition_key=partition
                    )
            version = combined_hash(step.hashes[name] for step in self._steps.values() if name in step.hashes)
            yield dg.MaterializeResult(
                asset_key=key,
                metadata=single.metadata.get(name, {}) if single else {},
                data_version=dg.DataVersion(single.hashes[name] if single else version),
            )
        if single is None:
            self._log_each_partition()

    def _asset_keys(self) -> list[dg.AssetKey]:
        return sorted(self._context.selected_asset_keys, key=lambda found: found.to_user_string())

    def _log_each_partition(self) -> None:
        for key in self._asset_keys():
            name = key.path[-1]
            for partition, step in self._steps.items():
                self._context.log_event(
                    dg.AssetMaterialization(
                        key,
                        partition=partition,
                        metadata=step.metadata.get(name, {}),
                        tags={_DATA_VERSION_TAG: step.hashes[name]},
                    )
                )
