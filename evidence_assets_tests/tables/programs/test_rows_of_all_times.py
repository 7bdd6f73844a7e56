"""Rows of a whole year beside its months, and columns of years beside each other."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs import verify
from evidence_assets.tables.programs.index.table_index import index_of

WEATHER = make_table(
    "weather",
    "Weather at the station",
    [["Month", "Highest (°C)", "Mean temperature (°C)", "Rainfall (mm)", "Peak gust (km/h)"]],
    [
        ["May", "22.6", "11.9", "63", "90"],
        ["June", "27.2", "14.3", "58", "81"],
        ["July", "32.9", "17.0", "36", "155"],
        ["August", "30.8", "17.4", "29", "109"],
        ["Season", "32.9", "15.2", "186", "155"],
    ],
)
OIL = make_table(
    "oil",
    "Lavender oil distilled, by parish (kg)",
    [["Parish", "2018", "2019", "2020", "2021", "2022", "2023"]],
    [
        ["Aude", "412", "455", "380", "401", "467", "502"],
        ["Morvane", "230", "214", "198", "240", "251", "236"],
    ],
)


def test_a_row_of_a_whole_time_sums_up_those_of_its_parts() -> None:
    assert index_of(WEATHER).summaries == {4}
    numbers = [["May", "5", "7"], ["June", "6", "8"], ["Season", "40", "15"]]
    assert not index_of(make_table("other", "", [["Month", "A", "B"]], numbers)).summaries


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("May was the wettest month of the season.", True),
        ("June was the wettest month of the season.", False),
        ("The highest rainfall of the season was in May.", True),
        ("Rainfall was above 150 mm over the whole season.", True),
        ("Rainfall was above 200 mm over the whole season.", False),
        ("The peak gust in July was above 40 metres per second.", True),
        ("The peak gust in August was above 40 metres per second.", False),
    ],
)
def test_an_extreme_of_a_whole_time_is_of_its_parts(claim: str, truth: bool) -> None:
    assert verify(claim, WEATHER).supported is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Aude distilled 90 kg more oil in 2023 than five years earlier.", True),
        ("Aude distilled 80 kg more oil in 2023 than five years earlier.", False),
        ("Morvane distilled about 8% more oil in 2019 than in 2020.", True),
        ("Morvane distilled about 18% more oil in 2019 than in 2020.", False),
    ],
)
def test_by_how_much_a_year_is_above_another_is_told_before_the_comparative(claim: str, truth: bool) -> None:
    assert verify(claim, OIL).supported is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Oil distilled in Morvane was highest in 2022.", True),
        ("Oil distilled in Morvane was highest in 2023.", False),
        ("Morvane reached its highest level in 2022.", True),
        ("Aude reached its highest level in 2022.", False),
        ("Aude distilled less oil in 2020 than in any other year.", True),
        ("Aude distilled less oil in 2021 than in any other year.", False),
        ("Morvane did not exceed 250 kg in any of the years from 2018 to 2021.", True),
        ("Morvane did not exceed 250 kg in any year.", False),
        ("Morvane was not below 200 kg in any of the six years.", False),
    ],
)
def test_a_year_is_set_beside_the_others_of_its_row(claim: str, truth: bool) -> None:
    assert verify(claim, OIL).supported is truth


def test_what_two_numbers_of_different_things_are_is_no_difference() -> None:
    assert verify("One farm in Aude distilled more oil in 2023 than in 2022.", OIL).supported is not False


FERRIES = make_table(
    "ferries",
    "Passengers on the ferries (thousands)",
    [["Route", "2019", "2020", "2021"]],
    [
        ["Carrick", "425", "168", "240"],
        ["Port Dray", "241", "97", "131"],
        ["Mull Head", "84", "80", "39"],
        ["Total", "750", "345", "410"],
    ],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("The total number of passengers fell by more than half from 2019 to 2020.", True),
        ("The total number of passengers fell by more than half from 2019 to 2021.", False),
        ("The total number of passengers was above 400 thousand in 2021.", True),
    ],
)
def test_what_is_said_of_a_total_is_said_of_its_row(claim: str, truth: bool) -> None:
    assert verify(claim, FERRIES).supported is truth
