"""Extremes of which each is of its clause, leads told with a standing, rounded counts, and what rows have."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.table import Table
from evidence_assets_tests.testing.program_verdicts import decided

TAXIS = make_table(
    "taxis",
    "Taxi fares",
    [["City", "Base fare", "Per km", "Licensed taxis"]],
    [
        ["Lorne", "€3.50", "€1.80", "1,240"],
        ["Pell", "€4.20", "€2.10", "860"],
        ["Ostrand", "€2.90", "€1.45", "2,310"],
        ["Quay", "€3.50", "€2.30", "310"],
    ],
)
QUIZ = make_table(
    "quiz",
    "Pub quiz league, final table",
    [["Rank", "Team", "Won", "Drawn", "Lost", "Points"]],
    [
        ["1", "Quizzly Bears", "11", "2", "1", "24"],
        ["2", "Norfolk Enchants", "10", "1", "3", "21"],
        ["3", "Agatha Quiztie", "8", "1", "5", "17"],
        ["4", "Red Lions", "3", "4", "7", "10"],
    ],
)
LIFEBOATS = make_table(
    "lifeboats",
    "Lifeboat stations in 2021",
    [["Station", "Boat", "Top speed", "Crew", "Launches", "Rescued"]],
    [
        ["Penhale", "Grace Amory", "25 knots", "7", "48", "31"],
        ["Skerry Point", "Island Pride", "17 knots", "6", "22", "9"],
        ["Wrayburn", "Lady Ruth", "35 knots", "4", "71", "54"],
    ],
)
BATTERIES = make_table(
    "batteries",
    "Battery makers, annual output in GWh",
    [["Maker", "2018", "2019", "2020", "Market share 2020"]],
    [
        ["Voltara", "22", "29", "34", "24 %"],
        ["Xinhe", "19", "32", "51", "36 %"],
        ["Amperion", "9", "8", "11", "8 %"],
    ],
)
PAPERS = make_table(
    "papers",
    "Daily newspapers of Corland",
    [["Newspaper", "City", "Founded", "Price"]],
    [
        ["Morning Herald", "Aldmouth", "1851", "€2.20"],
        ["Evening Post", "Aldmouth", "1902", "€1.60"],
        ["Daily Mercury", "Brayford", "1966", "€1.20"],
    ],
)


TIMBER = make_table(
    "timber",
    "Timber prices per cubic metre, in euros",
    [["Timber", "2020", "2021", "2022", "2023"]],
    [
        ["Spruce", "210", "385", "330", "240"],
        ["Larch", "340", "460", "450", "410"],
        ["Oak", "720", "790", "860", "905"],
    ],
)
TOMATOES = make_table(
    "tomatoes",
    "Greenhouse trial of tomatoes",
    [["Variety", "Yield (kg)", "Days to harvest"]],
    [["Ambra", "212", "68"], ["Bellina", "188", "61"], ["Corso", "230", "74"], ["Dolce", "165", "63"]],
)
RUN = make_table(
    "run",
    "Harbour run 2022, women",
    [["Place", "Runner", "Age", "Time"]],
    [
        ["1", "Ida Noor", "31", "1:14:22"],
        ["2", "Mae Falk", "27", "1:14:50"],
        ["3", "Lise Brun", "38", "1:16:05"],
    ],
)


@pytest.mark.parametrize(
    ("table", "claim", "truth"),
    [
        (TIMBER, "The price of larch was lowest in 2020 and highest in 2021.", True),
        (TIMBER, "The price of larch was lowest in 2021 and highest in 2020.", False),
        (TIMBER, "Oak's price was highest in 2023.", True),
        (TIMBER, "Larch's price was highest in 2023.", False),
        (TIMBER, "Spruce was the cheapest in 2021.", True),
        (TIMBER, "Oak cost more than three times as much as spruce in 2020.", True),
        (TIMBER, "Oak cost more than three times as much as larch in 2020.", False),
    ],
)
def test_what_a_row_has_is_highest_among_the_years(table: Table, claim: str, truth: bool) -> None:
    assert decided(claim, table) is truth


@pytest.mark.parametrize(
    ("table", "claim", "truth"),
    [
        (TOMATOES, "Bellina was harvested a week earlier than Ambra.", True),
        (TOMATOES, "Corso was harvested a week later than Dolce.", False),
        (TOMATOES, "Two varieties yielded less than 200 kg each.", True),
        (TOMATOES, "Three varieties yielded less than 200 kg each.", False),
        (RUN, "The winner was four years older than the runner-up.", True),
        (RUN, "The winner was six years older than the runner-up.", False),
        (RUN, "The third-placed runner was 38.", True),
    ],
)
def test_amounts_are_told_in_the_units_of_their_column(table: Table, claim: str, truth: bool) -> None:
    assert decided(claim, table) is truth


@pytest.mark.parametrize(
    ("table", "claim"),
    [
        (RUN, "Two runners finished in under 1:15:00."),
        (TOMATOES, "Bellina was the first to be harvested."),
    ],
)
def test_a_time_is_no_age_and_a_first_no_number(table: Table, claim: str) -> None:
    assert decided(claim, table) is not False


@pytest.mark.parametrize(
    ("table", "claim", "truth"),
    [
        (TAXIS, "The base fare is lowest in Ostrand and highest in Pell.", True),
        (TAXIS, "The base fare is lowest in Pell and highest in Ostrand.", False),
        (BATTERIES, "Voltara was the largest maker in 2018 and the second-largest in 2020.", True),
        (BATTERIES, "Voltara was the largest maker in 2018 and the largest in 2020.", False),
        (LIFEBOATS, "The station with the smallest crew rescued the most people.", True),
        (LIFEBOATS, "The fastest boat rescued the fewest people.", False),
        (TAXIS, "The city with the most licensed taxis has the lowest base fare.", True),
    ],
)
def test_each_extreme_is_of_what_its_clause_says(table: Table, claim: str, truth: bool) -> None:
    assert decided(claim, table) is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("The Quizzly Bears won the league by three points.", True),
        ("The Quizzly Bears won the league by four points.", False),
        ("The Quizzly Bears won the league by more than two points.", True),
        ("The Norfolk Enchants won the league by three points.", False),
    ],
)
def test_a_lead_is_told_with_a_standing(claim: str, truth: bool) -> None:
    assert decided(claim, QUIZ) is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [("The winners lost one match.", True), ("The winners drew three matches.", False)],
)
def test_the_winners_are_a_row_beside_a_column_of_what_was_won(claim: str, truth: bool) -> None:
    assert decided(claim, QUIZ) is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Penhale had almost 50 launches.", True),
        ("Penhale had about 50 launches.", True),
        ("Wrayburn had almost 70 launches.", False),
        ("Penhale had about 60 launches.", False),
    ],
)
def test_a_rounded_count_is_of_the_column_that_is_named(claim: str, truth: bool) -> None:
    assert decided(claim, LIFEBOATS) is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Amperion never produced more than 11 GWh.", True),
        ("Xinhe made more than Amperion every year.", True),
        ("Xinhe made more than Voltara every year.", False),
    ],
)
def test_years_alone_are_a_series_beside_a_year_of_something_else(claim: str, truth: bool) -> None:
    assert decided(claim, BATTERIES) is truth


@pytest.mark.parametrize(
    ("table", "claim"),
    [
        (BATTERIES, "Voltara's profit was highest in 2020."),
        (BATTERIES, "Xinhe's profit was highest in 2020."),
        (TAXIS, "Ostrand's drivers are the cheapest."),
        (PAPERS, "The Daily Mercury has the youngest readers."),
        (TAXIS, "A ride of 10 km costs less in Lorne than in Quay."),
    ],
)
def test_what_no_column_tells_of_a_row_is_left_undecided(table: Table, claim: str) -> None:
    assert decided(claim, table) is None
