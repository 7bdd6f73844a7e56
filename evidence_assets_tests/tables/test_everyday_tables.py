"""Claims as anybody words them over tables of every day, each with the program that reads it."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs.index.table_index import index_of
from evidence_assets.tables.programs.links.grounding import ground
from evidence_assets.tables.programs.verdicts.claim_ranking import runs
from evidence_assets.tables.programs.verdicts.leftovers import Left
from evidence_assets.tables.programs.wording.trigger_lexicon import each_word
from evidence_assets.tables.programs.wording.words import tokens
from evidence_assets.tables.table import Table
from evidence_assets_tests.testing.program_verdicts import verdicts

RACE = make_table(
    "race",
    "Town run, 10 km",
    [["Rank", "Runner", "Club", "Age", "Time"]],
    [
        ["1", "Ines Holt", "Nord", "27", "35:12"],
        ["2", "Mara Lindt", "Seen", "34", "35:40"],
        ["3", "Kim Sorge", "Nord", "41", "37:51"],
        ["4", "Anna Roth", "Seen", "19", "39:27"],
    ],
)
STOPS = make_table(
    "stops",
    "Bus 14",
    [["Stop", "Leaves", "Buses a day", "Last bus", "Shelter", "Zone"]],
    [
        ["Station", "05:40", "48", "23:50", "yes", "A"],
        ["Market", "05:46", "48", "23:56", "yes", "A"],
        ["Mill Lane", "06:03", "30", "23:40", "no", "B"],
        ["Quarry", "06:11", "18", "22:15", "no", "C"],
    ],
)
TOWNS = make_table(
    "towns",
    "Towns of Vell county",
    [["Town", "2011", "2021", "Area (km²)", "Founded"]],
    [
        ["Aldbrook", "14,890", "16,220", "48.2", "1802"],
        ["Crake", "2,540", "2,310", "112.5", "1921"],
        ["Dunmere", "47,100", "52,600", "61.0", "1788"],
    ],
)
BILLS = make_table(
    "bills",
    "Bills of the print shop",
    [["Bill", "Customer", "Issued", "Amount", "Copies", "Paid", "Contract"]],
    [
        ["1041", "Baker", "2 March 2024", "€1,240.00", "3", "yes", "12 months"],
        ["1042", "Hill School", "5 March 2024", "€318.50", "0", "no", "none"],
        ["1043", "Orchard", "11 May 2024", "€96.20", "2", "no", "none"],
    ],
)
MONTHS = make_table(
    "months",
    "Power used by a household in kWh",
    [["Month", "Heating", "Lights"]],
    [["January", "420", "58"], ["February", "388", "49"], ["March", "301", "51"], ["April", "176", "30"]],
)
VIEWS = make_table(
    "views",
    "How satisfied are you? Answers in percent, 400 residents",
    [["Topic", "Very satisfied", "Satisfied", "Dissatisfied"]],
    [["Parks", "41", "44", "15"], ["Roads", "6", "28", "66"], ["Libraries", "48", "42", "10"]],
)


@pytest.mark.parametrize(
    ("table", "claim", "kind", "truth"),
    [
        (RACE, "Ines Holt won the run.", "standing", True),
        (RACE, "Mara Lindt was the runner-up.", "standing", True),
        (RACE, "Kim Sorge came last.", "standing", False),
        (RACE, "The youngest runner came last.", "extremes at once", True),
        (RACE, "Kim Sorge finished ahead of Anna Roth.", "comparison", True),
        (RACE, "Kim Sorge finished ahead of Mara Lindt.", "comparison", False),
        (RACE, "Ines Holt was 28 seconds faster than Mara Lindt.", "difference", True),
        (RACE, "Everyone finished in under 40 minutes.", "all", True),
        (RACE, "Nobody under 20 is in the top three.", "none", True),
        (RACE, "Kim Sorge is the oldest of the four.", "temporal", True),
        (STOPS, "Quarry has the fewest buses.", "superlative", True),
        (STOPS, "The station and the market have the same number of buses.", "sameness", True),
        (STOPS, "Mill Lane lies in zone B.", "co-occurrence by row", True),
        (STOPS, "The market lies in zone A.", "co-occurrence by row", True),
        (STOPS, "Mill Lane leaves after 6:30.", "condition of a row", False),
        (STOPS, "Every stop in zone A has more than 40 buses a day.", "all", True),
        (TOWNS, "Two towns had more than 15,000 people in 2021.", "count", True),
        (TOWNS, "Crake had fewer than 2,500 people in 2011.", "condition of a row", False),
        (TOWNS, "Dunmere was founded in the 18th century.", "condition of a row", True),
        (TOWNS, "Two towns were founded before the twentieth century.", "count", True),
        (BILLS, "Unpaid bills add up to €414.70.", "sum", True),
        (BILLS, "Two customers come without a contract.", "count", True),
        (BILLS, "Every bill with copies is above €90.", "all", True),
        (BILLS, "Nothing was issued in April.", "none", True),
        (BILLS, "The last bill was issued in May 2024.", "temporal", True),
        (BILLS, "Baker is dearer than Orchard.", "comparison", True),
        (BILLS, "Baker is the most expensive.", "superlative", True),
        (MONTHS, "Heating fell every month.", "series", True),
        (MONTHS, "Lights fell every month.", "series", False),
        (MONTHS, "From February to April, heating used 865 kWh in all.", "sum", True),
        (MONTHS, "In March, heating took about six times as much as the lights.", "ratio of columns", True),
        (VIEWS, "Nearly half are very satisfied with the libraries.", "share in percent", True),
        (VIEWS, "Two thirds are dissatisfied with the roads.", "share in percent", True),
        (VIEWS, "More than half are very satisfied with the parks.", "share in percent", False),
    ],
)
def test_a_wording_is_read_by_its_program(table: Table, claim: str, kind: str, truth: bool) -> None:
    assert verdicts(table, claim, kind) == {truth}


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("a second-hand clock", []),
        ("the second-largest town", [2]),
        ("all at once", []),
        ("once", [1]),
        ("more than an hour", [1]),
        ("an hour", []),
    ],
)
def test_words_that_tell_numbers_where_they_stand_alone(text: str, numbers: list[float]) -> None:
    assert [token.number for token in tokens(text) if token.number is not None] == numbers


@pytest.mark.parametrize("text", ["none at all", "ten in all", "above all the roads"])
def test_all_that_quantifies_nothing(text: str) -> None:
    assert each_word(tuple(text.split())) is None


def test_a_place_is_told_before_a_hyphen() -> None:
    [extreme] = ground("Crake is the third-largest town.", index_of(TOWNS)).superlatives

    assert (extreme.place, extreme.highest) == (3, True)


@pytest.mark.parametrize(
    "claim",
    [
        "The ride from the station to the market takes six minutes.",
        "The fare to Quarry is two pounds.",
        "The market has been rebuilt in 2019.",
        "The station opens at 04:30.",
    ],
)
def test_a_number_that_no_column_could_tell_counts_and_contradicts_nothing(claim: str) -> None:
    grounded = ground(claim, index_of(STOPS))

    assert grounded.refused
    for run in runs(grounded):
        assert "count" not in run.proposal.kind
        assert "unmatched" not in run.proposal.kind
        assert run.left is Left.DECISIVE


def test_a_comparative_is_no_cell_of_its_adjective() -> None:
    soups = make_table("soups", "Soups", [["Soup", "Cook"]], [["Onion", "easy"], ["Goulash", "hard"]])

    assert [link.start for link in ground("Onion is easier than goulash.", index_of(soups)).links] == [0, 4]
    assert len(ground("Onion is easy.", index_of(soups)).links) == 2


def test_a_bound_is_on_no_number_that_opens_a_name() -> None:
    flats = make_table(
        "flats",
        "Flats",
        [["Flat", "Rent"]],
        [["9 Tower Court", "€900"], ["22 Elm Road", "€640"], ["3 Mill Street", "€700"]],
    )
    kinds = {
        run.proposal.kind: run.result.truth
        for run in runs(ground("9 Tower Court is €260 dearer than 22 Elm Road.", index_of(flats)))
    }
    assert kinds["difference"] is True


def test_a_column_is_told_from_another_by_the_word_that_opens_it() -> None:
    index = index_of(VIEWS)

    assert [head.columns for head in ground("Parks: very satisfied", index).linked.headers] == [{1}]
    assert [head.columns for head in ground("Parks: satisfied", index).linked.headers] == [{2}]
