"""`evidence-assets prune`, `migrate` and `catalogue`: the lake's upkeep."""

from __future__ import annotations

import sys
from pathlib import PurePosixPath
from typing import Annotated

from typer import Exit, Option

from evidence_assets.audit.counting import counted
from evidence_assets.audit.pages.front_page import rewrite_front_page, unnamed_folders
from evidence_assets.cli.common import default_lake, lake_to_read, tell_borrowed_checkout
from evidence_assets.config.configuration import load_project
from evidence_assets.corpus.index import unnamed_index_files
from evidence_assets.lake.catalogue import build
from evidence_assets.lake.filesystem import is_local
from evidence_assets.lake.lake import Lake, partition_name
from evidence_assets.lake.migration import migrate as migrate_lake


def prune(dry_run: Annotated[bool, Option("--dry-run", help="only say what would go")] = False) -> None:
    """Remove what the configuration no longer names, and what earlier versions kept, from the lake."""
    tell_borrowed_checkout()
    lake = lake_to_read()
    if not dry_run:
        lake.check_writable()
    unnamed = list(load_project().unnamed(lake))
    folders = [*unnamed_folders(lake, unnamed), *unnamed_index_files(lake, unnamed), *lake.former_tables()]
    for table, partition in unnamed:
        print(f"{table.name}/{partition_name(partition)}")
        if not dry_run:
            lake.delete(table, partition)
    for folder in folders:
        print(folder)
        if not dry_run:
            _remove(lake, folder)
    if unnamed or folders:
        if not dry_run:
            rewrite_front_page(lake)
        done = "would be removed" if dry_run else "removed"
        beside = counted(len(folders), "folder or file", "folders and files")
        print(f"{counted(len(unnamed), 'partition')} and {beside} beside them {done}")
    else:
        print("nothing to remove: the configuration names all that the lake holds")


def _remove(lake: Lake, folder: str) -> None:
    """Remove a folder or file of the lake, and the folders above it that held nothing else."""
    lake.filesystem.rm(f"{lake.path}/{folder}", recursive=True)
    if not is_local(lake.filesystem):
        return  # a store has no folders
    *above, _root = PurePosixPath(folder).parents
    for parent in above:
        if lake.filesystem.ls(f"{lake.path}/{parent}"):
            break
        lake.filesystem.rmdir(f"{lake.path}/{parent}")


def migrate() -> None:
    """Rewrite a lake of the version before this one."""
    lake, count, problems = lake_to_read(), 0, 0
    lake.check_writable()
    for file in migrate_lake(lake):
        count += 1
        print(f"{file.done:6,} of {file.total:,}  {file.path}", flush=True)
        if file.problem:
            problems += 1
            print(file.problem, file=sys.stderr)
    print(f"{counted(count - problems, 'file')} rewritten, {problems} left as they are")
    if problems:
        raise Exit(1)


def catalogue() -> None:
    """Write evidence.duckdb and print its path."""
    lake = default_lake()
    lake.check_writable()
    print(build(lake))
