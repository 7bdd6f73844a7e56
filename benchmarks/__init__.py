"""Benchmarks: each prints and records a ratio against a baseline measured in the same run.

A folder is an area; `attention2query/` is a benchmark of several modules. At the top stands what areas share,
beside `authored/` (questions and claims written for this project) and `results/`.
"""

from pathlib import Path


class UnavailableError(Exception):
    """What a benchmark needs is not on this machine: data sets, a GPU, a service. Names it and the remedy."""


PROJECT = Path(__file__).resolve().parents[1]
AREAS = (
    "retrieval",
    "text",
    "medicine",
    "harvest",
    "tables",
    "graphs",
    "language_models",
    "machine",
    "pages",
)
# A benchmark is run by its name, whichever area it is in: `python -m benchmarks.NAME`.
__path__.extend(str(PROJECT / "benchmarks" / area) for area in AREAS)
