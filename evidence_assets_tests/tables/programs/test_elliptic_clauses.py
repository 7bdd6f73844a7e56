"""Claims whose second clause leaves out what it shares with the first."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs import verify
from evidence_assets.tables.programs.index.table_index import index_of
from evidence_assets.tables.programs.links.clauses.ellipses import ellipsis
from evidence_assets.tables.programs.links.grounding import ground

OIL = make_table(
    "oil",
    "Lavender oil distilled, by parish (kg)",
    [["Parish", "2019", "2020", "2021", "2022"]],
    [
        ["Aude", "455", "380", "401", "467"],
        ["Morvane", "214", "198", "240", "251"],
        ["Brun", "90", "80", "70", "75"],
    ],
)
CAVES = make_table(
    "caves",
    "Visitors to the cave",
    [["Month", "Visitors", "Mean temperature (°C)"]],
    [
        ["June", "3,450", "11.9"],
        ["July", "6,120", "12.1"],
        ["August", "7,040", "12.3"],
        ["May", "2,980", "11.6"],
    ],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Aude distilled more oil in 2021 than in 2020 but less than in 2019.", True),
        ("Aude distilled more oil in 2021 than in 2020 but less than in 2022.", True),
        ("Morvane distilled more oil in 2021 than in 2020 but less than in 2019.", False),
        ("Oil distilled in Brun fell both between 2019 and 2020 and between 2020 and 2021.", True),
        ("Oil distilled in Brun fell both between 2020 and 2021 and between 2021 and 2022.", False),
        ("Oil distilled in Morvane increased from 2020 to 2021, and again from 2021 to 2022.", True),
        ("Oil distilled in Morvane increased from 2020 to 2021, and again from 2019 to 2020.", False),
        ("In 2019 Aude distilled more oil than Morvane, and in 2022 it did so again.", True),
        ("In 2020 Aude distilled the most oil, whereas in 2021 it was Brun.", False),
    ],
)
def test_a_clause_of_other_years_shares_the_rest(claim: str, truth: bool) -> None:
    assert verify(claim, OIL).supported is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("More people visited in July than in June, but fewer than in August.", True),
        ("More people visited in July than in August, but fewer than in June.", False),
        ("More people visited in July than in June, but fewer than in May.", False),
        ("The temperature was highest in August, whereas in May it was lowest.", True),
        ("The temperature was highest in August, whereas in June it was lowest.", False),
    ],
)
def test_a_clause_of_other_rows_shares_the_rest(claim: str, truth: bool) -> None:
    assert verify(claim, CAVES).supported is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Aude distilled 21 kg more oil in 2021 than in 2020, but less than in 2019.", True),
        ("Aude distilled 25 kg more oil in 2021 than in 2020, but less than in 2019.", False),
        ("Aude distilled 21 kg more oil in 2021 than in 2020, but more than in 2019.", False),
    ],
)
def test_by_how_much_it_is_so_is_said_of_the_first_clause(claim: str, truth: bool) -> None:
    assert verify(claim, OIL).supported is truth


def test_a_clause_with_more_of_its_own_is_not_made_of_the_first() -> None:
    claim = "In 2019 Aude distilled more oil than Morvane, and in 2022 the gap was wider."
    assert not verify(claim, OIL).decides


def test_of_how_many_it_is_so_is_not_said_of_each_clause() -> None:
    claim = "Two parishes distilled less oil both in 2020 than in 2019 and in 2022 than in 2021."
    assert ellipsis(ground(claim, index_of(OIL))) is None


PACKS = make_table(
    "packs",
    "Portable power packs tested",
    [["Model", "Capacity (Wh)", "Weight (kg)", "Charging time (min)", "Price ($)"]],
    [
        ["Volta M", "500", "6.4", "210", "449"],
        ["Amperon 3", "512", "5.8", "95", "479"],
        ["Amperon 7", "1024", "11.9", "110", "899"],
        ["Kestrel Max", "1536", "17.2", "130", "1249"],
    ],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("The Amperon 3 is lighter and charges faster than the Volta M.", True),
        ("The Amperon 7 is lighter and charges faster than the Volta M.", False),
        ("The Amperon 3 is lighter but dearer than the Volta M.", True),
        ("The Kestrel Max is heavier but cheaper than the Amperon 7.", False),
        ("Compared with the Volta M, the Amperon 3 is lighter and dearer.", True),
        ("Compared with the Volta M, the Amperon 3 is lighter and cheaper.", False),
        ("Compared with the Amperon 7, the Volta M is cheaper.", True),
        ("The Amperon 7 has a higher capacity compared to the Kestrel Max.", False),
    ],
)
def test_two_comparisons_share_what_they_compare_with(claim: str, truth: bool) -> None:
    assert verify(claim, PACKS).supported is truth


def test_a_word_of_a_whole_name_orders_nothing() -> None:
    assert verify("The Kestrel Max takes 20 minutes longer to charge than the Amperon 7.", PACKS).supported
