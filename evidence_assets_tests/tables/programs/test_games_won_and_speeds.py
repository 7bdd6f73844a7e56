"""How many games teams won, by how many more than others, and what is faster by how long it took."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.table import Table
from evidence_assets_tests.testing.program_verdicts import decided

LEAGUE = make_table(
    "t",
    "League",
    [["Team", "Played", "Won", "Drawn", "Lost", "Goals for", "Goals against", "Points"]],
    [
        ["Reds", "10", "7", "2", "1", "22", "9", "23"],
        ["Blues", "10", "6", "1", "3", "18", "12", "19"],
        ["Greens", "10", "4", "4", "2", "15", "11", "16"],
        ["Whites", "10", "2", "1", "7", "20", "21", "7"],
    ],
)
TRAINS = make_table(
    "t",
    "Trains",
    [["Train", "Stops", "Duration (min)"]],
    [["RE 1", "7", "60"], ["IC 20", "3", "45"], ["RB 7", "9", "90"]],
)
HEATS = make_table(
    "t",
    "Heats",
    [["Athlete", "100 m (s)", "Weight (kg)"]],
    [["Arvid Holm", "11.2", "80"], ["Ben Okoro", "10.9", "75"], ["Carl Weiss", "11.5", "70"]],
)
GESTATION = make_table(
    "t",
    "Mammals",
    [["Mammal", "Gestation (days)"]],
    [["Horse", "336"], ["Grey wolf", "63"], ["Lion", "110"]],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Three teams won more than three games.", True),
        ("Three teams won at least four games.", True),
        ("All teams won at least three games.", False),
        ("Every team lost at least one game.", True),
        ("Nobody won more than seven games.", True),
    ],
)
def test_games_that_a_column_counts_are_no_rows(claim: str, truth: bool) -> None:
    assert decided(claim, LEAGUE) is truth


@pytest.mark.parametrize(
    ("table", "claim", "truth"),
    [
        (LEAGUE, "The Greens won two games more than the Whites.", True),
        (LEAGUE, "The Greens won three games more than the Whites.", False),
        (LEAGUE, "The Reds scored four goals more than the Blues.", True),
        pytest.param(
            LEAGUE, "The Whites have a better goal difference than the Greens.", None, id="no side of it"
        ),
        (HEATS, "Ben Okoro weighs 5 kg less than Arvid Holm.", True),
        pytest.param(HEATS, "Ben Okoro weighs 5 m less than Arvid Holm.", None, id="metres of a weight"),
        (HEATS, "Ben Okoro ran the 100 m faster than Arvid Holm.", True),
    ],
)
def test_a_difference_is_told_before_a_noun_and_in_units_of_the_column(
    table: Table, claim: str, truth: bool | None
) -> None:
    assert decided(claim, table) is truth


@pytest.mark.parametrize(
    ("table", "claim", "truth"),
    [
        (TRAINS, "The IC 20 is faster than the RE 1.", True),
        (TRAINS, "The IC 20 is the fastest.", True),
        (TRAINS, "The RB 7 is the slowest train.", True),
        (HEATS, "Carl Weiss was the slowest.", True),
        pytest.param(GESTATION, "A horse runs faster than a grey wolf.", None, id="days tell no speed"),
    ],
)
def test_what_took_less_time_was_faster(table: Table, claim: str, truth: bool | None) -> None:
    assert decided(claim, table) is truth
