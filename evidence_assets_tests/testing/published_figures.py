"""The figures of the papers, as the files of `evaluation/published` hold them."""

from __future__ import annotations

import csv
from importlib.resources import files

Figures = list[dict[str, str]]
_FOLDER = files("evidence_assets.evaluation").joinpath("published")
PUBLISHED = tuple(sorted(file.name[:-4] for file in _FOLDER.iterdir() if file.name.endswith(".csv")))


def figures(name: str) -> Figures:
    """The rows of a file, by its name: `kaping`."""
    return list(csv.DictReader(_FOLDER.joinpath(f"{name}.csv").read_text(encoding="utf-8").splitlines()))
