"""Claims that name rows by their rank, and what they set beside each other: points, ties, multiples."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs import verify
from evidence_assets_tests.testing.program_verdicts import verdicts

SHOW = make_table(
    "show",
    "Results of a loaf show",
    [["Place", "Baker", "Crumb", "Crust", "Total"]],
    [
        ["1", "Edda", "9", "8", "17"],
        ["2=", "Tom", "7", "9", "16"],
        ["2=", "Josie", "8", "8", "16"],
        ["4", "Nils", "6", "7", "13"],
    ],
)
CHANNELS = make_table(
    "channels",
    "Shares of viewing (Kanal 7 began in 2008)",
    [["Channel", "Share", "Staff"]],
    [["VTV 2", "9.0", "120"], ["Kanal 7", "9.3", "60"], ["Nova", "18.2", "240"]],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("The winner finished four points ahead of the last-placed baker.", True),
        ("The winner finished five points ahead of the last-placed baker.", False),
        ("Tom scored higher for crust than the winner did.", True),
        ("Nils scored higher for crust than the winner did.", False),
        ("Tom and Josie finished level on 16 points.", True),
        ("Tom and Josie finished level on 17 points.", False),
        ("Edda and Josie finished level on 17 points.", False),
    ],
)
def test_a_rank_names_its_row(claim: str, truth: bool) -> None:
    assert verify(claim, SHOW).supported is truth


def test_a_rank_that_the_table_lacks_names_no_row() -> None:
    assert not verify("The winner has a larger share than Nova.", CHANNELS).decides


@pytest.mark.parametrize(
    ("claim", "kind", "truth"),
    [
        ("Kanal 7 had a larger share than VTV 2.", "comparison", True),
        ("Kanal 7 had a smaller share than VTV 2.", "comparison", False),
        ("Nova has twice the staff of VTV 2.", "ratio", True),
        ("Nova has three times the staff of VTV 2.", "ratio", False),
        ("The staff of Nova is more than three times that of Kanal 7.", "ratio", True),
        ("Kanal 7 has half the staff of VTV 2.", "ratio", True),
        ("More staff work at Nova than at any other channel.", "comparison with all", True),
        ("More staff work at VTV 2 than at any other channel.", "comparison with all", False),
    ],
)
def test_a_number_of_a_name_is_no_amount(claim: str, kind: str, truth: bool) -> None:
    assert verdicts(CHANNELS, claim, kind) == {truth}
