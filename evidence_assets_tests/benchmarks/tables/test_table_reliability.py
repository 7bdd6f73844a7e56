"""How likely verdicts are right on unknown domains: fitted on domains as they were read when opened."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.tables.table_reliability import (
    ASKED,
    Verdicts,
    crossed,
    least_reliability,
    verdicts_on,
    weighed,
    when_blind,
)
from evidence_assets.reading.log_linear import weights_of
from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs.verdicts.reliability import VERDICTS, reliability


def drawn(seed: int) -> Verdicts:
    """Verdicts that are right as often as the logistic of their odds tells."""
    generator = np.random.default_rng(seed)
    odds = generator.normal(0.5, 2, 400)
    right = generator.random(400) < 1 / (1 + np.exp(-odds))
    return [({"verdict": 1.0, "odds": float(o)}, bool(r)) for o, r in zip(odds, right, strict=True)]


def test_weights_are_those_that_drew_the_verdicts() -> None:
    weights = weighed([drawn(1), drawn(2), drawn(3)])
    assert weights["odds"] == pytest.approx(1.0, abs=0.2)
    assert weights["verdict"] == pytest.approx(0.0, abs=0.3)


def test_from_the_least_reliability_on_enough_are_right() -> None:
    decided = crossed({"one": drawn(4), "two": drawn(5), "three": drawn(6)})
    least = least_reliability(decided)
    confident = [right for share, right in decided if share >= least]
    assert len(confident) > 100
    assert np.mean(confident) >= ASKED


def test_where_too_few_are_right_none_is_decided() -> None:
    assert least_reliability([(0.9, False), (0.8, True), (0.7, False)]) == 1.0


def test_the_kept_weights_are_those_of_the_record() -> None:
    opened = when_blind()
    stored_weights = weights_of(VERDICTS)
    for name, weight in weighed(opened.values()).items():
        assert stored_weights.get(name, 0.0) == pytest.approx(weight, abs=1e-3)
    assert sum(map(len, opened.values())) > 250


def test_sure_verdicts_were_right_as_often_as_was_said_on_domains_that_had_no_part_in_it() -> None:
    sure = [(share, right) for share, right in crossed(when_blind()) if share >= 0.8]
    assert len(sure) >= 10
    assert np.mean([right for _, right in sure]) >= np.mean([share for share, _ in sure])


def test_a_surer_verdict_that_leaves_less_is_likelier_right() -> None:
    features = {"verdict": 1.0, "odds": 2.0, "words left": 0.0, "nothing left": 1.0, "words that carry": 0.5}
    assert reliability(features) > reliability(features | {"odds": 0.0})
    assert reliability(features) > reliability(features | {"words left": 1.0, "nothing left": 0.0})


def test_verdicts_are_read_of_claims_whose_program_speaks_of_them() -> None:
    table = make_table("rivers", "", [["River", "Length (km)"]], [["Elbe", "1094"], ["Oder", "866"]])
    claims = [
        (table, "The Elbe is 1094 km long.", True),
        (table, "The Oder is 1094 km long.", True),
        (table, "Zebras sleep.", None),
    ]
    [(features, right), (_, wrong), *others] = verdicts_on(claims)
    assert (right, wrong) == (True, False)
    assert features["nothing left"] == 1.0
    assert len(others) <= 1
