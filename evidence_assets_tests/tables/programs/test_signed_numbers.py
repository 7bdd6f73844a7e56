"""Claims of gains and losses over tables whose numbers have signs."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs.index.columns.signed_columns import words_of_signs
from evidence_assets_tests.testing.program_verdicts import decided

SHORES = make_table(
    "shores",
    "Change in the position of the shoreline, in metres (− retreat, + advance)",
    [["Year", "North Bay", "Long Sand", "Gull Point"]],
    [
        ["2018", "−4", "+2", "−9"],
        ["2019", "−6", "+1", "−3"],
        ["2020", "−2", "−5", "−8"],
        ["2021", "−7", "−1", "+3"],
    ],
)
CLUB = make_table(
    "club",
    "Accounts of the rowing club (thousands of £)",
    [["Year", "Income", "Spending", "Balance", "Members"]],
    [
        ["2019", "80", "74", "6", "310"],
        ["2020", "52", "61", "−9", "290"],
        ["2021", "66", "70", "−4", "305"],
        ["2022", "91", "80", "11", "330"],
    ],
)
LEAGUE = make_table(
    "league",
    "Final table",
    [["Team", "Won", "Lost", "Difference"]],
    [["Reds", "9", "3", "14"], ["Blues", "5", "7", "-4"], ["Greens", "2", "10", "-10"]],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("North Bay retreated in every year.", True),
        ("Long Sand retreated in every year.", False),
        ("Gull Point advanced in one of the four years.", True),
        ("Gull Point advanced in three of the four years.", False),
        ("In 2020, all three shores retreated.", True),
        ("In 2018, Gull Point retreated further than North Bay.", True),
        ("In 2019, Gull Point retreated further than North Bay.", False),
        ("In 2018, Long Sand advanced while North Bay and Gull Point retreated.", True),
        ("In 2021, Long Sand advanced while North Bay retreated.", False),
        ("North Bay retreated less in 2020 than in the year before.", True),
        ("Gull Point retreated less in 2020 than in the year before.", False),
        ("Over the four years, North Bay retreated by a total of 19 metres.", True),
        ("Over the four years, North Bay retreated by a total of 21 metres.", False),
    ],
)
def test_a_legend_says_what_a_minus_means(claim: str, truth: bool) -> None:
    assert decided(claim, SHORES) is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("The club had a positive balance in two of the four years.", True),
        ("The club had a negative balance in three of the four years.", False),
        ("In 2020, the club had a loss of £9,000.", True),
        ("In 2021, the club had a deficit of £9,000.", False),
        ("The deficit was larger in 2020 than in 2021.", True),
        ("From 2019 to 2022, the club spent more than £270,000 in total.", True),
        ("From 2019 to 2022, the club spent more than £0.3 million in total.", False),
    ],
)
def test_losses_and_deficits_are_balances_below_zero(claim: str, truth: bool) -> None:
    assert decided(claim, CLUB) is truth


def test_what_is_lost_in_a_column_of_its_own_has_no_sign() -> None:
    assert decided("The Blues lost 7 games.", LEAGUE) is True
    assert decided("The Blues lost 4 games.", LEAGUE) is False
    assert "lose" not in words_of_signs("Final table", LEAGUE.header)


def test_a_legend_tells_the_words_that_only_one_sign_has() -> None:
    words = words_of_signs("Members (− members left, + members joined)", ("Year", "Choir"))
    assert sorted(words.values()) == [-1, 1]
    assert "member" not in words


HIVES = make_table(
    "hives",
    "Weight change of the hives in kg (+ gain, − loss)",
    [["Month", "Hive 1", "Hive 2", "Hive 3"]],
    [
        ["April", "+1.2", "−0.4", "+0.8"],
        ["May", "+6.5", "+4.1", "+5.0"],
        ["June", "−1.1", "+2.3", "−0.6"],
        ["July", "−2.4", "−3.0", "−1.9"],
    ],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("In July, all hives lost weight.", True),
        ("In June, all hives lost weight.", False),
        ("In July, Hive 1 lost more weight than Hive 2.", False),
        ("Hive 2 lost weight in two of the four months.", True),
        ("Hive 3 gained 3.3 kg over the four months.", True),
        ("Hive 2 gained 4 kg over the four months.", False),
    ],
)
def test_a_noun_of_the_legend_is_its_verb_too(claim: str, truth: bool) -> None:
    assert decided(claim, HIVES) is truth


BANKS = make_table(
    "t",
    "Banks of the north",
    [["Bank", "Country", "Profit 2022 (m €)", "Profit 2023 (m €)", "Branches"]],
    [
        ["Nordbank", "Sweden", "1,250", "1,480", "312"],
        ["Kredita", "Austria", "320", "-45", "120"],
        ["Lomba", "Italy", "610", "700", "845"],
        ["Fjord Savings", "Norway", "210", "190", "41"],
    ],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Kredita made a loss in 2022.", False),
        ("Kredita made a loss in 2023.", True),
        ("Kredita made a profit in 2022.", True),
        ("Kredita made a profit in 2023.", False),
        ("Kredita was not profitable in 2023.", True),
        ("No bank made a loss in 2022.", True),
        ("All the banks made a profit in 2022.", True),
        ("All the banks made a profit in 2023.", False),
        ("Three banks made a profit in 2023.", True),
        ("Except for Kredita, every bank made a profit in 2023.", True),
        ("Kredita lost 45 million euros in 2023.", True),
        ("Lomba's profit rose by 90 million euros from 2022 to 2023.", True),
        ("Lomba's profit rose by 100 million euros from 2022 to 2023.", False),
        ("Kredita's profit dropped by 365 million euros.", True),
        ("Kredita went from a profit in 2022 to a loss in 2023.", None),
    ],
)
def test_profits_and_losses_are_those_of_the_year_that_is_said(claim: str, truth: bool | None) -> None:
    assert decided(claim, BANKS) is truth
