"""Free questions of two columns: one above the other, a plan and its outcome, a time between two."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs.links.linking import Link
from evidence_assets.tables.programs.questions.answering import Candidate, answer, read_question
from evidence_assets.tables.programs.questions.wording.carried_words import carried_by
from evidence_assets.tables.programs.questions.wording.question_wording import Wording
from evidence_assets.tables.programs.verdicts.leftovers.claim_accounting import Left
from evidence_assets.tables.table import Table

PLAYGROUNDS = make_table(
    "playgrounds",
    "Playgrounds of Ardley",
    [["Playground", "Budget (£)", "Actual cost (£)", "Swings", "Slides"]],
    [
        ["Elm Green", "42,000", "39,500", "4", "2"],
        ["Station Park", "65,000", "71,200", "6", "3"],
        ["Riverside", "58,000", "58,000", "4", "4"],
        ["Hill Top", "25,000", "27,300", "1", "2"],
    ],
)
CHAIRS = make_table(
    "chairs",
    "Chairs of a gardening club",
    [["Chair", "Elected", "Until", "Votes"]],
    [
        ["Edna Marsh", "1962", "1971", "48"],
        ["Dora Quill", "1975", "1988", "55"],
        ["Sam Otter", "1988", "?", "41"],
        ["Priya Nair", "1992", "2009", "62"],
        ["Leo Hart", "2009", "–", "57"],
    ],
)
EDITORS = make_table(
    "editors",
    "Editors of a newspaper",
    [["Editor", "In office", "Born"]],
    [
        ["Josiah Pell", "1881–1903", "1841"],
        ["Edwin Marsh", "1903–1911", "1868"],
        ["Jo Fairley", "2014–2020", "1975"],
    ],
)
SALES = make_table(
    "sales",
    "Sales of a bakery in thousand euros",
    [["Product", "Q1", "Q2", "Q3", "Q4"]],
    [["Bread", "48", "45", "42", "50"], ["Cakes", "22", "27", "25", "36"], ["Rolls", "30", "34", "38", "31"]],
)
OPERATIONS = make_table(
    "operations",
    "Operations",
    [["Operation", "Anaesthetic", "Surgeon"]],
    [
        ["Hernia repair", "general", "Varga"],
        ["Cataract surgery", "local", "Pell"],
        ["Bypass", "general", "Lowe"],
    ],
)


def _accounting(question: str, table: Table) -> list[Candidate]:
    """Return the programs that leave nothing decisive of a question, and no value of it."""
    programs = read_question(question, table).programs
    return [candidate for candidate in programs if candidate.left not in {Left.DECISIVE, Left.VALUE}]


@pytest.mark.parametrize(
    ("question", "table", "values"),
    [
        ("which playgrounds have more swings than slides?", PLAYGROUNDS, ("Elm Green", "Station Park")),
        ("which playgrounds have as many slides as swings?", PLAYGROUNDS, ("Riverside",)),
        ("which playground has fewer swings than slides?", PLAYGROUNDS, ("Hill Top",)),
        ("which playgrounds cost more than budgeted?", PLAYGROUNDS, ("Station Park", "Hill Top")),
        ("which playground came in exactly on budget?", PLAYGROUNDS, ("Riverside",)),
        ("which playground went over budget by the most?", PLAYGROUNDS, ("Station Park",)),
        ("by how much did Station Park go over budget?", PLAYGROUNDS, ("6200",)),
        ("who was chair in 1980?", CHAIRS, ("Dora Quill",)),
        ("who was chair in 2015?", CHAIRS, ("Leo Hart",)),
        ("for how many years was Edwin Marsh in office?", EDITORS, ("8",)),
        ("by how much did cakes rise between Q3 and Q4?", SALES, ("11",)),
        ("how many operations were done under general anaesthetic?", OPERATIONS, ("2",)),
    ],
)
def test_programs_of_two_columns_account_for_a_question(
    question: str, table: Table, values: tuple[str, ...]
) -> None:
    assert values in [candidate.values for candidate in _accounting(question, table)]


def test_by_how_much_asks_for_no_sum_and_no_count() -> None:
    programs = read_question("by how much did cakes rise between Q3 and Q4?", SALES).programs
    assert not {"sum", "count"} & {candidate.proposal.kind for candidate in programs}


def test_an_extreme_of_what_no_column_tells_chooses_no_row() -> None:
    """The longest waiting times were read as the highest number of the only year that was said."""
    programs = read_question("which product had the longest waiting times in Q1?", SALES).programs
    assert not any(candidate.proposal.selection.kind.startswith("extreme") for candidate in programs)


@pytest.mark.parametrize(
    ("question", "is_carried"),
    [
        ("which operations were done under general anaesthetic?", False),
        ("how many operations were done over the year?", False),
        ("which operations took under an hour?", True),
    ],
)
def test_a_preposition_of_place_or_time_compares_nothing(question: str, is_carried: bool) -> None:
    claim = read_question(question, OPERATIONS).claim
    words = [claim.texts[n] for n, left in carried_by(Wording(claim)).items() if left is Left.DECISIVE]
    assert (not {"under", "over"}.isdisjoint(words)) is is_carried


def test_a_condition_says_what_it_compares() -> None:
    reading = read_question("which playgrounds have more swings than slides?", PLAYGROUNDS)
    links: list[Link] = [
        link for candidate in reading.programs for link in candidate.proposal.selection.links
    ]
    assert "> Slides" in {link.bound for link in links}


CORES = make_table(
    "cores",
    "Ice cores",
    [["Core", "Glacier", "Depth (m)", "Age of oldest ice (years)", "Rank"]],
    [
        ["ND-1", "Norden", "310", "2,400", "2"],
        ["QV-1", "Quelva", "155", "900", "3"],
        ["QV-2", "Quelva", "168", "3,100", "1"],
    ],
)


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("which core contains the oldest ice?", ("QV-2",)),
        ("what is the difference in depth between the two Quelva cores?", ("13",)),
        ("by how many metres does QV-2 beat QV-1 in depth?", ("13",)),
    ],
)
def test_headers_may_say_which_row_is_meant_and_a_value_two_of_them(
    question: str, values: tuple[str, ...]
) -> None:
    assert values in [candidate.values for candidate in _accounting(question, CORES)]


def test_ranks_do_not_differ_unless_they_are_named() -> None:
    programs = read_question("by how many metres is QV-2 deeper than QV-1?", CORES).programs
    assert 4 not in {candidate.proposal.summed for candidate in programs}


def test_between_them_adds_up() -> None:
    programs = read_question("how many metres do the Quelva cores have between them?", CORES).programs
    kinds = {candidate.proposal.kind for candidate in programs}
    assert "sum" in kinds and "difference of two" not in kinds


def test_a_noun_that_only_opens_a_header_asks_for_no_such_cell() -> None:
    stores = make_table(
        "stores",
        "Seed stores",
        [["", "Store temperature", "Depth (m)"]],
        [["Brackmoor", "-18 °C", "9"], ["Sant Ferran", "-20 °C", "35"], ["Inglis", "-22 °C", "12"]],
    )
    assert answer("Which store lies deepest?", stores).values == ("Sant Ferran",)


def test_a_name_of_a_row_is_that_row_and_not_its_partner() -> None:
    schools = make_table(
        "schools",
        "Partner schools",
        [["School", "Partner school", "Head", "Pupils"]],
        [
            ["Holm", "Brook", "Ms Lee", "530"],
            ["Brook", "Holm", "Mr Fox", "365"],
            ["Vale", "Moor", "Ms Orr", "410"],
        ],
    )
    assert answer("Who is the head of Holm?", schools).values == ("Ms Lee",)
