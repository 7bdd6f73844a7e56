"""Claims over the quarters of several years: changes, spans, and what was so in each."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets_tests.testing.program_verdicts import decided

QUARTERS = make_table(
    "t",
    "A company",
    [["Quarter", "Revenue (€ million)", "Costs (€ million)", "Employees", "Margin (%)"]],
    [
        ["Q1 2022", "40", "36", "210", "10"],
        ["Q2 2022", "44", "37", "215", "16"],
        ["Q3 2022", "52", "41", "230", "21"],
        ["Q4 2022", "48", "42", "228", "12.5"],
        ["Q1 2023", "60", "45", "240", "25"],
    ],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Revenue rose from Q2 2022 to Q3 2022.", True),
        ("Revenue fell from Q2 2022 to Q3 2022.", False),
        ("Revenue rose from Q3 2022 to Q1 2023.", True),
        ("Revenue rose from Q1 to Q4 2022.", True),
        ("Revenue fell between Q1 and Q4 2022.", False),
        ("Employees dropped between Q3 and Q4 2022.", True),
        ("Revenue rose by 8 million euros from Q2 2022 to Q3 2022.", True),
        ("Revenue rose by 9 million euros from Q2 2022 to Q3 2022.", False),
        ("The margin rose by five percentage points between Q2 and Q3 2022.", True),
        pytest.param("Revenue rose from 44 to 52 million euros.", None, id="whether it rose no cell tells"),
    ],
)
def test_a_change_is_between_quarters_in_their_years(claim: str, truth: bool | None) -> None:
    assert decided(claim, QUARTERS) is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Revenue exceeded 43 million euros in every quarter between Q2 and Q4 2022.", True),
        ("Revenue exceeded 45 million euros in every quarter between Q2 and Q4 2022.", False),
        ("Revenue exceeded 39 million euros in every quarter of 2022.", True),
        ("Every quarter with more than 220 employees had a margin above 12 %.", True),
        ("Revenue exceeded 39 million euros in all quarters.", True),
        ("Revenue exceeded 100 million euros in all quarters.", False),
        ("Revenue came to 244 million euros in all five quarters.", True),
    ],
)
def test_what_was_so_in_every_quarter_was_so_in_each(claim: str, truth: bool) -> None:
    assert decided(claim, QUARTERS) is truth
