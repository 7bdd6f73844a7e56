"""Folders of models that were made elsewhere, and their way into a cache."""

from __future__ import annotations

import shutil
from pathlib import Path

from evidence_assets.models.resumable_training import remove_checkpoint
from evidence_assets.sources.allowed_places import INSTEAD, why_not_opened
from evidence_assets.sources.records import UnusableSourceError


def take_folder(made: Path, folder: Path, mark: str) -> bool:
    """Copy a folder, unless what it is copied to is whole; tell whether that is whole now.

    `mark`: the file that says of either that it is whole, which is copied last.

    Raises:
        UnusableSourceError: links lead from one of its files out of the places that may be read.
    """
    if not (folder / mark).exists() and (made / mark).exists():
        folder.mkdir(parents=True, exist_ok=True)
        for path in sorted(made.iterdir(), key=lambda path: path.name == mark):
            check_openable(path)
            shutil.copyfile(path, folder / path.name)
        remove_checkpoint(folder)
    return (folder / mark).exists()


def check_openable(path: Path) -> None:
    """Check that a file that a folder led to may be read.

    Raises:
        UnusableSourceError: links lead from it out of the places that may be read.
    """
    if reason := why_not_opened(str(path)):
        raise UnusableSourceError(str(path), "the whole file", reason, INSTEAD)
