"""How far a number may be off what a claim tells of it behind `about`, `nearly` and the like."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs import verify
from evidence_assets.tables.programs.wording.tolerances import EXACT, Tolerance, told_about

LIFTS = make_table(
    "lifts",
    "Ski lifts of the valley",
    [["Lift", "Length (m)", "Riders 2022", "Riders 2023"]],
    [
        ["Hirsch", "1,840", "41,000", "80,000"],
        ["Gams", "620", "20,000", "9,700"],
        ["Fuchs", "3,950", "60,000", "61,000"],
    ],
)


@pytest.mark.parametrize(
    ("words", "tolerance", "count"),
    [
        ("about 50", Tolerance(2.5, 2.5), 1),
        ("nearly 50", Tolerance(5.0, 0.0), 1),
        ("close to 50", Tolerance(2.5, 2.5), 2),
        ("some £ 50", Tolerance(2.5, 2.5), 1),
        ("than 50", EXACT, 0),
    ],
)
def test_words_before_a_number_say_that_it_is_rounded(words: str, tolerance: Tolerance, count: int) -> None:
    texts = words.split()
    assert told_about(texts, len(texts) - 1, 50.0) == (
        tolerance,
        tuple(range(count)),
    )


@pytest.mark.parametrize(
    ("claim", "right"),
    [
        ("Riders of Hirsch nearly doubled from 2022 to 2023.", True),
        ("Riders of Gams fell by almost half from 2022 to 2023.", False),
        ("Riders of Gams fell by roughly half from 2022 to 2023.", True),
        ("Riders of Fuchs rose by about half from 2022 to 2023.", False),
        ("Hirsch is about three times as long as Gams.", True),
        ("Hirsch is about twice as long as Gams.", False),
        ("Hirsch is three times as long as Gams.", True),
        ("Fuchs is about six times as long as Gams.", True),
        ("Fuchs is seven times as long as Gams.", False),
        ("The Fuchs lift is almost four kilometres long.", True),
        ("The Hirsch lift is nearly three kilometres long.", False),
        ("The difference in length between Hirsch and Gams is about 1,200 m.", True),
        ("The difference in length between Hirsch and Gams is about 1,500 m.", False),
    ],
)
def test_one_rule_says_how_far_off_a_number_may_be(claim: str, right: bool) -> None:
    assert verify(claim, LIFTS).supported is right
