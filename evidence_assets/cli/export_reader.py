"""`evidence-assets export-reader`: a trained reader in a folder that other projects take it from."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from typer import Argument

from evidence_assets.cli.common import workspace
from evidence_assets.lake.schemas import READER_QUESTIONS, TRAINED_READERS
from evidence_assets.text.suggestions import UnknownNameError


def export_reader(
    reader: Annotated[str, Argument(help="a reader of the configuration that is materialised")],
    folder: Annotated[Path, Argument(help="the folder to write; it must not exist, or be empty")],
) -> None:
    """Write a trained reader: its weights, what it reaches, and a hash of each question that it has seen."""
    from evidence_assets.training.prepared_readers import write_reader

    project = workspace(to_read=True)
    place = {"reader": reader}
    known = [of["reader"] for of in project.lake.partitions(TRAINED_READERS)]
    if reader not in known:
        listed = "make one: materialise trained_readers, a partition a reader of the configuration"
        raise UnknownNameError("trained reader in the lake", [reader], known, listed)
    if folder.exists() and any(folder.iterdir()):
        raise LookupError(f"{folder} is there and not empty; remedy: name a folder that is not there yet")
    [row] = project.lake.read(TRAINED_READERS, place).to_pylist()
    write_reader(row, project.lake.read(READER_QUESTIONS, place), project.models.cache, folder)
    generator = f", generator: {row['generator']}" if row["generator"] else ""
    print(f"{folder}: the reader {reader}; a configuration takes it as")
    print(f"prepared_readers:\n  {reader}: {{folder: {folder}{generator}}}")
