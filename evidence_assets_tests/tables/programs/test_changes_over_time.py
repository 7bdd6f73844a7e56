"""Claims of a change over columns of years and of months: each step of it, and by how much."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs import verify

DAIRIES = make_table(
    "dairies",
    "Milk taken in by four dairies (tonnes)",
    [["Dairy", "2019", "2020", "2021", "2022"]],
    [
        ["Alder", "400", "300", "200", "190"],
        ["Birch", "100", "120", "150", "290"],
        ["Cedar", "200", "220", "180", "240"],
        ["Dove", "60", "50", "70", "31"],
    ],
)
PUPILS = make_table(
    "pupils",
    "Pupils at three swimming baths",
    [["Bath", "Jan", "Feb", "Mar", "Apr"]],
    [["North", "20", "40", "35", "30"], ["South", "10", "15", "25", "26"], ["West", "30", "20", "25", "22"]],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Alder has shrunk every single year.", True),
        ("Cedar has grown every single year.", False),
        ("Since 2020 Birch has grown year after year.", True),
        ("Since 2020 Cedar has grown year after year.", False),
        ("Alder dwindled year upon year without a break.", True),
        ("Cedar dwindled year upon year without a break.", False),
    ],
)
def test_every_step_of_a_change_is_read(claim: str, truth: bool) -> None:
    assert verify(claim, DAIRIES).supported is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Alder lost more than half of its milk between 2019 and 2022.", True),
        ("Cedar lost more than half of its milk between 2020 and 2021.", False),
        ("Alder fell to half of its milk between 2019 and 2021.", True),
        ("Dove fell to a quarter of its milk between 2019 and 2022.", False),
        ("Birch nearly tripled between 2019 and 2022.", True),
        ("Cedar nearly tripled between 2019 and 2022.", False),
        ("Between 2019 and 2020 Dove lost less than half of its milk.", True),
        ("Between 2019 and 2022 Alder lost less than half of its milk.", False),
        ("Over three years Alder fell by more than 200 tonnes.", True),
    ],
)
def test_a_share_that_is_lost_or_left_is_of_the_earlier_number(claim: str, truth: bool) -> None:
    assert verify(claim, DAIRIES).supported is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("North has been falling every month since February.", True),
        ("West has been falling every month since February.", False),
        ("South improved month after month.", True),
        ("North improved month after month.", False),
    ],
)
def test_months_in_columns_are_steps(claim: str, truth: bool) -> None:
    assert verify(claim, PUPILS).supported is truth


def test_a_share_of_rows_that_changed_is_no_share_of_a_number() -> None:
    claim = "From 2019 to 2020 the milk fell in half of the dairies."

    assert verify(claim, DAIRIES).program.startswith("share(")


WOOL = make_table(
    "wool",
    "Price of wool by quarter (€ a kilogram)",
    [["Fleece", "Q1 2021", "Q3 2021", "Q1 2022", "Q3 2022"]],
    [["Fine", "9.0", "8.0", "7.5", "7.0"], ["Coarse", "2.0", "2.4", "2.2", "6.0"]],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Two years on, Cedar was still short of its milk of 2019.", True),
        ("Two years on, Dove was still short of its milk of 2019.", False),
        ("Three years later Alder was below its milk of 2019.", True),
        ("Three years later Birch was below its milk of 2019.", False),
        ("Birch nearly tripled between the first count and the last.", True),
        ("Cedar nearly tripled between the first count and the last.", False),
        ("Within two years, from 2019 to 2021, Alder fell by half.", True),
        ("Within two years, from 2019 to 2021, Cedar fell by half.", False),
        ("Alder has done nothing but fall since 2019.", True),
        ("Cedar has done nothing but fall since 2019.", False),
        ("Birch rose steadily from 2019 to 2022.", True),
        ("Dove fell steadily from 2019 to 2022.", False),
        ("From 2020 to 2021 Dove slumped.", False),
        ("From 2020 to 2021 Cedar slumped.", True),
    ],
)
def test_times_are_told_by_what_lies_between_them(claim: str, truth: bool) -> None:
    assert verify(claim, DAIRIES).supported is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Fine fleece did nothing but fall from the first quarter of 2021 on.", True),
        ("Coarse fleece did nothing but fall from the first quarter of 2021 on.", False),
        ("Coarse more than doubled between the first quarter of 2022 and the third quarter of 2022.", True),
        ("Fine more than doubled between the first quarter of 2022 and the third quarter of 2022.", False),
    ],
)
def test_quarters_of_several_years_are_steps(claim: str, truth: bool) -> None:
    assert verify(claim, WOOL).supported is truth


@pytest.mark.parametrize(
    ("quarter", "truth"), [("third quarter of 2022", True), ("third quarter of 2021", False)]
)
def test_more_than_a_number_is_no_change(quarter: str, truth: bool) -> None:
    verdict = verify(f"In the {quarter} a farmer got more than €5 for coarse fleece.", WOOL)

    assert verdict.supported is truth
