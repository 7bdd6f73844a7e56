"""Claims worded freely over fires, lines and clinics: what they are read as, and what not."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs.index.table_index import index_of
from evidence_assets.tables.programs.links.grounding import ground
from evidence_assets.tables.programs.wording.claimed_shares import claimed_share, fraction
from evidence_assets.tables.programs.wording.words import tokens
from evidence_assets.tables.table import Table
from evidence_assets_tests.testing.approximate_numbers import approximately
from evidence_assets_tests.testing.program_verdicts import verdicts

FIRES = make_table(
    "fires",
    "Fires of a summer",
    [["Fire", "Burned (ha)", "Crews", "Broke out"]],
    [
        ["Alder Gap", "900", "12", "3 July 2021"],
        ["Birch Hill", "300", "9", "July 2021"],
        ["Cedar Moor", "250", "4", "9 August 2021"],
        ["Dene", "50", "2", "30 August 2021"],
    ],
)
LINES = make_table(
    "lines",
    "Bus passengers by line, in thousands (–: not counted)",
    [["Line", "Operator", "2019", "2020", "2021"]],
    [
        ["20", "Redline", "436", "228", "301"],
        ["34", "Countybus", "268", "350", "481"],
        ["40", "Countybus", "154", "66", "–"],
        ["N5", "Lyle", "58", "9", "14"],
    ],
)
CLINIC = make_table(
    "clinic",
    "Clinics",
    [["Clinic", "Opened", "Vets", "Km from town", "Registered animals", "On call"]],
    [
        ["Ash", "2004", "7", "8", "3150", "yes"],
        ["Birk", "1998", "3", "2", "2250", "no"],
        ["Cole", "2011", "2", "5", "1150", "yes"],
        ["Dorn", "1987", "2", "11", "850", "no"],
    ],
)


@pytest.mark.parametrize(
    ("table", "claim", "kind", "truth"),
    [
        (
            FIRES,
            "Alder Gap alone burned more than the three other fires combined.",
            "comparison with the rest",
            True,
        ),
        (
            FIRES,
            "Birch Hill burned more than all the others put together.",
            "comparison with the rest",
            False,
        ),
        (
            FIRES,
            "Alder Gap alone burned more than the five other fires combined.",
            "comparison with the rest",
            False,
        ),
        (
            FIRES,
            "Alder Gap is the largest by more than 500 hectares.",
            "superlative by a margin in the only column",
            None,
        ),
        (FIRES, "Alder Gap had the most crews, by 3.", "superlative by a margin", True),
        (FIRES, "Alder Gap had the most crews, by 4.", "superlative by a margin", False),
        (CLINIC, "More than a third of all the registered animals belong to Ash.", "share of a total", True),
        (CLINIC, "Under a quarter of all the registered animals belong to Birk.", "share of a total", False),
        (LINES, "2021 was the best year for line 34.", "superlative of years", True),
        (LINES, "2020 was the best year for line 20.", "superlative of years", False),
        (LINES, "In 2020 line 34 had the most passengers.", "superlative", True),
        (LINES, "In 2019 line 34 had the most passengers.", "superlative", False),
        (LINES, "By 2021 line 34 was busier than it had been in 2019.", "condition of a row", True),
        (LINES, "By 2021 line 20 was busier than it had been in 2019.", "condition of a row", False),
    ],
)
def test_a_claim_is_read_as_its_wording_asks(table: Table, claim: str, kind: str, truth: bool | None) -> None:
    assert verdicts(table, claim, kind) == ({truth} if truth is not None else set())


@pytest.mark.parametrize(
    ("table", "claim", "kind"),
    [
        # Two names of one column stand in no row, whatever is said of the two.
        (CLINIC, "Ash merged with Birk.", "co-occurrence by row"),
        # A named row is one.
        (CLINIC, "Ash has room for ten dogs.", "count"),
        (FIRES, "Dene destroyed two farmhouses.", "count"),
        # That a clinic is listed denies nothing that is said of it.
        (CLINIC, "Nobody waits at Ash.", "denied co-occurrence"),
        (CLINIC, "None of the clinics is dearer than Ash.", "none"),
        # Nothing tells what is the strongest, or the most beautiful.
        (FIRES, "Dene was the most beautiful of the moors.", "superlative in some column"),
        # A year behind a name is no year before.
        (LINES, "Line 20 had fewer passengers than line 34 in 2021.", "condition of a row"),
        # A cell is missing.
        (LINES, "Line 40 had fewer passengers in 2021 than the year before.", "condition of a row"),
        # Which clinics are meant is not told.
        (CLINIC, "Every clinic that has parking is on call.", "all"),
        (CLINIC, "Most of the Ash staff are tired.", "majority"),
    ],
)
def test_what_a_claim_does_not_say_is_no_reading_of_it(table: Table, claim: str, kind: str) -> None:
    assert not verdicts(table, claim, kind)


def test_a_cause_is_told_by_no_table_without_reasons() -> None:
    from evidence_assets.tables.programs.verdicts.claim_ranking import runs

    reasons = make_table("stops", "Stops", [["Bus", "Reason"]], [["X1", "fog"], ["X2", "snow"]])

    assert not runs(ground("Ash is on call because Birk is not.", index_of(CLINIC)))
    assert runs(ground("X1 was stopped because of fog.", index_of(CLINIC))) == []
    assert runs(ground("X1 stopped because fog came.", index_of(reasons)))


@pytest.mark.parametrize(
    ("text", "relation", "share"),
    [
        ("more than a quarter of the animals", ">", 0.25),
        ("under two thirds of them", "<", 2 / 3),
        ("half of the fires", "=", 0.5),
    ],
)
def test_a_fraction_keeps_its_comparative(text: str, relation: str, share: float) -> None:
    part = fraction(tokens(text))

    assert part is not None
    assert (part.relation, part.share) == (relation, approximately(share))


@pytest.mark.parametrize(
    "text", ["in the third quarter of 2022", "in the second half of 1882", "it took half an hour"]
)
def test_a_part_of_time_is_no_share_of_rows(text: str) -> None:
    assert fraction(tokens(text)) is None
    assert claimed_share(tokens(text)) is None


def test_a_bound_in_a_unit_that_its_column_does_not_tell_bounds_nothing() -> None:
    links = ground("Ash is less than 7 miles from town.", index_of(CLINIC)).links

    assert not [link for link in links if link.bound]


def test_an_ordinal_is_no_amount() -> None:
    races = make_table(
        "races", "Races", [["Runner", "Place", "Time (min)"]], [["Ann", "1", "2"], ["Bea", "2", "1"]]
    )
    places = {column for link in ground("Ann came first.", index_of(races)).links for column in link.places}

    assert 2 not in places


PRICES = make_table(
    "prices",
    "Prices of wood, in euros",
    [["Sort", "Q1 2021", "Q3 2021", "Q1 2022", "Q1 2023"]],
    [["Oak", "40", "66", "60", "70"], ["Ash", "80", "84", "90", "70"]],
)


@pytest.mark.parametrize(
    ("claim", "kind", "truth"),
    [
        ("In the third quarter of 2021 oak cost 66.", "co-occurrence by row", True),
        ("In the first quarter of 2022 oak cost 66.", "unmatched number", False),
        (
            "Oak rose by more than half from the first to the third quarter of 2021.",
            "change between columns",
            True,
        ),
        (
            "Ash rose by more than half from the first to the third quarter of 2021.",
            "change between columns",
            False,
        ),
        ("Ash was cheaper in the first quarter of 2023 than two years before.", "condition of a row", True),
        ("Ash was cheaper in the first quarter of 2022 than a year before.", "condition of a row", False),
    ],
)
def test_a_quarter_is_the_column_of_its_header(claim: str, kind: str, truth: bool) -> None:
    assert verdicts(PRICES, claim, kind) == {truth}


@pytest.mark.parametrize(("decade", "rows"), [("eighties", {3}), ("nineties", {1}), ("sixties", set())])
def test_a_decade_may_be_told_without_its_century(decade: str, rows: set[int]) -> None:
    links = ground(f"Two of the clinics opened in the {decade}.", index_of(CLINIC)).links

    assert [set(link.rows) for link in links if link.bound] == [rows]


def test_a_number_of_another_year_is_none_of_the_year_that_is_said() -> None:
    assert not verdicts(LINES, "In 2020 line 34 carried 268 passengers.", "co-occurrence by row")
    numbers = ground("In 2020 line 34 carried 268 passengers.", index_of(LINES)).numbers

    assert [tokens("In 2020 line 34 carried 268 passengers.")[n].text for n in numbers] == ["268"]


FLIGHTS = make_table(
    "flights",
    "Departures",
    [["Flight", "To", "Km from base", "Meal"]],
    [["KV 240", "Oslo", "7", "yes"], ["KV 220", "Rome", "20", "no"], ["NB 3", "Oslo", "9", "no"]],
)


def test_the_number_of_a_code_measures_nothing() -> None:
    links = ground("Nobody flew more than 100 people by flight.", index_of(FLIGHTS)).links

    assert not [link for link in links if link.bound]
    assert not verdicts(FLIGHTS, "KV 240 flight is higher than KV 220.", "comparison")


def test_a_bound_at_a_cell_is_of_the_unit_that_the_header_names() -> None:
    def bounds(claim: str) -> list[str]:
        return [link.bound for link in ground(claim, index_of(FLIGHTS)).links if link.bound]

    assert bounds("KV 240 is less than 9 miles from base.") == []
    assert bounds("KV 240 is less than 9 km from base.")


def test_one_that_has_and_one_that_has_not_are_two_rows() -> None:
    assert not verdicts(FLIGHTS, "There was a meal on KV 240, but KV 220 had none.", "condition of a row")
