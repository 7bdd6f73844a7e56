"""Claims of what there is most of, and of how totals and times compare with those of the time before."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.table import Table
from evidence_assets_tests.testing.program_verdicts import decided

TREES = make_table(
    "trees",
    "Street trees of Halden borough",
    [["Species", "Family", "Number planted", "Height (m)"]],
    [
        ["Norway maple", "Maple", "340", "18"],
        ["Small-leaved lime", "Mallow", "510", "22"],
        ["Silver birch", "Birch", "275", "16"],
        ["Field maple", "Maple", "120", "11"],
    ],
)
NESTS = make_table(
    "nests",
    "Nests found in the heath survey, by kind of bee",
    [["Kind", "2019", "2020", "2021", "2022"]],
    [
        ["Mining bee", "64", "71", "80", "77"],
        ["Mason bee", "31", "28", "35", "40"],
        ["Carder bee", "22", "25", "19", "30"],
        ["Total", "117", "124", "134", "147"],
    ],
)
FARM = make_table(
    "farm",
    "Crops of Fenn Farm",
    [["Year", "Lambs", "Pumpkins"]],
    [["2018", "31", "410"], ["2019", "28", "150"], ["2020", "40", "420"], ["2021", "38", "905"]],
)
EXAM = make_table(
    "exam",
    "Marks in the summer examinations",
    [["Rank", "Pupil", "Physics", "Total"]],
    [["1", "Ada Brill", "92", "173"], ["2", "Ben Cole", "79", "167"], ["3", "Cleo Dunn", "85", "155"]],
)
WASTE = make_table(
    "waste",
    "Share of waste recycled by district (%)",
    [["District", "2019", "2020", "2021", "Target"]],
    [
        ["Arden", "43", "46", "50", "45"],
        ["Bexmoor", "54", "53", "56", "50"],
        ["Corse", "33", "36", "38", "45"],
    ],
)


@pytest.mark.parametrize(
    ("table", "claim", "truth"),
    [
        (TREES, "The small-leaved lime is the most common species in the borough.", True),
        (TREES, "The silver birch is the most numerous species.", False),
        (TREES, "By number planted, the silver birch is the third most common species.", True),
        (TREES, "The Norway maple is the least common species.", False),
        (NESTS, "The mining bee was the most frequent kind in each year from 2019 to 2022.", True),
        (NESTS, "The carder bee was the second most common kind in every year.", False),
        (NESTS, "In 2020, 7 more nests were found than in the year before.", True),
        (NESTS, "Fewer nests were found in 2021 than in 2020.", False),
        (NESTS, "Mason bee nests of 2022 were less than half of the previous year's.", False),
        (FARM, "Pumpkin production more than doubled from 2020 to 2021.", True),
        (FARM, "Pumpkins more than tripled from 2020 to 2021.", False),
        (FARM, "The pumpkin crop of 2019 was less than half of the previous year's.", True),
        (FARM, "The pumpkin crop of 2019 amounted to less than a third of the previous year's crop.", False),
        (EXAM, "Ada Brill won by more than five points.", True),
        (EXAM, "Ada Brill came first by a margin of ten points.", False),
        (WASTE, "In 2021 the share met the target in every district except Corse.", True),
        (WASTE, "In 2019 the share met the target in every district except Corse.", False),
        (WASTE, "Corse did not reach the target in any of the three years.", True),
        (WASTE, "Arden met the target in all three years.", False),
    ],
)
def test_amounts_are_compared_as_the_claim_says(table: Table, claim: str, truth: bool) -> None:
    assert decided(claim, table) is truth


@pytest.mark.parametrize(
    ("table", "claim"),
    [
        (TREES, "The silver birch is the most popular species with birds."),
        (TREES, "Maple is the most common family."),
        (NESTS, "In 2021 there were more wasps than in 2020."),
        (NESTS, "Nests fell between 2020 and 2021 at five stations."),
        (NESTS, "The number of hornets rose between 2020 and 2021."),
        (FARM, "The wheat crop of 2019 was less than half of the previous year's."),
    ],
)
def test_of_what_the_table_does_not_count_nothing_is_told(table: Table, claim: str) -> None:
    assert decided(claim, table) is None
