"""Words of which one says what another does not."""

from __future__ import annotations

import pytest

from evidence_assets.text.rival_words import rivals_of, says_a_rival
from evidence_assets.text.roots import root


def tells_a_rival(wanted: str, said: str) -> bool:
    wanted_roots, said_roots = (frozenset(map(root, text.split())) for text in (wanted, said))
    return says_a_rival(rivals_of(wanted_roots), wanted_roots, said_roots)


@pytest.mark.parametrize(
    ("wanted", "said", "is_rival"),
    [
        ("summer", "winter", True),
        ("mondays", "tuesday", True),
        ("summer", "summer winter", False),
        ("summer winter", "winter", False),
        ("spring summer", "winter spring", True),
        ("left hip", "right hip", True),
        ("left", "monday", False),
        ("pump", "winter", False),
        ("summer", "", False),
        ("weekdays", "sundays", True),
        ("weekends", "monday", True),
        ("sunday", "weekdays", True),
        ("monday", "weekdays sunday", False),
        ("weekdays", "monday to friday saturday", False),
        ("tuesday", "monday", True),
    ],
)
def test_a_rival_is_another_of_a_kind_where_the_wanted_is_not_said(
    wanted: str, said: str, is_rival: bool
) -> None:
    assert tells_a_rival(wanted, said) is is_rival


def test_what_is_of_no_kind_has_no_rivals() -> None:
    assert rivals_of(frozenset({"pump"})) == []
