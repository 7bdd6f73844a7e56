"""Questions of which a part is told by nothing, so that what else they say is no answer."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs.index.table_index import index_of
from evidence_assets.tables.programs.links.grounding import ground
from evidence_assets.tables.programs.questions.answering import answer, read_question
from evidence_assets.tables.programs.questions.lacking.lacking_parts import lacks_a_part
from evidence_assets.tables.programs.questions.wording.question_wording import Wording

TOOLS = make_table(
    "tools",
    "Tool library, current loans",
    [["Tool", "Borrower", "Borrowed on", "Deposit"]],
    [
        ["Hedge trimmer", "K. Olsen", "2025-03-02", "£20"],
        ["Belt sander", "M. Dube", "2025-03-04", "£15"],
        ["Cement mixer", "R. Lang", "2025-03-12", "£60"],
    ],
)


def _left(question: str, kind: str) -> list[bool]:
    """Return of each program of a kind whether it lacks a part of the question."""
    programs = read_question(question, TOOLS).programs
    return [lacks_a_part(c.claim, c.proposal) for c in programs if c.proposal.kind == kind]


@pytest.mark.parametrize("question", ["How many tools are broken?", "How many tools need new blades?"])
def test_all_rows_are_not_counted_whatever_is_said_of_them(question: str) -> None:
    assert not answer(question, TOOLS).decides


@pytest.mark.parametrize("question", ["How many tools are there?", "How many tools are listed?"])
def test_all_rows_are_counted_where_nothing_is_said_of_them(question: str) -> None:
    assert answer(question, TOOLS).values == ("3",)


@pytest.mark.parametrize(
    "question", ["What is K. Olsen's address?", "What is the weight of the belt sander?"]
)
def test_what_is_asked_for_of_a_thing_has_to_be_told(question: str) -> None:
    lookups = _left(question, "lookup")
    assert lookups
    assert all(lookups)
    assert not answer(question, TOOLS).decides


def test_what_is_told_of_a_thing_is_answered() -> None:
    assert answer("What is the deposit of the belt sander?", TOOLS).values == ("£15",)


@pytest.mark.parametrize(
    ("question", "counts"),
    [
        ("What is the phone number of M. Dube?", False),
        ("What is the number of tools?", True),
        ("What is the total number of tools?", True),
    ],
)
def test_a_number_that_names_something_counts_nothing(question: str, counts: bool) -> None:
    assert bool(Wording(ground(question, index_of(TOOLS))).counting) is counts


def test_what_something_costs_no_name_tells() -> None:
    staff = make_table("staff", "Staff", [["Name", "Office"]], [["Ada Lind", "Vale"], ["Ben Ruiz", "Moor"]])
    assert not answer("What did Ada Lind cost?", staff).decides
    assert ("Vale",) not in [c.values for c in read_question("What did Ada Lind cost?", staff).programs]


def test_a_share_is_told_in_per_cent() -> None:
    votes = make_table(
        "votes", "Votes", [["Ward", "Votes", "Turnout (%)"]], [["Elm", "1,204", "61"], ["Oak", "980", "58"]]
    )
    programs = read_question("What percentage of Elm voted?", votes).programs
    assert ("1,204",) not in [c.values for c in programs]
    assert ("61",) in [c.values for c in programs]


@pytest.mark.parametrize("question", ["The deposit of the belt sander is what", "Belt sander what", "what"])
def test_a_question_may_end_in_its_asking_word(question: str) -> None:
    table_answer = answer(question, TOOLS)
    assert "what" in [item.text for item in table_answer.accounting.bindings]
    assert table_answer.values == ("£15",) or "deposit" not in question


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("What tool costs the most?", "Cement mixer"),
        ("What is the tool with the highest price?", "Cement mixer"),
        ("What is the stock of the tool with the lowest price?", "4"),
        ("What does the belt sander cost?", "£15"),
    ],
)
def test_a_price_is_the_answer_only_where_it_is_asked_for(question: str, value: str) -> None:
    shop = make_table(
        "shop",
        "Tool shop",
        [["Tool", "Price", "Stock"]],
        [["Hedge trimmer", "£20", "2"], ["Belt sander", "£15", "4"], ["Cement mixer", "£60", "1"]],
    )
    assert answer(question, shop).values == (value,)


HERDS = make_table(
    "herds",
    "Herds of a mountain pasture",
    [["Farm", "Sheep 2021", "Sheep 2022", "Months on the pasture", "Ewes (%)"]],
    [
        ["Alm", "420", "405", "4", "70"],
        ["Berg", "120", "150", "1", "55"],
        ["Cima", "260", "215", "8", "90"],
    ],
)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which farm had the biggest drop in sheep?", ("Cima",)),
        ("Which farm had the largest increase in sheep?", ("Berg",)),
        ("Which farm lost the most sheep?", ("Cima",)),
        ("By how much did the sheep of Alm fall?", ("15",)),
        ("Which farms spend more than 3 months on the pasture?", ("Alm", "Cima")),
        ("Which farm has the most sheep in 2022?", ("Alm",)),
    ],
)
def test_the_extreme_of_a_change_is_of_the_change(question: str, expected: tuple[str, ...]) -> None:
    answered = answer(question, HERDS)
    assert answered.decides and answered.values == expected


@pytest.mark.parametrize(
    "question",
    [
        "Which farm had the smallest drop in sheep?",
        "Which farm had the biggest loss of ewes?",
        "By how many percent did the sheep of Alm fall?",
        "Which farms spend more than two years on the pasture?",
        "Which farms spend less than three weeks on the pasture?",
        "Which farms spend more than half a year on the pasture?",
    ],
)
def test_amounts_in_other_units_shares_and_changes_are_not_read_as_what_is_told(question: str) -> None:
    assert not answer(question, HERDS).decides
