"""Names that are cut, and stay distinct."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_assets.text.shortening import shortened


def test_names_that_fit_are_kept() -> None:
    assert shortened(["full@extractive", "a"], 15) == ["full@extractive", "a"]
    assert shortened([], 15) == []


def test_the_middle_goes_where_the_ends_tell_names_apart() -> None:
    assert shortened(["uscrake/full_k5@extractive", "uscrake/full_k9@nearest"], 15) == [
        "uscrake…ractive",
        "uscrake…nearest",
    ]
    assert shortened(["aaaaaaaaaa_1", "aaaaaaaaaa_2"], 8) == ["aaa…aa_1", "aaa…aa_2"]


def test_what_no_cut_tells_apart_is_numbered() -> None:
    names = ["aaaaaa1bbbbbb", "aaaaaa2bbbbbb"]
    assert shortened(names, 6) == ["aaaa…1", "aaaa…2"]


def test_no_room_is_an_error() -> None:
    with pytest.raises(ValueError, match="no name can be cut to 2 characters; remedy: at least 3"):
        shortened(["abc"], 2)


@given(
    names=st.lists(st.text("ab@/", min_size=1, max_size=40), max_size=8, unique=True),
    width=st.integers(8, 40),
)
def test_cut_names_fit_and_stay_distinct(names: list[str], width: int) -> None:
    cut = shortened(names, width)
    assert all(len(name) <= width for name in cut)
    assert len(set(cut)) == len(names)
    assert shortened([*names, *names], width) == [*cut, *cut]
