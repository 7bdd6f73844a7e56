"""Claims of boats: what is so now, times of two columns, years between days, no longer, sharing."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs import verify
from evidence_assets.tables.programs.index.derived.spans_of_rows import with_spans
from evidence_assets_tests.testing.program_verdicts import decided

BOATS = make_table(
    "boats",
    "Boats of the harbour",
    [["Boat", "Skipper", "Home port", "Launched", "Length (m)", "Status", "Last inspected"]],
    [
        ["Gull", "Ann Rye", "Hask", "1985-03-04", "12.5", "active", "2022-09-19"],
        ["Tern", "Bo Lind", "Mere", "1990-06-30", "9.8", "laid up", "2021-05-02"],
        ["Petrel", "Cy Marr", "Hask", "2004-01-15", "15.2", "active", "2022-09-30"],
        ["Plover", "Di Holt", "Orsa", "2011-10-11", "8.4", "sold", "2020-12-24"],
    ],
)
MEMBERS = make_table(
    "members",
    "Members of the club",
    [["Year", "Members", "Chair"]],
    [["2019", "40", "Ann Rye"], ["2020", "44", "Ann Rye"], ["2021", "41", "Bo Lind"]],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("The Gull is currently active.", True),
        ("At the moment the Tern is active.", False),
        ("The Gull is skippered by Ann Rye right now.", True),
        ("Two boats are active at present.", True),
        # Of the two columns of times that which is named.
        ("The Petrel was inspected after 20 September 2022.", True),
        ("The Gull was inspected after 20 September 2022.", False),
        ("The Tern was launched before 1 July 1990.", True),
        # Years between days are those that they are of.
        ("The Gull is older than the Tern by five years.", True),
        ("The Gull is older than the Tern by six years.", False),
        # How long it is since each was launched no column tells.
        ("The longest boat is the Petrel.", True),
        ("The longest boat is the Gull.", False),
        ("The Gull and the Petrel share a home port.", True),
        ("The Gull and the Tern share a home port.", False),
    ],
)
def test_claims_as_a_harbour_master_words_them(claim: str, truth: bool) -> None:
    assert decided(claim, BOATS) is truth


@pytest.mark.parametrize(
    "claim",
    [
        "Di Holt no longer has her boat.",
        "The Gull is older than the Tern by five months.",
    ],
)
def test_what_the_table_does_not_tell_is_left_open(claim: str) -> None:
    assert decided(claim, BOATS) is None


def test_nothing_is_so_now_of_a_table_of_years() -> None:
    verdict = verify("The club currently has 40 members.", MEMBERS)
    assert not verdict.decides
    assert "currently" in verdict.accounting.unaccounted


def test_what_was_last_inspected_has_not_ended_then() -> None:
    assert with_spans(BOATS) is None
