"""Free questions of amounts: summed up, in another unit than a table's, between rows, of how long."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs.index.table_index import index_of
from evidence_assets.tables.programs.links.grounding import ground
from evidence_assets.tables.programs.questions.answering import answer, read_question
from evidence_assets.tables.programs.questions.wording.question_wording import Wording
from evidence_assets.tables.table import Table

CHOIRS = make_table(
    "choirs",
    "Singing contest",
    [["Choir", "Country", "Singers", "Points"]],
    [
        ["Vale Voices", "Norway", "42", "91.5"],
        ["Harbour Men", "Portugal", "55", "84.5"],
        ["Cantabile", "Norway", "24", "89.5"],
    ],
)
CROSSINGS = make_table(
    "crossings",
    "Ferry crossings",
    [["Crossing", "Duration", "Length (m)"]],
    [["Skerry", "1 h 20 min", "21,500"], ["Tarvay", "45 min", "9,400"], ["Hesta", "35 min", "7,100"]],
)
GUESTS = make_table(
    "guests",
    "Bookings of a guest house",
    [["Guest", "Arrival", "Departure"]],
    [
        ["Anders Holm", "2024-05-02", "2024-05-06"],
        ["Paula Reis", "2024-05-03", "2024-05-05"],
        ["Colin Frame", "2024-05-06", "2024-05-13"],
    ],
)
FESTIVAL = make_table(
    "festival",
    "Editions of a film festival",
    [["Year", "Films", "Admissions"]],
    [["2021", "61", "19,400"], ["2022", "118", "31,600"], ["2023", "124", "35,900"]],
)


@pytest.mark.parametrize(
    ("question", "table", "values"),
    [
        ("how many singers came from Norway?", CHOIRS, ("66",)),
        ("which Norwegian choir had 24 singers?", CHOIRS, ("Cantabile",)),
        ("how many Portuguese choirs were there?", CHOIRS, ("1",)),
        ("how many minutes does the crossing to Skerry take?", CROSSINGS, ("80",)),
        ("how many kilometres long is the crossing to Tarvay?", CROSSINGS, ("9.4",)),
        ("what is the length of Hesta in kilometres?", CROSSINGS, ("7.1",)),
        ("how many nights did Colin Frame stay?", GUESTS, ("7",)),
        ("by how many points did Vale Voices beat the Harbour Men?", CHOIRS, ("7",)),
        ("by how many did admissions go up from 2022 to 2023?", FESTIVAL, ("4300",)),
    ],
)
def test_a_question_is_accounted_for_by_a_program(
    question: str, table: Table, values: tuple[str, ...]
) -> None:
    programs = read_question(question, table).programs
    assert values in [candidate.values for candidate in programs if candidate.accounts]


def test_rows_did_not_rise_that_fell() -> None:
    programs = read_question("by how many did admissions fall from 2022 to 2023?", FESTIVAL).programs
    assert "change between rows" not in [candidate.proposal.kind for candidate in programs]


def test_what_is_counted_may_be_told_by_a_column() -> None:
    summed = "sum, amounts are told"
    assert answer("how many singers came from Norway?", CHOIRS, {summed: 9.0}).values[0] != "2"
    features = [c.features for c in read_question("how many choirs came from Norway?", CHOIRS).programs]
    assert not any(summed in names for names in features)


def test_last_may_be_a_verb() -> None:
    index = index_of(CROSSINGS)
    assert not Wording(ground("how long does the crossing to Skerry last?", index)).of("end")
    assert Wording(ground("which crossing is the last?", index)).of("end")


@pytest.mark.parametrize("question", ["how much is Anders Holm?", "how many nights did Anders Holm stay?"])
def test_rows_are_not_what_is_counted(question: str) -> None:
    programs = read_question(question, GUESTS).programs
    assert "count" not in [candidate.proposal.kind for candidate in programs]


def test_the_noun_tells_whether_a_time_is_asked_for() -> None:
    index = index_of(FESTIVAL)
    for question in (
        "in which year were most films shown?",
        "what was the year of 118 films?",
        "when was it?",
    ):
        assert Wording(ground(question, index)).asks_for_a_time
    assert not Wording(ground("which films were shown in the year 2021?", index)).asks_for_a_time


def test_the_extreme_itself_may_be_asked_for() -> None:
    index = index_of(CHOIRS)
    assert Wording(ground("what was the highest number of points?", index)).asks_for_the_extreme
    assert not Wording(ground("which choir had the most points?", index)).asks_for_the_extreme


def test_a_verb_that_begins_like_a_header_is_bound_by_its_column() -> None:
    pets = make_table(
        "pets",
        "Patients",
        [["Animal", "Species", "Owner"]],
        [["Captain", "parrot", "Lois Kerr"], ["Juno", "dog", "Nora Veale"]],
    )
    programs = read_question("who owns the parrot?", pets).programs
    left = {candidate.values: candidate.left.name for candidate in programs}
    assert (left["Lois Kerr",], left["Captain",]) == ("NOTHING", "WORD")


COURSES = make_table(
    "courses",
    "Evening courses",
    [["Course", "Language", "Students", "Starts"]],
    [
        ["S1", "Spanish", "14", "18:00"],
        ["F1", "French", "11", "19:00"],
        ["F2", "French", "8", "19:30"],
    ],
)
PARCELS = make_table(
    "parcels",
    "Parcels given out by a food bank",
    [["Centre", "2021", "2022", "2023"]],
    [
        ["Mill Road", "470", "455", "430"],
        ["Eastfield", "310", "390", "475"],
        ["Library", "120", "140", "135"],
    ],
)


@pytest.mark.parametrize(
    ("question", "table", "columns"),
    [
        ("how many students learn French?", COURSES, {2}),
        ("how many people learn French?", COURSES, {2}),
        ("how many courses are there?", COURSES, set()),
        ("how many parcels were given out in 2021?", PARCELS, {1, 2, 3}),
    ],
)
def test_what_is_counted_may_be_what_a_column_tells(question: str, table: Table, columns: set[int]) -> None:
    assert Wording(ground(question, index_of(table))).amount.amounts == columns


def test_times_of_day_are_not_added_up() -> None:
    programs = read_question("how many people learn French?", COURSES).programs
    summed = {candidate.proposal.summed for candidate in programs if candidate.proposal.kind == "sum"}
    assert 2 in summed and 3 not in summed


def test_state_of_what_is_counted_stands_behind_its_conditions() -> None:
    halls = make_table(
        "halls",
        "Halls of the inn",
        [["Hall", "Wing", "Beds"]],
        [["Oak", "North", "12"], ["Elm", "South", "8"], ["Ash", "North", "10"]],
    )
    assert answer("How many beds are in the North wing?", halls).decides
    # Which beds are meant is told, and not whether they are free.
    assert not answer("How many beds that are in the North wing are free?", halls).decides


FLIGHTS = make_table(
    "flights",
    "Balloon flights",
    [["Flight", "Duration", "Height", "In the air (h:min)"]],
    [
        ["Eagle", "137 h", "485 cm", "68:05"],
        ["Vega", "84 h", "150 cm", "65:29"],
        ["Pacific", "46 h", "210 cm", "40:00"],
    ],
)
AQUARIUM = make_table(
    "aquarium",
    "Animals received",
    [["Received", "Species", "Number", "Quarantine (days)"]],
    [
        ["14 Feb 2022", "Thornback ray", "6", "30"],
        ["3 May 2022", "Moon jellyfish", "45", "10"],
        ["22 Jan 2024", "Thornback ray", "4", "28"],
    ],
)


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("How many hours longer was Eagle in the air than Vega?", "53"),
        ("How many metres taller is Eagle than Vega?", "3.35"),
        ("How many minutes longer was Eagle in the air than Vega?", "156"),
    ],
)
def test_a_difference_is_told_in_the_unit_asked_for(question: str, value: str) -> None:
    values = [candidate.values for candidate in read_question(question, FLIGHTS).programs]
    assert (value,) in values


def test_times_headed_hours_and_minutes_are_no_seconds() -> None:
    assert index_of(FLIGHTS).told_units[3] == {"minute"}


@pytest.mark.parametrize("unit", ["grams", "euros"])
def test_a_difference_in_another_dimension_is_none(unit: str) -> None:
    programs = read_question(f"How many {unit} more has Eagle than Vega?", FLIGHTS).programs
    assert not [candidate for candidate in programs if candidate.proposal.kind == "difference"]


def test_a_column_of_numbers_tells_how_many_there_are_of_what_stands_before_it() -> None:
    wording = Wording(ground("How many thornback rays arrived?", index_of(AQUARIUM)))
    assert wording.amount.amounts == {2}
    assert answer("How many thornback rays arrived altogether?", AQUARIUM).values == ("10",)


def test_marks_of_rows_are_not_added_up() -> None:
    batches = make_table(
        "batches",
        "Batches",
        [["Bean", "Batch", "Time"]],
        [["Criollo", "T-01", "36 h"], ["Criollo", "T-02", "60 h"]],
    )
    values = [
        c.values for c in read_question("What is the average time of the Criollo batches?", batches).programs
    ]
    assert ("1.5",) not in values
    assert ("48",) in values
