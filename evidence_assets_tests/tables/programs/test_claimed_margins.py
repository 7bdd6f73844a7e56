"""Comparisons that tell by how much: exactly so, or by more or less than it."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets_tests.testing.program_verdicts import verdicts

MILLS = make_table(
    "mills",
    "Mills of a county",
    [["Mill", "Flour", "Workers"]],
    [["Ash", "400", "20"], ["Birk", "100", "16"], ["Cole", "90", "40"]],
)


@pytest.mark.parametrize(
    ("claim", "kind", "truth"),
    [
        ("Ash mills 4 times more flour than Birk.", "ratio", True),
        ("Ash mills 3 times more flour than Birk.", "ratio", False),
        ("Ash mills more than 3 times more flour than Birk.", "ratio", True),
        ("Ash mills more than 5 times more flour than Birk.", "ratio", False),
        ("Birk mills 4 times less flour than Ash.", "ratio", True),
        ("Birk mills at least 5 times less flour than Ash.", "ratio", False),
        ("Ash has 25 % more workers than Birk.", "percent change", True),
        ("Ash has more than 20 % more workers than Birk.", "percent change", True),
        ("Ash has more than 30 % more workers than Birk.", "percent change", False),
        ("Ash has less than 30 % more workers than Birk.", "percent change", True),
        ("Birk has more than 15 % fewer workers than Ash.", "percent change", True),
        ("Birk has more than 25 % fewer workers than Ash.", "percent change", False),
        ("Ash has more workers than Birk by at least 4.", "difference", True),
        ("Ash has more workers than Birk by more than 4.", "difference", False),
        ("Ash mills more flour than Birk by about 310.", "difference", True),
        ("Ash mills more flour than Birk by nearly 400.", "difference", False),
    ],
)
def test_a_margin_is_bounded_as_its_words_say(claim: str, kind: str, truth: bool) -> None:
    assert verdicts(MILLS, claim, kind) == {truth}


def test_a_margin_to_what_the_table_lacks_has_no_reading() -> None:
    assert not verdicts(MILLS, "Ash mills more than 3 times more flour than Dorn.", "ratio")
