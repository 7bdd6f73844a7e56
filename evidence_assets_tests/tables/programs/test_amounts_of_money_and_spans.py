"""Money spent over spans of rows, averages that are told as whole numbers, and numbers set off by commas."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs import verify
from evidence_assets.tables.programs.questions.answering import answer
from evidence_assets.tables.programs.wording.words import tokens
from evidence_assets.tables.table import Table

BUDGET = make_table(
    "budget",
    "",
    [["Month", "Rent (€)", "Gas (€)"]],
    [
        ["Jan 2023", "950", "188.20"],
        ["Feb 2023", "950", "176.40"],
        ["Mar 2023", "950", "142.90"],
        ["Apr 2023", "985", "98.30"],
        ["Total", "3835", "605.80"],
    ],
)
CROWDS = make_table(
    "crowds",
    "1980 season",
    [["Week", "Opponent", "Result", "Attendance"]],
    [
        ["1", "Owls", "W 30-13", "20,214"],
        ["2", "Gulls", "L 13-40", "25,039"],
        ["3", "Terns", "W 21-20", "18,112"],
    ],
)
RATES = make_table("rates", "", [["Site", "Rate"]], [["Ash", "0.5"], ["Elm", "0.8"], ["Oak", "0.9"]])
SALES = make_table(
    "sales",
    "",
    [["Month", "Sales"]],
    [["May 2023", "50"], ["Jan 2023", "10"], ["Apr 2023", "40"], ["Feb 2023", "20"], ["Dec 2023", "30"]],
)


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("the largest crowd, 25,039, saw it", ["25,039"]),
        ("20,214, 19,500 and 3,000", ["20,214", "19,500", "3,000"]),
        ("1,234,567.", ["1,234,567"]),
        ("1,2345", ["1", "2345"]),
    ],
)
def test_a_comma_behind_a_number_is_no_part_of_it(text: str, numbers: list[str]) -> None:
    assert [token.text for token in tokens(text) if token.number is not None] == numbers


@pytest.mark.parametrize(
    ("claim", "supported"),
    [
        ("The largest crowd, 25,039, saw the game against the Gulls.", True),
        ("The biggest crowd, 20,214, came to see the Owls.", False),
    ],
)
def test_a_number_between_commas_is_one(claim: str, supported: bool) -> None:
    assert verify(claim, CROWDS).supported == supported


@pytest.mark.parametrize(
    ("claim", "supported"),
    [
        ("The average gas bill was about 150 euros.", True),
        ("The average of gas was 151 euros.", True),
        ("The average of gas was 151.45 euros.", True),
        ("The average of gas was 152 euros.", False),
        ("We spent most on gas in January.", True),
        ("We paid less for gas in March than in April.", False),
    ],
)
def test_an_average_is_told_rounded_and_money_is_spent(claim: str, supported: bool) -> None:
    verdict = verify(claim, BUDGET)
    assert (verdict.supported, verdict.confidence > 0.8) == (supported, True), verdict.program


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("What did we pay for gas from January to March together?", "507.5"),
        ("How much did gas cost from February to April in total?", "417.6"),
    ],
)
def test_a_span_of_months_is_all_of_its_rows_and_not_the_total(question: str, value: str) -> None:
    assert answer(question, BUDGET).values == (value,)


@pytest.mark.parametrize(
    ("table", "claim"),
    [
        (RATES, "The average rate was 1."),
        (BUDGET, "The average of gas was exactly 151 euros."),
        (SALES, "Total sales from May to December were 150."),
    ],
)
def test_small_averages_exact_ones_and_rows_out_of_order_are_not_rounded_nor_spanned(
    table: Table, claim: str
) -> None:
    assert verify(claim, table).supported is False


def test_bill_is_somebody() -> None:
    assert verify("Bill spent 188.20 on gas in January.", BUDGET).confidence < 0.8
