"""Confidence in verdicts is fitted on claims as they were read when these were opened."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.tables.claim_confidence import WHEN_BLIND, verdicts_on
from benchmarks.tables.table_reliability import crossed, read_verdicts, weighed
from benchmarks.tables.table_verification import SURE, calibration_error
from evidence_assets.reading.log_linear import weights_of
from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs.verdicts.reliability import CONFIDENCES, confidence
from evidence_assets.tables.programs.verdicts.verification import verify

OPENED = read_verdicts(WHEN_BLIND)
FEATURES = {"verdict": 1.0, "odds": 2.0, "denies": 0.0, "tokens": 0.5, "rows": 0.8}


def test_the_kept_weights_are_those_of_the_record() -> None:
    stored_weights = weights_of(CONFIDENCES)
    for name, weight in weighed(OPENED.values()).items():
        assert stored_weights.get(name, 0.0) == pytest.approx(weight, abs=1e-3)
    assert sum(map(len, OPENED.values())) > 800


def test_of_authors_who_had_no_part_in_it_confidence_is_near_to_accuracy() -> None:
    decided = crossed(OPENED)
    programs = [
        (1 / (1 + np.exp(-features["odds"])), right) for part in OPENED.values() for features, right in part
    ]
    assert calibration_error(decided) < 0.05 < calibration_error(programs)
    assert np.mean([right for share, right in decided if share >= SURE]) > 0.85


@pytest.mark.parametrize(("feature", "other"), [("denies", 1.0), ("tokens", 1.5), ("rows", 1.5)])
def test_what_denies_is_long_or_of_a_large_table_is_less_sure(feature: str, other: float) -> None:
    assert confidence(FEATURES | {feature: other}) < confidence(FEATURES)
    assert confidence(FEATURES | {"odds": 0.0}) < confidence(FEATURES)


def test_a_verdict_tells_this_confidence() -> None:
    table = make_table("rivers", "", [["River", "Length (km)"]], [["Elbe", "1094"], ["Oder", "866"]])
    plain, denied = verify("The Elbe is 1094 km long.", table), verify("The Elbe is not 1094 km long.", table)
    assert 0.5 < denied.confidence < plain.confidence < 1.0


@pytest.mark.real_data
@pytest.mark.usefixtures("real_data")
def test_verdicts_are_read_of_an_authors_claims() -> None:
    verdicts = verdicts_on("ninth")
    assert 80 < len(verdicts) <= 168
    assert set(verdicts[0][0]) == set(FEATURES)
