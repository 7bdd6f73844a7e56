"""Bounds that words tell: not reaching, as much as, nothing but, and numbers that share a unit."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs.grounding import ground
from evidence_assets.tables.programs.table_index import index_of
from evidence_assets_tests.testing.program_verdicts import verdicts

HIVES = make_table(
    "hives",
    "Hives of a summer",
    [["Hive", "Keeper", "Honey (kg)", "Queen marked"]],
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
        ("Birch did not manage ten kilos of honey.", "condition of a row", True),
        ("Alder did not manage ten kilos of honey.", "condition of a row", False),
        ("Alder never reached 15 kilos of honey.", "condition of a row", True),
        ("None of the hives gave as much as 15 kilos of honey.", "none", True),
        ("None of the hives gave as much as 10 kilos of honey.", "none", False),
        ("Roe keeps nothing but hives with a queen marked.", "all", True),
        ("Lund keeps nothing but hives with a queen marked.", "all", False),
    ],
)
def test_a_bound_is_read_as_its_words_say(claim: str, kind: str, truth: bool) -> None:
    assert verdicts(HIVES, claim, kind) == {truth}


@pytest.mark.parametrize(
    ("claim", "kind"),
    [
        # No keeper of that name, no hive of that name.
        ("Moss keeps nothing but hives with a queen marked.", "all"),
        ("Elm did not manage ten kilos of honey.", "condition of a row"),
    ],
)
def test_a_bound_on_what_the_table_lacks_has_no_reading(claim: str, kind: str) -> None:
    assert not verdicts(HIVES, claim, kind)


def test_numbers_that_are_joined_share_a_unit() -> None:
    claim = ground("Hives of three or four kilos of honey", index_of(HIVES))

    assert [claim.texts[position] for position in sorted(claim.units)] == ["three", "four"]
