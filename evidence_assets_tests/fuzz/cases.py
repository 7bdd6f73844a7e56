"""One case: a sample with its files damaged, read in a folder of its own, and what must hold of it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random

from evidence_assets.sources.records import UnusableSourceError
from evidence_assets_tests.fuzz.damage import damaged
from evidence_assets_tests.fuzz.samples import Sample
from evidence_assets_tests.fuzz.targets import Target
from evidence_assets_tests.fuzz.watching import watched

SECRET = "nobody-may-read-this"


@dataclass(frozen=True)
class Outcome:
    """How many rows were stored and rejected, and why the whole source was refused, if it was."""

    stored: int = 0
    rejected: int = 0
    refused: str = ""


def good_files(sample: Sample) -> dict[str, bytes]:
    """A sample's files as its publisher writes them."""
    files = {name: content.encode() for name, content in sample.files.items()}
    return files | {name: make(None) for name, make in sample.made.items()}


def damaged_files(rng: Random, sample: Sample) -> dict[str, bytes]:
    """A sample's files, one or two of them damaged or missing; the others are good."""
    files = good_files(sample)
    for name in rng.choices(sorted(files), k=rng.randrange(1, 3)):
        if len(files) > 1 and rng.random() < 0.03:
            files.pop(name, None)
        elif name in sample.made:
            files[name] = sample.made[name](rng)
        elif name in files:
            files[name] = damaged(rng, name, files[name])
    return files


def check(target: Target, files: Mapping[str, bytes], folder: Path) -> Outcome:
    """Read files with a target's reader: all is stored or rejected, or the source refused by name.

    Raises:
        AssertionError: a file outside was opened, something was started, or the refusal cannot be told.
        Exception: any other is the reader's own failure.
    """
    case = folder / "case"
    shutil.rmtree(case, ignore_errors=True)
    case.mkdir(parents=True)
    outside = folder / "outside"
    outside.mkdir(exist_ok=True)
    (outside / "secret.csv").write_text(f"name,word\n{SECRET},x\n", encoding="utf-8")
    for name, content in files.items():
        path = case / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    with watched(case) as seen:
        try:
            outcome = Outcome(*target.read(os.fspath(case / target.sample.opened)))
        except UnusableSourceError as error:
            assert error.reason.strip(), error
            assert error.remedy.strip(), error
            str(error).encode("utf-8")
            outcome = Outcome(refused=str(error))
        assert not seen, f"outside of its folder: {seen}"
    return outcome
