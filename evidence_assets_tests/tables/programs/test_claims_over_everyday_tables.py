"""Claims and questions that neighbouring columns mislead: months, numbers of rows, what is denied, totals."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs import verify
from evidence_assets.tables.programs.questions.answering import answer
from evidence_assets.tables.table import Table
from evidence_assets_tests.testing.program_verdicts import decided

HENS = make_table(
    "hens",
    "Eggs laid per hen",
    [["Hen", "Breed", "Hatched", "Eggs in May", "Eggs in June", "Weight (kg)"]],
    [
        ["Dot", "Leghorn", "Mar 2022", "26", "24", "1.9"],
        ["Mabel", "Sussex", "Apr 2021", "21", "23", "3.1"],
        ["Pearl", "Leghorn", "Mar 2022", "27", "27", "2.0"],
        ["Ruby", "Maran", "May 2020", "14", "9", "3.4"],
        ["Tansy", "Sussex", "Apr 2023", "18", "22", "2.8"],
    ],
)
PLOTS = make_table(
    "plots",
    "Allotment plots and rent",
    [["Plot", "Tenant", "Size (m²)", "Rent 2022", "Rent 2023", "Water tap", "Shed"]],
    [
        ["1", "Okafor", "250", "£42", "£46", "✓", "✓"],
        ["2", "Lindqvist", "125", "£21", "£23", "✓", "✗"],
        ["3", "vacant", "250", "£42", "£46", "✗", "✗"],
        ["4", "Brown", "125", "£21", "£23", "✗", "✓"],
        ["5", "Haddad", "300", "£50", "£55", "✓", "✓"],
        ["6", "vacant", "125", "£21", "£23", "✗", "✗"],
    ],
)
HIVES = make_table(
    "hives",
    "Hives",
    [["Hive", "Installed", "Honey (kg)"]],
    [
        ["North", "2018", "20.5"],
        ["Gate", "2019", "43.5"],
        ["Oak", "2020", "18"],
        ["Brook", "2021", "30"],
        ["Total", "", "92"],
    ],
)
FEES = make_table(
    "fees",
    "Fees of 2023",
    [["Member", "Paid on", "Amount (€)", "Hives"]],
    [
        ["Greta Hahn", "3 Jan 2023", "60", "3"],
        ["Paul Ritter", "14 Feb 2023", "0", "1"],
        ["Jonas Weidlich", "9 Mar 2023", "20", "2"],
    ],
)
MARROWS = make_table(
    "marrows",
    "Village show: heaviest marrow",
    [["Year", "Winner", "Weight", "Entries"]],
    [
        ["2016", "D. Pike", "24 lb", "9"],
        ["2018", "S. Vale", "29 lb", "8"],
        ["2019", "R. Quill", "35 lb", "12"],
    ],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Dot laid 24 eggs in June.", True),
        ("All Leghorns laid more than 23 eggs in June.", True),
        ("Ruby laid fewer eggs in June than in May.", True),
        ("Pearl laid as many eggs in June as in May.", True),
        ("Two hens laid more eggs in June than in May.", True),
        ("The Sussex hens laid 45 eggs in June.", True),
        ("Three hens laid more eggs in June than in May.", False),
        ("Dot hatched in March 2022.", True),
    ],
)
def test_a_month_that_a_header_names_is_of_no_column_of_dates(claim: str, truth: bool) -> None:
    assert decided(claim, HENS) is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Two plots are vacant.", True),
        ("3 plots are vacant.", False),
        ("Three plots have sheds.", True),
        ("Plot 3 has a shed.", False),
    ],
)
def test_a_number_before_a_plural_counts_what_goes_by_numbers(claim: str, truth: bool) -> None:
    assert decided(claim, PLOTS) is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Brown has a tap but no shed.", False),
        ("Brown has a shed but no water tap.", True),
        ("Okafor has a tap but no shed.", False),
        ("Lindqvist has a water tap and no shed.", True),
        ("Brown has no water tap but a shed.", True),
        ("Haddad has a shed, but no water tap.", False),
    ],
)
def test_what_stands_behind_a_negation_alone_is_denied(claim: str, truth: bool) -> None:
    assert decided(claim, PLOTS) is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("There are four hives.", True),
        ("There are five hives.", False),
        ("All hives were installed after 2017.", True),
    ],
)
def test_a_total_that_does_not_add_up_is_none_of_the_rows(claim: str, truth: bool) -> None:
    assert decided(claim, HIVES) is truth


@pytest.mark.parametrize(
    ("question", "table", "values"),
    [
        ("How many hives are there?", HIVES, ("4",)),
        ("Who paid first?", FEES, ("Greta Hahn",)),
        ("Which plots have no water tap?", PLOTS, ("3", "4", "6")),
        ("How heavy was the marrow in 2018?", MARROWS, ("29 lb",)),
    ],
)
def test_questions_are_answered_by_the_column_that_they_ask_for(
    question: str, table: Table, values: tuple[str, ...]
) -> None:
    result = answer(question, table)
    assert result.decides
    assert result.values == values


def test_how_heavy_something_was_no_name_tells() -> None:
    assert answer("How heavy was the winning marrow in 2018?", MARROWS).values == ("29 lb",)


@pytest.mark.parametrize("question", ["Who paid the least?", "Who paid the most?"])
def test_the_most_and_the_least_are_no_dates(question: str) -> None:
    result = answer(question, FEES)
    assert not (result.decides and "Paid on" in result.program)


SHIPS = make_table(
    "ships",
    "Ships",
    [["Ship", "Missions", "Passengers", "Plants", "Departure"]],
    [
        ["Argo", "4", "300", "2", "08:15"],
        ["Cobra", "7", "800", "9", "09:40"],
        ["Dido", "5", "120", "4", "11:05"],
    ],
)


@pytest.mark.parametrize("claim", ["Argo missed 4.", "Cobra passed 800."])
def test_a_verb_is_of_no_column_that_only_begins_alike(claim: str) -> None:
    assert decided(claim, SHIPS) is None


def test_a_verb_is_of_the_column_whose_noun_is_made_of_it() -> None:
    assert decided("The Cobra departs at 09:40.", SHIPS) is True


def test_who_came_first_cites_the_cells_that_tell_it() -> None:
    members = make_table(
        "members",
        "Members",
        [["Name", "Joined"]],
        [["Tom Bell", "2001"], ["Ann Lee", "2010"], ["Cy Dow", "1999"]],
    )
    verdict = verify("Tom Bell joined before Ann Lee.", members)
    assert verdict.supported is True
    assert {(0, 1), (1, 1)} <= set(verdict.cells)
