"""Words are read as none that only sound alike, and of several no more is said than of each."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.table import Table
from evidence_assets_tests.testing.program_verdicts import decided

RACE = make_table(
    "race",
    "Marathon",
    [["Place", "Runner", "Country", "Time"]],
    [
        ["1", "Ada Berg", "Norway", "2:20:10"],
        ["2", "Bea Roth", "Germany", "2:24:00"],
        ["3", "Cia Long", "Finland", "2:30:30"],
        ["4", "Dora Wall", "Poland", "2:31:00"],
    ],
)
H = make_table(
    "h",
    "Heat",
    [["Rank", "Name", "Country", "Time", "Notes"]],
    [
        ["1", "Ada Berg", "Norway", "20.10", "Q"],
        ["2", "Bea Roth", "Germany", "20.40", "Q, PB"],
        ["3", "Cia Long", "France", "20.90", "SB"],
        ["4", "Dora Wall", "Italy", "21.40", ""],
        ["", "Eva Stone", "Norway", "", "DNF"],
    ],
)
M = make_table(
    "m",
    "Mountains of Marrow",
    [["Mountain", "Height (m)", "Part", "Prominence (m)", "First ascent"]],
    [
        ["Alder", "4200", "North", "900", "1901"],
        ["Birch", "3900", "South", "1200", "1920"],
        ["Cedar", "3500", "North", "300", "1933"],
        ["Doon", "3100", "East", "800", "1888"],
    ],
)
L = make_table(
    "l",
    "Countries",
    [["Country", "Language", "Population (millions)"]],
    [
        ["Germany", "German", "83"],
        ["Austria", "German", "9"],
        ["Portugal", "Portuguese", "10"],
        ["Brazil", "Portuguese", "210"],
        ["France", "French", "68"],
    ],
)
D = make_table(
    "d",
    "Drivers",
    [["Driver", "Country", "Poles", "Wins"]],
    [
        ["Jan Kos", "Poland", "4", "3"],
        ["Ada Berg", "Spain", "6", "2"],
        ["Ola Rud", "Italy", "0", "1"],
    ],
)
A = make_table(
    "a",
    "Awards of Blue",
    [["Year", "Award", "Nominee", "Result"]],
    [
        ["2001", "City Prize", "Blue", "Won"],
        ["2002", "Gold Star", "Blue", "Nominated"],
        ["2003", "City Prize", "Moon", "Nominated"],
        ["2004", "Gold Star", "Moon", "Won"],
    ],
)
BR = make_table(
    "br",
    "Bridges",
    [["Bridge", "Architect", "Notes"]],
    [
        ["Alder", "Una Moss", "Closed"],
        ["Birch", "", ""],
        ["Cedar", "Ola Krog", "Repaired"],
        ["Doon", "Una Moss", ""],
    ],
)
SG = make_table(
    "sg",
    "Songs",
    [["Song", "Artist", "Year", "Label", "Peak chart position"]],
    [
        ["Rain", "Ada", "2001", "Norton", "3"],
        ["Fire", "Ada", "2002", "Norton", "1"],
        ["Wind", "Bea", "2003", "Alto", "7"],
        ["Star", "Ada", "2004", "Alto", "9"],
    ],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Ada Berg finished first.", True),
        ("Bea Roth finished second.", True),
        ("Dora Wall finished third.", False),
        ("The Finn came third.", True),
    ],
)
def test_who_finished_is_no_finn(claim: str, truth: bool | None) -> None:
    assert decided(claim, RACE) is truth


@pytest.mark.parametrize(
    ("table", "claim", "truth"),
    [
        (H, "The three fastest qualified.", False),
        (H, "The two fastest qualified.", True),
        (H, "The two fastest are German.", False),
        (H, "The three fastest came from Norway.", False),
        (M, "The three highest are taller than 3800.", False),
        (M, "The three highest are taller than 3400.", True),
        (M, "The two lowest are in the East.", False),
        (M, "Alder and Birch are the two highest.", True),
        (M, "Alder and Cedar are the two highest.", False),
        (M, "Birch is among the two highest mountains.", True),
    ],
)
def test_what_is_said_of_so_many_at_the_top_is_said_of_each(
    table: Table, claim: str, truth: bool | None
) -> None:
    assert decided(claim, table) is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("One Norwegian did not finish.", True),
        ("Ada Berg's personal best was 20.10.", None),
        ("Ada Berg missed out on a personal best.", None),
        ("Ada Berg failed to finish first.", False),
        ("Only Eva Stone failed to finish.", True),
        ("Four swimmers finished.", True),
    ],
)
def test_marks_are_read_of_who_has_them_alone(claim: str, truth: bool | None) -> None:
    assert decided(claim, H) is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("No mountain above Cedar is in the South.", False),
        ("No mountain above Cedar is in the East.", True),
    ],
)
def test_rows_above_another_stand_above_it_in_the_table(claim: str, truth: bool | None) -> None:
    assert decided(claim, M) is truth


@pytest.mark.parametrize(
    ("table", "claim", "truth"),
    [
        (L, "Every Portuguese-speaking country has fewer than 20 million people.", False),
        (L, "Portuguese is spoken in two countries.", True),
        (L, "French is spoken in three countries.", False),
        (D, "Ada Berg had the most poles.", True),
        (D, "The Spaniard had the most poles.", True),
    ],
)
def test_what_is_spoken_is_no_country(table: Table, claim: str, truth: bool | None) -> None:
    assert decided(claim, table) is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Moon picked up a Gold Star.", True),
        ("Blue picked up a Gold Star.", False),
    ],
)
def test_an_award_is_won_by_who_took_it(claim: str, truth: bool | None) -> None:
    assert decided(claim, A) is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("All bridges with notes have an architect.", True),
        ("All bridges without notes have an architect.", False),
    ],
)
def test_rows_with_something_are_those_that_have_it(claim: str, truth: bool | None) -> None:
    assert decided(claim, BR) is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Ada's only song was Rain.", False),
        ("Bea's only song was Wind.", True),
    ],
)
def test_somebodys_only_one_is_the_only_one_of_theirs(claim: str, truth: bool | None) -> None:
    assert decided(claim, SG) is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Rain peaked higher than Fire.", False),
        ("Fire peaked higher than Rain.", True),
    ],
)
def test_what_peaked_higher_has_the_lower_number(claim: str, truth: bool | None) -> None:
    assert decided(claim, SG) is truth
