"""Who took an award home won it, and was not only nominated."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets_tests.testing.program_verdicts import decided

AWARDS = make_table(
    "awards",
    "Awards of the film Lantern Hill",
    [["Year", "Festival", "Award", "Result"]],
    [
        ["2011", "Osen Film Festival", "Best Animation", "Won"],
        ["2011", "Vik Short Film Days", "Best Script", "Nominated"],
        ["2012", "Milan Film Week", "Best Short", "Nominated"],
        ["2012", "Milan Film Week", "Audience Prize", "Won"],
        ["2013", "Torley Festival", "Grand Prix", "Nominated"],
    ],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("The film took home the Audience Prize in Milan.", True),
        ("The film took home Best Short in Milan.", False),
        ("Lantern Hill picked up the Grand Prix at Torley.", False),
        ("It did not pick up the award for Best Script.", True),
    ],
)
def test_what_was_picked_up_or_taken_home_was_won(claim: str, truth: bool) -> None:
    assert decided(claim, AWARDS) is truth
