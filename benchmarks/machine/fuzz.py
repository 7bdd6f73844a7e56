"""Readers of sources on damaged files: how many were read, rejected and refused, and what failed otherwise.

    python -m benchmarks fuzz
    python -m benchmarks.fuzz [--examples 10000] [--seed 7] [reader ...]

The second prints the result, the first keeps it for docs/results.md. Each example is a good sample of a
format with one or two of its files damaged (`evidence_assets_tests/fuzz`), read and stored as rows. Whatever
is no refusal by name counts as a failure: other errors, files opened outside, more than 30 seconds.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.command import main
from evidence_assets_tests.fuzz.cases import check, damaged_files
from evidence_assets_tests.fuzz.targets import TARGETS, Target


def run(examples: int = 10_000, seed: int = 7, names: Sequence[str] = ()) -> dict[str, Any]:
    """Return how many examples of each reader ended how, and every kind of failure with its seed."""
    folder = Path(tempfile.mkdtemp(prefix="fuzz"))
    readers: dict[str, dict[str, int]] = {}
    failures: dict[str, str] = {}
    for name in names or TARGETS:
        began, ended = time.monotonic(), Counter[str]()
        for number in range(examples):
            ended[_ended(TARGETS[name], f"{name} {seed} {number}", folder, failures)] += 1
        readers[name] = dict(sorted(ended.items()))
        print(f"{name}: {readers[name]}, {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)
    return {
        "examples_a_reader": examples,
        "seed": seed,
        "readers": readers,
        "examples": sum(sum(ended.values()) for ended in readers.values()),
        "failures": failures,
        "bound": "every example is stored, rejected or refused by name",
        "within_bound": not failures,
    }


def _ended(target: Target, seed: str, folder: Path, failures: dict[str, str]) -> str:
    try:
        outcome = check(target, damaged_files(Random(seed), target.sample), folder)
    # Whatever a reader fails with is what is looked for.
    except Exception as error:
        failures.setdefault(f"{target.name}: {type(error).__name__}: {error!a:.200}", seed)
        return "failed"
    if outcome.refused:
        return "refused"
    return "rejected" if outcome.rejected else "stored" if outcome.stored else "empty"


if __name__ == "__main__":
    sys.exit(main(run, names=TARGETS))
