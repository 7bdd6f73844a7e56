"""Questions that people ask of price lists, schedules, loans and leagues."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs.questions.answering import answer, read_question
from evidence_assets.tables.table import Table

SHOP = make_table(
    "shop",
    "Price list of the shop",
    [["Item", "Unit", "Price (EUR)", "In stock"]],
    [
        ["Claw hammer", "piece", "18.90", "7"],
        ["Tape measure 5 m", "piece", "9.30", "21"],
        ["Wood glue 500 g", "bottle", "7.95", "12"],
    ],
)
COUNTIES = make_table(
    "counties",
    "Counties",
    [["County", "Seat", "Area (km²)"]],
    [["Ashford", "Ashton", "612"], ["Corran", "Port Corran", "1,140"], ["Dunley", "Dun", "890"]],
)
SCHOOLS = make_table(
    "schools",
    "Twin schools",
    [["School", "Partner school", "Pupils"]],
    [
        ["Northgate", "St Anne", "410"],
        ["St Anne", "Northgate", "288"],
        ["Holm", "Brook", "530"],
        ["Brook", "Holm", "365"],
    ],
)
LOANS = make_table(
    "loans",
    "Tool library, loans",
    [["Tool", "Borrower", "Borrowed on", "Due", "Returned"]],
    [
        ["Hedge trimmer", "K. Olsen", "2025-03-02", "2025-03-09", "2025-03-08"],
        ["Belt sander", "M. Dube", "2025-03-04", "2025-03-11", "2025-03-15"],
        ["Pressure washer", "K. Olsen", "2025-03-10", "2025-03-17", "no"],
        ["Cement mixer", "R. Lang", "2025-03-12", "2025-03-26", "no"],
    ],
)
KENNEL = make_table(
    "kennel",
    "Kennel list",
    [["Dog", "Owner", "Weight (kg)", "Fed at"]],
    [["Bella", "Ford", "7.2", "8:00"], ["Rex", "Hill", "30.5", "7:15"], ["Milo", "Moss", "11.8", "9:30"]],
)
CARS = make_table(
    "cars",
    "Company cars",
    [["Plate", "Driver", "First registered", "Mileage (km)", "Next service"]],
    [
        ["KA 11", "Weiss", "2018", "142,000", "Feb 2026"],
        ["KA 12", "Roth", "May 2020", "88,500", "Dec 2025"],
        ["KA 13", "–", "Oct 2021", "61,200", "Aug 2026"],
    ],
)
DARTS = make_table(
    "darts",
    "Darts evening",
    [["Round", "Player 1", "Player 2", "Legs 1", "Legs 2"]],
    [
        ["1", "Anna", "Bert", "3", "1"],
        ["1", "Carl", "Dora", "2", "3"],
        ["2", "Anna", "Carl", "3", "2"],
        ["2", "Bert", "Dora", "0", "3"],
        ["3", "Anna", "Dora", "1", "3"],
    ],
)
KAYAKS = make_table(
    "kayaks",
    "Hire charges, summer 2024 (kroner)",
    [["Boat", "Low season", "High season", "Deposit", "Boats available"]],
    [
        ["Single", "390", "550", "1,000", "18"],
        ["Double", "590", "590", "1,500", "7"],
        ["Surf ski", "290", "420", "1,800", "12"],
    ],
)
PLAYS = make_table(
    "plays",
    "Season of the puppet theatre",
    [["Play", "Performances", "Running time (min)", "Still in use"]],
    [["Tin Fox", "42", "55", "Yes"], ["Hamlet", "12", "95", "No"], ["Little Moth", "30", "35", "Yes"]],
)
GROUPS = make_table(
    "groups",
    "Group bookings, spring 2025",
    [["Group", "Guests", "Deposit paid"]],
    [
        ["Oakfield School", "34", "12 January"],
        ["Pryce family", "9", "3 March"],
        ["Lenham Ramblers", "16", "28 January"],
    ],
)
RECORDS = make_table(
    "records",
    "Club records",
    [["Event", "Maker", "Made", "Place"]],
    [
        ["50 m", "J. Reiter", "2022", "Varn"],
        ["100 m", "T. Okafor", "2016", "Lissen"],
        ["200 m", "P. Ellis", "2019", "Lissen"],
    ],
)


@pytest.mark.parametrize(
    ("question", "table", "values"),
    [
        ("How many tape measures do we have?", SHOP, {"21"}),
        ("What is the seat of Corran?", COUNTIES, {"Port Corran"}),
        ("How many pupils does Brook have?", SCHOOLS, {"365"}),
        ("Which tools have not been returned?", LOANS, {"Pressure washer", "Cement mixer"}),
        ("How many tools have been returned?", LOANS, {"2"}),
        ("When was the belt sander returned?", LOANS, {"2025-03-15"}),
        ("Which dog is fed after 9:00?", KENNEL, {"Milo"}),
        ("How many matches did Anna win?", DARTS, {"2"}),
        ("Who lost against Dora in round 2?", DARTS, {"Bert"}),
        ("Which boats have a deposit of more than 1,000 kroner?", KAYAKS, {"Double", "Surf ski"}),
        ("Which boat costs the same in both seasons?", KAYAKS, {"Double"}),
        ("Which play was performed the fewest times?", PLAYS, {"Hamlet"}),
        ("Which plays are no longer in use?", PLAYS, {"Hamlet"}),
        ("Which was the smallest group?", GROUPS, {"Pryce family"}),
        ("How many of the records were set in Lissen?", RECORDS, {"2"}),
    ],
)
def test_everyday_questions_are_answered(question: str, table: Table, values: set[str]) -> None:
    answered = answer(question, table)

    assert answered.decides
    assert {*answered.values} == values


@pytest.mark.parametrize(
    ("question", "table"),
    [
        ("Which tool was returned late?", LOANS),
        ("How many days late was the belt sander?", LOANS),
        ("How much is a night at Corran?", COUNTIES),
    ],
)
def test_what_nothing_tells_is_not_answered_from_what_is_near(question: str, table: Table) -> None:
    assert not answer(question, table).decides


def test_what_was_not_done_has_no_other_time() -> None:
    assert answer("When was the cement mixer returned?", LOANS).values == ("no",)


def test_who_has_no_driver_is_told_by_no_driver() -> None:
    columns = {c.proposal.column for c in read_question("Which car has no driver?", CARS).programs}

    assert 0 in columns
    assert 1 not in columns


def test_a_maker_made_it_though_a_column_says_when_it_was_made() -> None:
    answered = answer("Who made the 100 m?", RECORDS)

    assert answered.values == ("T. Okafor",)
    assert not answered.lacks_a_part


@pytest.mark.parametrize(
    ("question", "value"), [("Is KA 11 older than KA 12?", "yes"), ("Is KA 13 older than KA 12?", "no")]
)
def test_how_old_things_are_is_told_by_times_alone(question: str, value: str) -> None:
    assert answer(question, CARS).values == (value,)
