"""Bounds and sums that words tell: not reaching, as much as, nothing but, in all, and shared units."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs import verify
from evidence_assets.tables.programs.index.table_index import index_of
from evidence_assets.tables.programs.links.grounding import ground
from evidence_assets.tables.programs.wording.trigger_lexicon import each_word
from evidence_assets.tables.programs.wording.words_of_wholes import adding_words
from evidence_assets_tests.testing.program_verdicts import verdicts

PRESSES = make_table(
    "presses",
    "Cider presses of a valley",
    [["Press", "Owner", "Apples (t)", "Belt renewed"]],
    [
        ["Alder", "Roe", "12", "yes"],
        ["Birch", "Roe", "8", "yes"],
        ["Cedar", "Lund", "3", "no"],
        ["Dogwood", "Lund", "4", "yes"],
    ],
)


@pytest.mark.parametrize(
    ("claim", "kind", "truth"),
    [
        ("Birch did not manage nine tonnes of apples.", "condition of a row", True),
        ("Alder did not manage nine tonnes of apples.", "condition of a row", False),
        ("Alder never reached 15 tonnes of apples.", "condition of a row", True),
        ("None of the presses gave as much as 15 tonnes of apples.", "none", True),
        ("None of the presses gave as much as 10 tonnes of apples.", "none", False),
        ("Roe owns nothing but presses with a belt renewed.", "all", True),
        ("Lund owns nothing but presses with a belt renewed.", "all", False),
    ],
)
def test_a_bound_is_read_as_its_words_say(claim: str, kind: str, truth: bool) -> None:
    assert verdicts(PRESSES, claim, kind) == {truth}


@pytest.mark.parametrize(
    ("claim", "kind"),
    [
        # No owner of that name, no press of that name.
        ("Moss owns nothing but presses with a belt renewed.", "all"),
        ("Elm did not manage nine tonnes of apples.", "condition of a row"),
    ],
)
def test_a_bound_on_what_the_table_lacks_has_no_reading(claim: str, kind: str) -> None:
    assert not verdicts(PRESSES, claim, kind)


def test_numbers_that_are_joined_share_a_unit() -> None:
    claim = ground("Presses of three or four tonnes of apples", index_of(PRESSES))

    assert [claim.texts[position] for position in sorted(claim.units)] == ["three", "four"]


@pytest.mark.parametrize(
    ("claim", "adds"), [("it gave 20 in all .", True), ("it never gave 20 in all these years .", False)]
)
def test_in_all_adds_up_where_nothing_of_it_follows(claim: str, adds: bool) -> None:
    texts = claim.split()

    assert bool(adding_words(texts, range(len(texts)))) is adds


def test_all_in_all_speaks_of_no_rows() -> None:
    assert each_word(("all", "in", "all", ",", "it", "was", "a", "good", "summer")) is None


def test_values_are_not_counted_for_a_name_that_the_table_lacks() -> None:
    assert verdicts(PRESSES, "There are two owners.", "distinct") == {True}
    assert not verdicts(PRESSES, "There are two owners of Elmhurst.", "distinct")


CALLS = make_table(
    "calls",
    "Calls of the stations",
    [["Station", "Founded", "Jan–Mar", "Apr–Jun", "Year"]],
    [
        ["Alder", "1861", "32", "28", "60"],
        ["Birch", "1902", "19", "20", "39"],
        ["Cedar", "1877", "25", "33", "58"],
    ],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Alder had more than 55 calls in the year.", True),
        ("Birch had more than 50 calls in the year.", False),
        ("Two of the stations had more than 55 calls in the year.", True),
        ("Each station bar Birch had over 45 calls in the year.", True),
    ],
)
def test_the_column_of_a_bound_may_stand_behind_what_is_counted(claim: str, truth: bool) -> None:
    assert verify(claim, CALLS).supported is truth


def test_a_bound_of_another_size_is_on_no_column_behind_it() -> None:
    index = index_of(CALLS)
    assert [
        link for link in ground("Alder had more than 50,000 men in the year.", index).links if link.bound
    ] == []
    assert [
        link for link in ground("More than 2 men were founded in the year.", index).links if link.bound
    ] == []
