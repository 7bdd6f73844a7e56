"""What question words ask for, states that nothing tells, codes that measure nothing, days of grids."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.table import Table
from evidence_assets_tests.testing.program_verdicts import answered, decided

ROTA = make_table(
    "rota",
    "Ward 4 rota",
    [["Date", "Early shift", "On-call doctor", "Beds occupied"]],
    [
        ["12 May 2025", "Petra, Sam", "Dr Lund", "21"],
        ["13 May 2025", "Aisha", "Dr Basu", "22"],
        ["14 May 2025", "Tom", "Dr Ferri", "24"],
    ],
)
MATCHES = make_table(
    "matches",
    "FC Marlow, results",
    [["Matchday", "Opponent", "Home/Away", "Score", "Scorers"]],
    [
        ["1", "Reading B", "H", "3:1", "Diaz, Carter"],
        ["2", "Windsor", "A", "1:4", "Owusu"],
        ["3", "Thame", "H", "0:2", ""],
        ["4", "Didcot", "H", "2:2", "Diaz, Owusu"],
    ],
)
INVOICES = make_table(
    "invoices",
    "Invoices of the joinery",
    [["Invoice", "Customer", "Due", "Paid on", "Amount (€)", "Status"]],
    [
        ["R-101", "Town of Elm", "22.01.2025", "20.01.2025", "1,240.00", "paid"],
        ["R-102", "Dr Weiss", "29.01.2025", "04.02.2025", "385.50", "paid late"],
        ["R-103", "Hotel Post", "26.02.2025", "25.02.2025", "6,900.00", "paid"],
        ["R-104", "A. Kurz", "12.03.2025", "", "95.00", "open"],
    ],
)
TIMETABLE = make_table(
    "timetable",
    "Timetable of class 7b",
    [["Period", "Monday", "Wednesday", "Thursday"]],
    [["1", "Maths", "Biology", "Art"], ["2", "History", "French", "English"], ["3", "English", "Maths", ""]],
)
FLATS = make_table(
    "flats",
    "Flats to let",
    [["Ref", "Street", "Rooms", "Rent per month (€)", "Purchase fee"]],
    [["N1", "Birch Road 4", "2", "690", "10"], ["N2", "Harbour Lane 17", "3", "1,050", "12"]],
)
STOCK = make_table(
    "stock",
    "Stock of the shop, March",
    [["Item", "Unit price (€)", "Shelf"]],
    [["Step ladder", "64.00", "B1"], ["Spirit level", "24.50", "C1"]],
)
PLANTS = make_table(
    "plants",
    "Plants",
    [["Plant", "Flowering", "Colour"]],
    [["Geranium", "May-September", "red"], ["Foxglove", "June-July", "purple"]],
)
LOANS = make_table(
    "loans",
    "Loans of the library",
    [["Title", "Borrower", "Borrowed on", "Due"]],
    [
        ["Emma", "Ruth Okoye", "2024-10-15", "2024-11-05"],
        ["Dune", "Lena Voss", "2024-10-02", "2024-10-23"],
        ["Solaris", "Omar Aziz", "2024-10-09", "2024-10-30"],
    ],
)


@pytest.mark.parametrize(
    ("table", "question", "values"),
    [
        (MATCHES, "How many home matches were there?", {"3"}),
        (INVOICES, "Which is the smallest invoice?", {"R-104"}),
        (INVOICES, "When was R-102 paid?", {"04.02.2025"}),
        (TIMETABLE, "What does 7b have in the second period on Thursday?", {"English"}),
        (FLATS, "What is the rent for N2?", {"1,050"}),
        (FLATS, "Where is N2?", {"Harbour Lane 17"}),
        (PLANTS, "When does the geranium flower?", {"May-September"}),
        (ROTA, "Who works the early shift on 13 May?", {"Aisha"}),
        (ROTA, "How many beds were occupied on 12 May?", {"21"}),
    ],
)
def test_what_is_asked_for_is_answered(table: Table, question: str, values: set[str]) -> None:
    assert answered(question, table) == values


@pytest.mark.parametrize(
    ("table", "question"),
    [
        (MATCHES, "Why did Marlow lose to Thame?"),
        (ROTA, "Which doctor is on holiday on 14 May?"),
        (ROTA, "Who is on call on 19 May?"),
        (ROTA, "How many beds were free on 12 May?"),
        (STOCK, "What is the purchase price of the step ladder?"),
        (STOCK, "How much did a spirit level cost in May?"),
        (LOANS, "Who borrowed Emma in November?"),
    ],
)
def test_what_nothing_tells_is_not_answered(table: Table, question: str) -> None:
    assert answered(question, table) is None


def test_a_question_word_is_answered_in_kind() -> None:
    assert answered("When was the number of occupied beds highest?", ROTA) in (None, {"14 May 2025"})
    assert answered("Who scored against Windsor?", MATCHES) in (None, {"Owusu"})
    assert answered("Which book was borrowed first?", LOANS) in (None, {"Dune"})


def test_claims_of_months_codes_and_states() -> None:
    assert decided("Ruth Okoye borrowed Emma in November.", LOANS) is not True
    assert decided("Invoice R-103 is the largest.", INVOICES) is True
    assert decided("Dr Weiss paid R-102 late.", INVOICES) is not False
    assert decided("A spirit level cost €24.50 in May.", STOCK) is None
