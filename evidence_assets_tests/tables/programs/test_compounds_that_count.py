"""Compounds before what rows are: `single-axle` counts what a column counts, or says what no table tells."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets_tests.testing.program_verdicts import decided

CARAVANS = make_table(
    "caravans",
    "Pennock touring range for 2024",
    [["Model", "Berths", "Length", "Axles"]],
    [
        ["Lark 2", "2", "4.90 m", "1"],
        ["Lark 4", "4", "5.62 m", "1"],
        ["Heron", "5", "7.10 m", "1"],
        ["Osprey 640", "4", "7.95 m", "2"],
        ["Osprey 660", "6", "8.02 m", "2"],
    ],
)


@pytest.mark.parametrize(
    ("claim", "supported"),
    [
        ("All single-axle models are less than 7.5 m long.", True),
        ("All single-axle models are less than 7 m long.", False),
        ("The Heron is the longest of the single-axle models.", True),
        ("Two of the models are twin-axle models.", True),
        # What a front axle is no column tells.
        ("All front-axle models are less than 7.5 m long.", None),
        ("All front-axle caravans are less than 9 m long.", None),
    ],
)
def test_first_word_of_a_compound_is_read_or_keeps_the_claim_open(claim: str, supported: bool | None) -> None:
    assert decided(claim, CARAVANS) is supported
