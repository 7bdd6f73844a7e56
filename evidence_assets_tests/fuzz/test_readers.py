"""Every reader of sources on damaged files: each record stored or rejected with a reason, nothing else."""

from __future__ import annotations

import os
from collections.abc import Collection
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from evidence_assets.sources.articles import registry as articles
from evidence_assets.sources.graphs import registry as graphs
from evidence_assets.sources.questions.registry import BENCHMARKS
from evidence_assets.sources.tables import registry as tables
from evidence_assets_tests.fuzz.cases import check, damaged_files, good_files
from evidence_assets_tests.fuzz.targets import TARGETS, Target
from evidence_assets_tests.testing.profiles import examples

# `EVIDENCE_FUZZ_EXAMPLES=10000 EVIDENCE_HYPOTHESIS=exploring` for a long run.
EXAMPLES = int(os.environ.get("EVIDENCE_FUZZ_EXAMPLES", "100"))


@pytest.fixture(params=sorted(TARGETS))
def target(request: pytest.FixtureRequest) -> Target:
    return TARGETS[request.param]


@pytest.mark.parametrize(
    ("kind", "readers"),
    [
        ("articles", articles.READERS),
        ("graphs", graphs.READERS),
        ("questions", BENCHMARKS),
    ],
)
def test_every_reader_is_searched(kind: str, readers: Collection[str]) -> None:
    """One without a sample is one that damaged files may crash."""
    names = (name.removeprefix(f"{kind} ") for name in TARGETS if name.startswith(f"{kind} "))
    assert {name.partition(" (")[0] for name in names} == set(readers)


def test_every_reader_of_tables_is_searched() -> None:
    endings = {Path(target.sample.opened).suffix for name, target in TARGETS.items() if "tables " in name}
    assert {tables.READERS.get(ending) for ending in endings} >= set(tables.READERS.values())


def test_a_good_sample_is_read_whole(target: Target, tmp_path: Path) -> None:
    outcome = check(target, good_files(target.sample), tmp_path)
    assert outcome.refused == ""
    assert outcome.stored


@given(rng=st.randoms(use_true_random=False))
@examples(EXAMPLES, fast=4, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_damaged_files_are_read_or_rejected(target: Target, tmp_path: Path, rng: Random) -> None:
    check(target, damaged_files(rng, target.sample), tmp_path)
