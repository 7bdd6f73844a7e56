"""Times as tables write them: short years, days without a year, months of a row, several columns of times."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs.questions.answering import answer
from evidence_assets_tests.testing.program_verdicts import decided


@pytest.mark.parametrize(
    ("cells", "dates"),
    [
        pytest.param(["4/11/22", "18/3/23"], ["2022-11-04", "2023-03-18"], id="one shows the order"),
        pytest.param(["4/11/22", "1/3/23"], ["2022", "2023"], id="either order"),
        pytest.param(["01.03.2024", "5.3.24"], ["2024-03-01", "2024-03-05"], id="beside whole years"),
        pytest.param(["1.3.98", "5.3.24"], ["1998-03-01", "2024-03-05"], id="of two centuries"),
        pytest.param(["01.03.", "04.12."], ["--03-01", "--12-04"], id="with points"),
        pytest.param(["17/05", "02/06"], ["--05-17", "--06-02"], id="with slashes"),
        pytest.param(["09/23", "12/23", "03/24"], ["2023-09", "2023-12", "2024-03"], id="months"),
        pytest.param(["Jan 23", "Feb 23"], ["2023-01", "2023-02"], id="months in words"),
        pytest.param(["7/10", "9/10"], ["", ""], id="marks out of ten"),
        pytest.param(["17/05", "soon"], ["", ""], id="not all"),
        pytest.param(["31.4.24", "5.3.24"], ["2024", "2024-03-05"], id="no day of the calendar"),
        pytest.param(["3.5", "4.2"], ["", ""], id="decimals"),
    ],
)
def test_dates_are_read_beside_others_of_their_column(cells: list[str], dates: list[str]) -> None:
    table = make_table("t", "", [["Task", "Start"]], [[f"T{n}", cell] for n, cell in enumerate(cells)])
    assert [row[1].value.date for row in table.rows] == dates


RUNS = make_table(
    "runs",
    "Training log",
    [["Date", "Who", "km", "Start"]],
    [
        ["01.05.", "Mia", "15", "06:30"],
        ["04.05.", "Mia", "10", "18:15"],
        ["12.05.", "Olaf", "42", "09:00"],
        ["02.06.", "Mia", "16", "08:45"],
    ],
)
BILLS = make_table(
    "bills",
    "Bills of a flat",
    [["Month", "Electricity (€)", "Paid on"]],
    [["Jan 23", "74.20", "02/02/23"], ["Feb 23", "69.30", "03/03/23"], ["Mar 23", "65.45", "14/04/23"]],
)
TASKS = make_table(
    "tasks",
    "Tasks of a house",
    [["Task", "Start"]],
    [["Roof", "05/03/2024"], ["Cellar", "06/03/2024"], ["Garden", "07/04/2024"]],
)
CHORES = make_table(
    "chores",
    "Chores",
    [["Chore", "Start"]],
    [["Roof", "5 March"], ["Cellar", "9 March"], ["Attic", "3 April"]],
)
ORDERS = make_table(
    "orders",
    "Orders of a shop",
    [["Order", "Ordered", "Customer", "Shipped"]],
    [
        ["A1", "30/12/2022", "Acme", "04/01/2023"],
        ["A2", "14/01/2023", "Fjord", "20/01/2023"],
        ["A3", "02/03/2023", "Acme", "05/03/2023"],
        ["A4", "28/12/2023", "Fjord", "03/01/2024"],
    ],
)
VISITS = make_table(
    "visits",
    "Visits of the sites",
    [["Site", "Jan 2022 visits", "Feb 2022 visits", "Jan 2023 visits"]],
    [["Alton", "288", "500", "310"], ["Brixley", "36", "700", "410"], ["Corham", "500", "100", "210"]],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Three runs took place in May.", True),
        ("Olaf ran 42 km on 12 May.", True),
        ("Olaf ran 42 km on 4 May.", False),
        ("Two runs took place between 1 and 5 May.", True),
        ("The earliest start was at 6:30.", True),
        ("Olaf ran more than 40 km in May.", True),
        # Of two runs neither was as long, both together were.
        ("Mia ran more than 20 km in May.", None),
    ],
)
def test_days_without_a_year_are_days(claim: str, truth: bool | None) -> None:
    assert decided(claim, RUNS) is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("The least was spent on electricity in March.", True),
        ("Electricity was dearest in February.", False),
        ("One bill was paid in April.", True),
    ],
)
def test_a_month_is_of_the_row_that_goes_by_it(claim: str, truth: bool) -> None:
    assert decided(claim, BILLS) is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Two tasks started in March 2024.", None),
        ("No task started in March 2024.", None),
        ("Three tasks started in 2024.", True),
        ("Four tasks started in March 2024.", False),
    ],
)
def test_what_may_be_of_a_month_or_not_is_not_counted_out(claim: str, truth: bool | None) -> None:
    assert decided(claim, TASKS) is truth


@pytest.mark.parametrize("claim", ["Cellar started in March 2024.", "Roof started on 5 March 2023."])
def test_days_that_tell_no_year_refute_none(claim: str) -> None:
    assert decided(claim, CHORES) is None


def test_a_time_of_two_columns_is_of_neither_until_it_is_said() -> None:
    assert decided("One order came in January 2023.", ORDERS) is None
    assert not answer("How many orders came in January 2023?", ORDERS).decides
    assert decided("Two orders were shipped in January 2023.", ORDERS) is True
    shipped = answer("How many orders were shipped in 2023?", ORDERS)
    assert (shipped.decides, shipped.values) == (True, ("3",))


@pytest.mark.parametrize(
    "claim", ["Corham had the most visits in 2022.", "Alton had more than 700 visits in 2022."]
)
def test_a_month_is_not_its_year(claim: str) -> None:
    assert decided(claim, VISITS) is None
    assert not answer("Which site had the most visits in 2022?", VISITS).decides
    assert decided("Brixley had the most visits in February 2022.", VISITS) is True


def test_notes_with_points_leave_decimal_commas_and_totals_are_known_in_other_languages() -> None:
    table = make_table(
        "branches",
        "Umsatz",
        [["Filiale", "Umsatz (EUR)", "Bemerkung"]],
        [
            ["Köln", "845.210,00", "Umbau"],
            ["Bonn", "98.000,50", "geschlossen ab 1.11."],
            ["Summe", "943.210,50", ""],
        ],
    )
    assert decided("The Umsatz of Köln was 845.210,00 EUR.", table) is True
    assert decided("The Umsatz of Bonn was 98.001,50 EUR.", table) is False
    assert decided("Köln has the highest Umsatz.", table) is True


PATIENTS = make_table(
    "t",
    "Patients",
    [["Patient", "Age", "Admitted", "Discharged", "Ward"]],
    [
        ["Ann Berg", "54", "2 March 2023", "9 March 2023", "A"],
        ["Bo Lind", "31", "5 March 2023", "6 March 2023", "B"],
        ["Cy Ek", "67", "1 March 2022", "15 March 2022", "A"],
        ["Di Holm", "45", "8 March 2023", "9 March 2023", "C"],
    ],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Ann Berg and Di Holm were discharged on the same day.", True),
        ("Ann Berg and Di Holm were admitted on the same day.", False),
        ("Ann Berg was discharged on the same day as Di Holm.", True),
        ("Ann Berg and Bo Lind were admitted on different days.", True),
        ("Ann Berg and Bo Lind were admitted in the same month.", True),
        ("Ann Berg and Bo Lind were admitted in different months.", False),
        pytest.param("Ann Berg and Cy Ek were admitted in the same month.", None, id="March of two years"),
        ("Ann Berg and Cy Ek were admitted in the same year.", False),
        ("Ann Berg and Bo Lind were admitted in the same year.", True),
        ("No two patients were admitted on the same day.", True),
        ("No two patients were discharged on the same day.", False),
        pytest.param("Ann Berg and Di Holm left on the same date.", None, id="which date is not said"),
        ("Ann Berg and Cy Ek are on the same ward.", True),
    ],
)
def test_the_same_day_month_or_year_is_that_of_a_date(claim: str, truth: bool | None) -> None:
    assert decided(claim, PATIENTS) is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("The dryer and the washer were bought in the same month.", True),
        ("The dryer and the lamp were bought in the same month.", False),
        ("The lamp and the washer were sold in different years.", True),
        pytest.param("The lamp and the dryer were sold in the same year.", None, id="an empty cell"),
    ],
)
def test_the_same_time_is_read_of_dates_as_they_are_written(claim: str, truth: bool | None) -> None:
    header = ["Thing", "Bought", "Sold", "Price"]
    rows = [
        ["Fridge", "11/2021", "2023", "1"],
        ["Dryer", "07/2022", "", "5"],
        ["Washer", "07/2022", "2024", "6"],
        ["Lamp", "03/2020", "2022", "7"],
    ]
    assert decided(claim, make_table("t", "Things", [header], rows)) is truth
