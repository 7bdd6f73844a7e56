"""People and things are called after the country that a cell names."""

from __future__ import annotations

import pytest

from evidence_assets_tests.testing.claimed_tables import HEAT
from evidence_assets_tests.testing.program_verdicts import decided


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("The Dane did not qualify.", True),
        ("The Frenchwoman did not advance.", True),
        ("The American finished.", False),
        ("The Irish swimmer qualified.", True),
    ],
)
def test_somebody_is_called_after_the_country_of_their_row(claim: str, truth: bool) -> None:
    assert decided(claim, HEAT) is truth
