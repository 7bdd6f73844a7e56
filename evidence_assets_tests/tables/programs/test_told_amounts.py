"""Amounts that claims tell: of differences, of margins, of changes, and of rows among some."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets_tests.testing.program_verdicts import verdicts

CAVES = make_table(
    "caves",
    "Caves of a county",
    [["Cave", "Depth (m)", "Length (km)", "Rock"]],
    [
        ["Raven Hole", "310", "4.2", "limestone"],
        ["Old Drip", "95", "11.5", "limestone"],
        ["Blind Shaft", "420", "1.1", "gypsum"],
        ["Sister Cave", "60", "0.8", "gypsum"],
    ],
)
FIRES = make_table(
    "fires",
    "Fires by season",
    [["Season", "Fires"]],
    [["Spring", "110"], ["Summer", "96"], ["Autumn", "150"]],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("The difference in depth between Raven Hole and Old Drip is at least 200 metres.", True),
        ("The difference in depth between Raven Hole and Old Drip is more than 215 metres.", False),
        ("The difference in depth between Raven Hole and Old Drip is about 210 metres.", True),
        ("The difference in depth between the deepest and the shallowest cave is 360 metres.", True),
        ("The difference in depth between the deepest and the shallowest cave is 420 metres.", False),
    ],
)
def test_a_difference_is_bounded_as_its_words_say(claim: str, truth: bool) -> None:
    assert verdicts(CAVES, claim, "difference") == {truth}


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Blind Shaft is the deepest cave by about 108 metres.", True),
        ("Blind Shaft is the deepest cave by 108 metres.", False),
        ("Blind Shaft is the deepest cave by more than 100 metres.", True),
        ("Blind Shaft is the deepest cave by at least 120 metres.", False),
    ],
)
def test_a_margin_may_be_rounded_or_bounded(claim: str, truth: bool) -> None:
    assert verdicts(CAVES, claim, "superlative by a margin") == {truth}


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Raven Hole is the deepest limestone cave.", True),
        ("Old Drip is the deepest limestone cave.", False),
        ("Blind Shaft is the deepest limestone cave.", False),
        ("Blind Shaft is the deepest cave, followed by Raven Hole.", True),
        ("Blind Shaft is the deepest cave, followed by Old Drip.", False),
        ("Blind Shaft is the deepest cave, ahead of Raven Hole.", True),
    ],
)
def test_an_extreme_is_of_what_stands_behind_it(claim: str, truth: bool) -> None:
    assert verdicts(CAVES, claim, "superlative") == {truth}


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("From spring to summer fires fell by 14.", True),
        ("From spring to summer fires fell by more than 20.", False),
        ("From summer to autumn fires rose by at least 50.", True),
        ("From summer to autumn fires rose by about 56.", True),
        ("From summer to autumn fires rose by 56 %.", True),
        ("From summer to autumn fires rose by a quarter.", False),
    ],
)
def test_a_change_between_rows_is_bounded_as_its_words_say(claim: str, truth: bool) -> None:
    assert verdicts(FIRES, claim, "change") == {truth}
