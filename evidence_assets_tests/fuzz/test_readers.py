"""Every reader of sources on damaged files: each record stored or rejected with a reason, nothing else."""

from __future__ import annotations

import os
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from evidence_assets_tests.fuzz.cases import check, damaged_files
from evidence_assets_tests.fuzz.targets import TARGETS, Target
from evidence_assets_tests.testing.profiles import examples

# `EVIDENCE_FUZZ_EXAMPLES=10000 EVIDENCE_HYPOTHESIS=thorough` for a long run.
EXAMPLES = int(os.environ.get("EVIDENCE_FUZZ_EXAMPLES", "100"))


@pytest.fixture(params=sorted(TARGETS))
def target(request: pytest.FixtureRequest) -> Target:
    return TARGETS[request.param]


def test_a_good_sample_is_read_whole(target: Target, tmp_path: Path) -> None:
    files = {name: content.encode() for name, content in target.sample.files.items()}
    files |= {name: make(None) for name, make in target.sample.made.items()}
    outcome = check(target, files, tmp_path)
    assert outcome.refused == ""
    assert outcome.stored


@given(rng=st.randoms(use_true_random=False))
@examples(EXAMPLES, fast=4, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_damaged_files_are_read_or_rejected(target: Target, tmp_path: Path, rng: Random) -> None:
    check(target, damaged_files(rng, target.sample), tmp_path)
