"""Whether a node relevance tells nodes apart."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import pearsonr

from evidence_assets.systems.ugat_medqa.diagnostics import (
    RelevanceDiagnostics,
    is_collapsed,
    relevance_diagnostics,
    seed_correlation,
)


def test_they_are_what_they_are_called() -> None:
    random = np.random.default_rng(0)
    scores = random.uniform(size=50)
    cosines = scores + random.normal(size=50)
    diagnostics = relevance_diagnostics(scores, cosines.astype(np.float32), scores > 0.5)
    assert diagnostics.spread == pytest.approx(np.std(scores))
    assert diagnostics.kept_share == np.count_nonzero(scores > 0.5) / 50
    assert diagnostics.mean_score == pytest.approx(sum(scores) / 50)
    assert diagnostics.cosine_correlation == pytest.approx(pearsonr(scores, cosines).statistic, abs=1e-6)
    assert seed_correlation(scores, cosines) == pytest.approx(pearsonr(scores, cosines).statistic)


@pytest.mark.parametrize("constant", [0.0, 0.1, 1 / 3])
def test_what_does_not_vary_correlates_with_nothing(constant: float) -> None:
    equal, varied = np.full(7, constant), np.arange(7.0)
    assert seed_correlation(equal, varied) == seed_correlation(varied, equal) == 0
    assert relevance_diagnostics(varied, equal, varied > 3).cosine_correlation == 0
    assert seed_correlation(varied, -2 * varied) == pytest.approx(-1)


def test_no_nodes_have_diagnostics() -> None:
    none = np.zeros(0)
    diagnostics = relevance_diagnostics(none, none, np.zeros(0, dtype=bool))
    assert diagnostics == RelevanceDiagnostics(0, 0, 0, 0)
    assert is_collapsed(diagnostics)
    assert seed_correlation(none, none) == 0


@pytest.mark.parametrize(
    ("spread", "kept_share", "expected"),
    [(0.2, 0.5, False), (0.01, 0.95, False), (0.0099, 0.5, True), (0.2, 0.96, True), (0.2, 0.0, False)],
)
def test_a_collapse_is_one_score_or_no_filter(spread: float, kept_share: float, expected: bool) -> None:
    assert is_collapsed(RelevanceDiagnostics(spread, kept_share, 0.0, 0.5)) is expected


def test_lengths_that_differ_are_refused() -> None:
    four, five = np.arange(4.0), np.arange(5.0)
    with pytest.raises(ValueError, match="not of one length"):
        relevance_diagnostics(four, five, four > 2)
    with pytest.raises(ValueError, match="not of one length"):
        seed_correlation(four, five)
