"""What came to be so at a time, and not only was so: `overtook`, `reached`, `fell below`."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs import verify
from evidence_assets.tables.programs.index.rows_in_time import rows_in_time
from evidence_assets.tables.programs.index.table_index import index_of
from evidence_assets.tables.programs.questions.answering import answer

# Told from the last year back: rows stand in the order of time all the same.
POWER = make_table(
    "power",
    "Share of power by source",
    [["Year", "Wind (%)", "Coal (%)", "Solar (%)"]],
    [
        ["2022", "35", "14", "16"],
        ["2020", "31", "19", "12"],
        ["2018", "24", "25", "9"],
        ["2016", "18", "30", "6"],
        ["2014", "12", "36", "4"],
    ],
)
WEATHER = make_table(
    "weather",
    "Weather at the harbour station",
    [["Month", "Rainfall (mm)", "Sunshine (h)"]],
    [
        ["March", "55", "120"],
        ["April", "48", "170"],
        ["May", "50", "215"],
        ["June", "62", "230"],
        ["July", "70", "190"],
    ],
)
SHIPS = make_table(
    "ships",
    "Ships in the old harbour",
    [["Name", "Length (m)", "Crew"]],
    [["Aurora", "42", "12"], ["Bella", "71", "8"], ["Condor", "24", "5"]],
)


SCHOOLS = make_table(
    "schools",
    "Schools of the town",
    [["School", "Pupils 2010", "Pupils 2015", "Pupils 2020"]],
    [
        ["Park School", "420", "480", "510"],
        ["Hill School", "310", "260", "280"],
        ["Mill School", "505", "560", "620"],
    ],
)


@pytest.mark.parametrize(
    ("question", "year"),
    [
        ("When did wind overtake coal?", "2020"),
        ("In which year did wind overtake coal?", "2020"),
        ("When did solar overtake coal?", "2022"),
        ("When did wind first exceed 20%?", "2018"),
        ("When did solar reach 10%?", "2020"),
        ("When did coal fall below 30%?", "2018"),
        ("When did coal become smaller than wind?", "2020"),
    ],
)
def test_the_first_time_is_asked_for(question: str, year: str) -> None:
    result = answer(question, POWER)
    assert result.decides
    assert result.values == (year,)


def test_months_stand_in_the_order_of_time() -> None:
    assert answer("When did sunshine reach 200 hours?", WEATHER).values == ("May",)


def test_several_times_are_asked_for_as_such() -> None:
    result = answer("In which years did wind exceed 20%?", POWER)
    assert set(result.values) == {"2018", "2020", "2022"}


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Wind overtook coal in 2020.", True),
        ("Wind overtook coal in 2018.", False),
        ("Wind overtook coal in 2022.", False),
        ("Wind first exceeded 20% in 2018.", True),
        ("Wind first exceeded 20% in 2022.", False),
        ("Coal fell below 20% in 2020.", True),
        ("Coal fell below 20% in 2022.", False),
        ("Solar reached 10 percent in 2020.", True),
        ("Solar reached 16 percent in 2022.", True),
        ("Solar reached 10 percent in 2018.", False),
        ("Wind became larger than coal in 2020.", True),
        ("Wind became larger than coal in 2022.", False),
    ],
)
def test_what_was_so_before_did_not_come_to_be(claim: str, truth: bool) -> None:
    assert verify(claim, POWER).supported is truth


def test_a_number_reached_before_may_be_reached_again() -> None:
    assert not verify("Solar reached 10 percent in 2022.", POWER).decides


def test_rows_of_no_time_are_in_no_order() -> None:
    assert not rows_in_time(index_of(SHIPS))
    assert verify("The Bella exceeded 40 metres.", SHIPS).supported is True


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Park School reached 500 pupils in 2020.", True),
        ("Park School reached 500 pupils in 2015.", False),
        ("Mill School reached 500 pupils in 2020.", None),
    ],
)
def test_columns_of_years_stand_in_time_too(claim: str, truth: bool | None) -> None:
    verdict = verify(claim, SCHOOLS)
    assert (verdict.supported if verdict.decides else None) is truth
